"""The pages about matches: playing, watching, inviting, looking back."""

from collections.abc import AsyncIterator
from datetime import UTC
from typing import Any
from urllib.parse import quote, urlencode

from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from bitduel.core.errors import BitduelError
from bitduel.core.match import Match
from bitduel.solve.review import Review, Step, review
from bitduel.store import UnknownMatchError
from bitduel.terminal.matches import record_text
from bitduel.terminal.paint_review import remark, standing_text
from bitduel.web import show
from bitduel.web.desk import LateError, Table, WrongInvitationError, hashed, invitation
from bitduel.web.paint import review_svg
from bitduel.web.site import Site, address, form_of, in_thread, own_token, owner_of, remember, status_of, token_of

PATIENCE = 20
"""Seconds after which a reader who does not take what is sent is dropped."""


class MatchPages:
    """Endpoints about matches."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.desk = site.desk

    async def mine(self, request: Request) -> Response:
        """The matches of this browser."""
        owner = owner_of(request)
        tables = await in_thread(self.desk.mine, owner) if owner else []
        return self.site.page("matches.html", matches=[_row(table, owner) for table in tables])

    async def match(self, request: Request) -> Response:
        """A match as this browser may see it."""
        return await in_thread(self._match, request, "match.html")

    async def fragment(self, request: Request) -> Response:
        """The part of the page that changes."""
        return await in_thread(self._match, request, "_match.html")

    async def move(self, request: Request) -> Response:
        """Make a move and look at the match again."""
        fields = await form_of(request)
        match_id = request.path_params["id"]
        ply = fields.get("ply", "")
        if not (ply.isascii() and ply.isdigit() and len(ply) < 10):
            raise LateError("The form does not say at which move it was made.")
        table = await in_thread(self.desk.move, match_id, owner_of(request), int(ply), fields.get("move", ""))
        query = _as_before(table, owner_of(request), int(ply), coached=fields.get("coach") == "1")
        return RedirectResponse(f"/matches/{match_id}{query}", 303)

    async def resign(self, request: Request) -> Response:
        """Give up."""
        match_id = request.path_params["id"]
        await in_thread(self.desk.resign, match_id, owner_of(request))
        return RedirectResponse(f"/matches/{match_id}", 303)

    async def next_round(self, request: Request) -> Response:
        """Another round between the same two."""
        found = await in_thread(self.desk.next_round, request.path_params["id"], owner_of(request))
        return RedirectResponse(f"/matches/{found}", 303)

    async def record(self, request: Request) -> Response:
        """The text record of a match."""
        table = await in_thread(self.desk.table, request.path_params["id"])
        name = f'attachment; filename="bitduel-{table.kept.id}.txt"'
        return PlainTextResponse(record_text(table.kept, table.match), headers={"content-disposition": name})

    async def invited(self, request: Request) -> Response:
        """The page that an invitation opens; looking takes no seat."""
        table = await in_thread(self._invitation, request)
        return self._invite_page(table, request, None)

    async def join(self, request: Request) -> Response:
        """Take the seat."""
        table = await in_thread(self._invitation, request)
        fields = await form_of(request)
        token = own_token(request)
        match_id, given = request.path_params["id"], request.path_params["token"]
        try:
            await in_thread(self.desk.join, match_id, given, fields.get("name"), hashed(token))
        except BitduelError as error:
            return self._invite_page(table, request, error)
        return remember(request, RedirectResponse(f"/matches/{match_id}", 303), token)

    async def review(self, request: Request) -> Response:
        """A finished match move by move."""
        ply = request.query_params.get("ply", "")
        return await in_thread(
            self._review, request, int(ply) if ply.isascii() and ply.isdigit() and len(ply) < 7 else None
        )

    async def events(self, request: Request) -> Response:
        """A stream that says when the match has changed, and never what."""
        match_id = request.path_params["id"]
        await in_thread(self.desk.table, match_id)
        return Response() if request.method == "HEAD" else stream(self.site, request, match_id)

    def _match(self, request: Request, template: str) -> HTMLResponse:
        owner, token = owner_of(request), token_of(request)
        table = self.desk.table(request.path_params["id"])
        mine = table.seats(owner)
        wanted = request.query_params.get("as", "")
        view = table.view(owner, int(wanted) if wanted in ("1", "2") else None)
        rounds = self.desk.store.sitting(table.kept.sitting)
        base = str(request.base_url).rstrip("/")
        extra: dict[str, Any] = {
            "mine": mine,
            "coach": request.query_params.get("coach") == "1",
            "score": show.score_text(rounds, table.kept.names),
            "share": f"{base}/matches/{table.kept.id}",
            "next_id": next((kept.id for kept in rounds if kept.round == table.kept.round + 1), None),
        }
        if table.free_seat and token and 1 in mine:
            link = f"{base}/invite/{table.kept.id}/{invitation(token, table.kept.sitting)}"
            extra["invite"] = {"url": link}
        if len(mine) == 2 and table.match.game.hidden and not table.match.outcome:
            extra |= _two_in_the_dark(table, view.seat)
        return self.site.page(template, m=show.match_context(table, view, extra))

    def _invitation(self, request: Request) -> Table:
        if not self.site.guesses.allows(address(request)):
            self.site.guesses.take(address(request))
        try:
            table = self.desk.table(request.path_params["id"])
            self.desk.check_invitation(table, request.path_params["token"])
        except (UnknownMatchError, WrongInvitationError):
            self.site.guesses.take(address(request))
            raise
        return table

    def _invite_page(self, table: Table, request: Request, error: BitduelError | None) -> Response:
        mine = table.seats(owner_of(request))
        if mine:
            return RedirectResponse(f"/matches/{table.kept.id}", 303)
        return self.site.page(
            "invite.html",
            code=status_of(error) if error else 200,
            game=table.match.game,
            host=table.kept.names[0],
            options=show.shown_options(table.match.game, table.match.view(None).options),
            action=f"/invite/{table.kept.id}/{quote(request.path_params['token'])}",
            error=str(error) if error else None,
            taken=table.free_seat is None,
        )

    def _review(self, request: Request, ply: int | None) -> HTMLResponse:
        table = self.desk.table(request.path_params["id"])
        if table.match.outcome is None:
            raise LateError("The match is not over; it can be reviewed when it is.")
        view = table.match.view(None)
        extra = {"mine": table.seats(owner_of(request)), "share": str(request.url)}
        found = review(table.match, table.kept.names)
        at = len(found.steps) if ply is None else min(ply, len(found.steps))
        context = show.match_context(table, view, extra)
        return self.site.page("review.html", m=context, review=_review_context(table, found, at))


def stream(site: Site, request: Request, match_id: str) -> EventSourceResponse:
    """Server-sent events for one reader, within the limits."""
    owner = owner_of(request) or address(request)
    return EventSourceResponse(changes(site, match_id, owner, address(request)), ping=PATIENCE, send_timeout=PATIENCE)


async def changes(site: Site, match_id: str, owner: str, where: str) -> AsyncIterator[ServerSentEvent]:
    """How many moves have been made, now and whenever that changes."""
    try:
        with site.streams_per_seat.take(f"{match_id} {owner}"), site.streams_per_address.take(where):
            async with site.desk.hub.watching(match_id) as changed:
                while True:
                    changed.clear()
                    yield ServerSentEvent(await in_thread(_moment, site, match_id), event="changed")
                    await changed.wait()
    except BitduelError as error:
        yield ServerSentEvent(str(error), event="refused", retry=60_000)


def _moment(site: Site, match_id: str) -> str:
    """Where a match is: its moves, whether it is over, who has come, and the next round."""
    table = site.desk.table(match_id)
    kept = table.kept
    rounds = len(site.desk.store.sitting(kept.sitting)) if table.match.outcome else kept.round
    parts = [str(table.match.ply), "over" if table.match.outcome else "open", str(len(table.owners)), str(rounds)]
    return " ".join(parts)


def _two_in_the_dark(table: Table, seat: int | None) -> dict[str, Any]:
    """Two at one keyboard must not see each other's side."""
    if seat is None:
        return {"covered": True, "hand_over": show.hand_over(table)}
    if seat != table.match.to_move:
        return {"as_seat": seat, "hand_over": show.covered(table, seat)}
    return {"as_seat": seat}


def _as_before(table: Table, owner: str | None, ply: int, coached: bool) -> str:
    """After a move the coach stays; in the dark at one keyboard the player who moved still sees the answer."""
    both = len(table.seats(owner)) == 2
    dark = table.match.game.hidden and not table.match.outcome
    asked = {**({"as": table.match.seat_at(ply)} if both and dark else {}), **({"coach": 1} if coached else {})}
    return f"?{urlencode(asked)}" if asked else ""


def _row(table: Table, owner: str | None) -> dict[str, object]:
    kept, match = table.kept, table.match
    mine = table.seats(owner)
    return {
        "id": kept.id,
        "title": match.game.title,
        "url": f"/matches/{kept.id}",
        "opponents": " and ".join(kept.names),
        "status": show.status(table, match.view(None)),
        "when": kept.changed.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "your_turn": match.to_move in mine,
    }


def _review_context(table: Table, found: Review, ply: int) -> dict[str, object]:
    kept, match = table.kept, table.match
    at = Match(match.game, match.first, match.deal, match.moves[:ply])
    if match.outcome and not at.outcome:
        at.conclude(match.outcome)
    step = found.steps[ply - 1] if ply else None
    last = len(found.steps)
    here = f"/matches/{kept.id}/review?ply="
    return {
        **show.board(match.game, at.view(None), kept.names),
        "svg": review_svg(found, kept.names, ply),
        "ply": ply,
        "last": last,
        "line": _line(step, table) if step else "The start.",
        "better": remark(step, kept.names) if step and step.turning else None,
        "hindsight": step.hindsight if step and step.hindsight else None,
        "steps": [
            {
                "ply": each.ply + 1,
                "label": f"{kept.names[each.seat - 1]}: {each.move}",
                "turning": each.turning,
                "url": f"{here}{each.ply + 1}",
                "said": remark(each, kept.names) if each.turning else "",
            }
            for each in found.steps
        ],
        "first_url": f"{here}0",
        "prev_url": f"{here}{ply - 1}" if ply else None,
        "next_url": f"{here}{ply + 1}" if ply < last else None,
        "last_url": f"{here}{last}",
    }


def _line(step: Step, table: Table) -> str:
    return f"{table.kept.names[step.seat - 1]}: {step.move}. {standing_text(step.after, table.kept.names)}."
