"""Quotas: how often one visitor or one address may do something costly, and how much at the same time."""

from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Lock
from time import monotonic
from typing import Protocol

from bitduel.core.errors import BitduelError
from bitduel.storage.coordination import UsageCounts
from bitduel.web.http.clients import MOST_ADDRESSES, Client

PEOPLE = 200
"""The number of people who may share one address: a school, a family, the customers of a carrier."""
FEWEST = 20
"""The smallest number for which limits are sized: one browser opens many things at once."""
TOO_OFTEN = "Too many attempts. Please wait a minute."


class TooManyError(BitduelError):
    """A request beyond the quota of a visitor or an address."""


class OverloadedError(BitduelError):
    """A request beyond what the site can do now; it may be repeated."""


class Limit(Protocol):
    """A limit on how often a key may do something."""

    most: int

    def take(self, key: str) -> None:
        """Count one more; raise TooManyError beyond the limit."""


class GuessLimit:
    """A limit on wrong guesses of something short: beyond it, right ones are refused too."""

    def __init__(self, per_visitor: "Rate", per_address: "Rate | None" = None) -> None:
        self.per_visitor = per_visitor
        self.per_address = per_address

    def check(self, client: Client) -> None:
        """Raise TooManyError if there were too many; somebody who plays has not been guessing."""
        if client.is_playing:
            return
        if client.visitor:
            self.per_visitor.check(client.visitor)
        if self.per_address and client.address:
            self.per_address.check(client.address)

    def count(self, client: Client) -> None:
        """Count a wrong guess."""
        with suppress(TooManyError):
            if client.visitor:
                self.per_visitor.take(client.visitor)
        with suppress(TooManyError):
            if self.per_address and client.address:
                self.per_address.take(client.address)


class Quota:
    """A limit for each visitor, and one for all visitors of an address together.

    Anybody can make up a secret, so the address bounds them all; those who play are counted apart, so that nobody
    else at their address can use up what they need.
    """

    def __init__(self, per_visitor: Limit, per_address: Limit | None = None) -> None:
        self.per_visitor = per_visitor
        self.per_address = per_address

    def take(self, client: Client) -> None:
        """Count one more; raise TooManyError beyond either limit."""
        if client.visitor:
            self.per_visitor.take(client.visitor)
        if self.per_address and client.address:
            self.per_address.take(f"{client.address} playing" if client.is_playing else client.address)


class Rate:
    """A limit for each key within a sliding window, counted in this process."""

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

    def check(self, key: str) -> None:
        """Raise TooManyError if the limit is reached, and count nothing."""
        with self._lock:
            if len(self._recent(key)) >= self.most:
                raise TooManyError(TOO_OFTEN)

    def _recent(self, key: str) -> deque[float]:
        """Return the recent times of a key; of too many keys the oldest are dropped."""
        times = self._times.setdefault(key, deque())
        self._times.move_to_end(key)
        while len(self._times) > MOST_ADDRESSES:
            self._times.popitem(last=False)
        while times and times[0] < self.clock() - self.seconds:
            times.popleft()
        return times


class SharedRate:
    """A limit for each key within a window, counted in the store for all processes together."""

    def __init__(self, counts: UsageCounts, what: str, most: int, seconds: float) -> None:
        self.counts = counts
        self.what = what
        self.most = most
        self.seconds = seconds

    def take(self, key: str) -> None:
        """Count one more; raise TooManyError beyond the limit, without a write once that is known."""
        who = f"{self.what} {key}"
        if self.counts.get(who) >= self.most or self.counts.add(who, self.seconds) > self.most:
            raise TooManyError(TOO_OFTEN)


class ConcurrencyLimit:
    """A limit on how much is under way at the same time, for each key."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._taken: Counter[str] = Counter()
        self._lock = Lock()

    @contextmanager
    def take(self, key: str) -> Iterator[None]:
        """Hold a place; raise TooManyError if none is left."""
        with self._lock:
            if self._taken[key] >= self.most:
                raise TooManyError("Too many live pages are open. Please close one.")
            self._taken[key] += 1
        try:
            yield
        finally:
            with self._lock:
                self._taken[key] -= 1
                if not self._taken[key]:
                    del self._taken[key]
