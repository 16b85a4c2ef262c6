import os
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
from bitduel.core.options import Choice, Option, Whole
from bitduel.games import Kind, shelf
from bitduel.solver import kernel
from bitduel.solver.table import CHUNK, PositionTable, explore, room
from helpers import all_readings, deals

quick = settings(deadline=None, max_examples=50)


class Place(NamedTuple):
    place: Number
    ballast: Number


class Ladder(Game[Place]):
    """Climb one or two rungs, or drop from the second; the range of the ballast decides how keys are kept."""

    slug, title, declared = "ladder", "Ladder", ()
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
def test_a_table_is_what_playing_one_position_at_a_time_finds(kind: Kind, chosen: dict[str, object]) -> None:
    game = kind(**chosen)
    if game.chance:
        game = kind(**chosen, bits=3)
    start = game.start(deals(game)[-3:][0])
    check(explore(game, start=start), start)


def small(option: Option) -> st.SearchStrategy[Any]:
    if isinstance(option, Whole):
        return st.integers(option.low, min(option.high, option.low + 8)) | st.just(min(option.high, 40))
    return st.sampled_from(list(option.choices) if isinstance(option, Choice) else [option.default])


OPEN_GAMES = [kind for kind in shelf() if not kind().chance]


@quick
@given(kind=st.sampled_from(OPEN_GAMES), data=st.data())
def test_a_table_is_right_for_any_options(kind: Kind, data: st.DataObject) -> None:
    chosen = {option.name: data.draw(small(option)) for option in kind.declared}
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
    with patch("bitduel.solver.table.DEEP", 100):
        table = explore(game)
    assert np.all(np.diff(table.positions.place[1:]) > 0), "in the order of keys, but for the start"
    assert table.after[table.index_of(Place(2998, 0))].tolist() == [
        table.index_of(Place(2999, 0)),
        table.index_of(Place(3000, 0)),
        -1,
    ]


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
        pytest.raises(
            TooLargeError, match=rf"{game.title} .* has about {game.size:,} positions, which take .* GB"
        ) as error,
    ):
        explore(game, limit=game.size - 1)
    assert error.value.status == 1


@pytest.mark.parametrize("ballast", [1, CHUNK, 2**40])
def test_a_game_found_to_be_too_large_is_given_up(ballast: int) -> None:
    assert len(explore(Ladder(49, ballast), limit=50)) == 50
    with pytest.raises(TooLargeError, match=r"has at least \d+ positions, .* there is room for 49 "):
        explore(Ladder(49, ballast), limit=49)


def test_the_room_follows_from_the_memory_of_the_machine() -> None:
    game = Ladder(9)
    with patch.object(os, "sysconf", side_effect=lambda name: {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": 2**20}[name]):
        usual = room(game)
    with patch.object(os, "sysconf", side_effect=ValueError):
        assert room(game) == usual
    assert 2**31 // 200 < usual < 2**31 // 40
    assert room(game, kernel=True) > room(game, kernel=False)


@pytest.mark.parametrize("ballast", [1, CHUNK])
def test_progress_hears_of_more_and_more_positions(ballast: int) -> None:
    heard: list[int] = []
    table = explore(Ladder(49, ballast), progress=heard.append)
    assert heard == sorted(heard)
    assert heard[-1] == len(table)


rows = st.integers(1, 30).flatmap(
    lambda size: st.lists(st.lists(st.integers(-1, size - 1), min_size=3, max_size=3), min_size=size, max_size=size)
)


def ways_to_reach() -> list[Callable[..., Any]]:
    return [kernel._reach, lambda after, start: kernel.reach(after, start, kernel=False)]


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
        with patch.object(kernel, "BROAD", broad):
            for reach in ways_to_reach():
                assert np.flatnonzero(reach(after, start)).tolist() == sorted(found)


def test_the_compiled_kernel_explores_like_the_plain_code() -> None:
    pytest.importorskip("numba", reason="numba (extra 'fast') is not installed")
    for kind in OPEN_GAMES:
        plain, compiled = (explore(kind(), kernel=kernel) for kernel in (False, True))
        assert np.array_equal(plain.after, compiled.after)
        assert np.array_equal(plain.verdict, compiled.verdict)
