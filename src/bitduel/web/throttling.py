"""How fast visitors are answered: at their own pace whoever comes in a hurry, so that nobody else waits for it."""

import asyncio
import re
from collections import OrderedDict
from collections.abc import Callable, Iterable
from time import monotonic, process_time
from typing import Any, Protocol

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from bitduel.core.errors import BitduelError
from bitduel.web.http.request_checks import said
from bitduel.web.quotas import FEWEST, LINK, MOST_ADDRESSES, NOBODY, PEOPLE, Asker
from bitduel.web.worker_pools import ASKER, STORE, FairQueue

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
WORK = re.compile(
    r"/(?:api/v1/matches|solve|next|play|position|chart|learn|puzzles?|atlas(?:\.svg)?|review|picture[^/]*\.png)$"
)
CHOSEN = re.compile(r"/games/[^/]+")
"""The page of a game, which has to be solved where other options than the usual ones are chosen."""
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
"""No bound of its own: connections are bounded, and each has one request that waits; none when it is lost."""
TOO_FAST = "That was too fast. Please come again in a few seconds."


class RequestSchedule:
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

    def give_back(self, key: str, cost: float) -> None:
        """Count less for a request that was not answered after all."""
        if key in self._due:
            self._due[key] -= cost * self.step


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


class Throttle:
    """When the next request of each visitor and each address is due.

    A player has a share of their own that nobody can take. What goes beyond it is shared by those who play at the
    address, and what goes beyond that by everybody there. Links with a secret have a lane of their own.
    """

    def __init__(self, people: int = PEOPLE, clock: Callable[[], float] = monotonic) -> None:
        people = max(people, FEWEST)
        self.clock = clock
        self._members = Members(people)
        self._sure = RequestSchedule(SURE, SURE_AT_ONCE)
        self._players = RequestSchedule(OF_A_PLAYER, AT_ONCE)
        self._playing, self._links, self._others = (RequestSchedule(people, 2 * people) for _ in range(3))
        self._waiting: set[asyncio.Future[None]] = set()
        self._released = False
        self.entrance = Entrance()

    def delay(self, asker: Asker, cost: float = 1.0, is_link: bool = False) -> float | None:
        """Return the seconds to wait before this request is answered; None, uncounted, where that is too long."""
        if self._released or self.has_share(asker, cost):
            return 0.0
        return (self._links if is_link else self._others).take(asker.address, cost, self.clock(), LONGEST)

    def give_back(self, asker: Asker, cost: float, is_link: bool) -> None:
        """Count less for a request that waited and whose sender has gone."""
        (self._links if is_link else self._others).give_back(asker.address, cost)

    def has_share(self, asker: Asker, cost: float) -> bool:
        """Return whether a player is answered at once, by their own share or that of the address, and count it."""
        if not asker.is_playing:
            return False
        now = self.clock()
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
        self.entrance.release()
        for due in tuple(self._waiting):
            _come(due)


def _come(due: "asyncio.Future[None]") -> None:
    if not due.done():
        due.set_result(None)


def cost_of(path: str, query: bytes = b"") -> float:
    """What a request counts, as far as its address tells."""
    if path.startswith(SENT):
        return LIGHT
    return HEAVY if WORK.search(path) or (query and CHOSEN.fullmatch(path)) else 1.0


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

    def release(self) -> None:
        """Let everybody in, now and from now on."""
        self._queue.free = self._queue.free_for_others = MOST_WAITING
        self._queue.leave(NOBODY)

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


class Connection(Protocol):
    """What a request came by."""

    waiting_task: "asyncio.Task[Any] | None"
    """The task of a request that waits for its turn; it is cancelled when the sender goes."""
    is_lost: bool


class Throttled:
    """Lets every request through at the pace of its visitor and its address."""

    def __init__(
        self,
        app: ASGIApp,
        pace: Throttle,
        find_playing: Callable[[str], bool],
        knows_link: Callable[[str, str], bool] = lambda _match, _secret: False,
        free: Iterable[str] = (),
    ) -> None:
        self.app = app
        self.pace = pace
        self.find_playing = find_playing
        """Looks up whether a visitor who is not known to play has a seat."""
        self.knows_link = knows_link
        """Tells whether a link was found to be valid before; such a one never waits for others."""
        self.free = frozenset(free)
        """Addresses that never wait, for those who look after the site."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, now or in a moment; nobody is waited for who has gone."""
        if scope["type"] != "http" or scope["path"] in self.free:
            await self.app(scope, receive, send)
            return
        connection: Connection | None = scope.get("bitduel.connection")
        if connection:
            connection.waiting_task = asyncio.current_task()
        try:
            is_let_in = await self._wait(scope)
        except asyncio.CancelledError:
            if connection and connection.is_lost:
                return
            raise
        finally:
            if connection:
                connection.waiting_task = None
        if is_let_in:
            await self.app(scope, receive, send)
            return
        refusal: Response = said(scope, 429, TOO_FAST)
        refusal.headers.update({"retry-after": "10", "cache-control": "no-store"})
        await refusal(scope, receive, send)

    async def _wait(self, scope: Scope) -> bool:
        """Wait until a request may begin; return False where that would take too long."""
        cost, link = cost_of(scope["path"], scope["query_string"]), LINK.search(scope["path"])
        seconds = await self._delay(scope, cost, link is not None)
        asker: Asker = scope["bitduel.asker"]
        if seconds != 0.0 and link and self._is_known(scope["path"]):
            if seconds is not None:
                self.pace.give_back(asker, cost, is_link=True)
            return True
        if seconds is None:
            await self.pace.wait(REFUSED_AFTER)
            return False
        if seconds:
            try:
                await self.pace.wait(seconds)
            except asyncio.CancelledError:
                self.pace.give_back(asker, cost, link is not None)
                raise
        await self.pace.entrance.enter(ASKER.get())
        return True

    def _is_known(self, path: str) -> bool:
        parts = path.split("/")
        return len(parts) == 4 and self.knows_link(parts[2], parts[3])

    async def _delay(self, scope: Scope, cost: float, is_link: bool) -> float | None:
        asker: Asker = scope["bitduel.asker"]
        if asker.is_playing:
            return self._players_delay(asker, cost, is_link)
        wait = self.pace.delay(asker, cost, is_link)
        if wait == 0.0 or not asker.visitor or not await self._is_playing(asker.visitor):
            return wait
        scope["bitduel.asker"] = asker = asker._replace(is_playing=True)
        ASKER.set(asker)
        return self._players_delay(asker, cost, is_link)

    def _players_delay(self, asker: Asker, cost: float, is_link: bool) -> float | None:
        """A player who asks for more than their share is served as everybody else, and after all who do not."""
        if self.pace.has_share(asker, cost):
            return 0.0
        other = asker._replace(is_playing=False)
        ASKER.set(other)
        return self.pace.delay(other, cost, is_link)

    async def _is_playing(self, visitor: str) -> bool:
        try:
            return await STORE.run(self.find_playing, visitor)
        except BitduelError:
            return False
