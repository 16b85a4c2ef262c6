"""Estimates with 95% confidence intervals, from how clusters of games vary.

A cluster has games that may be alike for a reason that other clusters do not share: the games of two players in one
round or, in a game with a deal, all games of a round, which have the same deal. Clusters of one stratum vary around
the same true value, so only their spread within it counts.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from math import atan, ceil, cos, pi, sin, sqrt
from statistics import NormalDist
from typing import NamedTuple

Z = 1.959963984540054
"""The 97.5% quantile of the normal distribution."""
CONFIDENCE = 0.95
POWER = 0.80
DIFFERENCES = (0.05, 0.10)
"""Differences between the scores of two players, for which the games needed are shown."""
MIN_CLUSTERS = 5
"""Strata of fewer clusters say too little about their own spread, so they are pooled into one."""
EXTRA_TRIALS = 3
"""Additional trials, with the widest possible spread."""
NORMAL_FROM = 2000
"""Degrees of freedom from which Student's distribution counts as normal."""

Cluster = tuple[float, float]
"""The sum in a cluster, and the number of its cases."""


class Estimate(NamedTuple):
    """A number with its confidence interval; the ends are None if there are too few clusters."""

    value: float
    low: float | None = None
    high: float | None = None

    @property
    def ends(self) -> tuple[float, float]:
        """The interval, or the number twice if there is none."""
        return (self.value, self.value) if self.low is None or self.high is None else (self.low, self.high)

    @property
    def is_open(self) -> bool:
        """Whether there is no interval."""
        return self.low is None or self.high is None


class Spread(NamedTuple):
    """The variance of a sum over clusters, and its degrees of freedom."""

    variance: float
    freedom: float
    clusters: int


def estimate_share(strata: Iterable[Sequence[Cluster]]) -> Estimate | None:
    """Estimate a share from 0 to 1, such as points per game; None if nothing was counted.

    The interval is Wilson's, with Student's quantile and an effective number of trials that follows from the spread of
    the clusters. Three more trials, between zero and four times the largest cluster, keep it open if all clusters agree
    or a rare event has not occurred yet. A single cluster has no interval.
    """
    used = [[cluster for cluster in stratum if cluster[1] > 0] for stratum in strata]
    counted, cases = (sum(cluster[at] for stratum in used for cluster in stratum) for at in (0, 1))
    if not cases:
        return None
    value = min(1.0, max(0.0, counted / cases))
    spread = _spread(used)
    if spread is None:
        return Estimate(value)
    most = max(counted / cases for stratum in used for counted, cases in stratum)
    return widened_wilson(value, spread.variance / cases**2, spread, min(1.0, 4 * most))


def _spread(strata: Iterable[Sequence[Cluster]]) -> Spread | None:
    """Return the spread of the sum over all clusters; None for fewer than two clusters.

    Strata of few clusters are pooled. The spread then includes the differences between them and tends to be too wide.
    """
    groups = _groups([list(stratum) for stratum in strata if stratum])
    if not groups:
        return None
    variance = squared = 0.0
    for group in groups:
        ratio = sum(counted for counted, _ in group) / sum(cases for _, cases in group)
        squares = sum((counted - ratio * cases) ** 2 for counted, cases in group)
        part = squares * len(group) / (len(group) - 1)
        variance += part
        squared += part**2 / (len(group) - 1)
    clusters = sum(map(len, groups))
    return Spread(variance, variance**2 / squared if squared else clusters - len(groups), clusters)


def _groups(strata: list[list[Cluster]]) -> list[list[Cluster]]:
    few = [cluster for stratum in strata if len(stratum) < MIN_CLUSTERS for cluster in stratum]
    many = [stratum for stratum in strata if len(stratum) >= MIN_CLUSTERS]
    groups = [*many, few] if few else many
    if len(few) == 1 and many:
        groups = [[cluster for group in groups for cluster in group]]
    return [] if len(groups) == 1 and len(groups[0]) < 2 else groups


def widened_wilson(share: float, variance: float, spread: Spread, most: float = 1.0) -> Estimate:
    """Return a share with Wilson's interval, from its variance and some additional trials.

    A share of 0 or 1 goes by the clusters alone. The widest spread that the extra trials can have is that between
    nothing and the most that a cluster may have.
    """
    if not 0 < share < 1:
        return wilson(share, spread.clusters, quantile(spread.freedom))
    more = EXTRA_TRIALS * share * (most - share) / spread.clusters**2
    return wilson(share, share * (1 - share) / (variance + more), quantile(spread.freedom))


def wilson(share: float, trials: float, reach: float = Z) -> Estimate:
    """Return a share with Wilson's interval; `trials` may be an effective number, `reach` another quantile."""
    weight = reach * reach / trials
    middle = (share + weight / 2) / (1 + weight)
    half = reach / (1 + weight) * sqrt(share * (1 - share) / trials + weight / trials / 4)
    return Estimate(share, max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half)))


def quantile(freedom: float, confidence: float = CONFIDENCE) -> float:
    """Return the standard errors to either side for this confidence, by Student's distribution."""
    return _quantile(max(1, int(min(freedom, NORMAL_FROM))), confidence)


@cache
def _quantile(freedom: int, confidence: float) -> float:
    low, high = 0.0, 1.0
    while _inside(high, freedom) < confidence:
        high *= 2
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if _inside(middle, freedom) < confidence else (low, middle)
    return high


def _inside(reach: float, freedom: int) -> float:
    """Return how likely Student's distribution is within `reach`; a finite sum for whole degrees of freedom."""
    angle = atan(reach / sqrt(freedom))
    odd = freedom % 2
    term = cos(angle) if odd else 1.0
    total = 0.0
    for step in range(1 + odd, freedom, 2):
        total += term
        term *= cos(angle) ** 2 * step / (step + 1)
    return 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total


def games_to_tell(difference: float, confidence: float = CONFIDENCE, power: float = POWER) -> int:
    """Return how many games two players need to show this difference of their scores, with this power.

    A difference of 0.10 is 55 to 45 points in 100 games. The number is for games without draws; with draws, fewer are
    enough. It is even, because seats are swapped.
    """
    normal = NormalDist()
    share = (1 + difference) / 2
    doubt, miss = normal.inv_cdf((1 + confidence) / 2), normal.inv_cdf(power)
    games = ((doubt / 2 + miss * sqrt(share * (1 - share))) / (difference / 2)) ** 2
    return 2 * ceil(games / 2)
