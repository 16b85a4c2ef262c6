"""The whole site as one ASGI application."""

import logging
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from bitduel import __version__
from bitduel.core.errors import BitduelError
from bitduel.paint.style import style_sheet
from bitduel.store import Store
from bitduel.web.api import api
from bitduel.web.desk import Desk
from bitduel.web.guard import Guard
from bitduel.web.hub import Hub, SharedHub
from bitduel.web.match_pages import MatchPages
from bitduel.web.pages import Pages
from bitduel.web.ready import ReadyPages
from bitduel.web.site import Site, status_of

log = logging.getLogger("bitduel.web")
STATIC = Path(__file__).parent / "static"
LOCAL = ("localhost", "127.0.0.1", "::1")


def create_app(store: Store, hosts: Iterable[str] = LOCAL, site: Site | None = None) -> ASGIApp:
    """The site over a store; hosts are the names it goes by."""
    hub = SharedHub(store.notifier) if store.notifier else Hub()
    site = site or Site(Desk(store, hub))

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        site.desk.hub.start()
        yield
        site.desk.hub.stop()

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
    add_pages(app, site)
    app.add_route("/static/pictures.css", pictures)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    app.add_route("/favicon.ico", icon)
    add_troubles(app, site)
    return Guard(ReadyPages(app, site.ready_pages), hosts)


async def pictures(_request: Request) -> Response:
    """The style sheet of the pictures, which the painters bring along."""
    return Response(style_sheet(), media_type="text/css")


async def icon(_request: Request) -> Response:
    """What browsers ask for by themselves."""
    return FileResponse(STATIC / "icon.svg", media_type="image/svg+xml")


def add_pages(app: FastAPI, site: Site) -> None:
    """Every address a browser can open or send a form to."""
    about, play = Pages(site), MatchPages(site)
    app.add_route("/", about.home)
    app.add_route("/games/{slug}", about.game)
    app.add_route("/games/{slug}/play", about.play, methods=["POST"])
    app.add_route("/games/{slug}/position", about.position)
    app.add_route("/matches", play.mine)
    app.add_route("/matches/{id}", play.match)
    app.add_route("/matches/{id}/fragment", play.fragment)
    app.add_route("/matches/{id}/events", play.events)
    app.add_route("/matches/{id}/record", play.record)
    app.add_route("/matches/{id}/review", play.review)
    app.add_route("/matches/{id}/move", play.move, methods=["POST"])
    app.add_route("/matches/{id}/resign", play.resign, methods=["POST"])
    app.add_route("/matches/{id}/next", play.next_round, methods=["POST"])
    app.add_route("/invite/{id}/{token}", play.invited)
    app.add_route("/invite/{id}/{token}", play.join, methods=["POST"])


def add_troubles(app: FastAPI, site: Site) -> None:
    """Whatever goes wrong becomes one sentence, as JSON for programs and as a page for people."""

    def said(request: Request, status: int, sentence: str) -> Response:
        if request.url.path.startswith("/api/"):
            return JSONResponse({"error": sentence}, status)
        return site.page("error.html", status, status=status, sentence=sentence)

    @app.exception_handler(BitduelError)
    async def ours(request: Request, error: BitduelError) -> Response:
        return said(request, status_of(error), str(error))

    @app.exception_handler(HTTPException)
    async def theirs(request: Request, error: HTTPException) -> Response:
        sentence = {404: "There is nothing here.", 405: "This cannot be done here."}.get(
            error.status_code, error.detail
        )
        response = said(request, error.status_code, sentence)
        response.headers.update(error.headers or {})
        return response

    @app.exception_handler(RequestValidationError)
    async def unfit(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first.get("loc", ())[1:])
        return said(request, 422, f"{place}: {first.get('msg', 'not valid')}".lstrip(": "))

    @app.exception_handler(Exception)
    async def unforeseen(request: Request, error: Exception) -> Response:
        log.error("unforeseen: %s at %s", type(error).__name__, request.scope.get("route"))
        return said(request, 500, "Something went wrong here. It is not your fault.")
