"""What is said of a match: how it ended, whoever asks, and in the dark what one goes by."""

import pytest

from bitduel.core.outcomes import AGREED_DRAW, CALLED_OFF, RESIGNATION, Outcome
from bitduel.games.registry import make
from bitduel.service import messages
from bitduel.service.credentials import new_token
from bitduel.service.match_session import MatchSession
from web.sites import LocalApp


def begun(app: LocalApp, name: str, moves: str = "", **options: object) -> str:
    """A match at one keyboard after these moves."""
    match_id = app.service.create(make(name, **options), "here", "1", (None, None), new_token())
    for ply, move in enumerate(moves.split(", ") if moves else []):
        app.store.add(match_id, ply, move)
    return match_id


def told(session: MatchSession, mine: tuple[int, ...]) -> tuple[str, list[str]]:
    view = session.match.view(mine[0] if len(mine) == 1 else None)
    return messages.status(session, view, mine), messages.sentences(session, view, mine)


def test_the_headline_says_who_has_won_and_the_story_comes_below(app: LocalApp) -> None:
    session = app.service.session(begun(app, "31", "8", length=8))
    reached = "Player 1 has reached or surpassed Position 8 and wins the game!"
    assert told(session, ()) == told(session, (1, 2)) == ("Player 1 wins.", [reached])
    assert told(session, (1,)) == ("You win!", ["You reached 8 first."])
    assert told(session, (2,)) == ("You lose.", ["Your opponent reached 8 first."])


@pytest.mark.parametrize(
    ("game", "moves", "to_winner", "to_loser"),
    [
        ("64", "double, double", "You made it exactly 4.", "Your opponent made it exactly 4."),
        ("double", "add, add, double", "Your opponent went past 4.", "You went past 4."),
        ("bits", "flip 1, flip 1, flip 2", "All your bits are 1.", "All your opponent's bits are 1."),
        ("battle", "toggle 2", "Your number matches the secret.", "Your opponent hit the secret number."),
    ],
)
def test_each_player_reads_how_the_match_ended_without_a_name(
    app: LocalApp, game: str, moves: str, to_winner: str, to_loser: str
) -> None:
    settings = {"bits": 2} if game == "bits" else {"bits": 2, "secret": "01"} if game == "battle" else {"target": 4}
    session = app.service.session(begun(app, game, moves, **settings))
    assert session.match.outcome
    assert session.match.outcome.winner
    winner = session.match.outcome.winner
    assert told(session, (winner,))[1][0] == to_winner
    assert told(session, (3 - winner,))[1][0] == to_loser


def test_who_resigned_reads_so_as_you(app: LocalApp) -> None:
    match_id = begun(app, "64", "add, add")
    app.store.end(match_id, Outcome(2, RESIGNATION))
    session = app.service.session(match_id)
    assert told(session, (1,))[1] == ["You resigned."]
    assert told(session, (2,))[1] == ["Player 1 resigned."]
    assert told(session, ())[1] == ["Player 1 resigns. Player 2 wins the game!"]


@pytest.mark.parametrize("mine", [(), (1,), (2,), (1, 2)])
def test_a_draw_is_a_draw_to_everybody_and_what_does_not_count_is_told_in_a_sentence(
    app: LocalApp, mine: tuple[int, ...]
) -> None:
    for reason, headline in ((AGREED_DRAW, "It is a draw."), (CALLED_OFF, "")):
        match_id = begun(app, "64", "add, add")
        app.store.end(match_id, Outcome(None, reason))
        status, said = told(app.service.session(match_id), mine)
        assert status == headline or (not headline and status.endswith("."))
        assert bool(said) == bool(headline)


def test_in_the_dark_everybody_hears_what_they_go_by_once_they_have_moved(app: LocalApp) -> None:
    match_id = begun(app, "battle", "toggle 1", secret="01101")
    session = app.service.session(match_id)
    assert told(session, (2,))[1] == ["Player 1 has taken a turn."]
    app.store.add(match_id, 1, "toggle 2")
    session = app.service.session(match_id)
    assert told(session, (1,))[1] == ["16 is too high.", "Player 2 has taken a turn."]
    assert told(session, ())[1] == ["Player 2 has taken a turn."]
    app.store.add(match_id, 2, "toggle 2")
    session = app.service.session(match_id)
    assert told(session, (2,))[1] == ["8 is too low.", "Player 1 has taken a turn."]
