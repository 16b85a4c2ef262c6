"""The ASGI application of the site: routes, middleware and error handlers."""

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
from starlette.types import ASGIApp

from bitduel import __version__
from bitduel.classroom.classes import KEEP_DAYS
from bitduel.classroom.timer import ClassTimer
from bitduel.core.errors import BitduelError
from bitduel.service.hub import Hub, StorageWatcher
from bitduel.service.match_service import MatchService
from bitduel.storage import Store, StoreError, UnknownMatchError
from bitduel.web.api import api, error_sentence, puzzle_api
from bitduel.web.arena_pages import arena_routes
from bitduel.web.assets import STATIC, static
from bitduel.web.atlas_pages import AtlasPages
from bitduel.web.class_api import class_api
from bitduel.web.class_pages import class_routes
from bitduel.web.device_pages import DevicePages
from bitduel.web.game_pages import GamePages
from bitduel.web.home_pages import HomePages
from bitduel.web.http.addresses import Addresses
from bitduel.web.http.clients import IdentifyClients, Proxies
from bitduel.web.http.page_cache import CachedPages
from bitduel.web.http.quotas import PEOPLE
from bitduel.web.http.request_checks import RequestChecks
from bitduel.web.http.throttling import Throttle, Throttled
from bitduel.web.lesson_pages import LessonPages
from bitduel.web.link_previews import LinkPictures
from bitduel.web.lobby_api import lobby_api
from bitduel.web.lobby_pages import LobbyPages
from bitduel.web.match_pages import MatchPages
from bitduel.web.my_matches import MyMatchesPage
from bitduel.web.observability import ALIVE, READY, Figures, Health, RequestObserver
from bitduel.web.offer_api import offer_api
from bitduel.web.offer_pages import OfferPages
from bitduel.web.position_pages import PositionPages
from bitduel.web.practice_pages import PracticePages
from bitduel.web.print_pages import PrintPages
from bitduel.web.puzzle_pages import PuzzlePages
from bitduel.web.review_pages import ReviewPages
from bitduel.web.seat_pages import SeatPages
from bitduel.web.site import Site, status_of

log = logging.getLogger("bitduel.web")
MATCH = re.compile(r"/(?:matches|seat)/([0-9a-z]{1,32})/")
"""Paths that belong to a match; the page of an error there links back to it."""
RETRY = {429: "60", 503: "5"}
"""Seconds after which to retry, by status."""
FRAMEWORK_ERRORS = {
    400: "We couldn't read that request.",
    404: "There is nothing at this address. Please check it for typing errors.",
    405: "That isn't allowed on this page.",
}
"""The sentences for errors of the framework."""
HEADLINES = {
    400: "Please check this",
    403: "You can't do that here",
    404: "We can't find that page",
    405: "You can't do that here",
    409: "Not right now",
    429: "One moment, please",
    500: "Something went wrong",
    503: "Please try again soon",
}
"""The headlines of the pages of errors, by status."""
NO_STORE = "We can't load matches right now. Please try again in a minute."


class SiteOptions(NamedTuple):
    """The surroundings of a site: proxies, limits, monitoring, and the arena runs that it shows."""

    proxies: Proxies = Proxies()
    figures: Figures | None = None
    logs_requests: bool = False
    throttle: Throttle | None = None
    arena: Path | None = None
    """The folder whose runs are shown, if any."""
    addresses: Addresses = Addresses()
    people: int = PEOPLE
    """The number of people who may share one address."""
    lobby: bool = True
    """Whether people can find an opponent."""
    classes: bool = False
    """Whether teachers can create classes."""
    keep_days: int = KEEP_DAYS
    """The days for which a class stays."""
    at_end: Callable[[], None] | None = None
    """Called when the site has ended, so that the opener of the store can close it."""


def create_app(
    store: Store,
    site: Site | None = None,
    options: SiteOptions = SiteOptions(),  # noqa: B008
) -> IdentifyClients:
    """Return the site over a store."""
    store.share_commits()
    hub = Hub(store.notifications)
    site = site or Site(
        MatchService(store, hub),
        options.addresses,
        options.people,
        options.lobby,
        options.classes,
        keep_days=options.keep_days,
    )
    service = site.service

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        service.hub.start()
        tasks = [asyncio.create_task(service.presence.run()), asyncio.create_task(site.flag_timer.run())]
        if site.classes:
            tasks.append(asyncio.create_task(ClassTimer(site.classes).run()))
        if store.notifications is None:
            tasks.append(asyncio.create_task(StorageWatcher(store, service.hub, service.cache).run()))
        with suppress(asyncio.CancelledError):  # a second Ctrl-C: nobody is waited for, but all is closed
            yield
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        service.hub.stop()
        if options.at_end:
            options.at_end()

    pages = Starlette(routes=page_routes(site, options.arena), lifespan=lifespan)
    api = api_app(site)
    for part in (pages, api):
        add_error_handlers(part, site)
    app: ASGIApp = CachedPages(api, pages, site.cached_pages, site.addresses)
    app = RequestChecks(app, site.addresses.accepts, free=(ALIVE, READY))
    presence = service.presence
    if options.throttle:
        app = Throttled(app, options.throttle, presence.find_playing, service.links.has, free=(ALIVE, READY))
    if options.figures or options.logs_requests:
        patterns = {route.endpoint: route.path for route in pages.routes if isinstance(route, Route)}
        app = RequestObserver(app, options.figures, options.logs_requests, patterns)
    return IdentifyClients(app, options.proxies, presence.is_playing, presence.find_playing)


def api_app(site: Site) -> FastAPI:
    """Return the API, with the document that describes it."""
    app = FastAPI(
        title="bitduel",
        version=__version__,
        description="Quick two-player games with numbers and bits.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
    )
    lobby = [lobby_api(site, site.lobby)] if site.lobby else []
    classes = [class_api(site, site.classes)] if site.classes else []
    for router in (api(site), offer_api(site), puzzle_api(), *lobby, *classes):
        app.router.routes.extend(router.routes)  # as they are: an included router is searched in on every request
    return app


async def icon(_request: Request) -> Response:
    """Send the icon that browsers request by themselves."""
    return FileResponse(STATIC / "icon.svg", media_type="image/svg+xml")


def page_routes(site: Site, arena: Path | None) -> list[Route]:
    """Return the routes of all pages and forms; those that a match needs often are first."""
    home, games, positions, sizes = HomePages(site), GamePages(site), PositionPages(site), AtlasPages(site)
    match, seats = MatchPages(site), SeatPages(site)
    puzzle, health, pictures, devices = PuzzlePages(site), Health(site), LinkPictures(site), DevicePages(site)
    return [
        Route("/matches/{id}/move", match.move, methods=["POST"]),
        Route("/matches/{id}", match.match),
        Route("/matches/{id}/fragment", match.fragment),
        Route("/matches/{id}/events", match.events),
        Route("/matches/{id}/moment", match.moment),
        Route("/static/{name}", static),
        Route("/", home.home),
        Route("/games/{slug}", games.game),
        Route("/games/{slug}/play", games.play, methods=["POST"]),
        Route("/games/{slug}/position", positions.position),
        Route("/games/{slug}/chart", positions.chart),
        Route("/games/{slug}/atlas", sizes.atlas),
        Route("/games/{slug}/atlas.svg", sizes.picture),
        Route("/games/{slug}/laws", sizes.laws),
        Route("/games/{slug}/learn", LessonPages(site).learn),
        Route("/games/{slug}/practice", PracticePages(site).practise),
        Route("/games/{slug}/print", PrintPages(site).show),
        Route("/films/{slug}/{look}.svg", games.animation),
        Route("/waiting", home.waiting),
        Route("/connect", devices.connect),
        Route("/puzzle", puzzle.daily),
        Route("/puzzles", puzzle.all),
        Route("/matches", MyMatchesPage(site).show),
        Route("/matches/{id}/record", match.record),
        Route("/matches/{id}/review", ReviewPages(site).review),
        Route("/matches/{id}/resign", match.resign, methods=["POST"]),
        *OfferPages(site).routes(),
        Route("/matches/{id}/device", seats.device),
        Route("/matches/{id}/device", seats.make_link, methods=["POST"]),
        Route("/seat/{id}/{token}", seats.seat),
        Route("/seat/{id}/{token}", seats.take_seat, methods=["POST"]),
        Route("/invite/{id}/{token}", seats.invited),
        Route("/invite/{id}/{token}", seats.join, methods=["POST"]),
        Route("/favicon.ico", icon),
        Route(ALIVE, health.alive),
        Route(READY, health.ready),
        Route("/picture.png", pictures.home),
        Route("/games/{slug}/picture.png", pictures.game),
        Route("/matches/{id}/picture-{ply}.png", pictures.match),
        Route("/icons/{name}.png", devices.icon),
        Route("/apple-touch-icon.png", devices.icon),
        Route("/manifest.webmanifest", devices.manifest),
        Route("/service-worker.js", devices.service_worker),
        Route("/offline", devices.offline),
        *_lobby_routes(site),
        *class_routes(site),
        *arena_routes(site, arena),
    ]


def _lobby_routes(site: Site) -> list[Route]:
    if site.lobby is None:
        return []
    lobby = LobbyPages(site, site.lobby)
    return [
        Route("/lobby", lobby.show),
        Route("/lobby", lobby.enter, methods=["POST"]),
        Route("/lobby/leave", lobby.leave, methods=["POST"]),
        Route("/lobby/state", lobby.state),
    ]


def add_error_handlers(app: Starlette, site: Site) -> None:
    """Answer every error with one sentence, as JSON for programs and as a page for people."""

    def respond(request: Request, status: int, sentence: str, back: str | None = None) -> Response:
        response: Response
        if request.url.path.startswith("/api/"):
            response = JSONResponse({"error": sentence}, status)
        else:
            headline = HEADLINES.get(status, "That didn't work")
            again = str(request.url) if status in (*RETRY, 500) and request.method == "GET" else None
            response = site.page(
                "error.html", status, status=status, headline=headline, sentence=sentence, back=back, again=again
            )
        if status in RETRY:
            response.headers["retry-after"] = RETRY[status]
        return response

    async def on_bitduel_error(request: Request, error: BitduelError) -> Response:
        found = None if isinstance(error, UnknownMatchError) else MATCH.match(request.url.path)
        status, sentence = status_of(error), str(error)
        if status == 503 and isinstance(error, StoreError):
            log.error("the store failed: %s", error)
            sentence = NO_STORE
        return respond(request, status, sentence, f"/matches/{found[1]}" if found else None)

    async def on_http_error(request: Request, error: HTTPException) -> Response:
        sentence = FRAMEWORK_ERRORS.get(error.status_code, error.detail)
        response = respond(request, error.status_code, sentence)
        response.headers.update(error.headers or {})
        return response

    async def on_invalid_request(request: Request, error: RequestValidationError) -> Response:
        return respond(request, 422, error_sentence(error.errors()[0]))

    async def on_unexpected_error(request: Request, error: Exception) -> Response:
        log.error("unforeseen: %s at %s", type(error).__name__, request.scope.get("route"))
        return respond(request, 500, "Something went wrong on our side. Please try again.")

    handlers: dict[type[Exception], Any] = {
        BitduelError: on_bitduel_error,
        HTTPException: on_http_error,
        RequestValidationError: on_invalid_request,
        Exception: on_unexpected_error,
    }
    for kind, handler in handlers.items():
        app.add_exception_handler(kind, handler)
