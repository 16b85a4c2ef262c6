"""How fast games are solved and rolled out on the table."""

from collections.abc import Iterator
from importlib.util import find_spec
from random import Random
from typing import Any

import numpy as np

from bitduel.core.figures import Figure, seconds
from bitduel.core.game import Game
from bitduel.core.options import Option, Whole
from bitduel.games import shelf
from bitduel.solver.retrograde import solve
from bitduel.solver.table import PositionTable, explore

ROLLS = 200_000
HUGE = 10_000_000


def figures() -> Iterator[Figure]:
    """Everything about the table."""
    yield _rollouts(shelf()[0]())
    for game in [kind(**kind.large) for kind in shelf() if not kind().chance]:
        for kernel in (False, True) if find_spec("numba") else (False,):
            yield _solving(game, kernel)
    yield from _deep()


def _solving(game: Game[Any], kernel: bool) -> Figure:
    """Exploring and solving, beside asking the rules alone about every position once."""

    def whole() -> None:
        solve(explore(game, kernel=kernel), kernel=kernel)

    whole()
    table = explore(game, kernel=kernel)
    how = "with the kernel" if kernel else "without the kernel"
    limit = len(table) / seconds(lambda: _rules(table))
    name = f"{game.short}: positions solved {how}"
    return Figure(name, len(table) / seconds(whole), "rules alone", limit, "per second")


def _rules(table: PositionTable[Any]) -> None:
    game = table.game
    for move in game.moves:
        legal = np.broadcast_to(game.legal(table.positions, move), len(table))
        game.verdict(game.play(type(table.positions)(*(field[legal] for field in table.positions)), move))


def _rollouts(game: Game[Any]) -> Figure:
    """Random playing on the table, beside drawing the dice alone."""
    table = explore(game)
    rows = [[then for then in row if then >= 0] for row in table.after.tolist()]
    rng = Random(1)
    dice = [rng.randrange(2520) for _ in range(ROLLS)]
    limit = ROLLS / seconds(lambda: [die % 2 for die in dice])
    return Figure(
        "rollouts on the table", ROLLS / seconds(lambda: _roll(rows, dice)), "dice alone", limit, "per second"
    )


def _roll(rows: list[list[int]], dice: list[int]) -> None:
    legal = rows[0]
    for die in dice:
        legal = rows[legal[die % len(legal)]] or rows[0]


def _is_deep(option: Option) -> bool:
    return option.name == "target" and isinstance(option, Whole) and option.high >= HUGE


def _deep() -> Iterator[Figure]:
    """A number race of target 10^7 by table, beside writing its transitions once; and by its law."""
    deep = [kind for kind in shelf() if any(_is_deep(option) for option in kind.declared)]
    for kind in deep if find_spec("numba") else []:
        game = kind(target=HUGE)
        took = seconds(lambda game=game: solve(explore(game, kernel=True), kernel=True), 2)  # type: ignore[misc]
        limit = seconds(lambda: np.arange(3 * HUGE, dtype=np.int32).reshape(-1, 2).copy())
        yield Figure(f"{kind.short}: target 10^7 by table", took, "writing the table", limit, "seconds")
