"""The forms of what players settle between them, and the pages that move a seat to another device."""

from collections.abc import Callable
from typing import TypeVar
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from bitduel.core.errors import BitduelError
from bitduel.service.match_service import hashed
from bitduel.service.match_session import LateError, MatchSession
from bitduel.storage.writes import MatchMoment
from bitduel.web.offers import AGAIN, KINDS
from bitduel.web.site import Site, asker_of, form_of, in_thread, own_token, owner_of, remember, status_of, token_of

T = TypeVar("T")
Act = Callable[[str, str | None, dict[str, str]], MatchSession]
ANSWERS = {"yes": True, "no": False}
RESULTS = {"win": True, "draw": False}


def number(fields: dict[str, str], name: str, usual: str = "") -> int:
    """A whole number that a form must have."""
    text = fields.get(name, usual)
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise LateError("The form does not say at which move it was made.")
    return int(text)


def moment_of(fields: dict[str, str]) -> MatchMoment:
    """At which moment of a match a form was made."""
    return MatchMoment(number(fields, "ply"), number(fields, "backs", "0"))


def one_of(fields: dict[str, str], name: str, known: dict[str, bool]) -> bool:
    """Which of two answers a form gives."""
    if fields.get(name) not in known:
        raise BitduelError(f"Choose one of {', '.join(known)}.")
    return known[fields[name]]


class OfferPages:
    """Endpoints about what is settled, each a form that leads back to the match."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.table = site.table
        self.links = site.links

    async def take_back(self, request: Request) -> Response:
        """Take back, or ask for it."""
        return await self._act(request, lambda match, who, form: self.table.take_back(match, who, moment_of(form)))

    async def draw(self, request: Request) -> Response:
        """Offer a draw."""
        return await self._act(request, lambda match, who, form: self.table.offer_draw(match, who, moment_of(form)))

    async def answer(self, request: Request) -> Response:
        """Say yes or no to what the other asks; a yes to another round leads there."""
        form = await form_of(request)
        kind, yes = form.get("kind", ""), one_of(form, "answer", ANSWERS)
        if kind not in KINDS:
            raise BitduelError("Nothing like that can be asked.")
        if kind == AGAIN and yes:
            return await self.next_round(request)
        return await self._act(request, lambda match, who, _: self.table.answer(match, who, kind, yes, moment_of(form)))

    async def withdraw(self, request: Request) -> Response:
        """Ask no longer."""
        return await self._act(request, lambda match, who, _: self.table.withdraw(match, who))

    async def call_off(self, request: Request) -> Response:
        """Leave without a result."""
        return await self._act(request, lambda match, who, form: self.table.call_off(match, who, moment_of(form)))

    async def claim(self, request: Request) -> Response:
        """Claim a match that the other has left."""
        return await self._act(
            request,
            lambda match, who, form: self.table.claim(match, who, one_of(form, "result", RESULTS), moment_of(form)),
        )

    async def coach(self, request: Request) -> Response:
        """Say yes or no to the coach in a match between two people."""
        return await self._act(
            request, lambda match, who, form: self.table.agree_to_coach(match, who, one_of(form, "answer", ANSWERS))
        )

    async def next_round(self, request: Request) -> Response:
        """Another round between the same two, once both want it."""
        match_id = request.path_params["id"]
        await in_thread(self.site.creations.take, asker_of(request))
        found = await in_thread(self.table.play_again, match_id, owner_of(request))
        return RedirectResponse(f"/matches/{found or match_id}", 303)

    async def make_link(self, request: Request) -> Response:
        """Make a link that moves the seat, and show it."""
        match_id = request.path_params["id"]
        await in_thread(self.site.sayings.take, asker_of(request))
        await in_thread(self.links.make, match_id, token_of(request))
        return RedirectResponse(f"/matches/{match_id}/device", 303)

    async def device(self, request: Request) -> Response:
        """The link that this browser has made, or the button that makes one."""
        match_id, token = request.path_params["id"], token_of(request)
        seating = await in_thread(self.site.desk.seating, match_id)
        link = await in_thread(self.links.own, seating, token)
        base = self.site.addresses.base(request.scope)
        return self.site.page(
            "device.html",
            title=seating.match.game.title,
            names=seating.kept.names,
            back=f"/matches/{match_id}",
            action=f"/matches/{match_id}/device",
            over=seating.match.outcome is not None,
            minutes=link.minutes if link else None,
            seat_link=f"{base}/seat/{match_id}/{link.secret}" if link else None,
        )

    async def seat(self, request: Request) -> Response:
        """The page that such a link opens; looking takes nothing."""
        return await self._seat_page(request, None)

    async def take_seat(self, request: Request) -> Response:
        """Go on in this browser."""
        token = own_token(request)
        match_id, secret = request.path_params["id"], request.path_params["token"]
        back = RedirectResponse(f"/matches/{match_id}", 303)
        try:
            await in_thread(self._guessing, request, lambda: self.links.use(match_id, secret, hashed(token)))
        except BitduelError as error:
            seating = await in_thread(self.site.desk.seating, match_id)
            return back if seating.seats(owner_of(request)) else await self._seat_page(request, error)
        return remember(request, back, token)

    async def _seat_page(self, request: Request, error: BitduelError | None) -> Response:
        match_id, secret = request.path_params["id"], request.path_params["token"]
        seating, owner = await in_thread(self._guessing, request, lambda: self.links.look(match_id, secret))
        if owner == owner_of(request):
            return RedirectResponse(f"/matches/{match_id}/device", 303)
        return self.site.page(
            "seat.html",
            code=status_of(error) if error else 200,
            title=seating.match.game.title,
            names=[seating.kept.names[seat - 1] for seat in seating.seats(owner)],
            action=f"/seat/{match_id}/{quote(secret)}",
            error=str(error) if error else None,
        )

    def _guessing(self, request: Request, work: Callable[[], T]) -> T:
        """What takes a secret from a link; wrong ones are counted."""
        with self.site.guessing(request):
            return work()

    async def _act(self, request: Request, act: Act) -> Response:
        fields = await form_of(request)
        await in_thread(self.site.sayings.take, asker_of(request))
        match_id = request.path_params["id"]
        await in_thread(act, match_id, owner_of(request), fields)
        asked = {name: value for name, value in (("coach", "1"), ("notes", "0")) if fields.get(name) == value}
        return RedirectResponse(f"/matches/{match_id}{'?' if asked else ''}{urlencode(asked)}", 303)
