"""The whole site as one ASGI application."""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from bitduel import __version__
from bitduel.core.errors import BitduelError
from bitduel.service.hub import Hub, SharedHub
from bitduel.service.match_service import MatchService
from bitduel.storage import Store, StoreError, UnknownMatchError
from bitduel.web.api import api
from bitduel.web.api_errors import sentence_of
from bitduel.web.arena_pages import arena_routes
from bitduel.web.assets import STATIC, static
from bitduel.web.atlas_pages import AtlasPages
from bitduel.web.connect_page import ConnectPage
from bitduel.web.health import ALIVE, READY, Health
from bitduel.web.http.addresses import Addresses
from bitduel.web.http.proxy import BehindProxy, Proxies
from bitduel.web.http.request_checks import RequestChecks
from bitduel.web.learn_pages import LearnPages
from bitduel.web.match_pages import MatchPages
from bitduel.web.observability import Figures, RequestObserver
from bitduel.web.offers_api import table_api
from bitduel.web.offers_pages import OfferPages
from bitduel.web.page_cache import CachedPages
from bitduel.web.pages import Pages
from bitduel.web.pictures import Pictures
from bitduel.web.puzzle_api import puzzle_api
from bitduel.web.puzzle_pages import PuzzlePages
from bitduel.web.pwa import PwaPages
from bitduel.web.quotas import PEOPLE
from bitduel.web.site import Site, status_of
from bitduel.web.storage_watcher import StorageWatcher
from bitduel.web.throttling import Throttle, Throttled

log = logging.getLogger("bitduel.web")
MATCH = re.compile(r"/(?:matches|seat)/([0-9a-z]{1,32})/")
"""Addresses that belong to a match; what goes wrong there leads back to it."""
RETRY = {429: "60", 503: "5"}
"""Seconds after which it is worth coming again."""
THEIRS = {400: "The request cannot be read.", 404: "There is nothing here.", 405: "This cannot be done here."}
"""What is said where a library says no."""
NO_STORE = "The matches cannot be reached just now. Please try again soon."


class Surroundings(NamedTuple):
    """What is around a site: the proxies before it, what it tells whoever runs it, and the runs that it shows."""

    proxies: Proxies = Proxies()
    figures: Figures | None = None
    lines: bool = False
    pace: Throttle | None = None
    """How fast visitors and addresses are answered, if that is bounded."""
    arena: Path | None = None
    """The folder whose runs are shown, if any."""
    addresses: Addresses = Addresses()
    """Where the site is reached."""
    people: int = PEOPLE
    """So many people at one address are served well."""
    at_end: Callable[[], None] | None = None
    """Called when the site has ended: whoever opened the store closes it."""


def create_app(
    store: Store,
    site: Site | None = None,
    around: Surroundings = Surroundings(),  # noqa: B008
) -> BehindProxy:
    """The site over a store."""
    store.gather()
    hub = SharedHub(store.notifier) if store.notifier else Hub()
    site = site or Site(MatchService(store, hub), around.addresses, around.people)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        site.desk.hub.start()
        tasks = [asyncio.create_task(site.desk.presence.run())]
        if store.notifier is None:
            tasks.append(asyncio.create_task(StorageWatcher(store, site.desk.hub, site.desk.live).run()))
        with suppress(asyncio.CancelledError):  # a second Ctrl-C: nobody is waited for, but all is closed
            yield
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        site.desk.hub.stop()
        if around.at_end:
            around.at_end()

    pages = Starlette(routes=page_routes(site, around.arena), lifespan=lifespan)
    api = api_app(site)
    for part in (pages, api):
        add_troubles(part, site)
    app = CachedPages(ApiOrPages(api, pages), site.ready_pages, site.addresses)
    guarded = RequestChecks(app, site.addresses.accepts, free=(ALIVE, READY))
    patterns = {route.endpoint: route.path for route in pages.routes if isinstance(route, Route)}
    desk, watchmen = site.desk, (ALIVE, READY)
    find_playing, knows_link = desk.presence.find_playing, desk.links.knows
    paced = Throttled(guarded, around.pace, find_playing, knows_link, free=watchmen) if around.pace else guarded
    told = around.figures or around.lines
    watched = RequestObserver(paced, around.figures, around.lines, patterns) if told else paced
    return BehindProxy(watched, around.proxies, site.desk.presence.is_playing, site.desk.presence.find_playing)


class ApiOrPages:
    """Sends what programs ask to the API, and everything else to the pages."""

    def __init__(self, api: ASGIApp, pages: ASGIApp) -> None:
        self.api = api
        self.pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Go on where the address leads."""
        is_api = scope["type"] == "http" and scope["path"].startswith("/api/")
        await (self.api if is_api else self.pages)(scope, receive, send)


def api_app(site: Site) -> FastAPI:
    """Return the API, with the document that describes it."""
    app = FastAPI(
        title="bitduel",
        version=__version__,
        description="Five small two-player games about doubling and bits.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
    )
    for router in (api(site), table_api(site), puzzle_api()):
        app.router.routes.extend(router.routes)  # as they are: an included router is searched in on every request
    return app


async def icon(_request: Request) -> Response:
    """What browsers ask for by themselves."""
    return FileResponse(STATIC / "icon.svg", media_type="image/svg+xml")


def page_routes(site: Site, arena: Path | None) -> list[Route]:
    """Return every address a browser can open or send a form to; those that a match asks for all the time are first."""
    about, play, table, sizes = Pages(site), MatchPages(site), OfferPages(site), AtlasPages(site)
    puzzle, health, drawn, kept = PuzzlePages(site), Health(site), Pictures(site), PwaPages(site)
    return [
        Route("/matches/{id}/move", play.move, methods=["POST"]),
        Route("/matches/{id}", play.match),
        Route("/matches/{id}/fragment", play.fragment),
        Route("/matches/{id}/events", play.events),
        Route("/matches/{id}/moment", play.moment),
        Route("/static/{name}", static),
        Route("/", about.home),
        Route("/games/{slug}", about.game),
        Route("/games/{slug}/play", about.play, methods=["POST"]),
        Route("/games/{slug}/position", about.position),
        Route("/games/{slug}/chart", about.chart),
        Route("/games/{slug}/atlas", sizes.atlas),
        Route("/games/{slug}/atlas.svg", sizes.picture),
        Route("/games/{slug}/laws", sizes.laws),
        Route("/games/{slug}/learn", LearnPages(site).learn),
        Route("/films/{slug}/{look}.svg", about.film),
        Route("/connect", ConnectPage(site).connect),
        Route("/puzzle", puzzle.daily),
        Route("/puzzles", puzzle.all),
        Route("/matches", play.mine),
        Route("/matches/{id}/record", play.record),
        Route("/matches/{id}/review", play.review),
        Route("/matches/{id}/resign", play.resign, methods=["POST"]),
        Route("/matches/{id}/next", table.next_round, methods=["POST"]),
        Route("/matches/{id}/take-back", table.take_back, methods=["POST"]),
        Route("/matches/{id}/draw", table.draw, methods=["POST"]),
        Route("/matches/{id}/answer", table.answer, methods=["POST"]),
        Route("/matches/{id}/withdraw", table.withdraw, methods=["POST"]),
        Route("/matches/{id}/call-off", table.call_off, methods=["POST"]),
        Route("/matches/{id}/claim", table.claim, methods=["POST"]),
        Route("/matches/{id}/coach", table.coach, methods=["POST"]),
        Route("/matches/{id}/device", table.device),
        Route("/matches/{id}/device", table.make_link, methods=["POST"]),
        Route("/seat/{id}/{token}", table.seat),
        Route("/seat/{id}/{token}", table.take_seat, methods=["POST"]),
        Route("/invite/{id}/{token}", play.invited),
        Route("/invite/{id}/{token}", play.join, methods=["POST"]),
        Route("/favicon.ico", icon),
        Route(ALIVE, health.alive),
        Route(READY, health.ready),
        Route("/picture.png", drawn.home),
        Route("/games/{slug}/picture.png", drawn.game),
        Route("/matches/{id}/picture-{ply}.png", drawn.match),
        Route("/icons/{name}.png", drawn.icon),
        Route("/apple-touch-icon.png", drawn.icon),
        Route("/manifest.webmanifest", kept.manifest),
        Route("/service-worker.js", kept.worker),
        Route("/offline", kept.offline),
        *arena_routes(site, arena),
    ]


def add_troubles(app: Starlette, site: Site) -> None:
    """Whatever goes wrong becomes one sentence, as JSON for programs and as a page for people."""

    def said(request: Request, status: int, sentence: str, back: str | None = None) -> Response:
        response: Response
        if request.url.path.startswith("/api/"):
            response = JSONResponse({"error": sentence}, status)
        else:
            response = site.page("error.html", status, status=status, sentence=sentence, back=back)
        if status in RETRY:
            response.headers["retry-after"] = RETRY[status]
        return response

    async def ours(request: Request, error: BitduelError) -> Response:
        found = None if isinstance(error, UnknownMatchError) else MATCH.match(request.url.path)
        status, sentence = status_of(error), str(error)
        if status == 503 and isinstance(error, StoreError):
            log.error("the store failed: %s", error)
            sentence = NO_STORE
        return said(request, status, sentence, f"/matches/{found[1]}" if found else None)

    async def theirs(request: Request, error: HTTPException) -> Response:
        sentence = THEIRS.get(error.status_code, error.detail)
        response = said(request, error.status_code, sentence)
        response.headers.update(error.headers or {})
        return response

    async def unfit(request: Request, error: RequestValidationError) -> Response:
        return said(request, 422, sentence_of(error.errors()[0]))

    async def unforeseen(request: Request, error: Exception) -> Response:
        log.error("unforeseen: %s at %s", type(error).__name__, request.scope.get("route"))
        return said(request, 500, "Something went wrong here. It is not your fault.")

    handlers: dict[type[Exception], Any] = {
        BitduelError: ours,
        HTTPException: theirs,
        RequestValidationError: unfit,
        Exception: unforeseen,
    }
    for kind, handler in handlers.items():
        app.add_exception_handler(kind, handler)
