from unittest.mock import patch

from bitduel.core.match import Match
from bitduel.games import make, shelf
from bitduel.solve.review import review
from bitduel.solve.statistics import won_positions
from helpers import standing


def test_the_moment_where_the_result_changed_hands_is_found() -> None:
    match = Match(make("double"), moves=["double", "add", "double", "double", "add", "double"])
    found = review(match)
    assert found.start == standing(winner=2, plies=14)
    assert [step.turning for step in found.steps] == [False] * 5 + [True]
    last = found.steps[-1]
    assert last.better == ("add",)
    assert last.before == standing(winner=2, plies=7)
    assert last.after == standing(winner=1, plies=0)


def test_standings_go_on_from_move_to_move_in_an_open_game() -> None:
    for name in ("64", "double", "31", "bits"):
        match = Match(make(name))
        while match.to_move and match.ply < 30:
            match.play(match.legal[match.ply % len(match.legal)])
        found = review(match)
        now = found.start
        for step in found.steps:
            assert step.before == now
            now = step.after


def test_in_the_dark_moves_are_judged_by_what_their_player_could_know_then() -> None:
    moves = ["toggle 1", "toggle 2", "toggle 2", "toggle 1", "toggle 3"]
    game = make("battle", {"bits": 3})
    one, two = (review(Match(game, deal=deal, moves=moves[:2])) for deal in ("001", "000"))
    assert [step.after.chance for step in one.steps][:1] == [step.after.chance for step in two.steps][:1]
    over = Match(game, deal="111", moves=moves)
    assert over.outcome
    assert review(over).steps[-1].after == standing(chance=1.0)
    assert "toggles from the secret" in review(over).steps[0].hindsight
    assert review(Match(game, deal="111", moves=moves[:2])).steps[0].hindsight == ""


def test_the_lean_orders_standings_from_seat_to_seat() -> None:
    order = [standing(1, 0), standing(1, 9), standing(), standing(2, 9), standing(2, 0)]
    leans = [each.lean for each in order]
    assert leans == sorted(leans, reverse=True)
    assert leans[0] == 1
    assert leans[-1] == -1


def test_how_often_a_won_position_was_kept() -> None:
    match = Match(make("double"), moves=["double", "add", "double", "double", "add", "double"])
    assert won_positions(match, 2) == (2, 3)
    assert won_positions(match, 1) == (0, 0)
    assert won_positions(Match(make("battle"), deal="00000"), 1) is None


def test_every_game_can_be_reviewed() -> None:
    for kind in shelf():
        game = kind()
        match = Match(game, deal=game.any_deal())
        while match.to_move and match.ply < 20:
            match.play(match.legal[-1])
        assert len(review(match).steps) == match.ply


def test_a_review_looks_at_every_ply_once() -> None:
    game = make("64", {"target": 10**6})
    counts = []
    for plies in (100, 200, 400):
        match = Match(game, moves=["add"] * plies)
        with patch.object(Match, "play", autospec=True, side_effect=Match.play) as played:
            review(match)
            won_positions(match, 1)
        counts.append(played.call_count)
    assert counts == [2 * 100, 2 * 200, 2 * 400]


def test_a_resignation_does_not_change_what_the_moves_were_worth() -> None:
    moves = ["double", "add", "double"]
    match = Match(make("double"), moves=moves)
    before = review(match).steps
    match.resign(2)
    assert [step.after for step in review(match).steps] == [step.after for step in before]
    assert review(match).outcome == match.outcome
