"""Solving on the position table, and random playing on it."""

from collections.abc import Iterator
from importlib.util import find_spec
from random import Random
from typing import Any

import numpy as np

from benchmarks.figure import Figure, shortest_time
from bitduel.core.game import Game
from bitduel.core.options import IntegerOption, Option
from bitduel.games.registry import all_games
from bitduel.solver.retrograde import solve
from bitduel.solver.table import PositionTable, explore

ROLLS = 200_000
DEEP_TARGET = 10_000_000


def figures() -> Iterator[Figure]:
    """Yield rollouts on the table, positions solved in each game, and a deep race."""
    yield _rollouts(all_games()[0]())
    for game in [kind(**kind.benchmark_options) for kind in all_games() if not kind().has_chance]:
        for kernel in (False, True) if find_spec("numba") else (False,):
            yield _solving(game, kernel)
    yield from _deep()


def _solving(game: Game[Any], kernel: bool) -> Figure:
    """Return the rate of exploring and solving, beside applying the rules alone to every position once."""

    def explore_and_solve() -> None:
        solve(explore(game, kernel=kernel), kernel=kernel)

    explore_and_solve()
    table = explore(game, kernel=kernel)
    kernel_text = "with the kernel" if kernel else "without the kernel"
    limit = len(table) / shortest_time(lambda: _apply_rules(table))
    name = f"{game.short}: positions solved {kernel_text}"
    return Figure(name, len(table) / shortest_time(explore_and_solve), "rules alone", limit, "per second")


def _apply_rules(table: PositionTable[Any]) -> None:
    game = table.game
    for move in game.moves:
        legal = np.broadcast_to(game.legal(table.positions, move), len(table))
        game.verdict(game.play(type(table.positions)(*(field[legal] for field in table.positions)), move))


def _rollouts(game: Game[Any]) -> Figure:
    """Return the rate of random playing on the table, beside drawing the dice alone."""
    table = explore(game)
    rows = [[then for then in row if then >= 0] for row in table.after.tolist()]
    rng = Random(1)
    dice = [rng.randrange(2520) for _ in range(ROLLS)]
    limit = ROLLS / shortest_time(lambda: [die % 2 for die in dice])
    return Figure(
        "rollouts on the table", ROLLS / shortest_time(lambda: _roll(rows, dice)), "dice alone", limit, "per second"
    )


def _roll(rows: list[list[int]], dice: list[int]) -> None:
    legal = rows[0]
    for die in dice:
        legal = rows[legal[die % len(legal)]] or rows[0]


def _is_deep(option: Option) -> bool:
    return option.name == "target" and isinstance(option, IntegerOption) and option.high >= DEEP_TARGET


def _deep() -> Iterator[Figure]:
    """Yield number races of target 10^7 by table, beside writing their transitions once."""
    deep = [kind for kind in all_games() if any(_is_deep(option) for option in kind.declared_options)]
    for kind in deep if find_spec("numba") else []:
        game = kind(target=DEEP_TARGET)
        solving = shortest_time(lambda game=game: solve(explore(game, kernel=True), kernel=True), 2)  # type: ignore[misc]
        limit = shortest_time(lambda: np.arange(3 * DEEP_TARGET, dtype=np.int32).reshape(-1, 2).copy())
        yield Figure(f"{kind.short}: target 10^7 by table", solving, "writing the table", limit, "seconds")
