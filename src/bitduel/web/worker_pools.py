"""Where work is done: what waits for the disk apart from what keeps a processor busy, and never more than has room."""

from asyncio import AbstractEventLoop, Future, get_running_loop
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from contextvars import ContextVar
from functools import partial
from typing import ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from anyio import CapacityLimiter, to_thread

from bitduel.web.quotas import NOBODY, Asker, OverloadedError

T = TypeVar("T")
P = ParamSpec("P")
ASKER: ContextVar[Asker] = ContextVar("asker", default=NOBODY)
"""Who sent what is being answered."""
BUSY = "The site is very busy. Please try again in a few seconds."


class WaitingLines:
    """Those who wait, one group in turn after the other, and in a group one visitor after the other."""

    def __init__(self) -> None:
        self._groups: OrderedDict[str, OrderedDict[str, deque[Future[None]]]] = OrderedDict()
        self._counts: Counter[str] = Counter()

    def __bool__(self) -> bool:
        return bool(self._groups)

    def add(self, group: str, visitor: str, place: "Future[None]") -> None:
        """Put somebody at the end of their own line."""
        self._groups.setdefault(group, OrderedDict()).setdefault(visitor, deque()).append(place)
        self._counts[group] += 1

    def next(self) -> "Future[None]":
        """Take whoever is next; their group, and in it their line, then waits for all others."""
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
        """Return how many of a group wait."""
        return self._counts[group]

    def longest(self) -> str:
        """Return the group of which most wait."""
        return max(self._counts, key=self._counts.__getitem__)

    def drop_last(self, group: str) -> "Future[None]":
        """Take the last of the longest line of a group."""
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
    """Those who wait for a thread: first those who play, each in turn, then all others, each address in turn.

    A player has proved a seat, but anybody can make up a secret, so the others are told apart by their addresses first.
    They never have all threads: threads that compute for them would slow down everybody's.
    """

    def __init__(self, threads: int, for_others: int) -> None:
        self.free = threads
        self.free_for_others = for_others
        self.limiter = CapacityLimiter(threads)
        self.waiting = 0
        self._playing, self._others = WaitingLines(), WaitingLines()

    async def enter(self, asker: Asker, most: int) -> None:
        """Wait for a thread; raise BusyError where too many wait, and nobody has more waiting than this asker."""
        if self.free > 0 and (asker.is_playing or self.free_for_others > 0):
            self._take(asker.is_playing)
            return
        lines, group = (self._playing, asker.visitor) if asker.is_playing else (self._others, asker.address)
        if self.waiting >= most:
            self._make_room(asker, lines.count(group))
        place: Future[None] = get_running_loop().create_future()
        lines.add(group, asker.visitor, place)
        self.waiting += 1
        try:
            await place
        except BaseException:
            if place.done() and not place.cancelled() and not place.exception():
                self.leave(asker)
            raise

    def leave(self, asker: Asker) -> None:
        """Give the thread back, and to whoever is next."""
        self.free += 1
        self.free_for_others += not asker.is_playing
        for lines, is_playing in ((self._playing, True), (self._others, False)):
            while lines and self.free > 0 and (is_playing or self.free_for_others > 0):
                place = lines.next()
                self.waiting -= 1
                if not place.done():
                    self._take(is_playing)
                    place.set_result(None)

    def _take(self, is_playing: bool) -> None:
        self.free -= 1
        self.free_for_others -= not is_playing

    def _make_room(self, asker: Asker, own: int) -> None:
        """Send one of the longest line away, of those who do not play first; BusyError where that is the asker's."""
        crowded = self._others or self._playing
        if not crowded or (crowded is self._playing and not asker.is_playing):
            raise OverloadedError(BUSY)
        group = crowded.longest()
        is_own_kind = (crowded is self._playing) == asker.is_playing
        if is_own_kind and crowded.count(group) <= own + 1:
            raise OverloadedError(BUSY)
        place = crowded.drop_last(group)
        self.waiting -= 1
        if not place.done():
            place.set_exception(OverloadedError(BUSY))


class WorkerPool:
    """Threads for one kind of work, and how many may wait for one; each event loop has its own."""

    def __init__(self, threads: int, waiting: int, for_others: int | None = None) -> None:
        self.threads = threads
        self.for_others = for_others or threads
        """So many of the threads work for those who do not play."""
        self.waiting = waiting
        self._queues: WeakKeyDictionary[AbstractEventLoop, FairQueue] = WeakKeyDictionary()

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do something in a thread; raise BusyError where too many wait already."""
        queue, asker = self.queue(), ASKER.get()
        await queue.enter(asker, self.waiting)
        try:
            return await to_thread.run_sync(partial(work, *args, **kwargs), limiter=queue.limiter)
        finally:
            queue.leave(asker)

    def queue(self) -> FairQueue:
        """Return the queue of the running loop."""
        loop = get_running_loop()
        found = self._queues.get(loop)
        if found is None:
            found = self._queues[loop] = FairQueue(self.threads, self.for_others)
        return found


STORE = WorkerPool(threads=8, waiting=1_000, for_others=2)
"""For what waits for the store."""
SURVEYING = WorkerPool(threads=1, waiting=4)
"""For maps of many games, which take seconds."""
SOLVING = WorkerPool(threads=1, waiting=256)
"""For what may have to solve a game first: one after the other, so that nobody else waits for it."""
