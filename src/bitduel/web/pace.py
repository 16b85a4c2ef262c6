"""How fast visitors are answered: at their own pace whoever comes in a hurry, so that nobody else waits for it."""

import asyncio
import re
from collections import OrderedDict
from collections.abc import Callable
from time import monotonic, process_time

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from bitduel.core.errors import BitduelError
from bitduel.web.guard import said
from bitduel.web.limits import FEWEST, LINK, MOST_ADDRESSES, PEOPLE, Asker
from bitduel.web.work import ASKER, STORE, FairQueue

SURE, SURE_AT_ONCE = 2.0, 10
"""So many requests a second, and at once after a rest, a player is answered whatever anybody else does."""
OF_A_PLAYER, AT_ONCE = 5.0, 20
"""The same as long as those who play at the address do not use up what they share."""
AWAY = 600.0
"""Seconds after which a player who asked for nothing makes room for another among those who are sure of an answer."""
LIGHT = 0.1
"""What a file counts that only has to be sent."""
SENT = ("/static/", "/films/", "/icons/")
HEAVY = 5.0
"""What something counts that has to be solved, drawn or begun."""
WORK = re.compile(r"/(?:api/v1/matches|solve|next|play|position|chart|atlas(?:\.svg)?|review|picture[^/]*\.png)$")
LONGEST = 10.0
"""Seconds that somebody in a hurry is kept waiting; beyond, they are asked to come again."""
REFUSED_AFTER = 1.0
"""Seconds after which they are, so that nobody is asked as fast as they can ask."""
LATELY = 2.0
"""Seconds for which a site counts as played on after a player's last request."""
BUSIEST = 0.5
"""Of the time of one processor, so much is used before those who do not play have to wait."""
LONGEST_REST = 0.05
MOST_WAITING = 1 << 30
"""No bound of its own: connections are bounded, and each has one request that waits."""
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


class Members:
    """For each address those of its players who came first, as many as may share it."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._of: OrderedDict[str, OrderedDict[str, float]] = OrderedDict()

    def has(self, asker: Asker, now: float) -> bool:
        """Return whether a player is among them, and let them in where there is room."""
        here = self._of.setdefault(asker.address, OrderedDict())
        self._of.move_to_end(asker.address)
        if len(self._of) > MOST_ADDRESSES:
            self._of.popitem(last=False)
        while here and next(iter(here.values())) < now - AWAY:
            here.popitem(last=False)
        if asker.visitor not in here and len(here) >= self.most:
            return False
        here[asker.visitor] = now
        here.move_to_end(asker.visitor)
        return True


class Pace:
    """When the next request of each visitor and each address is due.

    A player has a share of their own that nobody can take. What goes beyond it is shared by those who play at the
    address, and what goes beyond that by everybody there. Links with a secret have a lane of their own.
    """

    def __init__(self, people: int = PEOPLE, clock: Callable[[], float] = monotonic) -> None:
        people = max(people, FEWEST)
        self.clock = clock
        self._members = Members(people)
        self._sure = Schedule(SURE, SURE_AT_ONCE)
        self._players = Schedule(OF_A_PLAYER, AT_ONCE)
        self._playing, self._links, self._others = (Schedule(people, 2 * people) for _ in range(3))
        self._waiting: set[asyncio.Future[None]] = set()
        self._released = False

    def delay(self, asker: Asker, cost: float = 1.0, is_link: bool = False) -> float | None:
        """Return the seconds to wait before this request is answered; None, uncounted, where that is too long."""
        if self._released:
            return 0.0
        now = self.clock()
        if asker.is_playing and self._has_share(asker, cost, now):
            return 0.0
        return (self._links if is_link else self._others).take(asker.address, cost, now, LONGEST)

    def _has_share(self, asker: Asker, cost: float, now: float) -> bool:
        if self._members.has(asker, now) and self._sure.take(asker.visitor, cost, now, 0.0) is not None:
            return True
        own = self._players.take(asker.visitor, cost, now, 0.0)
        return own is not None and self._playing.take(asker.address, cost, now, 0.0) is not None

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


class Entrance:
    """Lets players in at once, and everybody else one at a time, each visitor or address in turn.

    While somebody plays, the others also wait when the process is busier than its share: close to the limit of what a
    processor can do, everybody's answers would be late.
    """

    def __init__(self, clock: Callable[[], float] = monotonic, used: Callable[[], float] = process_time) -> None:
        self.clock = clock
        self.used = used
        self._queue = FairQueue(1, 1)
        self._played = -LATELY
        """When a player last came in."""
        self._looked, self._seen, self._behind = clock(), used(), 0.0
        """When one of the others was last let in, what the process had used by then, and what was left to wait."""

    async def enter(self, asker: Asker) -> None:
        """Return when a request may begin."""
        if asker.is_playing:
            self._played = self.clock()
            return
        await self._queue.enter(asker, MOST_WAITING)
        asyncio.get_running_loop().call_soon(self._let_next_in, asker)

    def _let_next_in(self, asker: Asker) -> None:
        """Called when the event loop has begun the last request, so that what players sent meanwhile is ahead."""
        asyncio.get_running_loop().call_later(self.rest(), self._queue.leave, asker)

    def rest(self) -> float:
        """Return the seconds until the next may begin, from what the process has used since the last."""
        now, used = self.clock(), self.used()
        behind = self._behind + (used - self._seen) / BUSIEST - (now - self._looked)
        self._behind = min(max(behind, 0.0), LONGEST_REST) if now - self._played < LATELY else 0.0
        self._looked, self._seen = now, used
        return self._behind


class Paced:
    """Lets every request through at the pace of its visitor and its address."""

    def __init__(self, app: ASGIApp, pace: Pace, find_playing: Callable[[str], bool]) -> None:
        self.app = app
        self.pace = pace
        self.find_playing = find_playing
        """Looks up whether a visitor who is not known to play has a seat."""
        self._entrance = Entrance()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, now or in a moment."""
        wait = await self._delay(scope) if scope["type"] == "http" else 0.0
        if wait:
            await self.pace.wait(wait)
        if scope["type"] == "http":
            await self._entrance.enter(scope["bitduel.asker"])
        if wait is not None:
            await self.app(scope, receive, send)
            return
        await self.pace.wait(REFUSED_AFTER)
        refusal: Response = said(scope, 429, TOO_FAST)
        refusal.headers.update({"retry-after": "10", "cache-control": "no-store"})
        await refusal(scope, receive, send)

    async def _delay(self, scope: Scope) -> float | None:
        asker: Asker = scope["bitduel.asker"]
        cost, is_link = cost_of(scope["path"]), LINK.search(scope["path"]) is not None
        wait = self.pace.delay(asker, cost, is_link)
        if wait == 0.0 or asker.is_playing or not asker.visitor or not await self._is_playing(asker.visitor):
            return wait
        scope["bitduel.asker"] = asker = asker._replace(is_playing=True)
        ASKER.set(asker)
        return self.pace.delay(asker, cost, is_link)

    async def _is_playing(self, visitor: str) -> bool:
        try:
            return await STORE.run(self.find_playing, visitor)
        except BitduelError:
            return False
