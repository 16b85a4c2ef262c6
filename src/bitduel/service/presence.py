"""Presence of the players of a match: from open pages and requests, shared by coarse times in the store."""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from threading import Lock
from time import monotonic

from bitduel.service.hub import Hub
from bitduel.service.match_session import MatchSession
from bitduel.storage import Store, StoreError
from bitduel.storage.schema import SECOND, now
from bitduel.storage.seats import SeatOwner

TICK = 15.0
"""Seconds between two checks of who is still present."""
PRESENT_FOR = 60 * SECOND
"""The time for which a player counts as present after the last request."""
LIVE = 5 * 60 * SECOND
"""The time for which a player who was present may be away on their turn before the other can claim the match."""
SLOW = 24 * 60 * 60 * SECOND
"""The same for a player who had not been here when the turn came, as in a match over days."""
PLAYING_FOR = 600.0
"""Seconds for which an owner counts as playing after the last request in a running match."""
MOST_PLAYING = 20_000
"""The most owners remembered as playing, and as not playing."""
UNKNOWN_FOR = 60.0
"""Seconds for which an owner who was looked up and has no seat is not looked up again."""
LOOK_UPS = 100
"""The most unknown owners looked up in a second: anybody can make up secrets."""


class Presence:
    """The owners of seats who are present, and those who play in a running match."""

    def __init__(self, store: Store, hub: Hub, clock: Callable[[], int] = now) -> None:
        self.store = store
        self.hub = hub
        self.clock = clock
        self.every = TICK
        self._connected: Counter[SeatOwner] = Counter()
        self._left: set[SeatOwner] = set()
        self._playing: OrderedDict[str, float] = OrderedDict()
        self._unknown: OrderedDict[str, float] = OrderedDict()
        self._seen: OrderedDict[str, int] = OrderedDict()
        self._open: Counter[str] = Counter()
        self._look_ups = (0, 0)
        self._lock = Lock()
        self._looked = clock()

    def is_present(self, session: MatchSession, seat: int) -> bool:
        """Return whether the player on a seat is present."""
        held = session.holders.get(seat)
        return held is not None and held.present_until > self.clock()

    def mark_present(self, session: MatchSession, owner: str | None) -> MatchSession:
        """Return the match with its visitor present; written only now and then, announced only when it changes."""
        own_seats = session.seats(owner)
        if not (owner and own_seats):
            return session
        self.mark_seen(owner)
        if not session.match.outcome and self._playing.get(owner, 0.0) < monotonic() + PLAYING_FOR / 2:
            self.mark_playing(owner)
        if not session.is_between_people:
            return session
        moment, held = self.clock(), session.holders[own_seats[0]]
        if held.present_until >= moment + PRESENT_FOR // 2:
            return session
        self.store.seats.mark_present([(session.stored.sitting, owner)], moment + PRESENT_FOR)
        if held.present_until <= moment:
            self.hub.publish(session.stored.id)
        return replace(
            session, holders={**session.holders, own_seats[0]: held._replace(present_until=moment + PRESENT_FOR)}
        )

    def mark_seen(self, owner: str) -> None:
        """Remember the time of somebody's last request."""
        with self._lock:
            self._seen[owner] = self.clock()
            self._seen.move_to_end(owner)
            while len(self._seen) > MOST_PLAYING:
                self._seen.popitem(last=False)

    def last_seen(self, owner: str) -> int:
        """Return the time of somebody's last request here, which is now while a stream is open; 0 if unknown."""
        return self.clock() if self._open[owner] > 0 else self._seen.get(owner, 0)

    @contextmanager
    def watching(self, owner: str) -> Iterator[None]:
        """Count somebody as present while a stream is open."""
        with self._lock:
            self._open[owner] += 1
        try:
            yield
        finally:
            self.mark_seen(owner)
            with self._lock:
                self._open[owner] -= 1
                if not self._open[owner]:
                    del self._open[owner]

    def is_playing(self, owner: str) -> bool:
        """Return whether an owner recently had a seat in a running match."""
        return self._playing.get(owner, 0.0) > monotonic()

    def mark_playing(self, owner: str) -> None:
        """Remember that an owner has a seat in a running match."""
        with self._lock:
            self._remember(self._playing, owner, PLAYING_FOR)

    def find_playing(self, owner: str) -> bool:
        """Look up whether an owner who was not seen here lately has such a seat, as after a restart."""
        with self._lock:
            second, count = int(monotonic()), self._look_ups[1] if self._look_ups[0] == int(monotonic()) else 0
            if self._unknown.get(owner, 0.0) > monotonic() or count >= LOOK_UPS:
                return False
            self._look_ups = second, count + 1
        if self.store.seats.has_open_match(owner) or self.store.classes.is_member(owner):
            self.mark_playing(owner)
            return True
        with self._lock:
            self._remember(self._unknown, owner, UNKNOWN_FOR)
        return False

    def _remember(self, those: OrderedDict[str, float], owner: str, seconds: float) -> None:
        those[owner] = monotonic() + seconds
        those.move_to_end(owner)
        while len(those) > MOST_PLAYING:
            those.popitem(last=False)

    @contextmanager
    def connected(self, session: MatchSession, owner: str) -> Iterator[None]:
        """Count an owner as present while a stream is open."""
        key = session.stored.sitting, owner
        if not session.seats(owner):
            yield
            return
        if not session.is_between_people:
            with self.watching(owner):
                yield
            return
        with self._lock:
            self._connected[key] += 1
        try:
            with self.watching(owner):
                yield
        finally:
            with self._lock:
                self._connected[key] -= 1
                if not self._connected[key]:
                    del self._connected[key]
                    self._left.add(key)

    def tick(self) -> None:
        """Store who is still present, and notify where time alone has changed something."""
        with self._lock:
            here = list(self._connected)
            left, self._left = self._left - set(here), set()
        for _, owner in here:
            self.mark_playing(owner)
        moment, since = self.clock(), self._looked
        self.store.seats.mark_present(here, moment + PRESENT_FOR)
        self.store.seats.mark_absent(left, moment)
        self.store.counts.delete_expired()
        if watched := list(self.hub.subscribers):
            for match_id in self.store.seats.presence_changes(watched, since, moment, LIVE):
                self.hub.wake(match_id)
        self._looked = moment

    async def run(self) -> None:
        """Tick until cancelled; if the store does not answer, try again."""
        while True:
            await asyncio.sleep(self.every)
            with suppress(StoreError):
                await asyncio.to_thread(self.tick)

    def has_left(self, session: MatchSession, seat: int) -> bool:
        """Return whether the player to move on a seat has been away so long that the other may claim the match."""
        held = session.holders.get(seat)
        if held is None or not session.is_between_people or session.match.to_move != seat or len(session.holders) < 2:
            return False
        if session.stored.clock and session.stored.clock.running:
            return False  # the clock decides
        if self.is_present(session, seat):
            return False
        began = session.stored.changed_at
        patience = LIVE if held.present_until >= began - LIVE else SLOW
        return self.clock() >= max(held.present_until, began) + patience
