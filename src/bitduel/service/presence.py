"""Who is at the table: pages that listen and requests tell it, and coarse ticks in the store tell every process."""

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
from bitduel.storage.seats import Owned
from bitduel.storage.timestamps import now, to_ticks

SECOND = 1_000_000
"""As the store counts: in microseconds."""
TICK = 15.0
"""Seconds between two looks at who is still there."""
HERE_FOR = 60 * SECOND
"""So long somebody counts as present after the last sign."""
LIVE = 5 * 60 * SECOND
"""So long a player who was just here may be away on their turn before the other can claim the match."""
SLOW = 24 * 60 * 60 * SECOND
"""The same for a player who had not been here when the turn came, as in a match over days."""
PLAYING_FOR = 600.0
"""Seconds for which somebody counts as playing after the last sign in a match that goes on."""
MOST_PLAYING = 20_000
"""So many are remembered as playing, and as not playing, those first who came last."""
STRANGER_FOR = 60.0
"""Seconds for which somebody who was looked up and has no seat is not looked up again."""
LOOK_UPS = 100
"""So many strangers are looked up in a second at most: anybody can make up secrets."""


class Presence:
    """Signs of life of those who hold seats; nothing about a match is known here but who is at it."""

    def __init__(self, store: Store, hub: Hub, clock: Callable[[], int] = now) -> None:
        self.store = store
        self.hub = hub
        self.clock = clock
        self.every = TICK
        self._listening: Counter[Owned] = Counter()
        self._left: set[Owned] = set()
        self._playing: OrderedDict[str, float] = OrderedDict()
        self._strangers: OrderedDict[str, float] = OrderedDict()
        self._look_ups = (0, 0)
        self._lock = Lock()
        self._looked = clock()

    def is_here(self, seating: MatchSession, seat: int) -> bool:
        """Whether the player on a seat is at the table."""
        held = seating.holders.get(seat)
        return held is not None and held.here > self.clock()

    def seen(self, seating: MatchSession, owner: str | None) -> MatchSession:
        """Somebody has asked for something; written only now and then, and told only to those to whom it is news."""
        mine = seating.seats(owner)
        if owner and mine and not seating.match.outcome:
            self.note_playing(owner)
        if not (owner and mine and seating.two_people):
            return seating
        moment, held = self.clock(), seating.holders[mine[0]]
        if held.here >= moment + HERE_FOR // 2:
            return seating
        self.store.seats.seen([(seating.kept.sitting, owner)], moment + HERE_FOR)
        if held.here <= moment:
            self.hub.publish(seating.kept.id)
        return replace(seating, holders={**seating.holders, mine[0]: held._replace(here=moment + HERE_FOR)})

    def is_playing(self, owner: str) -> bool:
        """Return whether somebody was lately seen on a seat of a match that goes on."""
        return self._playing.get(owner, 0.0) > monotonic()

    def note_playing(self, owner: str) -> None:
        """Remember that somebody has a seat in a match that goes on."""
        with self._lock:
            self._remember(self._playing, owner, PLAYING_FOR)

    def find_playing(self, owner: str) -> bool:
        """Look up whether somebody who was not seen here lately has such a seat, as after a restart."""
        with self._lock:
            second, count = int(monotonic()), self._look_ups[1] if self._look_ups[0] == int(monotonic()) else 0
            if self._strangers.get(owner, 0.0) > monotonic() or count >= LOOK_UPS:
                return False
            self._look_ups = second, count + 1
        if self.store.seats.plays(owner):
            self.note_playing(owner)
            return True
        with self._lock:
            self._remember(self._strangers, owner, STRANGER_FOR)
        return False

    def _remember(self, those: OrderedDict[str, float], owner: str, seconds: float) -> None:
        those[owner] = monotonic() + seconds
        those.move_to_end(owner)
        while len(those) > MOST_PLAYING:
            those.popitem(last=False)

    @contextmanager
    def listening(self, seating: MatchSession, owner: str) -> Iterator[None]:
        """Somebody has the match open."""
        key = seating.kept.sitting, owner
        if not (seating.two_people and seating.seats(owner)):
            yield
            return
        with self._lock:
            self._listening[key] += 1
        try:
            yield
        finally:
            with self._lock:
                self._listening[key] -= 1
                if not self._listening[key]:
                    del self._listening[key]
                    self._left.add(key)

    def tick(self) -> None:
        """Write down who is still there, and wake those to whom time alone has changed something."""
        with self._lock:
            here = list(self._listening)
            left, self._left = self._left - set(here), set()
        for _, owner in here:
            self.note_playing(owner)
        moment, since = self.clock(), self._looked
        self.store.seats.seen(here, moment + HERE_FOR)
        self.store.seats.gone(left, moment)
        self.store.counts.sweep()
        if watched := self.hub.watched():
            for match_id in self.store.seats.turned(watched, since, moment, LIVE):
                self.hub.wake(match_id)
        self._looked = moment

    async def run(self) -> None:
        """Tick until stopped; a store that does not answer is asked again."""
        while True:
            await asyncio.sleep(self.every)
            with suppress(StoreError):
                await asyncio.to_thread(self.tick)

    def left_for_long(self, seating: MatchSession, seat: int) -> bool:
        """Whether the player on a seat is to move and has been away for so long that the other may claim the match."""
        held = seating.holders.get(seat)
        if held is None or not seating.two_people or seating.match.to_move != seat or len(seating.holders) < 2:
            return False
        began = to_ticks(seating.kept.changed)
        patience = LIVE if held.here >= began - LIVE else SLOW
        return self.clock() >= max(held.here, began) + patience
