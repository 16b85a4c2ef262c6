"""Many matches between players, measured move by move against perfect play."""

from bitduel.arena.power import games_to_tell
from bitduel.arena.runner import RunResult, run

__all__ = ["RunResult", "games_to_tell", "run"]
