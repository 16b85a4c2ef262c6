"""For whoever looks after the site: whether it is alive, and whether it can be sent visitors."""

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from bitduel.store import StoreError
from bitduel.web.limits import BusyError
from bitduel.web.site import Site, in_thread

ALIVE, READY = "/healthz", "/readyz"


class Health:
    """Endpoints that say very little."""

    def __init__(self, site: Site) -> None:
        self.site = site

    async def alive(self, _request: Request) -> Response:
        """The process answers."""
        return PlainTextResponse("ok\n")

    async def ready(self, _request: Request) -> Response:
        """The store answers too."""
        try:
            await in_thread(self.site.desk.store.glance, "")
        except (StoreError, BusyError):
            return PlainTextResponse("the store does not answer\n", 503, headers={"retry-after": "5"})
        return PlainTextResponse("ok\n")
