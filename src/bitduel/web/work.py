"""Where work is done: what waits for the disk apart from what keeps a processor busy, and never more than has room."""

from asyncio import AbstractEventLoop, Future, get_running_loop
from collections import OrderedDict, deque
from collections.abc import Callable
from contextvars import ContextVar
from functools import partial
from typing import ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from anyio import CapacityLimiter, to_thread

from bitduel.web.limits import NOBODY, Asker, BusyError

T = TypeVar("T")
P = ParamSpec("P")
ASKER: ContextVar[Asker] = ContextVar("asker", default=NOBODY)
"""Who sent what is being answered."""
BUSY = "The site is very busy. Please try again in a few seconds."


class FairQueue:
    """Those who wait for a thread: first those who play, then all others, each visitor or address in turn.

    Those who do not play never have all threads: threads that compute for them would slow down everybody's.
    """

    def __init__(self, threads: int, for_others: int) -> None:
        self.free = threads
        self.free_for_others = for_others
        self.limiter = CapacityLimiter(threads)
        self.waiting = 0
        self._playing: OrderedDict[str, deque[Future[None]]] = OrderedDict()
        self._others: OrderedDict[str, deque[Future[None]]] = OrderedDict()

    async def enter(self, asker: Asker, most: int) -> None:
        """Wait for a thread; raise BusyError where too many wait, and nobody has more waiting than this asker."""
        if self.free > 0 and (asker.is_playing or self.free_for_others > 0):
            self._take(asker.is_playing)
            return
        lines = self._playing if asker.is_playing else self._others
        if self.waiting >= most:
            self._make_room(lines, asker)
        place: Future[None] = get_running_loop().create_future()
        lines.setdefault(asker.key, deque()).append(place)
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
                key, line = lines.popitem(last=False)
                place = line.popleft()
                self.waiting -= 1
                if line:
                    lines[key] = line
                if not place.done():
                    self._take(is_playing)
                    place.set_result(None)

    def _take(self, is_playing: bool) -> None:
        self.free -= 1
        self.free_for_others -= not is_playing

    def _make_room(self, lines: OrderedDict[str, deque["Future[None]"]], asker: Asker) -> None:
        """Send away the last of the longest line, of those who do not play first; BusyError where that is the asker."""
        crowded = self._others or self._playing
        key = max(crowded, key=lambda each: len(crowded[each]), default="")
        own = len(lines.get(asker.key, ())) + 1 if crowded is lines else 0
        if not crowded or (crowded is self._playing and not asker.is_playing) or len(crowded[key]) <= own:
            raise BusyError(BUSY)
        place = crowded[key].pop()
        self.waiting -= 1
        if not crowded[key]:
            del crowded[key]
        if not place.done():
            place.set_exception(BusyError(BUSY))


class Room:
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


STORE = Room(threads=8, waiting=1_000, for_others=2)
"""For what waits for the store."""
SURVEYING = Room(threads=1, waiting=4)
"""For maps of many games, which take seconds."""
SOLVING = Room(threads=1, waiting=256)
"""For what may have to solve a game first: one after the other, so that nobody else waits for it."""
