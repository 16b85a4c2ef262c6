from random import Random

import pytest

from bitduel.core.endings import REPETITION, Outcome
from bitduel.core.errors import IllegalMoveError, MatchOverError, MoveError, UnreadableMoveError
from bitduel.core.match import Match
from bitduel.core.view import UNSEEN
from bitduel.games import Kind, make
from helpers import all_readings


def test_the_other_seat_starts_if_asked() -> None:
    match = Match(make("64"), first=2)
    assert match.to_move == 2
    match.play("double")
    assert match.to_move == 1


def test_unreadable_illegal_and_late_moves_are_different_errors_and_change_nothing() -> None:
    match = Match(make("bits"))
    with pytest.raises(UnreadableMoveError, match="'jump' is not a move"):
        match.play("jump")
    with pytest.raises(IllegalMoveError, match="'reset 1' is not possible now"):
        match.play("reset 1")
    assert match.ply == 0
    match.resign(1)
    with pytest.raises(MatchOverError):
        match.play("flip 1")
    with pytest.raises(MatchOverError):
        match.resign(2)


def test_resigning_gives_the_win_to_the_other_seat() -> None:
    match = Match(make("31"))
    match.resign(1)
    assert match.outcome == Outcome(2, "resignation")
    assert match.to_move is None
    assert match.legal == ()


def test_undo_goes_back_to_ones_own_last_turn() -> None:
    match = Match(make("64"), moves=["add", "double", "add"])
    assert match.undo(2) == 2
    assert match.moves == ["add"]
    assert match.to_move == 2
    with pytest.raises(MoveError, match="no move of yours"):
        match.undo(2)


def test_undo_skips_a_pass() -> None:
    match = Match(make("bits", {"first-move": "flip"}), moves=["flip 2", "reset 2", "pass", "flip 3"])
    match.undo(1)
    assert match.moves == []


def test_undo_takes_back_a_repetition() -> None:
    moves = ["flip 2", "flip 3", "flip 1", "flip 2", "reset 2", "reset 1", "flip 1"]
    match = Match(make("bits"), moves=moves)
    assert match.outcome == Outcome(None, "repetition")
    match.undo(1)
    assert match.outcome is None
    match.play("flip 1")
    assert match.outcome == Outcome(None, "repetition")


def test_nothing_is_taken_back_in_the_dark() -> None:
    match = Match(make("battle"), deal="01101", moves=["toggle 1"])
    with pytest.raises(MoveError, match="hidden information"):
        match.undo(1)


def test_a_hidden_view_shows_ones_own_moves_and_no_others() -> None:
    match = Match(make("battle", {"secret": "01101"}), deal="01101", moves=["toggle 1", "toggle 2", "toggle 3"])
    assert match.view(1).history == ("toggle 1", UNSEEN, "toggle 3")
    assert match.view(2).history == (UNSEEN, "toggle 2", UNSEEN)
    assert match.view(None).history == (UNSEEN,) * 3
    for seat in (1, 2, None):
        view = match.view(seat)
        assert view.deal is None
        assert "secret" not in view.options
        assert "01101" not in str(view.as_dict())


def test_everything_is_told_once_the_match_is_over() -> None:
    match = Match(make("battle", {"secret": "10000"}), deal="10000", moves=["toggle 2", "toggle 1"])
    assert match.outcome == Outcome(2, "match")
    assert match.view(None).deal == "10000"
    assert match.view(1).history == ("toggle 2", "toggle 1")
    assert match.view(1).as_dict()["over"] == {"winner": 2, "reason": "match"}


def test_only_the_seat_to_move_has_legal_moves() -> None:
    match = Match(make("31"))
    assert match.view(1).legal == ("1", "2", "4", "8", "16")
    assert match.view(2).legal == match.view(None).legal == ()


@pytest.mark.parametrize(("kind", "options"), all_readings())
def test_a_sight_is_that_of_the_view_and_what_repeats_is_what_would_end_the_match(
    kind: Kind, options: dict[str, object]
) -> None:
    rng = Random(1)
    for _ in range(3):
        game = kind(**options)
        match = Match(game, deal=game.deal(rng))
        while match.to_move and match.ply < 60:
            assert match.sight == match.view(match.to_move).sight
            ends = [move for move in match.legal if (match.after(move).outcome or ("", ""))[1] == REPETITION]
            assert list(match.repeating) == ends
            match.play(rng.choice(match.legal))
