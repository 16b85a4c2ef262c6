"""The pages by which a seat is taken: invitations, and links that move a seat to another device."""

from collections.abc import Callable
from typing import TypeVar
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from bitduel.core.errors import BitduelError
from bitduel.core.phrases import settings_phrase
from bitduel.service.credentials import hashed
from bitduel.service.match_session import MatchSession
from bitduel.web import link_previews
from bitduel.web.game_pages import still_picture
from bitduel.web.http.clients import client_of, owner_of, token_of
from bitduel.web.site import Site, form_of, in_thread, own_token, remember

T = TypeVar("T")


class SeatPages:
    """The endpoints of invitations and of moving a seat."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.service = site.service
        self.links = site.links

    async def invited(self, request: Request) -> Response:
        """Show the page of an invitation; opening it does not take the seat."""
        session = await in_thread(self._invitation, request)
        return await in_thread(self._invite_page, session, request, None)

    async def join(self, request: Request) -> Response:
        """Take the seat."""
        session = await in_thread(self._invitation, request)
        fields = await form_of(request)
        token = own_token(request)
        match_id, given = request.path_params["id"], request.path_params["token"]
        try:
            await in_thread(self.service.join, match_id, given, fields.get("name"), hashed(token))
        except BitduelError as error:
            return await in_thread(self._invite_page, session, request, error)
        return remember(request, RedirectResponse(f"/matches/{match_id}", 303), token)

    async def make_link(self, request: Request) -> Response:
        """Make a link that moves the seat, and show it."""
        match_id = request.path_params["id"]
        await in_thread(self.site.offer_quota.take, client_of(request))
        await in_thread(self.links.make, match_id, token_of(request))
        return RedirectResponse(f"/matches/{match_id}/device", 303)

    async def device(self, request: Request) -> Response:
        """Show the link that this browser has made, or the button that makes one."""
        match_id, token = request.path_params["id"], token_of(request)
        session = await in_thread(self.site.service.session, match_id)
        link = await in_thread(self.links.own, session, token)
        base = self.site.addresses.base(request.scope)
        return self.site.page(
            "device.html",
            title=session.match.game.title,
            names=session.stored.names,
            back=f"/matches/{match_id}",
            action=f"/matches/{match_id}/device",
            over=session.match.outcome is not None,
            minutes=link.minutes if link else None,
            seat_link=f"{base}/seat/{match_id}/{link.secret}" if link else None,
        )

    async def seat(self, request: Request) -> Response:
        """Show the page of a seat link; opening it does not take the seat."""
        return await self._seat_page(request, None)

    async def take_seat(self, request: Request) -> Response:
        """Go on in this browser."""
        token = own_token(request)
        match_id, secret = request.path_params["id"], request.path_params["token"]
        back = RedirectResponse(f"/matches/{match_id}", 303)
        try:
            await in_thread(self._guessing, request, lambda: self.links.use(match_id, secret, hashed(token)))
        except BitduelError as error:
            session = await in_thread(self.site.service.session, match_id)
            return back if session.seats(owner_of(request)) else await self._seat_page(request, error)
        return remember(request, back, token)

    async def _seat_page(self, request: Request, error: BitduelError | None) -> Response:
        match_id, secret = request.path_params["id"], request.path_params["token"]
        session, owner = await in_thread(self._guessing, request, lambda: self.links.look(match_id, secret))
        if owner == owner_of(request):
            return RedirectResponse(f"/matches/{match_id}/device", 303)
        return self.site.page(
            "seat.html",
            title=session.match.game.title,
            names=[session.stored.names[seat - 1] for seat in session.seats(owner)],
            action=f"/seat/{match_id}/{quote(secret)}",
            error=error,
        )

    def _guessing(self, request: Request, work: Callable[[], T]) -> T:
        """Run a function that takes a secret from a link, and count wrong secrets."""
        with self.site.guessing(request):
            return work()

    def _invitation(self, request: Request) -> MatchSession:
        with self.site.guessing(request):
            session = self.service.session(request.path_params["id"])
            self.service.check_invitation(session, request.path_params["token"])
        return session

    def _invite_page(self, session: MatchSession, request: Request, error: BitduelError | None) -> Response:
        own_seats = session.seats(owner_of(request))
        card = link_previews.match_card if session.match.outcome else link_previews.invitation_card
        if own_seats:
            return RedirectResponse(f"/matches/{session.stored.id}", 303)
        return self.site.page(
            "invite.html",
            game=session.match.game,
            host=link_previews.host_name(session),
            picture=still_picture(type(session.match.game)),
            options=settings_phrase(session.match.game),
            action=f"/invite/{session.stored.id}/{quote(request.path_params['token'])}",
            error=error,
            over=session.match.outcome is not None,
            taken=session.free_seat is None,
            watch=f"/matches/{session.stored.id}",
            card=card(self.site.addresses.base(request.scope), session),
        )
