"""How often one visitor and one address may do what costs something, and how much may be under way at once."""

import ipaddress
import re
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from threading import Lock
from time import monotonic
from typing import NamedTuple, Protocol

from bitduel.core.errors import BitduelError
from bitduel.storage.counts import Counts

PEOPLE = 200
"""So many people may share one address: a school, a family, the customers of a carrier."""
FEWEST = 20
"""However few people share an address, its bounds are those of so many: one browser opens many things at once."""
MOST_ADDRESSES = 10_000
TOO_OFTEN = "That was too often. Please wait a minute."


class TooManyError(BitduelError):
    """More than one visitor or one address may ask for."""


class OverloadedError(BitduelError):
    """More than the site can do now; it is worth coming again."""


class Limit(Protocol):
    """How often one visitor or one address may do something."""

    most: int

    def take(self, key: str) -> None:
        """Count one more; raise TooManyError beyond the limit."""


@lru_cache(maxsize=MOST_ADDRESSES)
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


class Asker(NamedTuple):
    """Who sends a request: an address, and the visitor there by the secret it sends, if it sends one."""

    address: str = ""
    visitor: str = ""
    is_playing: bool = False
    """Whether that visitor has a seat in a match that goes on."""

    @property
    def key(self) -> str:
        """Whom to count: the visitor, or everybody at the address who sends no secret."""
        return self.visitor or self.address


NOBODY = Asker()
LINK = re.compile(r"/(?:invite|seat)/|/api/v1/matches/[^/]+/(?:device/)?seat$")
"""Links with a secret have a lane of their own: a valid one must not wait for those who ask for other things."""


class Quota:
    """How often one visitor may do something, and how often all at one address together.

    Anybody can make up a secret, so the address bounds them all; those who play are counted apart, so that nobody
    else at their address can use up what they need.
    """

    def __init__(self, per_visitor: Limit, per_address: Limit | None = None) -> None:
        self.per_visitor = per_visitor
        self.per_address = per_address

    def take(self, asker: Asker) -> None:
        """Count one more; raise TooManyError beyond either limit."""
        if asker.visitor:
            self.per_visitor.take(asker.visitor)
        if self.per_address and asker.address:
            self.per_address.take(f"{asker.address} playing" if asker.is_playing else asker.address)


class Rate:
    """At most so many within so many seconds, for each key; counted in this process."""

    def __init__(self, most: int, seconds: float, clock: Callable[[], float] = monotonic) -> None:
        self.most = most
        self.seconds = seconds
        self.clock = clock
        self._times: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = Lock()

    def take(self, key: str) -> None:
        """Count one more; raise TooManyError beyond the limit."""
        with self._lock:
            times = self._recent(key)
            if len(times) >= self.most:
                raise TooManyError(TOO_OFTEN)
            times.append(self.clock())

    def _recent(self, key: str) -> deque[float]:
        """Return when this key came lately; of too many those are forgotten that came longest ago."""
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

    def take(self, key: str) -> None:
        """Count one more; raise TooManyError beyond the limit, without a write once that is known."""
        who = f"{self.what} {key}"
        if self.counts.times(who) >= self.most or self.counts.add(who, self.seconds) > self.most:
            raise TooManyError(TOO_OFTEN)


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
