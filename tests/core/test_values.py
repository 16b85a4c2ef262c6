"""Matches and games as values: compared, copied, pickled, asked for any of their moments."""

import gc
import pickle
from copy import copy, deepcopy
from random import Random

import pytest

from bitduel.core.endings import ENDINGS, Outcome
from bitduel.core.errors import MatchOverError, MoveError, OptionError, OutcomeError, SeatError
from bitduel.core.match import Match
from bitduel.core.turn import Turn
from bitduel.games import make

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
        with pytest.raises(SeatError, match="A seat is 1 or 2"):
            ask(seat)
    with pytest.raises(SeatError):
        Match(make("64"), seat)


def test_games_are_equal_by_their_rules_and_options() -> None:
    assert make("bits") == make("binary-race-bits", bits=4)
    assert hash(make("bits")) == hash(make("binary-race-bits"))
    assert make("bits") != make("bits", bits=5)
    assert make("64", step=1, target=20) != make("double")
    assert make("bits") != "bits"
    assert Match(make("31")) != "match"


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


def test_kept_turns_are_bounded_also_in_matches_under_way() -> None:
    game = make("31", length=3000)
    rng = Random(1)
    open_match = Match(game)
    for _ in range(60):
        match = Match(game)
        while match.legal:
            match.play(rng.choice(match.legal))
        if open_match.ply < 50:
            open_match.play("1")
    gc.collect()
    alive = sum(isinstance(thing, Turn) and thing._game is game for thing in gc.get_objects())
    assert len(game.turns) <= game.most_turns
    assert alive <= 3 * game.most_turns


def test_a_match_goes_on_the_same_when_the_game_forgets_its_turns() -> None:
    game, fresh = make("bits"), make("bits")
    match, same = Match(game), Match(fresh)
    rng = Random(3)
    while match.legal:
        move = rng.choice(match.legal)
        match.play(move)
        same.play(move)
        game.forget()
    assert (match.outcome, match.moves) == (same.outcome, same.moves)


@pytest.mark.parametrize("outcome", [Outcome(3, "time"), Outcome("1", "time"), (1, "time"), None, Outcome(1, None)])  # type: ignore[arg-type]
def test_what_is_no_outcome_ends_nothing(outcome: Outcome) -> None:
    match = Match(make("31"))
    with pytest.raises(OutcomeError):
        match.conclude(outcome)
    assert match.to_move == 1


@pytest.mark.parametrize("deal", ["junk", 5, b"1"])
def test_nothing_is_dealt_in_a_game_without_chance(deal: str) -> None:
    with pytest.raises(OptionError, match="Nothing like that is dealt"):
        Match(make("64"), deal=deal)


def test_whoever_plays_on_with_a_moment_of_a_walk_does_not_change_the_walk() -> None:
    match = Match(make("31"), moves=["1", "2", "4"])
    seen = []
    for moment in match.walk():
        seen.append(tuple(moment.moves))
        if moment.to_move:
            moment.play("16")
    assert seen == [(), ("1",), ("1", "2"), ("1", "2", "4")]
