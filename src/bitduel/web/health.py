"""For whoever looks after the site: whether it is alive, and whether it can be sent visitors."""

from asyncio import Lock
from collections.abc import Callable
from time import monotonic

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from bitduel.storage import StoreError
from bitduel.web.quotas import OverloadedError
from bitduel.web.site import Site, in_thread

ALIVE, READY = "/healthz", "/readyz"
GOOD_FOR, BAD_FOR = 5.0, 1.0
"""Seconds for which a trial that went well, or did not, is not made again: nobody can load the disk by asking."""


class Health:
    """Endpoints that say very little."""

    def __init__(self, site: Site, clock: Callable[[], float] = monotonic) -> None:
        self.site = site
        self._clock = clock
        self._one = Lock()
        self._is_ready, self._until = False, clock()

    async def alive(self, _request: Request) -> Response:
        """The process answers."""
        return PlainTextResponse("ok\n")

    async def ready(self, _request: Request) -> Response:
        """The store takes a write, tried now or a moment ago; those who ask together share one trial."""
        async with self._one:
            if self._clock() >= self._until:
                self._is_ready = await self._try()
                self._until = self._clock() + (GOOD_FOR if self._is_ready else BAD_FOR)
        if not self._is_ready:
            return PlainTextResponse("the store takes no writes\n", 503, headers={"retry-after": "5"})
        return PlainTextResponse("ok\n")

    async def _try(self) -> bool:
        try:
            await in_thread(self.site.desk.store.try_write)
        except (StoreError, OverloadedError):
            return False
        return True
