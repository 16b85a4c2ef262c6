"""Figures: how fast something is, beside how fast it could be at most, measured in the same run."""

from collections.abc import Callable
from time import perf_counter
from typing import NamedTuple

REPETITIONS = 5


class Figure(NamedTuple):
    """Something measured beside its near-limit; the ratio says more than either, for machines differ."""

    name: str
    measured: float
    limit_name: str
    limit: float
    unit: str

    @property
    def ratio(self) -> float:
        """Measured to limit."""
        return self.measured / self.limit


def seconds(work: Callable[[], object], repetitions: int = REPETITIONS) -> float:
    """The shortest of several repetitions: the machine's noise only ever adds."""
    return min(_once(work) for _ in range(repetitions))


def by_turns(work: Callable[[], object], other: Callable[[], object], bursts: int) -> tuple[float, float]:
    """The shortest of many short bursts of two works, by turns: what disturbs the machine disturbs both."""
    times = [(_once(work), _once(other)) for _ in range(bursts)]
    mine, theirs = zip(*times, strict=True)
    return min(mine), min(theirs)


def _once(work: Callable[[], object]) -> float:
    began = perf_counter()
    work()
    return perf_counter() - began
