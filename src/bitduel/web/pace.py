"""How fast visitors are answered: at their own pace whoever comes in a hurry, so that nobody else waits for it."""

import asyncio
import re
from collections import OrderedDict
from collections.abc import Callable
from time import monotonic

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from bitduel.web.guard import said
from bitduel.web.limits import MOST_ADDRESSES, PEOPLE, Asker

OF_A_PLAYER = 5.0
"""So many requests a second a player is answered whatever others at the address do; playing fast takes three."""
AT_ONCE = 20
"""So many requests of a player are answered at once where it has been quiet: a page with all its parts."""
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


class Schedule:
    """For each key when its next request is due, so many a second and some at once after a rest."""

    def __init__(self, per_second: float, at_once: float) -> None:
        self.step = 1 / per_second
        self.rest = at_once * self.step
        self._due: OrderedDict[str, float] = OrderedDict()

    def take(self, key: str, cost: float, now: float, longest: float) -> float | None:
        """Return the seconds to wait; None, and it does not count, where that is longer than the longest."""
        before = max(self._due.pop(key, 0.0), now - self.rest)
        due = before + cost * self.step
        late = due - now > longest + 1e-9
        self._due[key] = before if late else due
        if len(self._due) > MOST_ADDRESSES:
            self._due.popitem(last=False)
        return None if late else max(0.0, due - now)


class Pace:
    """When the next request of each visitor and each address is due.

    A player has a share of their own. What goes beyond it, and everybody else, shares what the address has.
    """

    def __init__(self, people: float = PEOPLE, clock: Callable[[], float] = monotonic) -> None:
        self.clock = clock
        self._players = Schedule(OF_A_PLAYER, AT_ONCE)
        self._playing = Schedule(2 * people, 4 * people)
        self._others = Schedule(people, 2 * people)
        self._waiting: set[asyncio.Future[None]] = set()
        self._released = False

    def delay(self, asker: Asker, cost: float = 1.0) -> float | None:
        """Return the seconds to wait before this request is answered; None, uncounted, where that is too long."""
        if self._released:
            return 0.0
        now = self.clock()
        if (
            asker.is_playing
            and self._players.take(asker.visitor, cost, now, 0.0) is not None
            and self._playing.take(asker.address, cost, now, 0.0) is not None
        ):
            return 0.0
        return self._others.take(asker.address, cost, now, LONGEST)

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
    """Lets every request through at the pace of its visitor and its address."""

    def __init__(self, app: ASGIApp, pace: Pace) -> None:
        self.app = app
        self.pace = pace

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, now or in a moment."""
        http = scope["type"] == "http"
        wait = self.pace.delay(scope["bitduel.asker"], cost_of(scope["path"])) if http else 0.0
        if wait:
            await self.pace.wait(wait)
        if wait is not None:
            await self.app(scope, receive, send)
            return
        await self.pace.wait(REFUSED_AFTER)
        refusal: Response = said(scope, 429, TOO_FAST)
        refusal.headers.update({"retry-after": "10", "cache-control": "no-store"})
        await refusal(scope, receive, send)
