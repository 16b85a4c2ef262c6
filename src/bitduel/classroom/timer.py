"""The work that classes need without anybody asking, on a thread beside the event loop."""

import asyncio
import logging
from contextlib import suppress
from time import monotonic

from bitduel.classroom.classes import Classes
from bitduel.core.errors import BitduelError
from bitduel.storage.classes import event_key

INTERVAL = 1.0
"""The most seconds between two looks at classes in which an activity runs."""
PRESENCE_INTERVAL = 10.0
EXPIRY_INTERVAL = 60.0
log = logging.getLogger("bitduel.classroom")


class ClassTimer:
    """Works on classes as soon as something has changed in them, and now and then."""

    def __init__(self, classes: Classes) -> None:
        self.classes = classes
        self._touched: set[str] = set()
        self._wake = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._presence_at = self._expiry_at = self._look_at = 0.0

    def touch(self, code: str) -> None:
        """Remember that a class needs work; from any thread."""
        self._touched.add(code)
        if self._loop and not self._loop.is_closed():
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._wake.set)

    def heard(self, payload: str) -> bool:
        """Handle an announcement of another process; return whether it is about a class."""
        prefix = event_key("")
        if not payload.startswith(prefix):
            return False
        self.touch(payload.removeprefix(prefix))
        return True

    def tick(self) -> None:
        """Do what has to be done now."""
        moment = monotonic()
        codes = set()
        while self._touched:
            codes.add(self._touched.pop())
        if moment >= self._look_at:
            self._look_at = moment + INTERVAL
            codes.update(self.classes.busy_codes())
        if moment >= self._presence_at:
            self._presence_at = moment + PRESENCE_INTERVAL
            self.classes.store_presence()
        if moment >= self._expiry_at:
            self._expiry_at = moment + EXPIRY_INTERVAL
            self.classes.delete_expired()
        for code in sorted(codes):
            try:
                self.classes.work_on(code)
            except BitduelError as error:
                log.warning("a class could not go on: %s", error)

    async def run(self) -> None:
        """Work until cancelled; if the store does not answer, try again."""
        self._loop = asyncio.get_running_loop()
        self.classes.on_change = self.touch
        self.classes.service.hub.on_announcement = self.heard
        try:
            while True:
                self._wake.clear()
                with suppress(BitduelError):
                    await asyncio.to_thread(self.tick)
                with suppress(TimeoutError):
                    async with asyncio.timeout(INTERVAL):
                        await self._wake.wait()
        finally:
            self.classes.on_change = None
