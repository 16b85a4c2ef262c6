"""How many games it takes to tell two players apart."""

from math import ceil, sqrt
from statistics import NormalDist

CONFIDENCE = 0.95
POWER = 0.80
DIFFERENCES = (0.05, 0.10)
"""Between the scores of two players who meet, of which one has so much more than the other."""


def games_to_tell(difference: float, confidence: float = CONFIDENCE, power: float = POWER) -> int:
    """So many games between two players show a difference of their scores, if it is there, with this power.

    One of 0.10 is 55 to 45 points in a hundred games. It is the number for games without draws; draws make it fewer.
    Games come in twos, as seats are swapped.
    """
    normal = NormalDist()
    share = (1 + difference) / 2
    doubt, miss = normal.inv_cdf((1 + confidence) / 2), normal.inv_cdf(power)
    games = ((doubt / 2 + miss * sqrt(share * (1 - share))) / (difference / 2)) ** 2
    return 2 * ceil(games / 2)
