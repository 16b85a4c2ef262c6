"""Solving: the table of all positions, values backwards, oracle, explanations, reviews, the atlas.

The package can be called: `bitduel.solve(match)` is what the position of a match is worth.
"""

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bitduel.core.game import Game
    from bitduel.core.match import Match
    from bitduel.solve.position import Judgement


class _Callable(ModuleType):
    """A folder of the house that people at a prompt use as a function."""

    def __call__(self, match: "Match | Game[Any]") -> "Judgement":
        """What the position of a match is worth to the player to move, and every move at it."""
        from bitduel.solve.position import judgement

        return judgement(match)


sys.modules[__name__].__class__ = _Callable
