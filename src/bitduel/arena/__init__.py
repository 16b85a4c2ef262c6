"""Many matches between players, measured move by move against perfect play."""

from bitduel.arena.power import games_to_tell
from bitduel.arena.running import Run, run

__all__ = ["Run", "games_to_tell", "run"]
