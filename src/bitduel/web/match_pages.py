"""The endpoints of matches: look, move, resign, events, record."""

from collections.abc import AsyncIterator, Mapping
from contextlib import nullcontext
from dataclasses import replace
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from bitduel.core.errors import BitduelError
from bitduel.service.credentials import invitation
from bitduel.service.match_session import LateError, MatchSession
from bitduel.storage.presentation import record_text
from bitduel.web import link_previews
from bitduel.web.class_bar import class_bar_of, code_of, is_pupil
from bitduel.web.http.clients import Client, client_of, owner_of, token_of
from bitduel.web.http.streams import ALIVE, PATIENCE, EventStream, event
from bitduel.web.match_end import match_end
from bitduel.web.match_page import PageContext, cover, hand_over, match_page, score_text
from bitduel.web.offer_pages import kept_query, number, offers_panel
from bitduel.web.site import Site, form_of, in_thread

PART = "bitduel-part"
"""The header of a script that has the rest of the page."""
TURN = "bitduel-turn"
"""The cookie with the turn that was looked at last, at one keyboard with hidden information."""


class MatchPages:
    """The endpoints of matches."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.service = site.service

    async def match(self, request: Request) -> Response:
        """Show a match as this browser may see it."""
        return await in_thread(self._match, request, "match.html", request.query_params)

    async def fragment(self, request: Request) -> Response:
        """Show the part of the page that changes."""
        return await in_thread(self._match, request, "_fragment.html", request.query_params)

    async def move(self, request: Request) -> Response:
        """Make a move and lead back to the match; a script gets the part that changes at once."""
        fields = await form_of(request)
        match_id = request.path_params["id"]
        ply = fields.get("ply", "")
        if not (ply.isascii() and ply.isdigit() and len(ply) < 10):
            raise LateError("That page is out of date. Go back to the match to see how it stands.")
        return await in_thread(self._move, request, match_id, int(ply), fields)

    def _move(self, request: Request, match_id: str, ply: int, fields: dict[str, str]) -> Response:
        backs = number(fields, "backs") if "backs" in fields else None
        owner = owner_of(request)
        session = self.service.move(match_id, owner, ply, fields.get("move", ""), backs)
        asked = kept_query(fields)
        if _is_shared(session, session.seats(owner)):  # both at one keyboard still see the mover's side
            asked = {"as": str(session.match.seat_at(ply)), **asked}
        there = f"/matches/{match_id}" + (f"?{urlencode(asked)}" if asked else "")
        if PART not in request.headers:
            return RedirectResponse(there, 303)
        part = self._page(request, "_main.html", asked, session)
        part.headers["content-location"] = there
        return part

    async def resign(self, request: Request) -> Response:
        """Resign."""
        match_id = request.path_params["id"]
        await in_thread(self.service.resign, match_id, owner_of(request))
        return RedirectResponse(f"/matches/{match_id}", 303)

    async def record(self, request: Request) -> Response:
        """Send the text record of a match."""
        session = await in_thread(self.service.session, request.path_params["id"])
        name = f'attachment; filename="bitduel-{session.stored.id}.txt"'
        return PlainTextResponse(record_text(session.stored, session.match), headers={"content-disposition": name})

    async def events(self, request: Request) -> Response:
        """Send events that say when the match has changed, and never what."""
        match_id = request.path_params["id"]
        await in_thread(self.service.session, match_id)
        return Response() if request.method == "HEAD" else stream(self.site, request, match_id)

    async def moment(self, request: Request) -> Response:
        """Send the state of the match once, for a page without a stream."""
        await in_thread(self.service.visit, request.path_params["id"], owner_of(request))
        return PlainTextResponse((await in_thread(self.site.read_update, request.path_params["id"])).text)

    def _match(self, request: Request, template: str, asked: Mapping[str, str]) -> HTMLResponse:
        return self._page(request, template, asked, self.service.visit(request.path_params["id"], owner_of(request)))

    def _page(self, request: Request, template: str, asked: Mapping[str, str], session: MatchSession) -> HTMLResponse:
        owner = owner_of(request)
        class_code = code_of(self.site, session, owner)
        is_helped = asked.get("coach") == "1" and class_code is None
        if is_helped:
            session = self.site.offers.note_coach(session, owner)
        own_seats = session.seats(owner)
        is_shared = _is_shared(session, own_seats)
        view = session.view(own_seats, requested_seat(request, asked, session) if is_shared else None)
        rounds = self.service.rounds(session)
        base = self.site.addresses.base(request.scope)
        context = PageContext(
            own_seats=own_seats,
            coached=session.is_coached if session.is_between_people else is_helped,
            notes=asked.get("notes") != "0",
            score=score_text(rounds, session.stored.names) if len(rounds) > 1 else None,
            share=f"{base}/matches/{session.stored.id}",
            table=offers_panel(self.service, session, own_seats, rounds),
        )
        if session.match.outcome:
            end = match_end(self.service, session, owner)
            context = replace(context, next_id=session.round_after(rounds), end=end)
        if session.free_seat and 1 in own_seats and (token := token_of(request)):
            link = f"{base}/invite/{session.stored.id}/{invitation(token, session.stored.sitting)}"
            context = replace(context, invite=link)
        if class_code:
            context = _in_class(context, session, class_code)
        if (at := asked.get("at", "")).isascii() and at.isdigit() and len(at) < 7 and int(at) < session.match.ply:
            context = replace(context, at=int(at))
        if is_shared:
            context = _hide_from_other(context, session, view.seat)
        is_previewed = template == "match.html" and not own_seats  # programs that preview links hold no seat
        card = link_previews.match_card(base, session) if is_previewed else None
        bar = None
        if class_code and template == "match.html" and is_pupil(self.site, class_code, owner):
            bar = class_bar_of(self.site, request, class_code, session)
        page = self.site.page(template, m=match_page(session, view, context), card=card, c=bar)
        if context.as_seat and context.as_seat == session.match.to_move:
            path = f"/matches/{session.stored.id}"
            secure = request.url.scheme == "https"
            page.set_cookie(TURN, turn_of(session), path=path, httponly=True, samesite="lax", secure=secure)
        return page


def stream(site: Site, request: Request, match_id: str) -> EventStream:
    """Return server-sent events for one reader, within the limits."""
    return EventStream(changes(site, match_id, client_of(request)))


async def changes(site: Site, match_id: str, client: Client) -> AsyncIterator[bytes]:
    """Yield the state of a match, now and whenever it changes."""
    owner = client.key
    own = site.streams_per_visitor.take(owner) if client.visitor else nullcontext()
    all_there = site.streams_per_address.take(f"{client.address} playing" if client.is_playing else client.address)
    try:
        with own, all_there:
            async with site.service.hub.subscribe(match_id) as watcher:
                session = await in_thread(site.service.visit, match_id, owner)
                with site.service.presence.connected(session, owner):
                    sent, now = "", (await in_thread(site.read_update, match_id)).text
                    while True:
                        if now != sent:
                            yield event("changed", now)
                        sent = now
                        while (heard := await watcher.next(PATIENCE)) is None:
                            yield ALIVE
                        now = heard
    except BitduelError as error:
        yield event("refused", str(error), again=60_000)


def requested_seat(request: Request, asked: Mapping[str, str], session: MatchSession) -> int | None:
    """Return the seat to show; not that of a player who has handed over, though the browser goes back to it."""
    wanted = asked.get("as", "")
    seat = int(wanted) if wanted in ("1", "2") else None
    handed_over = request.cookies.get(TURN) == turn_of(session)
    return None if handed_over and seat != session.match.to_move else seat


def turn_of(session: MatchSession) -> str:
    """Return what a browser remembers once the player to move has looked."""
    return f"{session.match.ply}-{session.match.to_move}"


def _hide_from_other(context: PageContext, session: MatchSession, seat: int | None) -> PageContext:
    """Return the context in which two at one keyboard do not see each other's side."""
    if seat is None:
        return replace(context, covered=True, hand_over=hand_over(session))
    next_up = cover(session, seat) if seat != session.match.to_move else None
    return replace(context, as_seat=seat, hand_over=next_up)


def _in_class(context: PageContext, session: MatchSession, code: str) -> PageContext:
    """Return the context of a match in a class, where a teacher decides what comes next and nobody is helped."""
    table = context.table and replace(
        context.table, again=None, waiting=None, take_back=None, device=False, coach=None, score=None
    )
    end = context.end._replace(step=None, again="")
    return replace(context, table=table, end=end, class_url=f"/class/{code}", next_id=None, score=None, share=None)


def _is_shared(session: MatchSession, own_seats: tuple[int, ...]) -> bool:
    """Return whether two at one keyboard must not see each other's side."""
    return len(own_seats) == 2 and session.match.game.is_hidden and not session.match.outcome
