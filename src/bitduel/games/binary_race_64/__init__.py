"""Binary Race to 64."""

from bitduel.games.binary_race_64.rules import BinaryRace64

__all__ = ["BinaryRace64"]
