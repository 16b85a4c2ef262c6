import contextlib
import os
from collections import deque
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bitduel.core.errors import OptionError, TooLargeError
from bitduel.core.game import Game, Number, Truth, Verdict
from bitduel.core.match import Match
from bitduel.core.options import ChoiceOption, IntegerOption, Option
from bitduel.games.registry import GameClass, all_games, find
from bitduel.solver import kernel
from bitduel.solver.atlas import has_position_chart, position_chart
from bitduel.solver.evaluators import TableEvaluator, evaluator_for
from bitduel.solver.table import CHUNK, PositionTable, UnknownPositionError, explore, max_positions, shortest_path
from helpers import all_readings, deals

quick = settings(deadline=None)


class Place(NamedTuple):
    place: Number
    ballast: Number


class Ladder(Game[Place]):
    """Climb one or two rungs, or drop from the second; the range of the ballast decides how keys are kept."""

    slug, title, declared_options = "ladder", "Ladder", ()
    moves = ("1", "2", "drop")
    words = picture = observe = None  # type: ignore[assignment]

    def __init__(self, top: int, ballast: int = 1, told: int | None = None) -> None:
        super().__init__()
        self.top, self.ballast, self.told = top, ballast, told or top + 1

    def start(self, deal: str = "") -> Place:
        return Place(1, 0)

    def legal(self, position: Place, move: str) -> Truth:
        if move == "drop":
            return position.place == 2
        return position.place + int(move) <= self.top

    def play(self, position: Place, move: str) -> Place:
        return Place(position.place * 0 if move == "drop" else position.place + int(move), 0)

    def verdict(self, position: Place) -> Number:
        return Verdict.WON * (position.place == self.top)

    @property
    def ranges(self) -> tuple[int, ...]:
        return (self.told, self.ballast)


def one_by_one(game: Game[Any], start: Any) -> set[Any]:
    """Every position that play reaches, without arrays."""
    found, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        then = {game.play(here, move) for move in game.moves if game.legal(here, move)} - found
        found |= then
        waiting += then
    return found


def check(table: PositionTable[Any], start: Any) -> None:
    """The table says of every position what the rules say."""
    game, positions = table.game, [table.position_at(index) for index in range(len(table))]
    where = {position: index for index, position in enumerate(positions)}
    assert positions[0] == start
    assert len(where) == len(table)
    assert set(where) == one_by_one(game, start)
    assert table.verdict.tolist() == [game.verdict(position) for position in positions]
    assert table.after.tolist() == [
        [where[game.play(position, move)] if game.legal(position, move) else -1 for move in game.moves]
        for position in positions
    ]
    assert all(type(field) is int for position in positions for field in position)
    assert [table.index_of(position) for position in positions[:50]] == list(range(len(positions[:50])))


@pytest.mark.parametrize(("kind", "chosen"), all_readings())
def test_a_table_is_what_playing_one_position_at_a_time_finds(kind: GameClass, chosen: dict[str, object]) -> None:
    game = kind(**chosen)
    if game.has_chance:
        game = kind(**chosen, bits=3)
    start = game.start(deals(game)[-3:][0])
    check(explore(game, start=start), start)


def small(option: Option) -> st.SearchStrategy[Any]:
    if isinstance(option, IntegerOption):
        return st.integers(option.low, min(option.high, option.low + 8)) | st.just(min(option.high, 40))
    return st.sampled_from(list(option.choices) if isinstance(option, ChoiceOption) else [option.default])


OPEN_GAMES = [kind for kind in all_games() if not kind().has_chance]


@quick
@given(kind=st.sampled_from(OPEN_GAMES), data=st.data())
def test_a_table_is_right_for_any_options(kind: GameClass, data: st.DataObject) -> None:
    chosen = {option.name: data.draw(small(option)) for option in kind.declared_options}
    assume(chosen.get("bits", 0) < 7)
    try:
        game = kind(**chosen)
    except OptionError:
        assume(False)
    check(explore(game), game.start())


@pytest.mark.parametrize("ballast", [1, CHUNK, 2**40, 2**70], ids=["all keys", "lookup", "sorted", "wide"])
def test_a_table_is_the_same_however_its_keys_are_kept(ballast: int) -> None:
    game = Ladder(60, ballast)
    table = explore(game)
    check(table, game.start())
    assert table.index_of(Place(60, ballast)) is None
    assert table.index_of(Place(-1, 0)) is None


@pytest.mark.parametrize("ballast", [2, CHUNK, 2**40, 2**70])
def test_a_position_that_play_cannot_reach_is_not_in_the_table(ballast: int) -> None:
    assert explore(Ladder(9, ballast)).index_of(Place(1, 1)) is None


def test_levels_that_stay_thin_are_left_for_all_keys_at_once() -> None:
    game = Ladder(3000, ballast=16)
    with patch("bitduel.solver.table.BREADTH_CHECK_LEVEL", 100):
        table = explore(game)
    assert np.all(np.diff(table.positions.place[1:]) > 0), "in the order of keys, but for the start"
    assert table.after[table.index_of(Place(2998, 0))].tolist() == [
        table.index_of(Place(2999, 0)),
        table.index_of(Place(3000, 0)),
        -1,
    ]


@pytest.mark.parametrize("ballast", [CHUNK, 2**40])
def test_a_game_that_fills_little_of_its_ranges_is_explored_from_its_start(ballast: int) -> None:
    game = Ladder(60, ballast)
    with patch("bitduel.solver.table._Exploration.by_keys", side_effect=AssertionError("looked at every key")):
        table = explore(game)
    assert depths(table) == sorted(depths(table))


@pytest.mark.parametrize("ballast", [1, CHUNK, 2**40])
def test_a_game_that_leaves_its_ranges_is_found_out(ballast: int) -> None:
    with pytest.raises(ValueError, match="a move of ladder leads out of its ranges"):
        explore(Ladder(50, ballast, told=40))


def test_a_game_known_to_be_too_large_is_refused_before_it_is_explored() -> None:
    kind = next(kind for kind in OPEN_GAMES if kind().size)
    game = kind()
    assert game.size is not None
    with (
        patch.object(game, "verdict", side_effect=AssertionError("explored")),
        pytest.raises(TooLargeError, match=rf"{game.title} has about {game.size:,} positions and needs .* GB") as error,
    ):
        explore(game, limit=game.size - 1)
    assert error.value.status == 1


@pytest.mark.parametrize("ballast", [1, CHUNK, 2**40])
def test_a_game_found_to_be_too_large_is_given_up(ballast: int) -> None:
    assert len(explore(Ladder(49, ballast), limit=50)) == 50
    with pytest.raises(TooLargeError, match=r"has at least \d+ positions and .* There is room for 49 "):
        explore(Ladder(49, ballast), limit=49)


def test_the_room_follows_from_the_memory_of_the_machine() -> None:
    game = Ladder(9)
    with patch.object(os, "sysconf", side_effect=lambda name: {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": 2**20}[name]):
        usual = max_positions(game)
    with patch.object(os, "sysconf", side_effect=ValueError):
        assert max_positions(game) == usual
    assert 2**31 // 200 < usual < 2**31 // 40
    assert max_positions(game, kernel=True) > max_positions(game, kernel=False)


rows = st.integers(1, 30).flatmap(
    lambda size: st.lists(st.lists(st.integers(-1, size - 1), min_size=3, max_size=3), min_size=size, max_size=size)
)


def ways_to_reach() -> list[Callable[..., Any]]:
    return [kernel._reach, lambda after, start: kernel.reachable(after, start, kernel=False)]


@quick
@given(rows)
def test_what_can_be_reached_is_the_same_by_arrays_one_by_one_and_in_the_kernel(table: list[list[int]]) -> None:
    after, start = np.array(table, np.int32), Random(len(table)).randrange(len(table))
    found, waiting = {start}, [start]
    while waiting:
        then = {row for row in table[waiting.pop()] if row >= 0} - found
        found |= then
        waiting += then
    for broad in (0, 3, 100):
        with patch.object(kernel, "ARRAY_MINIMUM", broad):
            for reach in ways_to_reach():
                assert np.flatnonzero(reach(after, start)).tolist() == sorted(found)


def test_the_compiled_kernel_explores_like_the_plain_code() -> None:
    pytest.importorskip("numba", reason="numba (extra 'fast') is not installed")
    for kind in OPEN_GAMES:
        plain, compiled = (explore(kind(), kernel=kernel) for kernel in (False, True))
        assert np.array_equal(plain.after, compiled.after)
        assert np.array_equal(plain.verdict, compiled.verdict)


GAMES = ["64", "double", "31", "bits"]


def depths(table: PositionTable[Any]) -> list[int]:
    """How many moves every position is away from the start, step by step."""
    found = {0: 0}
    queue = deque([0])
    while queue:
        at = queue.popleft()
        for then in table.after[at].tolist():
            if then >= 0 and then not in found:
                found[then] = found[at] + 1
                queue.append(then)
    return [found[index] for index in range(len(table))]


@pytest.mark.parametrize("name", GAMES)
def test_every_spot_of_a_chart_has_a_shortest_line_that_leads_there(name: str) -> None:
    evaluator = TableEvaluator(find(name)())
    found, table = position_chart(evaluator), evaluator.solution.table
    assert found
    assert has_position_chart(evaluator)
    depth = depths(table)
    for spot in (spot for row in found.cells for spot in row if spot):
        match = Match(evaluator.game, moves=shortest_path(table, spot.key))
        assert ",".join(map(str, match.position)) == spot.key
        index = table.index_of(match.position)
        assert index is not None
        assert match.ply == depth[index]
        assert evaluator.solution.evaluation_at(index) == spot.evaluation


@pytest.mark.parametrize("key", ["", "x", "1,1", "-1", "999999", "1" * 5000, "\N{ARABIC-INDIC DIGIT ONE}", "0"])
def test_what_play_cannot_reach_has_no_line(key: str) -> None:
    with pytest.raises(UnknownPositionError):
        shortest_path(TableEvaluator(find("64")()).solution.table, key)


@pytest.mark.parametrize(("name", "options"), [("64", {"target": 100_000}), ("31", {"length": 200}), ("battle", {})])
def test_whether_there_is_a_chart_is_known_without_drawing_it(name: str, options: dict[str, object]) -> None:
    evaluator = evaluator_for(find(name)(**options))
    assert not has_position_chart(evaluator)
    assert not isinstance(evaluator, TableEvaluator) or position_chart(evaluator) is None


@pytest.mark.parametrize("name", GAMES)
def test_a_line_ends_with_the_turn_of_the_seat_that_was_asked_for(name: str) -> None:
    table = TableEvaluator(find(name)()).solution.table
    for index in range(0, len(table), max(1, len(table) // 40)):
        key = ",".join(map(str, table.position_at(index)))
        shortest, found = shortest_path(table, key), []
        for seat in (1, 2):
            with contextlib.suppress(UnknownPositionError):
                match = Match(table.game, moves=shortest_path(table, key, seat))
                assert match.next_seat == seat
                assert match.position == table.position_at(index)
                found.append(match.ply)
        assert min(found) == len(shortest)
