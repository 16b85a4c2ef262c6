"""Throttling: requests of a client that sends too many are delayed, so that nobody else has to wait."""

import asyncio
import re
from collections import OrderedDict
from collections.abc import Callable, Iterable
from time import monotonic, process_time
from typing import TYPE_CHECKING

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from bitduel.core.errors import BitduelError
from bitduel.web.http.clients import CLIENT, MOST_ADDRESSES, NOBODY, SECRET_LINK, Client
from bitduel.web.http.quotas import FEWEST, PEOPLE
from bitduel.web.http.request_checks import error_response
from bitduel.web.http.worker_pools import STORE, FairQueue

if TYPE_CHECKING:
    from bitduel.web.http.wire_limits import LimitedProtocol

GRANTED_RATE, GRANTED_BURST = 2.0, 10
"""Requests a second, and at once after a pause, that a player is always granted."""
PLAYER_RATE, PLAYER_BURST = 5.0, 20
"""The same, as long as the players at the address do not use up what they share."""
AWAY_AFTER = 600.0
"""Seconds without a request after which a player makes room for another among those of an address."""
LIGHT = 0.1
"""The cost of a static file."""
SENT = ("/static/", "/films/", "/icons/")
HEAVY = 5.0
"""The cost of what has to be solved, drawn or begun."""
WORK = re.compile(
    r"/(?:api/v1/matches|solve|next|play|position|chart|learn|practice|puzzles?|atlas(?:\.svg)?|review|picture[^/]*\.png)$"
)
CHOSEN = re.compile(r"/games/[^/]+")
"""The page of a game, which has to be solved unless its options are the default."""
LONGEST = 10.0
"""The longest delay in seconds; beyond it a request is refused."""
REFUSED_AFTER = 1.0
"""Seconds after which a request is refused, so that refusals are slow too."""
RECENT = 2.0
"""Seconds after a player's last request in which others give way."""
BUSY_SHARE = 0.5
"""The share of one processor that is used before those who do not play have to wait."""
LONGEST_REST = 0.05
MOST_WAITING = 1 << 30
"""No bound of its own: connections are bounded, and each has at most one waiting request."""
TOO_FAST = "You're going a bit fast. Please wait a few seconds and try again."


class RequestSchedule:
    """For each key the time when its next request is due, at a rate and with a burst after a pause."""

    def __init__(self, per_second: float, at_once: float) -> None:
        self.step = 1 / per_second
        self.rest = at_once * self.step
        self._due: OrderedDict[str, float] = OrderedDict()

    def take(self, key: str, cost: float, now: float, longest: float) -> float | None:
        """Return the seconds to wait; None, uncounted, if that is more than the longest delay."""
        before = max(self._due.pop(key, 0.0), now - self.rest)
        due = before + cost * self.step
        late = due - now > longest + 1e-9
        self._due[key] = before if late else due
        if len(self._due) > MOST_ADDRESSES:
            self._due.popitem(last=False)
        return None if late else max(0.0, due - now)

    def give_back(self, key: str, cost: float) -> None:
        """Take back the count of a request that was not answered after all."""
        if key in self._due:
            self._due[key] -= cost * self.step


class AddressPlayers:
    """The first players of each address, up to the number that may share it."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._of: OrderedDict[str, OrderedDict[str, float]] = OrderedDict()

    def has(self, client: Client, now: float) -> bool:
        """Return whether a player is among them, and let them in if there is room."""
        here = self._of.setdefault(client.address, OrderedDict())
        self._of.move_to_end(client.address)
        if len(self._of) > MOST_ADDRESSES:
            self._of.popitem(last=False)
        while here and next(iter(here.values())) < now - AWAY_AFTER:
            here.popitem(last=False)
        if client.visitor not in here and len(here) >= self.most:
            return False
        here[client.visitor] = now
        here.move_to_end(client.visitor)
        return True


class Throttle:
    """The times when the next request of each visitor and each address may be answered.

    A player has a share of their own that nobody can take. What goes beyond it is shared by those who play at the
    address, and what goes beyond that by everybody there. Links with a secret have a lane of their own.
    """

    def __init__(self, people: int = PEOPLE, clock: Callable[[], float] = monotonic) -> None:
        people = max(people, FEWEST)
        self.clock = clock
        self._members = AddressPlayers(people)
        self._granted = RequestSchedule(GRANTED_RATE, GRANTED_BURST)
        self._players = RequestSchedule(PLAYER_RATE, PLAYER_BURST)
        self._playing, self._links, self._others = (RequestSchedule(people, 2 * people) for _ in range(3))
        self._waiting: set[asyncio.Future[None]] = set()
        self._released = False
        self.queue = RequestQueue()

    def delay(self, client: Client, cost: float = 1.0, is_link: bool = False) -> float | None:
        """Return the seconds to wait before this request is answered; None, uncounted, if that is too long."""
        if self._released or self.has_share(client, cost):
            return 0.0
        return (self._links if is_link else self._others).take(client.address, cost, self.clock(), LONGEST)

    def give_back(self, client: Client, cost: float, is_link: bool) -> None:
        """Take back the count of a request whose sender left while it waited."""
        (self._links if is_link else self._others).give_back(client.address, cost)

    def has_share(self, client: Client, cost: float) -> bool:
        """Return whether a player is answered at once, by their own share or that of the address, and count it."""
        if not client.is_playing:
            return False
        now = self.clock()
        if self._members.has(client, now) and self._granted.take(client.visitor, cost, now, 0.0) is not None:
            return True
        own = self._players.take(client.visitor, cost, now, 0.0)
        return own is not None and self._playing.take(client.address, cost, now, 0.0) is not None

    async def wait(self, seconds: float) -> None:
        """Wait some seconds, or until everybody is released."""
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
        """Let everybody through from now on, because the process is about to end."""
        self._released = True
        self.queue.release()
        for due in tuple(self._waiting):
            _come(due)


def _come(due: "asyncio.Future[None]") -> None:
    if not due.done():
        due.set_result(None)


def cost_of(path: str, query: bytes = b"") -> float:
    """Return the cost of a request, judged by its address."""
    if path.startswith(SENT):
        return LIGHT
    return HEAVY if WORK.search(path) or (query and CHOSEN.fullmatch(path)) else 1.0


class RequestQueue:
    """Starts requests of players at once, and of everybody else one at a time, each visitor or address in turn.

    While somebody plays, the others also wait when the process is busier than its share: close to the limit of what a
    processor can do, everybody's answers would be late.
    """

    def __init__(self, clock: Callable[[], float] = monotonic, used: Callable[[], float] = process_time) -> None:
        self.clock = clock
        self.used = used
        self._queue = FairQueue(1, 1)
        self._played = -RECENT
        """The time of the last request of a player."""
        self._looked, self._seen, self._behind = clock(), used(), 0.0
        """The time of the last other request, the processor time used by then, and the rest still to wait."""

    async def enter(self, client: Client) -> None:
        """Wait until a request may begin."""
        if client.is_playing:
            self._played = self.clock()
            return
        await self._queue.enter(client, MOST_WAITING)
        asyncio.get_running_loop().call_soon(self._let_next_in, client)

    def release(self) -> None:
        """Let everybody in, from now on."""
        self._queue.free = self._queue.free_for_others = MOST_WAITING
        self._queue.leave(NOBODY)

    def _let_next_in(self, client: Client) -> None:
        """Schedule the next request once the event loop has started the last, so that players go first."""
        asyncio.get_running_loop().call_later(self.rest(), self._queue.leave, client)

    def rest(self) -> float:
        """Return the seconds until the next may begin, from what the process has used since the last."""
        now, used = self.clock(), self.used()
        behind = self._behind + (used - self._seen) / BUSY_SHARE - (now - self._looked)
        self._behind = min(max(behind, 0.0), LONGEST_REST) if now - self._played < RECENT else 0.0
        self._looked, self._seen = now, used
        return self._behind


class Throttled:
    """Middleware that delays the requests of visitors and addresses that send too many."""

    def __init__(
        self,
        app: ASGIApp,
        throttle: Throttle,
        find_playing: Callable[[str], bool],
        knows_link: Callable[[str, str], bool] = lambda _match, _secret: False,
        free: Iterable[str] = (),
    ) -> None:
        self.app = app
        self.throttle = throttle
        self.find_playing = find_playing
        """Looks up whether a visitor who is not known to play has a seat."""
        self.knows_link = knows_link
        """Tells whether a link is known to be valid; such a one never waits for others."""
        self.free = frozenset(free)
        """Paths that never wait, for probes."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, now or in a moment, or refuse it; drop it if its sender has gone."""
        if scope["type"] != "http" or scope["path"] in self.free:
            await self.app(scope, receive, send)
            return
        connection: LimitedProtocol | None = scope.get("bitduel.connection")
        if connection:
            connection.waiting_task = asyncio.current_task()
        try:
            is_admitted = await self._wait(scope)
        except asyncio.CancelledError:
            if connection and connection.is_lost:
                return
            raise
        finally:
            if connection:
                connection.waiting_task = None
        if is_admitted:
            await self.app(scope, receive, send)
            return
        refusal: Response = error_response(scope, 429, TOO_FAST)
        refusal.headers.update({"retry-after": "10", "cache-control": "no-store"})
        await refusal(scope, receive, send)

    async def _wait(self, scope: Scope) -> bool:
        """Wait until a request may begin; return False if that would take too long."""
        cost, link = cost_of(scope["path"], scope["query_string"]), SECRET_LINK.search(scope["path"])
        seconds = await self._delay(scope, cost, link is not None)
        client: Client = scope["bitduel.client"]
        if seconds != 0.0 and link and self._is_known(scope["path"]):
            if seconds is not None:
                self.throttle.give_back(client, cost, is_link=True)
            return True
        if seconds is None:
            await self.throttle.wait(REFUSED_AFTER)
            return False
        if seconds:
            try:
                await self.throttle.wait(seconds)
            except asyncio.CancelledError:
                self.throttle.give_back(client, cost, link is not None)
                raise
        await self.throttle.queue.enter(CLIENT.get())
        return True

    def _is_known(self, path: str) -> bool:
        parts = path.split("/")
        return len(parts) == 4 and self.knows_link(parts[2], parts[3])

    async def _delay(self, scope: Scope, cost: float, is_link: bool) -> float | None:
        client: Client = scope["bitduel.client"]
        if client.is_playing:
            return self._players_delay(client, cost, is_link)
        wait = self.throttle.delay(client, cost, is_link)
        if wait == 0.0 or not client.visitor or not await self._is_playing(client.visitor):
            return wait
        scope["bitduel.client"] = client = client._replace(is_playing=True)
        CLIENT.set(client)
        return self._players_delay(client, cost, is_link)

    def _players_delay(self, client: Client, cost: float, is_link: bool) -> float | None:
        """Return the delay of a player; beyond their share they are served like everybody else."""
        if self.throttle.has_share(client, cost):
            return 0.0
        other = client._replace(is_playing=False)
        CLIENT.set(other)
        return self.throttle.delay(other, cost, is_link)

    async def _is_playing(self, visitor: str) -> bool:
        try:
            return await STORE.run(self.find_playing, visitor)
        except BitduelError:
            return False
