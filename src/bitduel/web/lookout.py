"""Looks out for what other programs write into a SQLite store, so that those who watch here see it too."""

import asyncio
from contextlib import suppress

from starlette.concurrency import run_in_threadpool

from bitduel.store import Store, StoreError
from bitduel.tables.hub import Hub
from bitduel.tables.live import Live

EVERY = 0.5
"""Seconds between two looks."""


class Lookout:
    """Compares the matches that somebody watches with what was last known of them here."""

    def __init__(self, store: Store, hub: Hub, live: Live) -> None:
        self.store = store
        self.hub = hub
        self.live = live
        self.every = EVERY
        self._told: dict[str, str] = {}

    def look(self) -> None:
        """Tell those who watch a match that was changed elsewhere."""
        watched = self.hub.watched()
        if not watched or not self.store.stirrings.any():
            return
        now = self.store.tokens(watched)
        for match_id, token in now.items():
            known = self.live.known(match_id)
            if (known is None or known.kept.token != token) and self._told.get(match_id) != token:
                self.hub.publish(match_id)
        self._told = now

    async def run(self) -> None:
        """Look until stopped; a store that does not answer is asked again."""
        while True:
            await asyncio.sleep(self.every)
            with suppress(StoreError):
                await run_in_threadpool(self.look)
