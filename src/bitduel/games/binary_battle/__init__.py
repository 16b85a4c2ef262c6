"""Binary Battle."""

from bitduel.games.binary_battle.rules import BinaryBattle

__all__ = ["BinaryBattle"]
