from collections.abc import Iterator
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bitduel.core.errors import OptionError
from bitduel.core.evaluation import BY_SIGN, DRAW, LOSS, WIN, Evaluation, MoveEvaluation
from bitduel.core.game import Game, Verdict
from bitduel.core.options import ChoiceOption, IntegerOption, Option
from bitduel.games.registry import GameClass, all_games, make
from bitduel.solver import kernel, retrograde
from bitduel.solver.retrograde import Solution, Values, solve
from bitduel.solver.table import PositionTable, explore
from graphs import Graph, graphs
from helpers import all_readings

OPEN_GAMES = [kind for kind in all_games() if not kind().has_chance]
quick = settings(deadline=None)
needs_numba = pytest.mark.skipif(find_spec("numba") is None, reason="numba (extra 'fast') is not installed")


Known = dict[int, tuple[int, int]]


def evaluator(then: list[int], known: Known) -> tuple[int, int] | None:
    """Value and plies of a position from those of the positions that follow, as far as known."""
    lost = [known[index][1] for index in then if known.get(index, (0, 0))[0] == -1]
    won = [known[index][1] for index in then if known.get(index, (0, 0))[0] == 1]
    if lost:
        return 1, 1 + min(lost)
    return (-1, 1 + max(won)) if won and len(won) == len(then) else None


def brute(table: PositionTable[Any]) -> list[tuple[int, int]]:
    """Value and plies by going over all positions again and again until nothing changes."""
    ends: Known = {i: ({1: -1, 2: 1, 3: 0}[v], -(v == 3)) for i, v in enumerate(table.verdict.tolist()) if v}
    then = [[index for index in row if index >= 0] for row in table.after.tolist()]
    known, before = dict(ends), Known()
    while known != before:
        before = known
        judged = {index: evaluator(row, before) for index, row in enumerate(then)}
        known = {index: found for index, found in judged.items() if found} | ends
    return [known.get(index, (0, -1)) for index in range(len(table))]


def ways(table: PositionTable[Any]) -> Iterator[Values]:
    """The values found in every way there is but the compiled one."""
    for broad in (1, 3, 1_000_000):
        with patch("bitduel.solver.retrograde.ARRAY_MINIMUM", broad):
            yield solve(table, kernel=False)
    with patch.object(kernel, "_compiled", side_effect=lambda loop: loop):
        yield solve(table, kernel=True)


def same(one: Values, other: Values) -> bool:
    pairs = (one.value, other.value), (one.plies, other.plies)
    return all(a.dtype == b.dtype and np.array_equal(a, b) for a, b in pairs)


@quick
@given(graphs())
def test_arrays_one_by_one_and_kernel_find_what_brute_force_finds_on_any_graph(game: Graph) -> None:
    table = explore(game)
    expected = brute(table)
    for value, plies in ways(table):
        assert list(zip(value.tolist(), plies.tolist(), strict=True)) == expected


@pytest.mark.parametrize(("kind", "chosen"), [(k, c) for k, c in all_readings() if k in OPEN_GAMES])
def test_every_reading_of_every_game_is_solved_as_by_brute_force(kind: GameClass, chosen: dict[str, object]) -> None:
    table = explore(kind(**chosen))
    first, *others = ways(table)
    assert list(zip(first.value.tolist(), first.plies.tolist(), strict=True)) == brute(table)
    assert all(same(first, other) for other in others)


def small(option: Option) -> st.SearchStrategy[Any]:
    if isinstance(option, IntegerOption):
        return st.integers(option.low, min(option.high, option.low + 12)) | st.just(min(option.high, 200))
    return st.sampled_from(list(option.choices) if isinstance(option, ChoiceOption) else [option.default])


@st.composite
def games(draw: st.DrawFn) -> Game[Any]:
    """A registered game without hidden information, of moderate size."""
    kind = draw(st.sampled_from(OPEN_GAMES))
    chosen = {option.name: draw(small(option)) for option in kind.declared_options}
    try:
        game = kind(**chosen)
    except OptionError:
        assume(False)
    assume((game.size or 0) < 1000 and len(game.moves) < 30)
    return game


@quick
@given(games())
def test_all_ways_agree_whatever_the_options(game: Game[Any]) -> None:
    first, *others = ways(explore(game))
    assert all(same(first, other) for other in others)


@needs_numba
@quick
@given(game=graphs() | games())
def test_the_compiled_kernel_agrees_whatever_the_game(game: Game[Any]) -> None:
    table = explore(game)
    assert same(solve(table, kernel=True), solve(table, kernel=False))


@needs_numba
@pytest.mark.parametrize(("kind", "chosen"), [(k, c) for k, c in all_readings() if k in OPEN_GAMES])
def test_the_compiled_kernel_agrees_on_every_reading(kind: GameClass, chosen: dict[str, object]) -> None:
    table = explore(kind(**chosen), kernel=True)
    assert same(solve(table, kernel=True), solve(table, kernel=False))


def test_the_kernel_is_for_large_tables_unless_told_otherwise() -> None:
    with patch.object(kernel, "find_spec", return_value=object()):
        assert kernel.use_kernel(kernel.KERNEL_MINIMUM, None)
        assert not kernel.use_kernel(kernel.KERNEL_MINIMUM - 1, None)
        assert kernel.use_kernel(1, True)
        assert not kernel.use_kernel(10**9, False)
    with patch.object(kernel, "find_spec", return_value=None):
        assert not kernel.use_kernel(kernel.KERNEL_MINIMUM, None)


def test_the_kernel_compiles_also_where_it_cannot_be_kept_on_disk() -> None:
    def njit(cache: bool = False, nogil: bool = False) -> Any:
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return lambda loop: loop

    with patch.object(kernel, "import_module", return_value=SimpleNamespace(njit=njit)):
        assert kernel._compiled.__wrapped__(kernel._reach) is kernel._reach


def sign(choice: MoveEvaluation) -> int:
    assert choice.evaluation.value is not None
    return choice.evaluation.value.sign


@quick
@given(graphs() | games())
def test_best_moves_are_those_that_lead_to_the_value_in_the_right_number_of_plies(game: Game[Any]) -> None:
    table = explore(game)
    solution = Solution(table, solve(table))
    for index in range(len(table)):
        value, plies = (int(array[index]) for array in solution.values)
        choices = solution.choices(index)
        legal = [move for move in game.moves if game.legal(table.position_at(index), move)]
        assert [choice.move for choice in choices] == legal
        top = Evaluation(BY_SIGN[value], None if value == 0 else plies)
        assert any(c.evaluation == top for c in choices) or not legal
        assert all(sign(choice) <= value for choice in choices)


def test_several_moves_to_one_place_count_as_several() -> None:
    lost_slowly = Graph([[1, 1, 2], [-1, -1, -1], [3, 3, 3], [4, -1, -1], [-1, -1, -1]], [0, 2, 0, 0, 1])
    table = explore(lost_slowly)
    for value, plies in ways(table):
        assert (value[0], plies[0]) == (1, 3)
    solution = Solution(table, solve(table))
    assert [choice.evaluation for choice in solution.choices(0)] == [
        Evaluation(LOSS, 1),
        Evaluation(LOSS, 1),
        Evaluation(WIN, 3),
    ]


def test_going_round_for_ever_is_a_draw_that_nobody_needs_to_leave() -> None:
    loop = Graph([[1, 2], [0, 2], [-1, -1]], [0, 0, Verdict.LOST])
    solution = Solution(table := explore(loop), solve(table))
    assert solution.values.value.tolist() == [0, 0, 1]
    assert solution.values.plies.tolist() == [-1, -1, 0]
    assert solution.choices(0) == [MoveEvaluation("0", Evaluation(DRAW)), MoveEvaluation("1", Evaluation(LOSS, 1))]


def test_broad_levels_are_swept_as_arrays_and_thin_ones_walked_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    table = explore(make("double", {"target": 500}))
    ways: list[tuple[str, bool]] = []
    for name in ("_sweep", "_walk"):
        done = getattr(retrograde._Retrograde, name)

        def noted(self: Any, level: Any, name: str = name, done: Any = done) -> Any:
            ways.append((name, len(level) >= kernel.ARRAY_MINIMUM))
            assert ways[-1] in (("_sweep", True), ("_walk", False))
            return done(self, level)

        monkeypatch.setattr(retrograde._Retrograde, name, noted)
    solve(table, kernel=False)
    assert {*ways} == {("_sweep", True), ("_walk", False)}
