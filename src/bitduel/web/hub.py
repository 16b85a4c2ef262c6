"""Who is told when a match changes: pages in this process, and through PostgreSQL those of every other."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from threading import Event, Thread
from typing import Any, Protocol

CHANNEL = "bitduel"
EVERY = "*"
"""Wakes everybody: after a lost connection nobody knows what was missed."""


class Hub:
    """Wakes all who watch a match, from any thread of this process."""

    def __init__(self) -> None:
        self._watchers: dict[str, set[asyncio.Event]] = defaultdict(set)
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self) -> None:
        """Begin to work on the running loop."""
        self._loop = asyncio.get_running_loop()

    def stop(self) -> None:
        """Nothing to let go of."""

    def publish(self, match_id: str) -> None:
        """Say that a match has changed."""
        self.wake(match_id)

    def watched(self) -> list[str]:
        """The matches that somebody watches here."""
        return list(self._watchers)

    def wake(self, match_id: str) -> None:
        """Wake those who watch here."""
        if self._loop and not self._loop.is_closed():
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._set, match_id)

    @asynccontextmanager
    async def watching(self, match_id: str) -> AsyncIterator[asyncio.Event]:
        """An event that is set whenever the match may have changed."""
        event = asyncio.Event()
        self._watchers[match_id].add(event)
        try:
            yield event
        finally:
            self._watchers[match_id].discard(event)
            if not self._watchers[match_id]:
                del self._watchers[match_id]

    def _set(self, match_id: str) -> None:
        groups = self._watchers.values() if match_id == EVERY else [self._watchers.get(match_id, set())]
        for group in groups:
            for event in group:
                event.set()


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

    def publish(self, match_id: str) -> None:
        """Tell every process, this one included."""
        self.notifier.notify(CHANNEL, match_id)

    def _listen(self) -> None:
        self.notifier.listen(CHANNEL, self._stopped, self.wake, lambda: self.wake(EVERY))
