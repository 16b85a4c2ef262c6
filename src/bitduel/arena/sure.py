"""How sure a number is: intervals in which the truth lies 95 times in 100."""

from math import sqrt
from typing import NamedTuple

Z = 1.959963984540054
"""So many standard deviations to either side of a normal distribution leave 5 in 100 outside."""


class Estimate(NamedTuple):
    """A number with the ends of its interval."""

    value: float
    low: float
    high: float

    def as_data(self) -> dict[str, float]:
        """The same as JSON-ready data."""
        return {"value": self.value, "low": self.low, "high": self.high}


def wilson(share: float, trials: float) -> Estimate | None:
    """A share with Wilson's interval, as SciPy has it for whole counts; the trials may be an effective number."""
    if trials <= 0:
        return None
    weight = Z * Z / trials
    middle = (share + weight / 2) / (1 + weight)
    reach = Z / (1 + weight) * sqrt(share * (1 - share) / trials + weight / trials / 4)
    return Estimate(share, max(0.0, min(share, middle - reach)), min(1.0, max(share, middle + reach)))


def rate(successes: int, trials: int) -> Estimate | None:
    """How often something happened; None where it could not."""
    return wilson(successes / trials, trials) if trials else None


def around(value: float, error: float, low: float = float("-inf"), high: float = float("inf")) -> Estimate:
    """A number with its standard error, kept within what it can be."""
    return Estimate(float(value), max(low, float(value - Z * error)), min(high, float(value + Z * error)))
