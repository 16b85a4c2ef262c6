"""Puzzles of Binary Battle: searches that are sure in time, the best toggles, and what notes say."""

from collections.abc import Iterator
from typing import cast

from bitduel.core.puzzle import Puzzle
from bitduel.games.binary_battle.puzzles.corner_it import CornerIt, corner_it
from bitduel.games.binary_battle.puzzles.marks import Costs, Notes, costs, notes
from bitduel.games.binary_battle.puzzles.toggle_tree import ToggleTree, toggle_tree
from bitduel.games.binary_battle.rules import BattleRules

KINDS = (Notes, Costs, CornerIt, ToggleTree)


def puzzles(games: tuple[BattleRules, ...]) -> Iterator[Puzzle]:
    """Yield all puzzles of these games."""
    for game in games:
        for generate in (notes, costs, corner_it, toggle_tree):
            yield from cast("Iterator[Puzzle]", generate(game))
