"""How fast one address is answered: at its own pace whoever comes in a hurry, so that nobody else waits for it."""

import asyncio
import re
from collections import OrderedDict
from collections.abc import Callable
from time import monotonic

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from bitduel.web.guard import said
from bitduel.web.limits import MOST_ADDRESSES, household

USUAL = 30.0
"""So many requests a second one address is answered in the long run; a class behind one address needs fewer."""
AT_ONCE = 20
"""So many are answered at once where it has been quiet: a class that opens the same page."""
LIGHT = 0.1
"""What a file counts that only has to be sent."""
SENT = ("/static/", "/films/", "/icons/")
HEAVY = 5.0
"""What something counts that has to be solved, drawn or begun."""
WORK = re.compile(r"/(?:solve|next|play|position|chart|atlas(?:\.svg)?|review|picture[^/]*\.png)$")
LONGEST = 10.0
"""Seconds that somebody in a hurry is kept waiting; beyond, they are asked to come again."""
REFUSED_AFTER = 1.0
"""Seconds after which they are, so that nobody is asked as fast as they can ask."""
TOO_FAST = "That was too fast. Please come again in a few seconds."


class Pace:
    """For each address when its next request is due."""

    def __init__(self, per_second: float = USUAL, clock: Callable[[], float] = monotonic) -> None:
        self.step = 1 / per_second
        self.clock = clock
        self._due: OrderedDict[str, float] = OrderedDict()
        self._waiting: set[asyncio.Future[None]] = set()
        self._released = False

    def delay(self, address: str, cost: float = 1.0) -> float | None:
        """Seconds to wait before this request is answered; None, and it does not count, where that is too long."""
        if self._released:
            return 0.0
        key, now, step = household(address), self.clock(), cost * self.step
        due = max(self._due.pop(key, 0.0), now - AT_ONCE * self.step) + step
        late = due - now > LONGEST
        self._due[key] = due - step if late else due
        if len(self._due) > MOST_ADDRESSES:
            self._due.popitem(last=False)
        return None if late else max(0.0, due - now)

    async def wait(self, seconds: float) -> None:
        """Until it is time, or nobody is kept waiting any more."""
        loop = asyncio.get_running_loop()
        due: asyncio.Future[None] = loop.create_future()
        self._waiting.add(due)
        timer = loop.call_later(seconds, _come, due)
        try:
            await due
        finally:
            timer.cancel()
            self._waiting.discard(due)

    def release(self) -> None:
        """The process is about to end: everybody at once."""
        self._released = True
        for due in tuple(self._waiting):
            _come(due)


def _come(due: "asyncio.Future[None]") -> None:
    if not due.done():
        due.set_result(None)


def cost_of(path: str) -> float:
    """What a request counts, as far as its address tells."""
    if path.startswith(SENT):
        return LIGHT
    return HEAVY if WORK.search(path) else 1.0


class Paced:
    """Lets every request through at the pace of its address."""

    def __init__(self, app: ASGIApp, pace: Pace) -> None:
        self.app = app
        self.pace = pace

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, now or in a moment."""
        client = scope.get("client") if scope["type"] == "http" else None
        wait = self.pace.delay(client[0], cost_of(scope["path"])) if client else 0.0
        if wait:
            await self.pace.wait(wait)
        if wait is not None:
            await self.app(scope, receive, send)
            return
        await self.pace.wait(REFUSED_AFTER)
        refusal: Response = said(scope, 429, TOO_FAST)
        refusal.headers.update({"retry-after": "10", "cache-control": "no-store"})
        await refusal(scope, receive, send)
