"""A figure, and the timing of the work behind it."""

from collections.abc import Callable
from time import perf_counter
from typing import NamedTuple

REPETITIONS = 5


class Figure(NamedTuple):
    """A measurement beside its near-limit; only the ratio can be compared between machines."""

    name: str
    measured: float
    limit_name: str
    limit: float
    unit: str

    @property
    def ratio(self) -> float:
        """Measured to limit."""
        return self.measured / self.limit


def shortest_time(work: Callable[[], object], repetitions: int = REPETITIONS) -> float:
    """Return the shortest of several repetitions in seconds: noise of the machine only ever adds."""
    return min(_time(work) for _ in range(repetitions))


def alternating_times(work: Callable[[], object], reference: Callable[[], object], bursts: int) -> tuple[float, float]:
    """Return the shortest burst of each of two works, run in turn so that a disturbance hits both."""
    times = [(_time(work), _time(reference)) for _ in range(bursts)]
    ours, theirs = zip(*times, strict=True)
    return min(ours), min(theirs)


def _time(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start
