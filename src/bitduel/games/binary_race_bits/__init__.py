"""Binary Race with bits."""

from bitduel.games.binary_race_bits.rules import BinaryRaceBits

__all__ = ["BinaryRaceBits"]
