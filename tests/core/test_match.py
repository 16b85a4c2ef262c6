"""Matches: moves, endings, views, and matches as values that can be compared, copied and pickled."""

import pickle
from copy import copy, deepcopy
from random import Random

import pytest

from bitduel.core.errors import (
    IllegalMoveError,
    MatchOverError,
    MoveError,
    OutcomeError,
    SeatError,
    UnreadableMoveError,
)
from bitduel.core.match import Match
from bitduel.core.outcomes import ENDINGS, REPETITION, Outcome
from bitduel.core.view import UNSEEN
from bitduel.games.registry import GameClass, make
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
    with pytest.raises(IllegalMoveError, match="You can't play 'reset 1' now"):
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
    with pytest.raises(MoveError, match="You have no move to take back"):
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
def test_the_information_state_is_that_of_the_view_and_what_repeats_is_what_would_end_the_match(
    kind: GameClass, options: dict[str, object]
) -> None:
    rng = Random(1)
    for _ in range(3):
        game = kind(**options)
        match = Match(game, deal=game.deal(rng))
        while match.to_move and match.ply < 60:
            assert match.information_state == match.view(match.to_move).information_state
            ends = [move for move in match.legal if (match.after(move).outcome or ("", ""))[1] == REPETITION]
            assert list(match.repeating) == ends
            match.play(rng.choice(match.legal))


def test_the_old_name_of_the_information_state_warns() -> None:
    match = Match(make("64"))
    with pytest.warns(DeprecationWarning, match=r"Match\.information_state"):
        assert match.sight == match.information_state


LOOP = ["flip 2", "flip 3", "reset 3", "reset 2"]


def long_match(plies: int = 10_000) -> Match:
    return Match(make("64", {"target": 10**9}), moves=["add"] * plies)


def test_a_match_of_ten_thousand_plies_is_copied_pickled_and_compared() -> None:
    match = long_match()
    assert pickle.loads(pickle.dumps(match)) == deepcopy(match) == copy(match) == match


def test_a_copy_goes_its_own_way() -> None:
    match = Match(make("bits"), moves=LOOP[:2])
    other = copy(match)
    other.play("reset 3")
    assert match.moves == LOOP[:2]
    assert match != other


def test_what_a_match_was_after_some_moves_is_not_over() -> None:
    match = Match(make("double", {"target": 4}), moves=["double", "double"])
    assert match.outcome
    assert match.at(1).to_move == 2
    assert match.at(2) == match
    with pytest.raises(MoveError, match="2 moves"):
        match.at(3)
    with pytest.raises(MoveError):
        match.at(-1)


def test_a_walk_goes_from_the_start_to_the_end_that_it_had() -> None:
    match = Match(make("31"), 2, moves=["1", "2"])
    match.resign(2)
    moments = list(match.walk())
    assert [moment.ply for moment in moments] == [0, 1, 2]
    assert [moment.outcome for moment in moments] == [None, None, match.outcome]
    assert moments[-1] == match
    assert moments[-1] is not match


def test_repetition_is_counted_through_copies_walks_and_pickles() -> None:
    match = Match(make("bits"), moves=["flip 2", "flip 3", "flip 1", "flip 2", "reset 2", "reset 1"])
    for same in (copy(match), pickle.loads(pickle.dumps(match)), list(match.walk())[-1], match.at(6)):
        assert same.repeating == match.repeating
        assert same.view(1).repeating == match.repeating
    assert match.repeating == ("flip 1",)
    assert match.after("flip 1").outcome == Outcome(None, "repetition")


@pytest.mark.parametrize("seat", [0, 3, -1, "1", 1.5, True, 1.0, 2 + 0j])
def test_a_seat_that_is_not_at_the_table_is_an_error(seat: int) -> None:
    match = Match(make("battle"), deal="01101", moves=["toggle 1"])
    for ask in (match.view, match.resign, match.undo):
        with pytest.raises(SeatError, match="A seat must be 1 or 2"):
            ask(seat)
    with pytest.raises(SeatError):
        Match(make("64"), seat)


def test_what_python_shows_of_a_game_and_a_match_makes_sense_and_tells_no_secret() -> None:
    assert repr(make("bits", edge="strict", first_move="game")) == (
        "make('binary-race-bits', first_move='game', edge='strict')"
    )
    game = make("battle", secret="01101")
    assert "01101" not in repr(game)
    match = Match(game, deal="01101", moves=["toggle 1", "toggle 2"])
    assert repr(match) == "<Match of make('binary-battle', secret=...): ?, ?; seat 1 to move>"
    assert ": ... 1, 1, 1, 1, 1, 1; seat 1 to move>" in repr(Match(make("31"), moves=["1"] * 8))
    won = Match(make("double", target=2), moves=["add"])
    assert repr(won) == "<Match of make('double-or-nothing', target=2): add; winner 1, exact>"


def test_a_match_deals_by_chance_unless_told() -> None:
    assert len({Match(make("battle", bits=8)).deal for _ in range(50)}) > 10
    assert Match(make("battle", secret="10101")).deal == "10101"


def test_a_match_can_end_only_in_a_declared_way() -> None:
    for ending in ENDINGS.values():
        for winner in (1, 2, None):
            outcome = Outcome(winner, ending.reason)
            match = Match(make("31"))
            if ending.by_moves or not (ending.drawn if winner is None else ending.won):
                with pytest.raises(OutcomeError):
                    match.conclude(outcome)
                assert match.to_move
            else:
                match.conclude(outcome)
                assert match.outcome == outcome
                with pytest.raises(MatchOverError):
                    match.conclude(outcome)
    with pytest.raises(OutcomeError, match=r"cannot end by .*boredom"):
        Match(make("31")).conclude(Outcome(1, "boredom"))


def test_moves_are_not_taken_back_where_anything_is_hidden() -> None:
    for table in ("open", "hidden"):
        match = Match(make("battle", table=table), deal="01101", moves=["toggle 1", "toggle 2"])
        with pytest.raises(MoveError, match="hidden information"):
            match.undo(1)
        assert match.ply == 2


def test_undo_leaves_the_match_as_it_was() -> None:
    match = Match(make("bits"), moves=LOOP)
    assert match.undo(2) == 1
    assert match == Match(make("bits"), moves=LOOP[:3])
    assert match.legal == Match(make("bits"), moves=LOOP[:3]).legal


@pytest.mark.parametrize(("first", "moves"), [(1, ["toggle 2", "toggle 1", "toggle 3"]), (2, ["toggle 1", "toggle 2"])])
def test_a_finished_match_in_the_dark_shows_each_players_own_number(first: int, moves: list[str]) -> None:
    game = make("battle", bits=3)
    numbers = {1: 0, 2: 0}
    for ply, move in enumerate(moves):
        numbers[first if ply % 2 == 0 else 3 - first] ^= 1 << 3 - int(move.split()[1])
    match = Match(game, first, "011", moves)
    if not match.outcome:
        match.resign(1)
    for seat in (1, 2, None):
        caption = game.picture(match.view(seat), ("Ada", "Alan")).caption
        assert f"Ada has {numbers[1]}. Alan has {numbers[2]}." in caption


def test_what_is_seen_in_hindsight_is_everything_once_it_is_over() -> None:
    match = Match(make("battle", bits=3), deal="101", moves=["toggle 1"])
    assert match.hindsight(1).board.secret is None
    match.resign(2)
    assert match.hindsight(0).board.secret == "101"
    assert match.hindsight(0).ply == 0
    assert match.hindsight(1).board.mine == "100"


def test_views_of_a_game_that_hides_something_hold_no_position() -> None:
    for table in ("open", "hidden"):
        match = Match(make("battle", table=table), deal="01101")
        assert all(match.view(seat).position is None for seat in (1, 2, None))
    assert Match(make("64")).view(1).position == (1,)


@pytest.mark.parametrize("outcome", [Outcome(3, "time"), Outcome("1", "time"), (1, "time"), None, Outcome(1, None)])  # type: ignore[arg-type]
def test_what_is_no_outcome_ends_nothing(outcome: Outcome) -> None:
    match = Match(make("31"))
    with pytest.raises(OutcomeError):
        match.conclude(outcome)
    assert match.to_move == 1


def test_whoever_plays_on_with_a_moment_of_a_walk_does_not_change_the_walk() -> None:
    match = Match(make("31"), moves=["1", "2", "4"])
    seen = []
    for moment in match.walk():
        seen.append(tuple(moment.moves))
        if moment.to_move:
            moment.play("16")
    assert seen == [(), ("1",), ("1", "2"), ("1", "2", "4")]


def test_listed_moves_say_what_they_lead_to() -> None:
    assert Match(make("double"), moves=["add", "double", "add"]).listed_moves() == (
        "+1 to 2",
        "\u00d72 to 4",
        "+1 to 5",
    )
    assert Match(make("31"), 2, moves=["2", "2", "4"]).listed_moves() == ("+2 to 2", "+2 to 2", "+4 to 6")
