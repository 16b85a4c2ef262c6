"""How often one address may do what costs something, and how much may be under way at once."""

import ipaddress
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from time import monotonic
from typing import Protocol

from bitduel.core.errors import BitduelError
from bitduel.store.counts import Counts

MOST_ADDRESSES = 10_000
TOO_OFTEN = "That was too often. Please wait a minute."


class TooManyError(BitduelError):
    """More than one address may ask for."""


class BusyError(BitduelError):
    """More than the site can do now; it is worth coming again."""


class Limit(Protocol):
    """How often one address may do something."""

    most: int

    def take(self, address: str) -> None:
        """Count one more; raises TooManyError beyond the limit."""

    def check(self, address: str) -> None:
        """Count nothing; raises TooManyError where one more would be beyond the limit."""


def household(address: str) -> str:
    """Who is counted as one: an IPv6 address stands for the network that its owner can choose addresses from."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return address
    mapped = found.ipv4_mapped
    return str(mapped) if mapped else str(ipaddress.ip_network((found, 64), strict=False))


class Rate:
    """At most so many within so many seconds, for each address; counted in this process."""

    def __init__(self, most: int, seconds: float, clock: Callable[[], float] = monotonic) -> None:
        self.most = most
        self.seconds = seconds
        self.clock = clock
        self._times: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = Lock()

    def take(self, address: str) -> None:
        """Count one more; raises TooManyError beyond the limit."""
        with self._lock:
            times = self._recent(address)
            if len(times) >= self.most:
                raise TooManyError(TOO_OFTEN)
            times.append(self.clock())

    def check(self, address: str) -> None:
        """Count nothing; raises TooManyError where one more would be beyond the limit."""
        with self._lock:
            if len(self._recent(address)) >= self.most:
                raise TooManyError(TOO_OFTEN)

    def _recent(self, address: str) -> deque[float]:
        """When this address came lately; of too many addresses those are forgotten that came longest ago."""
        key = household(address)
        times = self._times.setdefault(key, deque())
        self._times.move_to_end(key)
        while len(self._times) > MOST_ADDRESSES:
            self._times.popitem(last=False)
        while times and times[0] < self.clock() - self.seconds:
            times.popleft()
        return times


class SharedRate:
    """The same, counted in the store for all server processes together."""

    def __init__(self, counts: Counts, what: str, most: int, seconds: float) -> None:
        self.counts = counts
        self.what = what
        self.most = most
        self.seconds = seconds

    def take(self, address: str) -> None:
        """Count one more; raises TooManyError beyond the limit."""
        self.check(address)
        if self.counts.add(self._who(address), self.seconds) > self.most:
            raise TooManyError(TOO_OFTEN)

    def check(self, address: str) -> None:
        """Count nothing; raises TooManyError where one more would be beyond the limit."""
        if self.counts.times(self._who(address)) >= self.most:
            raise TooManyError(TOO_OFTEN)

    def _who(self, address: str) -> str:
        return f"{self.what} {household(address)}"


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
