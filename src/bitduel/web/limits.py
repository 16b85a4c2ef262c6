"""How often one address may do what costs something; counted in this process."""

from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from time import monotonic

from bitduel.core.errors import BitduelError

MOST_ADDRESSES = 10_000


class TooManyError(BitduelError):
    """More than one address may ask for."""


class Rate:
    """At most so many within so many seconds, for each address."""

    def __init__(self, most: int, seconds: float, clock: Callable[[], float] = monotonic) -> None:
        self.most = most
        self.seconds = seconds
        self.clock = clock
        self._times: dict[str, deque[float]] = {}
        self._lock = Lock()

    def take(self, address: str) -> None:
        """Count one more; raises TooManyError beyond the limit."""
        with self._lock:
            if not self._count(address):
                raise TooManyError("That was too often. Please wait a minute.")

    def allows(self, address: str) -> bool:
        """Whether one more would be within the limit."""
        with self._lock:
            return len(self._recent(address)) < self.most

    def _count(self, address: str) -> bool:
        times = self._recent(address)
        if len(times) >= self.most:
            return False
        times.append(self.clock())
        return True

    def _recent(self, address: str) -> deque[float]:
        if len(self._times) > MOST_ADDRESSES:
            self._times.clear()
        times = self._times.setdefault(address, deque())
        while times and times[0] < self.clock() - self.seconds:
            times.popleft()
        return times


class Places:
    """At most so many at the same time, for each key."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._taken: Counter[str] = Counter()
        self._lock = Lock()

    @contextmanager
    def take(self, key: str) -> Iterator[None]:
        """Hold a place; raises TooManyError where none is left."""
        with self._lock:
            if self._taken[key] >= self.most:
                raise TooManyError("Too many pages are watching already. Please close one.")
            self._taken[key] += 1
        try:
            yield
        finally:
            with self._lock:
                self._taken[key] -= 1
                if not self._taken[key]:
                    del self._taken[key]
