"""Where work is done: what waits for the disk apart from what keeps a processor busy, and never more than has room."""

from asyncio import AbstractEventLoop, get_running_loop
from collections.abc import Callable
from contextvars import ContextVar
from typing import ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from anyio import CapacityLimiter, to_thread

from bitduel.web.limits import BusyError, Limit, Rate

T = TypeVar("T")
P = ParamSpec("P")
ASKER: ContextVar[str] = ContextVar("asker", default="")
"""The address from which comes what is being answered."""
BUSY = "The site is very busy. Please try again in a few seconds."


class Room:
    """Threads for one kind of work, and how many may wait for one; each event loop has its own."""

    def __init__(self, threads: int, waiting: int, rate: Limit | None = None) -> None:
        self.threads = threads
        self.waiting = waiting
        self.rate = rate
        """How often one address may come, if that is limited."""
        self._limiters: WeakKeyDictionary[AbstractEventLoop, CapacityLimiter] = WeakKeyDictionary()

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do something in a thread; raises BusyError where too many wait already."""
        asker = ASKER.get()
        if self.rate and asker:
            self.rate.take(asker)
        limiter = self._limiter()
        if limiter.available_tokens < 1 and limiter.statistics().tasks_waiting >= self.waiting:
            raise BusyError(BUSY)
        return await to_thread.run_sync(lambda: work(*args, **kwargs), limiter=limiter)

    def _limiter(self) -> CapacityLimiter:
        loop = get_running_loop()
        found = self._limiters.get(loop)
        if found is None:
            found = self._limiters[loop] = CapacityLimiter(self.threads)
        return found


STORE = Room(threads=8, waiting=1_000)
"""For what waits for the store."""
SURVEYING = Room(threads=1, waiting=4, rate=Rate(60, 60))
"""For maps of many games, which take seconds."""
SOLVING = Room(threads=1, waiting=32, rate=Rate(600, 60))
"""For what may have to solve a game first: one after the other, so that nobody else waits for it."""
