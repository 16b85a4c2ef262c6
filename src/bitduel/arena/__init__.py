"""The arena: many matches between players, measured move by move against perfect play."""

from bitduel.arena.intervals import games_to_tell
from bitduel.arena.runner import RunResult, run

__all__ = ["RunResult", "games_to_tell", "run"]
