"""Who is told when a match changes: pages in this process, and through PostgreSQL those of every other."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from threading import Event, Thread
from typing import Any, NamedTuple, Protocol

from bitduel.storage.notifications import CHANNEL

EVERY = "*"
"""Wakes everybody: after a lost connection nobody knows what was missed."""
AT_ONCE = 10
"""So many of those who watch one match are woken before others get their turn."""


class News(NamedTuple):
    """Where a match is: how often moves were taken back, how many there are, and that as everybody may read it."""

    backs: int
    plies: int
    text: str


class Watcher:
    """Somebody who watches a match: hears the newest, however much there was before."""

    def __init__(self) -> None:
        self._text: str | None = None
        self._waiting: asyncio.Future[None] | None = None

    async def next(self, patience: float) -> str | None:
        """What is new, as soon as there is something; None where there was nothing for so many seconds."""
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

    def hear(self, text: str) -> None:
        """There is something new."""
        self._text = text
        self._wake()

    def _wake(self) -> None:
        if self._waiting and not self._waiting.done():
            self._waiting.set_result(None)


class Hub:
    """Wakes all who watch a match, from any thread of this process."""

    def __init__(self) -> None:
        self.look: Callable[[str], News] | None = None
        """Reads where a match is, for news that came without saying what."""
        self._watchers: dict[str, set[Watcher]] = defaultdict(set)
        self._last: dict[str, News] = {}
        self._looking: set[asyncio.Task[None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self) -> None:
        """Begin to work on the running loop."""
        self._loop = asyncio.get_running_loop()

    def stop(self) -> None:
        """Nothing to let go of."""

    def payload(self, match_id: str, news: News) -> str | None:
        """What a write has to send along so that all are told; nothing where they are told here."""
        return None

    def published(self, match_id: str, news: News) -> None:
        """A write is done whose payload, if there was one, went with it."""
        self.wake(match_id, news)

    def publish(self, match_id: str) -> None:
        """Say that something about a match has changed."""
        self.wake(match_id)

    def watched(self) -> list[str]:
        """The matches that somebody watches here."""
        return list(self._watchers)

    def wake(self, match_id: str, news: News | None = None) -> None:
        """Wake those who watch here."""
        if self._loop and not self._loop.is_closed() and (match_id in self._watchers or match_id == EVERY):
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._tell, match_id, news)

    @asynccontextmanager
    async def watching(self, match_id: str) -> AsyncIterator[Watcher]:
        """Somebody who hears whenever the match has changed."""
        watcher = Watcher()
        self._watchers[match_id].add(watcher)
        try:
            yield watcher
        finally:
            self._watchers[match_id].discard(watcher)
            if not self._watchers[match_id]:
                del self._watchers[match_id]
                self._last.pop(match_id, None)

    def _tell(self, match_id: str, news: News | None) -> None:
        if news is None:
            for each in self.watched() if match_id == EVERY else [match_id]:
                task = asyncio.get_running_loop().create_task(self._find_out(each))
                self._looking.add(task)
                task.add_done_callback(self._looking.discard)
            return
        last = self._last.get(match_id)
        if last and news[:2] < last[:2]:
            return  # written earlier, told later
        if match_id in self._watchers:
            self._last[match_id] = news
            self._tell_some(list(self._watchers[match_id]), news.text)

    def _tell_some(self, watchers: list[Watcher], text: str) -> None:
        """A crowd is told part by part, so that it keeps nobody else waiting."""
        for watcher in watchers[:AT_ONCE]:
            watcher.hear(text)
        if watchers[AT_ONCE:]:
            asyncio.get_running_loop().call_soon(self._tell_some, watchers[AT_ONCE:], text)

    async def _find_out(self, match_id: str) -> None:
        """Look once for all who watch."""
        if self.look is not None:
            with suppress(Exception):  # a match that cannot be read now is told of with its next change
                self._tell(match_id, await asyncio.to_thread(self.look, match_id))


class Notifier(Protocol):
    """What a database that carries events can do."""

    def notify(self, channel: str, payload: str) -> None:
        """Send a payload to all who listen."""

    def listen(self, channel: str, stopped: Event, heard: Any, lost: Any) -> None:
        """Call `heard` for every payload until stopped, and `lost` when some may have been missed."""


class SharedHub(Hub):
    """Wakes those who watch in every process that shares the database."""

    def __init__(self, notifier: Notifier) -> None:
        super().__init__()
        self.notifier = notifier
        self._stopped = Event()
        self._thread = Thread(target=self._listen, daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        super().start()
        self._thread.start()

    def stop(self) -> None:
        """Stop listening."""
        self._stopped.set()

    def payload(self, match_id: str, news: News) -> str:
        """The news themselves, so that nobody has to look."""
        return f"{match_id} {news.backs} {news.plies} {news.text}"

    def published(self, match_id: str, news: News) -> None:
        """Everybody hears of it from the database, this process included."""

    def publish(self, match_id: str) -> None:
        """Tell every process, this one included."""
        self.notifier.notify(CHANNEL, match_id)

    def _listen(self) -> None:
        self.notifier.listen(CHANNEL, self._stopped, self._heard, lambda: self.wake(EVERY))

    def _heard(self, payload: str) -> None:
        match_id, _, rest = payload.partition(" ")
        backs, _, rest = rest.partition(" ")
        plies, _, text = rest.partition(" ")
        told = backs.isdigit() and plies.isdigit()
        self.wake(match_id, News(int(backs), int(plies), text) if told else None)
