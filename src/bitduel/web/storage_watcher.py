"""Looks out for what other programs write into a SQLite store, so that those who watch here see it too."""

import asyncio
from contextlib import suppress

from starlette.concurrency import run_in_threadpool

from bitduel.service.hub import Hub
from bitduel.service.match_cache import MatchCache
from bitduel.storage import Store, StoreError

EVERY = 0.5
"""Seconds between two looks."""


class StorageWatcher:
    """Compares the matches that somebody watches with what was last written here or told."""

    def __init__(self, store: Store, hub: Hub, live: MatchCache) -> None:
        self.store = store
        self.hub = hub
        self.live = live
        self.every = EVERY
        self._told: dict[str, str] = {}
        self._stirred = False
        """Whether something was written that has not been looked at."""

    def look(self) -> None:
        """Tell those who watch a match that was changed elsewhere."""
        watched = self.hub.watched()
        if not watched:
            return
        self._stirred = self.store.stirrings.any() or self._stirred
        if not self._stirred:
            return
        now = self.store.tokens(watched)
        self._stirred = False
        for match_id, token in now.items():
            if token not in (self.live.written(match_id), self._told.get(match_id)):
                self.hub.publish(match_id)
        self._told = now

    async def run(self) -> None:
        """Look until stopped; a store that does not answer is asked again."""
        while True:
            await asyncio.sleep(self.every)
            with suppress(StoreError):
                await run_in_threadpool(self.look)
