"""Binary Race to 31."""

from bitduel.games.binary_race_31.rules import BinaryRace31

__all__ = ["BinaryRace31"]
