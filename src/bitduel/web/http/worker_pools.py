"""Pools of threads: work that waits for the disk apart from work that computes, each with a bounded fair queue."""

from asyncio import AbstractEventLoop, Future, get_running_loop
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from bitduel.web.http.clients import CLIENT, Client
from bitduel.web.http.quotas import OverloadedError

T = TypeVar("T")
P = ParamSpec("P")
BUSY = "The site is busy. Please try again in a few seconds."


class WaitingLines:
    """Waiting requests: groups take turns, and in a group its visitors."""

    def __init__(self) -> None:
        self._groups: OrderedDict[str, OrderedDict[str, deque[Future[None]]]] = OrderedDict()
        self._counts: Counter[str] = Counter()

    def __bool__(self) -> bool:
        return bool(self._groups)

    def add(self, group: str, visitor: str, place: "Future[None]") -> None:
        """Append a request to the line of its visitor."""
        self._groups.setdefault(group, OrderedDict()).setdefault(visitor, deque()).append(place)
        self._counts[group] += 1

    def next(self) -> "Future[None]":
        """Take the next request; its group, and in it its visitor, then wait for all others."""
        group, lines = self._groups.popitem(last=False)
        visitor, line = lines.popitem(last=False)
        place = line.popleft()
        if line:
            lines[visitor] = line
        self._counts[group] -= 1
        if lines:
            self._groups[group] = lines
        else:
            del self._counts[group]
        return place

    def count(self, group: str) -> int:
        """Return the number of waiting requests of a group."""
        return self._counts[group]

    def longest(self) -> str:
        """Return the group with most waiting requests."""
        return max(self._counts, key=self._counts.__getitem__)

    def drop_last(self, group: str) -> "Future[None]":
        """Take the last request of the longest line of a group."""
        lines = self._groups[group]
        visitor = max(lines, key=lambda each: len(lines[each]))
        place = lines[visitor].pop()
        if not lines[visitor]:
            del lines[visitor]
        self._counts[group] -= 1
        if not lines:
            del self._groups[group], self._counts[group]
        return place


class FairQueue:
    """Threads, and a queue for them: first players, each in turn, then all others, each address in turn.

    A player has proved a seat, but anybody can make up a secret, so the others are distinguished by address first.
    They never have all threads: threads that compute for them would slow down everybody's.
    """

    def __init__(self, threads: int, for_others: int) -> None:
        self.free = threads
        self.free_for_others = for_others
        self.executor = ThreadPoolExecutor(threads, "worker")
        self.waiting = 0
        self._playing, self._others = WaitingLines(), WaitingLines()

    async def enter(self, client: Client, most: int) -> None:
        """Wait for a thread; raise OverloadedError if too many wait and nobody has more waiting than the client."""
        if self.free > 0 and (client.is_playing or self.free_for_others > 0):
            self.free -= 1
            self.free_for_others -= not client.is_playing
            return
        lines, group = (self._playing, client.visitor) if client.is_playing else (self._others, client.address)
        if self.waiting >= most:
            self._make_room(client, lines.count(group))
        place: Future[None] = get_running_loop().create_future()
        lines.add(group, client.visitor, place)
        self.waiting += 1
        try:
            await place
        except BaseException:
            if place.done() and not place.cancelled() and not place.exception():
                self.leave(client)
            raise

    def leave(self, client: Client) -> None:
        """Give a thread back, and let in the next that wait."""
        self.free += 1
        self.free_for_others += not client.is_playing
        if self.waiting:
            self._let_in()

    def _let_in(self) -> None:
        for lines, is_playing in ((self._playing, True), (self._others, False)):
            while lines and self.free > 0 and (is_playing or self.free_for_others > 0):
                place = lines.next()
                self.waiting -= 1
                if not place.done():
                    self.free -= 1
                    self.free_for_others -= not is_playing
                    place.set_result(None)

    def _make_room(self, client: Client, own: int) -> None:
        """Refuse one of the longest line, players last; raise OverloadedError if it would be the client's."""
        crowded = self._others or self._playing
        if not crowded or (crowded is self._playing and not client.is_playing):
            raise OverloadedError(BUSY)
        group = crowded.longest()
        is_own_kind = (crowded is self._playing) == client.is_playing
        if is_own_kind and crowded.count(group) <= own + 1:
            raise OverloadedError(BUSY)
        place = crowded.drop_last(group)
        self.waiting -= 1
        if not place.done():
            place.set_exception(OverloadedError(BUSY))


class WorkerPool:
    """Threads for one kind of work, and a bound on what waits for one; each event loop has its own."""

    def __init__(self, threads: int, waiting: int, for_others: int | None = None) -> None:
        self.threads = threads
        self.for_others = for_others or threads
        """The number of threads that may work for those who do not play."""
        self.waiting = waiting
        self._queues: WeakKeyDictionary[AbstractEventLoop, FairQueue] = WeakKeyDictionary()

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run work in a thread; raise OverloadedError if too many wait already."""
        loop, client = get_running_loop(), CLIENT.get()
        queue = self._queues.get(loop) or self._queues.setdefault(loop, FairQueue(self.threads, self.for_others))
        await queue.enter(client, self.waiting)
        try:
            return await loop.run_in_executor(queue.executor, partial(work, *args, **kwargs))
        finally:
            queue.leave(client)


STORE = WorkerPool(threads=8, waiting=1_000, for_others=2)
"""The pool for work that waits for the store."""
SURVEYING = WorkerPool(threads=1, waiting=4)
"""The pool for atlases, which take seconds."""
SOLVING = WorkerPool(threads=1, waiting=256)
"""The pool for work that may have to solve a game first, one at a time."""
