from itertools import product

import pytest

from bitduel.core.errors import MoveError, TooLargeError
from bitduel.core.match import Match
from bitduel.games.registry import make
from bitduel.solver import belief_tracking
from bitduel.solver.analysis import UnknownDealError
from bitduel.solver.belief_tracking import information_set
from helpers import deals


@pytest.mark.parametrize("table", ["hidden", "open"])
@pytest.mark.parametrize("seat", [1, 2])
def test_every_deal_has_its_place_in_exactly_one_answer(table: str, seat: int) -> None:
    game = make("battle", {"bits": 3, "table": table})
    for line in product(game.moves, repeat=2):
        for deal in deals(game):
            try:
                known = information_set(game, seat, line, deal)
            except UnknownDealError:
                continue
            assert deal in known.matches
            for move in known.view.legal:
                answers = known.possible_feedback(move)
                assert sum(answer.deal_count for answer in answers) == len(known.matches)
                assert len({answer.deal for answer in answers}) == len(answers)


@pytest.mark.parametrize("seat", [1, 2])
def test_deals_that_look_the_same_are_known_as_one(seat: int) -> None:
    """By the rules themselves: less and greater at every own number, and nothing of the other's."""
    game = make("battle", {"bits": 3})
    for line in product(game.moves, repeat=3):
        stories: dict[tuple[int, ...], set[str]] = {}
        for deal in deals(game):
            number, told = 0, []
            for move in line:
                number ^= 1 << 3 - int(move.split()[1])
                told.append((number > int(deal, 2)) - (number < int(deal, 2)))
            if 0 not in told:
                stories.setdefault(tuple(told), set()).add(deal)
        for alike in stories.values():
            found = [information_set(game, seat, line, deal) for deal in sorted(alike)]
            assert all(set(known.matches) == alike for known in found)
            assert len({known.deal for known in found}) == 1
            assert all(known.view == found[0].view for known in found)
            assert found[0].view.seat == found[0].view.to_move == seat


def test_the_line_of_an_open_table_is_everybodys() -> None:
    known = information_set(make("battle", {"bits": 3, "table": "open"}), 1, ["toggle 1", "toggle 2"], "111")
    assert known.view.history == ("toggle 1", "toggle 2")
    assert known.feedback() == ["Your number is less than the target."] * 2
    assert list(known.matches) == ["101", "110", "111"]


def test_what_was_told_on_the_way_is_told_again() -> None:
    known = information_set(make("battle"), 2, ["toggle 1", "toggle 2"], "10110")
    assert known.feedback() == ["Your number is less than the target.", "Your number is greater than the target."]
    assert known.view.history == ("?", "toggle 1", "?", "toggle 2", "?")


def test_a_line_that_cannot_be_gets_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    game = make("battle", {"bits": 3})
    with pytest.raises(UnknownDealError):
        information_set(game, 1, ["toggle 1"], "100")
    with pytest.raises(UnknownDealError):
        information_set(game, 1, ["toggle 1"], "nonsense")
    with pytest.raises(MoveError):
        information_set(game, 1, ["sing"])
    monkeypatch.setattr(belief_tracking, "MOST_DEALS", 7)
    with pytest.raises(TooLargeError):
        information_set(game, 1, [])


def test_as_many_secrets_as_the_limit_allows_are_explored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(belief_tracking, "MOST_DEALS", 8)
    assert len(information_set(make("battle", {"bits": 3}), 1, []).matches) == 8


def test_without_a_deal_the_first_that_fits_is_supposed() -> None:
    assert information_set(make("battle", {"bits": 2}), 1, ["toggle 1"]).deal == "00"


def test_an_answer_that_ends_the_match_says_so() -> None:
    game = make("battle", {"bits": 3})
    (hit,) = [answer for answer in information_set(game, 1, []).possible_feedback("toggle 1") if answer.outcome]
    assert Match(game, 1, hit.deal, ["toggle 1"]).outcome == hit.outcome


@pytest.mark.parametrize("table", ["hidden", "open"])
def test_what_is_seen_and_not_said_tells_answers_apart_too(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = make("battle", {"bits": 3, "table": table})
    monkeypatch.setattr(type(game.words), "played", lambda *_: ["Toggled."])
    answers = information_set(game, 1, ()).possible_feedback("toggle 1")
    assert [(answer.deal_count, answer.outcome is not None) for answer in answers] == [
        (4, False),
        (1, True),
        (3, False),
    ]
