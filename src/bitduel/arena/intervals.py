"""How sure a number is: intervals in which the truth lies at least 95 times in 100, by how clusters of games vary.

A cluster is what can be alike for a reason that the next one does not share: the games of two players in one round, or
where something is dealt all games of a round, which have the same deal. Clusters of one stratum vary around the same
truth, so only their spread within it counts.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from math import atan, cos, pi, sin, sqrt
from typing import NamedTuple

Z = 1.959963984540054
"""So many standard deviations to either side of a normal distribution leave 5 in 100 outside."""
SURE = 0.95
FEWEST = 5
"""A stratum of fewer clusters tells too little of its own spread, so such strata are pooled into one."""
MORE_TRIALS = 3
"""So many trials of the widest spread are thought to be there besides."""
NORMAL_FROM = 2000
"""With so many degrees of freedom, Student's distribution is as good as normal."""

Cluster = tuple[float, float]
"""What was counted in a cluster, and in how many cases."""


class Estimate(NamedTuple):
    """A number with the ends of its interval; None where nothing tells how sure it is."""

    value: float
    low: float | None = None
    high: float | None = None

    @property
    def ends(self) -> tuple[float, float]:
        """From where to where it is known to be; from the number to itself where nothing is known."""
        return (self.value, self.value) if self.low is None or self.high is None else (self.low, self.high)

    @property
    def is_open(self) -> bool:
        """Whether nothing tells how sure it is."""
        return self.low is None or self.high is None

    def as_data(self) -> dict[str, float | None]:
        """The same as JSON-ready data."""
        return {"value": self.value, "low": self.low, "high": self.high}


class Spread(NamedTuple):
    """How much a sum over clusters varies, and how many degrees of freedom that is known with."""

    variance: float
    freedom: float
    clusters: int


def share(strata: Iterable[Sequence[Cluster]]) -> Estimate | None:
    """A share of something from 0 to 1, such as points of games; None where nothing was counted.

    The interval is Wilson's, with Student's quantile and as many trials as the spread of the clusters is worth. Three
    more trials, between nothing and four times the most a cluster had, keep it open where clusters went alike, or where
    what is rare has not come yet. A single cluster has no interval.
    """
    kept = [[cluster for cluster in stratum if cluster[1] > 0] for stratum in strata]
    counted, cases = (sum(cluster[at] for stratum in kept for cluster in stratum) for at in (0, 1))
    if not cases:
        return None
    value = min(1.0, max(0.0, counted / cases))
    spread = spread_of(kept)
    if spread is None:
        return Estimate(value)
    most = max(counted / cases for stratum in kept for counted, cases in stratum)
    return open_wilson(value, spread.variance / cases**2, spread, min(1.0, 4 * most))


def spread_of(strata: Iterable[Sequence[Cluster]]) -> Spread | None:
    """How much the sum over all clusters varies around what the cases let expect; None for fewer than two clusters.

    Strata of few clusters are pooled: then the spread also has what differs between them, and errs on the wide side.
    """
    groups = _groups([list(stratum) for stratum in strata if stratum])
    if not groups:
        return None
    variance = doubt = 0.0
    for group in groups:
        ratio = sum(counted for counted, _ in group) / sum(cases for _, cases in group)
        squares = sum((counted - ratio * cases) ** 2 for counted, cases in group)
        part = squares * len(group) / (len(group) - 1)
        variance += part
        doubt += part**2 / (len(group) - 1)
    clusters = sum(map(len, groups))
    return Spread(variance, variance**2 / doubt if doubt else clusters - len(groups), clusters)


def _groups(strata: list[list[Cluster]]) -> list[list[Cluster]]:
    few = [cluster for stratum in strata if len(stratum) < FEWEST for cluster in stratum]
    many = [stratum for stratum in strata if len(stratum) >= FEWEST]
    groups = [*many, few] if few else many
    if len(few) == 1 and many:
        groups = [[cluster for group in groups for cluster in group]]
    return [] if len(groups) == 1 and len(groups[0]) < 2 else groups


def open_wilson(share: float, variance: float, spread: Spread, most: float = 1.0) -> Estimate:
    """A share with Wilson's interval, by its variance and some trials more; a share of 0 or 1 by the clusters alone.

    The widest spread that those trials can have is that between nothing and the most that a cluster may have.
    """
    if not 0 < share < 1:
        return wilson(share, spread.clusters, quantile(spread.freedom))
    more = MORE_TRIALS * share * (most - share) / spread.clusters**2
    return wilson(share, share * (1 - share) / (variance + more), quantile(spread.freedom))


def wilson(share: float, trials: float, reach: float = Z) -> Estimate:
    """A share with Wilson's interval; the trials may be an effective number, and the quantile another."""
    weight = reach * reach / trials
    middle = (share + weight / 2) / (1 + weight)
    half = reach / (1 + weight) * sqrt(share * (1 - share) / trials + weight / trials / 4)
    return Estimate(share, max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half)))


def rate(successes: int, trials: int) -> Estimate | None:
    """How often something happened in trials that have nothing in common; None where there were none."""
    return wilson(successes / trials, trials) if trials else None


def around(
    value: float, error: float, reach: float = Z, low: float = float("-inf"), high: float = float("inf")
) -> Estimate:
    """A number with its standard error, kept within what it can be."""
    return Estimate(float(value), max(low, float(value - reach * error)), min(high, float(value + reach * error)))


def quantile(freedom: float, sure: float = SURE) -> float:
    """So many standard errors to either side hold the truth so surely, by Student's distribution."""
    return _quantile(max(1, int(min(freedom, NORMAL_FROM))), sure)


@cache
def _quantile(freedom: int, sure: float) -> float:
    low, high = 0.0, 1.0
    while _inside(high, freedom) < sure:
        high *= 2
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if _inside(middle, freedom) < sure else (low, middle)
    return high


def _inside(reach: float, freedom: int) -> float:
    """How likely Student's distribution stays within so many standard errors; a finite sum for whole freedoms."""
    angle = atan(reach / sqrt(freedom))
    odd = freedom % 2
    term = cos(angle) if odd else 1.0
    total = 0.0
    for step in range(1 + odd, freedom, 2):
        total += term
        term *= cos(angle) ** 2 * step / (step + 1)
    return 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total
