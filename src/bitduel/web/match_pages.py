"""The pages about matches: playing, watching, inviting, looking back."""

from collections.abc import AsyncIterator, Mapping
from contextlib import nullcontext
from dataclasses import replace
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from bitduel.core.errors import BitduelError
from bitduel.service.match_service import LateError, MatchSession, check_size, hashed, invitation
from bitduel.solver.review import review
from bitduel.storage.presentation import record_text
from bitduel.web import boards, link_previews
from bitduel.web.http.streams import ALIVE, PATIENCE, EventStream, event
from bitduel.web.match_page import Around, cover, hand_over, match_page, score_text
from bitduel.web.my_matches import mine
from bitduel.web.offers_page import table_page
from bitduel.web.offers_pages import number
from bitduel.web.pages import LEVELS
from bitduel.web.quotas import Asker
from bitduel.web.review_page import review_page
from bitduel.web.site import (
    Site,
    asker_of,
    form_of,
    in_thread,
    in_turn,
    own_token,
    owner_of,
    remember,
    status_of,
    token_of,
)

PART = "bitduel-part"
"""The header by which a script says that it has the rest of the page."""
TURN = "bitduel-turn"
"""The cookie that says whose turn was looked at last, at one keyboard in the dark."""


class MatchPages:
    """Endpoints about matches."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.desk = site.desk

    async def mine(self, request: Request) -> Response:
        """The matches of this browser."""
        owner = owner_of(request)
        found = await in_thread(mine, self.desk, owner) if owner else None
        return self.site.page("matches.html", mine=found)

    async def match(self, request: Request) -> Response:
        """A match as this browser may see it."""
        return await in_thread(self._match, request, "match.html", request.query_params)

    async def fragment(self, request: Request) -> Response:
        """The part of the page that changes."""
        return await in_thread(self._match, request, "_match.html", request.query_params)

    async def move(self, request: Request) -> Response:
        """Make a move and look at the match again; a script gets what it needs of that at once."""
        fields = await form_of(request)
        match_id = request.path_params["id"]
        ply = fields.get("ply", "")
        if not (ply.isascii() and ply.isdigit() and len(ply) < 10):
            raise LateError("The form does not say at which move it was made.")
        return await in_thread(self._move, request, match_id, int(ply), fields)

    def _move(self, request: Request, match_id: str, ply: int, fields: dict[str, str]) -> Response:
        backs = number(fields, "backs") if "backs" in fields else None
        seating = self.desk.move(match_id, owner_of(request), ply, fields.get("move", ""), backs)
        asked = _as_before(seating, owner_of(request), ply, fields)
        there = f"/matches/{match_id}" + (f"?{urlencode(asked)}" if asked else "")
        if PART not in request.headers:
            return RedirectResponse(there, 303)
        part = self._page(request, "_main.html", asked, seating)
        part.headers["content-location"] = there
        return part

    async def resign(self, request: Request) -> Response:
        """Give up."""
        match_id = request.path_params["id"]
        await in_thread(self.desk.resign, match_id, owner_of(request))
        return RedirectResponse(f"/matches/{match_id}", 303)

    async def record(self, request: Request) -> Response:
        """The text record of a match."""
        seating = await in_thread(self.desk.seating, request.path_params["id"])
        name = f'attachment; filename="bitduel-{seating.kept.id}.txt"'
        return PlainTextResponse(record_text(seating.kept, seating.match), headers={"content-disposition": name})

    async def invited(self, request: Request) -> Response:
        """The page that an invitation opens; looking takes no seat."""
        seating = await in_thread(self._invitation, request)
        return self._invite_page(seating, request, None)

    async def join(self, request: Request) -> Response:
        """Take the seat."""
        seating = await in_thread(self._invitation, request)
        fields = await form_of(request)
        token = own_token(request)
        match_id, given = request.path_params["id"], request.path_params["token"]
        try:
            await in_thread(self.desk.join, match_id, given, fields.get("name"), hashed(token))
        except BitduelError as error:
            return self._invite_page(seating, request, error)
        return remember(request, RedirectResponse(f"/matches/{match_id}", 303), token)

    async def review(self, request: Request) -> Response:
        """A finished match move by move."""
        ply = request.query_params.get("ply", "")
        at = int(ply) if ply.isascii() and ply.isdigit() and len(ply) < 7 else None
        seating = await in_thread(self.desk.seating, request.path_params["id"])
        return await in_turn(self._review, request, seating, at)

    async def events(self, request: Request) -> Response:
        """A stream that says when the match has changed, and never what."""
        match_id = request.path_params["id"]
        await in_thread(self.desk.seating, match_id)
        return Response() if request.method == "HEAD" else stream(self.site, request, match_id)

    async def moment(self, request: Request) -> Response:
        """The same once, for a page without a stream."""
        await in_thread(self.desk.look, request.path_params["id"], owner_of(request))
        return PlainTextResponse((await in_thread(self.site.news, request.path_params["id"])).text)

    def _match(self, request: Request, template: str, asked: Mapping[str, str]) -> HTMLResponse:
        return self._page(request, template, asked, self.desk.look(request.path_params["id"], owner_of(request)))

    def _page(self, request: Request, template: str, asked: Mapping[str, str], seating: MatchSession) -> HTMLResponse:
        owner, token = owner_of(request), token_of(request)
        mine = seating.seats(owner)
        side = looks_from(request, asked, seating)
        view = seating.view(owner, side)
        rounds = self.desk.rounds(seating)
        base = self.site.addresses.base(request.scope)
        around = Around(
            mine=mine,
            coached=seating.coached if seating.two_people else asked.get("coach") == "1",
            notes=asked.get("notes") != "0",
            score=score_text(rounds, seating.kept.names),
            share=f"{base}/matches/{seating.kept.id}",
            table=table_page(self.desk.presence, seating, owner, rounds),
            next_id=seating.round_after(rounds),
        )
        if seating.free_seat and token and 1 in mine:
            link = f"{base}/invite/{seating.kept.id}/{invitation(token, seating.kept.sitting)}"
            around = replace(around, invite=link)
        if len(mine) == 2 and seating.match.game.hidden and not seating.match.outcome:
            around = _two_in_the_dark(around, seating, view.seat)
        card = link_previews.match_card(base, seating) if template == "match.html" else None
        page = self.site.page(template, m=match_page(seating, view, around), card=card)
        if around.as_seat and around.as_seat == seating.match.to_move:
            path = f"/matches/{seating.kept.id}"
            secure = request.url.scheme == "https"
            page.set_cookie(TURN, turn_of(seating), path=path, httponly=True, samesite="lax", secure=secure)
        return page

    def _invitation(self, request: Request) -> MatchSession:
        with self.site.guessing(request):
            seating = self.desk.seating(request.path_params["id"])
            self.desk.check_invitation(seating, request.path_params["token"])
        return seating

    def _invite_page(self, seating: MatchSession, request: Request, error: BitduelError | None) -> Response:
        mine = seating.seats(owner_of(request))
        card = link_previews.match_card if seating.match.outcome else link_previews.invitation_card
        if mine:
            return RedirectResponse(f"/matches/{seating.kept.id}", 303)
        return self.site.page(
            "invite.html",
            code=status_of(error) if error else 200,
            game=seating.match.game,
            host=seating.kept.names[0],
            options=boards.shown_options(seating.match.game, seating.match.view(None).options),
            action=f"/invite/{seating.kept.id}/{quote(request.path_params['token'])}",
            error=str(error) if error else None,
            over=seating.match.outcome is not None,
            taken=seating.free_seat is None,
            watch=f"/matches/{seating.kept.id}",
            card=card(self.site.addresses.base(request.scope), seating),
        )

    def _review(self, request: Request, seating: MatchSession, ply: int | None) -> HTMLResponse:
        if seating.match.outcome is None:
            raise LateError("The match is not over; it can be reviewed when it is.")
        check_size(seating.match.game)
        mine = seating.seats(owner_of(request))
        found = review(seating.match, seating.kept.names)
        page = match_page(seating, seating.match.view(None), Around(mine=mine, share=str(request.url)))
        shown = review_page(seating, found, ply, mine, request.query_params.get("try"))
        card = (
            None
            if "try" in request.query_params
            else link_previews.match_card(self.site.addresses.base(request.scope), seating, shown.ply)
        )
        return self.site.page("review.html", m=page, review=shown, levels=LEVELS, card=card)


def stream(site: Site, request: Request, match_id: str) -> EventStream:
    """Server-sent events for one reader, within the limits."""
    return EventStream(changes(site, match_id, asker_of(request)))


async def changes(site: Site, match_id: str, asker: Asker) -> AsyncIterator[bytes]:
    """How many moves have been made, now and whenever that changes."""
    owner = asker.key
    own = site.streams_per_visitor.take(owner) if asker.visitor else nullcontext()
    all_there = site.streams_per_address.take(f"{asker.address} playing" if asker.is_playing else asker.address)
    try:
        with own, all_there:
            async with site.desk.hub.watching(match_id) as watcher:
                seating = await in_thread(site.desk.look, match_id, owner)
                with site.desk.presence.listening(seating, owner):
                    told, now = "", (await in_thread(site.news, match_id)).text
                    while True:
                        if now != told:
                            yield event("changed", now)
                        told = now
                        while (heard := await watcher.next(PATIENCE)) is None:
                            yield ALIVE
                        now = heard
    except BitduelError as error:
        yield event("refused", str(error), again=60_000)


def looks_from(request: Request, asked: Mapping[str, str], seating: MatchSession) -> int | None:
    """Whose side is asked for; not that of the player who has handed over, though the browser goes back to it."""
    wanted = asked.get("as", "")
    seat = int(wanted) if wanted in ("1", "2") else None
    handed_over = request.cookies.get(TURN) == turn_of(seating)
    return None if handed_over and seat != seating.match.to_move else seat


def turn_of(seating: MatchSession) -> str:
    """What a browser remembers once the player to move has looked."""
    return f"{seating.match.ply}-{seating.match.to_move}"


def _two_in_the_dark(around: Around, seating: MatchSession, seat: int | None) -> Around:
    """Two at one keyboard must not see each other's side."""
    if seat is None:
        return replace(around, covered=True, hand_over=hand_over(seating))
    next_up = cover(seating, seat) if seat != seating.match.to_move else None
    return replace(around, as_seat=seat, hand_over=next_up)


def _as_before(seating: MatchSession, owner: str | None, ply: int, fields: dict[str, str]) -> dict[str, str]:
    """After a move coach and notes stay; in the dark at one keyboard the player who moved still sees the answer."""
    both = len(seating.seats(owner)) == 2
    dark = seating.match.game.hidden and not seating.match.outcome
    asked = {"as": str(seating.match.seat_at(ply))} if both and dark else {}
    return asked | {name: value for name, value in (("coach", "1"), ("notes", "0")) if fields.get(name) == value}
