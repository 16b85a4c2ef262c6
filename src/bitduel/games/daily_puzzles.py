"""The games of the daily puzzles: their round, the odds of a guess, and how often a game has its usual size."""

from fractions import Fraction

from bitduel.games.binary_battle import BinaryBattle
from bitduel.games.binary_race_31 import BinaryRace31
from bitduel.games.binary_race_64 import BinaryRace64
from bitduel.games.binary_race_bits import BinaryRaceBits
from bitduel.games.double_or_nothing import DoubleOrNothing
from bitduel.games.registry import GameClass

DAILY_ROUND: tuple[GameClass, ...] = (
    BinaryRace64,
    BinaryBattle,
    DoubleOrNothing,
    BinaryRace31,
    BinaryRace64,
    DoubleOrNothing,
    BinaryBattle,
    BinaryRaceBits,
)
"""The games of eight days."""

DAILY_ODDS: dict[GameClass, Fraction] = {
    **dict.fromkeys(DAILY_ROUND, Fraction(1, 8)),
    BinaryBattle: Fraction(1, 5),
}
"""The best chance to guess a daily puzzle."""

STANDARD_SHARE: dict[GameClass, float] = {
    BinaryRace64: 0.36,
    BinaryBattle: 0.6,
    DoubleOrNothing: 0.14,
    BinaryRace31: 0.7,
    BinaryRaceBits: 0.6,
}
"""The share of its days on which a game has its usual size, as far as there are such puzzles."""
