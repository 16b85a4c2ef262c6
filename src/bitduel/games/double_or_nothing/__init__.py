"""Double or Nothing."""

from bitduel.games.double_or_nothing.rules import DoubleOrNothing

__all__ = ["DoubleOrNothing"]
