"""What all endpoints share: the desk, the templates, the limits, and who is asking."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ParamSpec, TypeVar
from urllib.parse import parse_qsl

from jinja2 import Environment, PackageLoader
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from bitduel import __version__
from bitduel.core.errors import BitduelError, UnknownNameError, UnknownOptionError
from bitduel.rendering.qr import qr_svg
from bitduel.service.hub import News
from bitduel.service.match_service import (
    LateError,
    MatchService,
    NotYourSeatError,
    SeatTakenError,
    WrongInvitationError,
    new_token,
)
from bitduel.service.match_session import MatchSession
from bitduel.solver.puzzle_deck import NoPuzzleError
from bitduel.storage import MissingGameError, NoLongerError, OverError, PlyTakenError, StoreError, UnknownMatchError
from bitduel.web.assets import asset_url
from bitduel.web.http.addresses import Addresses, opens_here_only
from bitduel.web.http.proxy import COOKIE, bearer_in, token_in
from bitduel.web.offers import OfferService
from bitduel.web.offers_page import moment
from bitduel.web.png_worker import NoPictureError, PngWorker
from bitduel.web.quotas import FEWEST, PEOPLE, Asker, OverloadedError, Places, Quota, Rate, SharedRate, TooManyError
from bitduel.web.seat_links import SeatLinks
from bitduel.web.worker_pools import SOLVING, STORE

YEAR = 365 * 24 * 60 * 60

T = TypeVar("T")
P = ParamSpec("P")

STATUS: list[tuple[type[BitduelError], int]] = [
    (UnknownMatchError, 404),
    (MissingGameError, 404),
    (UnknownOptionError, 400),
    (UnknownNameError, 404),
    (NoPuzzleError, 404),
    (WrongInvitationError, 404),
    (PlyTakenError, 409),
    (OverError, 409),
    (NoLongerError, 409),
    (LateError, 409),
    (SeatTakenError, 409),
    (NotYourSeatError, 403),
    (TooManyError, 429),
    (OverloadedError, 503),
    (StoreError, 503),
    (NoPictureError, 503),
]


def status_of(error: BitduelError) -> int:
    """The HTTP status of an error; what was asked wrongly is 400."""
    return next((status for kind, status in STATUS if isinstance(error, kind)), 400)


@dataclass
class Site:
    """The parts of a running site."""

    desk: MatchService
    addresses: Addresses = field(default_factory=Addresses)
    people: int = PEOPLE
    """So many people at one address are served well; 0 for no bound on an address."""
    creations: Quota = None  # type: ignore[assignment]
    guesses: Quota = None  # type: ignore[assignment]
    sayings: Quota = None  # type: ignore[assignment]
    streams_per_visitor: Places = field(default_factory=lambda: Places(12))
    """A browser has six connections to one site, and some people have two browsers."""
    streams_per_address: Places = None  # type: ignore[assignment]
    studio: PngWorker = None  # type: ignore[assignment]
    ready_pages: dict[str, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        sharing = max(self.people, FEWEST)
        created = SharedRate(self.desk.store.counts, "create", 3 * sharing, 60) if self.people else None
        self.creations = self.creations or Quota(Rate(60, 60), created)
        self.guesses = self.guesses or self._quota(10, 3)
        self.sayings = self.sayings or self._quota(120, 30)
        self.streams_per_address = self.streams_per_address or Places(6 * sharing if self.people else 10**9)
        self.studio = self.studio or PngWorker(self._quota(120, 6))
        self.table = OfferService(self.desk)
        self.desk.news = self._news
        self.desk.hub.look = self.news
        self.links = SeatLinks(self.desk)
        self.templates = Environment(
            loader=PackageLoader("bitduel.web"),
            autoescape=True,
            auto_reload=False,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.templates.globals["version"] = __version__
        self.templates.globals["qr"] = qr_svg
        self.templates.globals["asset"] = asset_url
        self.templates.globals["opens_here_only"] = opens_here_only
        self.templates.globals["part"] = self._part

    def _quota(self, visitor: int, each: int) -> Quota:
        """So many a minute for one visitor, and so many for each of the people who may share an address."""
        return Quota(Rate(visitor, 60), Rate(each * max(self.people, FEWEST), 60) if self.people else None)

    @contextmanager
    def guessing(self, request: Request) -> Iterator[None]:
        """Where somebody shows a secret from a link: a valid one always passes, only wrong ones are counted."""
        try:
            yield
        except (UnknownMatchError, WrongInvitationError):
            self.guesses.take(asker_of(request))
            raise

    def news(self, match_id: str) -> News:
        """Where a match is, read from the store."""
        return self._news(self.desk.seating(match_id))

    def _news(self, seating: MatchSession) -> News:
        return News(*seating.moment[::-1], moment(self.desk.presence, seating, len(self.desk.rounds(seating))))

    def _part(self, name: str, m: object) -> Markup:
        """A part of a page, put together before the page: the layers of templates need not hand on every piece."""
        return Markup(self.templates.get_template(name).render(m=m))

    def page(self, name: str, code: int = 200, **context: Any) -> HTMLResponse:
        """A page from its template."""
        return HTMLResponse(self.templates.get_template(name).render(context), code)


async def in_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do what waits for the store without holding up the others."""
    return await STORE.run(work, *args, **kwargs)


async def in_turn(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do what may have to solve a game first, after whatever else has to."""
    return await SOLVING.run(work, *args, **kwargs)


def address(request: Request) -> str:
    """Where a request comes from."""
    return request.client.host if request.client else "unknown"


def asker_of(request: Request) -> Asker:
    """Return who sends a request."""
    found: Asker = request.scope["bitduel.asker"]
    return found


def token_of(request: Request) -> str | None:
    """The secret of an API client or of a browser."""
    return token_in(request.scope)


def bearer_of(request: Request) -> str | None:
    """The secret that a program sends; a browser's own is never told to a script."""
    return bearer_in(request.scope)


def owner_of(request: Request) -> str | None:
    """What is kept of that secret."""
    return request.scope["bitduel.asker"].visitor or None


def own_token(request: Request) -> str:
    """The browser's secret, or a new one."""
    return token_of(request) or new_token()


def remember(request: Request, response: Response, token: str) -> Response:
    """Give the browser its secret, out of reach of any script."""
    if request.cookies.get(COOKIE) != token:
        secure = request.url.scheme == "https"
        response.set_cookie(COOKIE, token, max_age=YEAR, httponly=True, samesite="lax", secure=secure)
    return response


async def form_of(request: Request) -> dict[str, str]:
    """The fields of an ordinary form; the last of several with one name counts."""
    body = (await request.body()).decode("utf-8", "replace")
    try:
        return dict(parse_qsl(body, keep_blank_values=True, max_num_fields=100))
    except ValueError:
        raise BitduelError("This is not a form of this site.") from None


def options_of(fields: Mapping[str, str]) -> dict[str, object]:
    """The options among the fields of a form or a query; an empty one is the default."""
    return {name[4:]: value for name, value in fields.items() if name.startswith("opt-") and value.strip()}
