"""A running site, which all endpoints share: service, templates, quotas; and the reading of forms."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ParamSpec
from urllib.parse import parse_qsl

from jinja2 import Environment, PackageLoader
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from bitduel import __version__
from bitduel.classroom.admission import LockedPinError, NameTakenError, WrongCodeError, WrongPinError
from bitduel.classroom.classes import KEEP_DAYS, MOST_PUPILS, Classes
from bitduel.classroom.errors import ClassLateError, ClassLockedError, NotYourClassError, UnknownPupilError
from bitduel.core.errors import BitduelError, UnknownNameError, UnknownOptionError
from bitduel.learning.puzzle_deck import NoPuzzleError
from bitduel.rendering.qr import qr_svg
from bitduel.service.clocks import FlagTimer
from bitduel.service.credentials import new_token
from bitduel.service.hub import MatchUpdate
from bitduel.service.lobby import LobbyService, NotWaitingError
from bitduel.service.match_service import MatchService
from bitduel.service.match_session import (
    InClassError,
    LateError,
    NotYourSeatError,
    SeatTakenError,
    WrongInvitationError,
)
from bitduel.service.offers import OfferService, match_update
from bitduel.service.seat_links import SeatLinks
from bitduel.storage import (
    MissingGameError,
    NoLongerError,
    OverError,
    PausedError,
    PlyTakenError,
    StoreError,
    UnknownMatchError,
)
from bitduel.storage.classes import UnknownClassError, event_key
from bitduel.storage.lobby import LobbyFullError
from bitduel.web.assets import asset_url
from bitduel.web.http.addresses import Addresses, opens_here_only
from bitduel.web.http.clients import COOKIE, client_of, token_of
from bitduel.web.http.page_cache import shared_response
from bitduel.web.http.quotas import (
    FEWEST,
    PEOPLE,
    ConcurrencyLimit,
    GuessLimit,
    OverloadedError,
    Quota,
    Rate,
    SharedRate,
    TooManyError,
)
from bitduel.web.http.worker_pools import SOLVING, STORE
from bitduel.web.png_worker import NoPictureError, PngWorker

P = ParamSpec("P")
YEAR = 365 * 24 * 60 * 60
UNREADABLE_FORM = "We couldn't read that form. Please go back and try again."

STATUS: list[tuple[type[BitduelError], int]] = [
    (UnknownMatchError, 404),
    (UnknownClassError, 404),
    (WrongCodeError, 404),
    (UnknownPupilError, 404),
    (NotYourClassError, 403),
    (WrongPinError, 403),
    (LockedPinError, 403),
    (NameTakenError, 409),
    (ClassLockedError, 409),
    (ClassLateError, 409),
    (PausedError, 409),
    (MissingGameError, 404),
    (UnknownOptionError, 400),
    (UnknownNameError, 404),
    (NoPuzzleError, 404),
    (WrongInvitationError, 404),
    (NotWaitingError, 404),
    (PlyTakenError, 409),
    (OverError, 409),
    (NoLongerError, 409),
    (LateError, 409),
    (InClassError, 409),
    (SeatTakenError, 409),
    (NotYourSeatError, 403),
    (TooManyError, 429),
    (LobbyFullError, 429),
    (OverloadedError, 503),
    (StoreError, 503),
    (NoPictureError, 503),
]


def status_of(error: BitduelError) -> int:
    """Return the HTTP status of an error; 400 where no other is declared."""
    return next((status for kind, status in STATUS if isinstance(error, kind)), 400)


@dataclass
class Site:
    """The parts of a running site."""

    service: MatchService
    addresses: Addresses = field(default_factory=Addresses)
    people: int = PEOPLE
    """The number of people who may share one address; 0 for no bound on an address."""
    has_lobby: bool = True
    """Whether people can find an opponent here."""
    has_classes: bool = False
    """Whether teachers can create classes here."""
    most_pupils: int = MOST_PUPILS
    keep_days: int = KEEP_DAYS
    """The days for which a class stays after its last activity."""
    creation_quota: Quota = None  # type: ignore[assignment]
    guess_quota: Quota = None  # type: ignore[assignment]
    class_quota: Quota = field(default_factory=lambda: Quota(Rate(5, 60), Rate(10, 60)))
    """Codes of classes are few, so nobody may use up many of them."""
    join_quota: Quota = None  # type: ignore[assignment]
    class_guesses: GuessLimit = None  # type: ignore[assignment]
    offer_quota: Quota = None  # type: ignore[assignment]
    streams_per_visitor: ConcurrencyLimit = field(default_factory=lambda: ConcurrencyLimit(12))
    """A browser has six connections to one site, and some people have two browsers."""
    streams_per_address: ConcurrencyLimit = None  # type: ignore[assignment]
    png_worker: PngWorker = None  # type: ignore[assignment]
    cached_pages: dict[str, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        sharing = max(self.people, FEWEST)
        created = SharedRate(self.service.store.counts, "create", 3 * sharing, 60) if self.people else None
        self.creation_quota = self.creation_quota or Quota(Rate(60, 60), created)
        self.guess_quota = self.guess_quota or self._quota(10, 3)
        by_address = Rate(sharing, 60) if self.people else None
        self.class_guesses = self.class_guesses or GuessLimit(Rate(10, 60), by_address)
        self.join_quota = self.join_quota or self._quota(20, 3)
        self.offer_quota = self.offer_quota or self._quota(120, 30)
        self.streams_per_address = self.streams_per_address or ConcurrencyLimit(6 * sharing if self.people else 10**9)
        self.png_worker = self.png_worker or PngWorker(self._quota(120, 6))
        self.offers = OfferService(self.service)
        self.service.update_of = partial(match_update, self.service)
        self.service.hub.read_update = self.read_update
        self.links = SeatLinks(self.service)
        self.flag_timer = FlagTimer(self.service)
        self.classes = Classes(self.service, self.most_pupils, self.keep_days) if self.has_classes else None
        self.lobby = LobbyService(self.service) if self.has_lobby else None
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
        self.templates.globals["has_lobby"] = self.has_lobby
        self.templates.globals["has_classes"] = self.has_classes

    def _quota(self, visitor: int, each: int) -> Quota:
        """Return a quota a minute, for one visitor and for each of the people who may share an address."""
        return Quota(Rate(visitor, 60), Rate(each * max(self.people, FEWEST), 60) if self.people else None)

    @contextmanager
    def guessing(self, request: Request) -> Iterator[None]:
        """Count wrong secrets from links against the quota; a valid one always passes."""
        try:
            yield
        except (UnknownMatchError, WrongInvitationError):
            self.guess_quota.take(client_of(request))
            raise

    @contextmanager
    def naming_class(self, request: Request) -> Iterator[None]:
        """Count wrong codes, PINs and links of classes; after too many of them, refuse right ones too for a while."""
        client = client_of(request)
        self.class_guesses.check(client)
        try:
            yield
        except (UnknownClassError, WrongCodeError, WrongPinError, LockedPinError, WrongInvitationError):
            self.class_guesses.count(client)
            raise

    def read_update(self, match_id: str) -> MatchUpdate:
        """Return the state of a match or a class, read from the store."""
        if self.classes and match_id.startswith(event_key("")):
            return self.classes.update_of(match_id)
        return match_update(self.service, self.service.session(match_id))

    def page(self, name: str, code: int = 200, error: BitduelError | None = None, **context: Any) -> HTMLResponse:
        """Return a page from its template; an error is shown on it and gives the status, unless there is another."""
        if error is not None:
            code = status_of(error) if code == 200 else code
            context["error"] = str(error)
        return HTMLResponse(self.templates.get_template(name).render(context), code)


class SitePages:
    """The base of the classes with endpoints."""

    def __init__(self, site: Site) -> None:
        self.site = site

    def shared(self, request: Request, make: Callable[P, Response], *args: P.args, **kwargs: P.kwargs) -> Response:
        """Return a page that is the same for everybody, compressed for those who accept it."""
        return shared_response(request, make(*args, **kwargs), self.site.addresses.base(request.scope))

    def cached(self, request: Request, path: str, make: Callable[[], HTMLResponse]) -> Response:
        """Return a page that is the same for everybody, and is rendered once."""
        pages = self.site.cached_pages
        if path not in pages:
            pages[path] = bytes(make().body)
        return self.shared(request, HTMLResponse, pages[path])


in_thread = STORE.run
"""Run what waits for the store in a thread."""
in_turn = SOLVING.run
"""Run what may have to solve a game first in a thread, one after the other."""


def own_token(request: Request) -> str:
    """Return the browser's secret, or a new one."""
    return token_of(request) or new_token()


def remember(request: Request, response: Response, token: str) -> Response:
    """Give the browser its secret, out of reach of any script."""
    if request.cookies.get(COOKIE) != token:
        secure = request.url.scheme == "https"
        response.set_cookie(COOKIE, token, max_age=YEAR, httponly=True, samesite="lax", secure=secure)
    return response


async def form_of(request: Request) -> dict[str, str]:
    """Return the fields of a form; the last of several with one name counts."""
    body = (await request.body()).decode("utf-8", "replace")
    try:
        return dict(parse_qsl(body, keep_blank_values=True, max_num_fields=100))
    except ValueError:
        raise BitduelError(UNREADABLE_FORM) from None


def options_of(fields: Mapping[str, str]) -> dict[str, object]:
    """Return the options among the fields of a form or a query; an empty one is the default."""
    return {name[4:]: value for name, value in fields.items() if name.startswith("opt-") and value.strip()}
