"""The whole site as one ASGI application."""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from bitduel import __version__
from bitduel.core.errors import BitduelError
from bitduel.store import Store, StoreError, UnknownMatchError
from bitduel.tables.desk import Desk
from bitduel.tables.hub import Hub, SharedHub
from bitduel.web.addresses import Addresses
from bitduel.web.api import api
from bitduel.web.api_errors import sentence_of
from bitduel.web.arena_pages import add_arena
from bitduel.web.assets import STATIC, static
from bitduel.web.atlas_pages import AtlasPages
from bitduel.web.connect_page import ConnectPage
from bitduel.web.guard import Guard
from bitduel.web.health import ALIVE, READY, Health
from bitduel.web.install import Install
from bitduel.web.learn_pages import LearnPages
from bitduel.web.limits import PEOPLE
from bitduel.web.lookout import Lookout
from bitduel.web.match_pages import MatchPages
from bitduel.web.pace import Pace, Paced
from bitduel.web.pages import Pages
from bitduel.web.pictures import Pictures
from bitduel.web.proxy import BehindProxy, Proxies
from bitduel.web.puzzle_api import puzzle_api
from bitduel.web.puzzle_pages import PuzzlePages
from bitduel.web.ready import ReadyPages
from bitduel.web.site import Site, status_of
from bitduel.web.table_api import table_api
from bitduel.web.table_pages import TablePages
from bitduel.web.watching import Figures, Watched

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
    pace: Pace | None = None
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
    site = site or Site(Desk(store, hub), around.addresses, around.people)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        site.desk.hub.start()
        tasks = [asyncio.create_task(site.desk.presence.run())]
        if store.notifier is None:
            tasks.append(asyncio.create_task(Lookout(store, site.desk.hub, site.desk.live).run()))
        with suppress(asyncio.CancelledError):  # a second Ctrl-C: nobody is waited for, but all is closed
            yield
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        site.desk.hub.stop()
        if around.at_end:
            around.at_end()

    app = FastAPI(
        title="bitduel",
        version=__version__,
        description="Five small two-player games about doubling and bits.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
    )
    app.include_router(api(site))
    app.include_router(table_api(site))
    app.include_router(puzzle_api())
    add_pages(app, site)
    app.add_route("/static/{name}", static)
    app.add_route("/favicon.ico", icon)
    health = Health(site)
    app.add_route(ALIVE, health.alive)
    app.add_route(READY, health.ready)
    add_sharing(app, site)
    add_arena(app, site, around.arena)
    add_troubles(app, site)
    guarded = Guard(ReadyPages(app, site.ready_pages, site.addresses), site.addresses.accepts, free=(ALIVE, READY))
    patterns = {route.endpoint: route.path for route in app.routes if isinstance(route, Route)}
    paced = Paced(guarded, around.pace, site.desk.presence.find_playing) if around.pace else guarded
    told = around.figures or around.lines
    watched = Watched(paced, around.figures, around.lines, patterns) if told else paced
    return BehindProxy(watched, around.proxies, site.desk.presence.is_playing, site.desk.presence.find_playing)


async def icon(_request: Request) -> Response:
    """What browsers ask for by themselves."""
    return FileResponse(STATIC / "icon.svg", media_type="image/svg+xml")


def add_pages(app: FastAPI, site: Site) -> None:
    """Every address a browser can open or send a form to."""
    about, play, table, sizes = Pages(site), MatchPages(site), TablePages(site), AtlasPages(site)
    puzzle = PuzzlePages(site)
    app.add_route("/", about.home)
    app.add_route("/games/{slug}", about.game)
    app.add_route("/games/{slug}/play", about.play, methods=["POST"])
    app.add_route("/games/{slug}/position", about.position)
    app.add_route("/games/{slug}/chart", about.chart)
    app.add_route("/games/{slug}/atlas", sizes.atlas)
    app.add_route("/games/{slug}/atlas.svg", sizes.picture)
    app.add_route("/games/{slug}/laws", sizes.laws)
    app.add_route("/games/{slug}/learn", LearnPages(site).learn)
    app.add_route("/films/{slug}/{look}.svg", about.film)
    app.add_route("/connect", ConnectPage(site).connect)
    app.add_route("/puzzle", puzzle.daily)
    app.add_route("/puzzles", puzzle.all)
    app.add_route("/matches", play.mine)
    app.add_route("/matches/{id}", play.match)
    app.add_route("/matches/{id}/fragment", play.fragment)
    app.add_route("/matches/{id}/events", play.events)
    app.add_route("/matches/{id}/moment", play.moment)
    app.add_route("/matches/{id}/record", play.record)
    app.add_route("/matches/{id}/review", play.review)
    app.add_route("/matches/{id}/move", play.move, methods=["POST"])
    app.add_route("/matches/{id}/resign", play.resign, methods=["POST"])
    app.add_route("/matches/{id}/next", table.next_round, methods=["POST"])
    app.add_route("/matches/{id}/take-back", table.take_back, methods=["POST"])
    app.add_route("/matches/{id}/draw", table.draw, methods=["POST"])
    app.add_route("/matches/{id}/answer", table.answer, methods=["POST"])
    app.add_route("/matches/{id}/withdraw", table.withdraw, methods=["POST"])
    app.add_route("/matches/{id}/call-off", table.call_off, methods=["POST"])
    app.add_route("/matches/{id}/claim", table.claim, methods=["POST"])
    app.add_route("/matches/{id}/coach", table.coach, methods=["POST"])
    app.add_route("/matches/{id}/device", table.device)
    app.add_route("/matches/{id}/device", table.make_link, methods=["POST"])
    app.add_route("/seat/{id}/{token}", table.seat)
    app.add_route("/seat/{id}/{token}", table.take_seat, methods=["POST"])
    app.add_route("/invite/{id}/{token}", play.invited)
    app.add_route("/invite/{id}/{token}", play.join, methods=["POST"])


def add_sharing(app: FastAPI, site: Site) -> None:
    """What others show of the site, and what a device keeps of it."""
    drawn, kept = Pictures(site), Install(site)
    app.add_route("/picture.png", drawn.home)
    app.add_route("/games/{slug}/picture.png", drawn.game)
    app.add_route("/matches/{id}/picture-{ply}.png", drawn.match)
    app.add_route("/icons/{name}.png", drawn.icon)
    app.add_route("/apple-touch-icon.png", drawn.icon)
    app.add_route("/manifest.webmanifest", kept.manifest)
    app.add_route("/service-worker.js", kept.worker)
    app.add_route("/offline", kept.offline)


def add_troubles(app: FastAPI, site: Site) -> None:
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

    @app.exception_handler(BitduelError)
    async def ours(request: Request, error: BitduelError) -> Response:
        found = None if isinstance(error, UnknownMatchError) else MATCH.match(request.url.path)
        status, sentence = status_of(error), str(error)
        if status == 503 and isinstance(error, StoreError):
            log.error("the store failed: %s", error)
            sentence = NO_STORE
        return said(request, status, sentence, f"/matches/{found[1]}" if found else None)

    @app.exception_handler(HTTPException)
    async def theirs(request: Request, error: HTTPException) -> Response:
        sentence = THEIRS.get(error.status_code, error.detail)
        response = said(request, error.status_code, sentence)
        response.headers.update(error.headers or {})
        return response

    @app.exception_handler(RequestValidationError)
    async def unfit(request: Request, error: RequestValidationError) -> Response:
        return said(request, 422, sentence_of(error.errors()[0]))

    @app.exception_handler(Exception)
    async def unforeseen(request: Request, error: Exception) -> Response:
        log.error("unforeseen: %s at %s", type(error).__name__, request.scope.get("route"))
        return said(request, 500, "Something went wrong here. It is not your fault.")
