"""Notifications of changed matches: to subscribers in this process, and through PostgreSQL in every other."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from threading import Event, Thread
from typing import NamedTuple

from bitduel.service.match_session import MatchCache
from bitduel.storage import Store, StoreError
from bitduel.storage.coordination import CHANNEL, Notifications

EVERY = "*"
"""The id that stands for every match: after a lost connection, it is unknown what was missed."""
AT_ONCE = 10
"""The most subscribers of one match that are notified before others get their turn."""
WATCH_INTERVAL = 0.5
"""Seconds between two checks for writes of other programs to a SQLite database."""


class MatchUpdate(NamedTuple):
    """The state of a match: how often moves were taken back, how many there are, and a text that everybody may read."""

    backs: int
    plies: int
    text: str


class Subscriber:
    """A reader of the updates of one match, who gets the newest, however many there were before."""

    def __init__(self) -> None:
        self._text: str | None = None
        self._waiting: asyncio.Future[None] | None = None

    async def next(self, patience: float) -> str | None:
        """Return the next update as soon as there is one; None if there was none for some seconds."""
        if self._text is None:
            loop = asyncio.get_running_loop()
            self._waiting = loop.create_future()
            until = loop.call_later(patience, self._wake)
            try:
                await self._waiting
            finally:
                until.cancel()
                self._waiting = None
        text, self._text = self._text, None
        return text

    def notify(self, text: str) -> None:
        """Hand over an update."""
        self._text = text
        self._wake()

    def _wake(self) -> None:
        if self._waiting and not self._waiting.done():
            self._waiting.set_result(None)


class Hub:
    """Notifies the subscribers of a match, from any thread: in this process, or in all that share a database."""

    def __init__(self, notifier: Notifications | None = None) -> None:
        self.notifier = notifier
        """The database that carries updates to every process, this one included."""
        self.is_shared = notifier is not None
        self.subscribers: dict[str, set[Subscriber]] = defaultdict(set)
        """The subscribers here, for each match that has some."""
        self.read_update: Callable[[str], MatchUpdate] | None = None
        """Reads the state of a match, for a change that came without its update."""
        self.on_announcement: Callable[[str], bool] | None = None
        """Handles an announcement of another process that is about something else than a match; returns whether."""
        self._last: dict[str, MatchUpdate] = {}
        self._reading: set[asyncio.Task[None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopped = Event()

    def start(self) -> None:
        """Begin to work on the running loop, and to listen."""
        self._loop = asyncio.get_running_loop()
        if self.notifier:
            listening = (CHANNEL, self._stopped, self._on_payload, lambda: self.wake(EVERY))
            Thread(target=self.notifier.listen, args=listening, daemon=True).start()

    def stop(self) -> None:
        """Stop listening."""
        self._stopped.set()

    def payload(self, match_id: str, update: MatchUpdate) -> str:
        """Return the text by which the database carries an update."""
        return f"{match_id} {update.backs} {update.plies} {update.text}"

    def publish(self, match_id: str) -> None:
        """Announce that something about a match has changed."""
        if self.notifier:
            self.notifier.notify(CHANNEL, match_id)
        else:
            self.wake(match_id)

    def wake(self, match_id: str, update: MatchUpdate | None = None) -> None:
        """Notify the subscribers here."""
        if self._loop and not self._loop.is_closed() and (match_id in self.subscribers or match_id == EVERY):
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._deliver, match_id, update)

    @asynccontextmanager
    async def subscribe(self, match_id: str) -> AsyncIterator[Subscriber]:
        """Subscribe to the updates of a match."""
        subscriber = Subscriber()
        self.subscribers[match_id].add(subscriber)
        try:
            yield subscriber
        finally:
            self.subscribers[match_id].discard(subscriber)
            if not self.subscribers[match_id]:
                del self.subscribers[match_id]
                self._last.pop(match_id, None)

    def _deliver(self, match_id: str, update: MatchUpdate | None) -> None:
        if update is None:
            for each in list(self.subscribers) if match_id == EVERY else [match_id]:
                task = asyncio.get_running_loop().create_task(self._read_and_deliver(each))
                self._reading.add(task)
                task.add_done_callback(self._reading.discard)
            return
        last = self._last.get(match_id)
        if last and update[:2] < last[:2]:
            return  # written earlier, delivered later
        if match_id in self.subscribers:
            self._last[match_id] = update
            self._notify(list(self.subscribers[match_id]), update.text)

    def _notify(self, subscribers: list[Subscriber], text: str) -> None:
        """Notify many listeners part by part, so that nobody else waits for all of them."""
        for subscriber in subscribers[:AT_ONCE]:
            subscriber.notify(text)
        if subscribers[AT_ONCE:]:
            asyncio.get_running_loop().call_soon(self._notify, subscribers[AT_ONCE:], text)

    async def _read_and_deliver(self, match_id: str) -> None:
        if self.read_update is not None:
            with suppress(Exception):  # a match that cannot be read now is announced with its next change
                self._deliver(match_id, await asyncio.to_thread(self.read_update, match_id))

    def _on_payload(self, payload: str) -> None:
        if self.on_announcement and self.on_announcement(payload):
            return
        match_id, *rest = payload.split(" ", 3)
        is_update = len(rest) == 3 and rest[0].isdigit() and rest[1].isdigit()
        self.wake(match_id, MatchUpdate(int(rest[0]), int(rest[1]), rest[2]) if is_update else None)


class StorageWatcher:
    """Announces what other programs write into a SQLite database to the subscribers of the matches."""

    def __init__(self, store: Store, hub: Hub, cache: MatchCache) -> None:
        self.store = store
        self.hub = hub
        self.cache = cache
        self._announced: dict[str, str] = {}
        self._has_changed = False
        """Whether something was written that has not been compared."""

    def check(self) -> None:
        """Announce the watched matches that were changed elsewhere."""
        watched = list(self.hub.subscribers)
        if not watched:
            return
        self._has_changed = self.store.change_counter.has_changed() or self._has_changed
        if not self._has_changed:
            return
        tokens = self.store.tokens(watched)
        self._has_changed = False
        for match_id, token in tokens.items():
            if token not in (self.cache.last_write(match_id), self._announced.get(match_id)):
                self.hub.publish(match_id)
        self._announced = tokens

    async def run(self) -> None:
        """Check until cancelled; if the store does not answer, try again."""
        while True:
            await asyncio.sleep(WATCH_INTERVAL)
            with suppress(StoreError):
                await asyncio.to_thread(self.check)
