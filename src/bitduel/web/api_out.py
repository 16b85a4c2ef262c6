"""A match as the API tells it, and the forms that all of its parts share."""

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Path, Response
from pydantic import BaseModel, ConfigDict

from bitduel.service.match_session import MatchSession
from bitduel.web.offers import asked
from bitduel.web.offers_page import possible, signs
from bitduel.web.site import Site, in_thread

ID = "^[a-z0-9]+$"
Id = Annotated[str, Path(min_length=1, max_length=32, pattern=ID)]


class Problem(BaseModel):
    """What went wrong, in one sentence."""

    error: str


class StrictModel(BaseModel):
    """Takes what is declared and nothing else."""

    model_config = ConfigDict(extra="forbid", strict=True)


class OfferOut(BaseModel):
    """What a player has asked the other, and whether the other has said no."""

    seat: int
    kind: str
    declined: bool


class Settling(BaseModel):
    """What the players can settle, and have: `backs` counts the take-backs and goes with `ply` into every request."""

    backs: int
    asked: list[OfferOut]
    presence: list[str | None]
    coach: list[bool]
    can: list[str]
    next: str | None


class MatchOut(BaseModel):
    """A match as the caller may see it."""

    id: str
    names: list[str]
    players: list[str]
    round: int
    sitting: str
    waiting: bool
    view: dict[str, Any]
    table: Settling


class SeatOut(BaseModel):
    """A seat that was taken, with the secret that proves it: send it as `Authorization: Bearer TOKEN`."""

    seat: int
    token: str
    invitation: str | None
    match: MatchOut


PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem} for status in (400, 403, 404, 409, 413, 422, 429, 503)
}


async def answer_with(site: Site, owner: str | None, work: Callable[[], MatchSession]) -> Response:
    """Do something with a match in a thread, and answer with the match as the caller may see it."""
    return await in_thread(lambda: _as_json(match_out(site, work(), owner)))


def _as_json(made: BaseModel) -> Response:
    """An answer that is written here: the framework would check again what was just built."""
    return Response(made.model_dump_json(), media_type="application/json")


def match_out(site: Site, seating: MatchSession, owner: str | None) -> MatchOut:
    """A match as the API tells it; what was secret is told at its end by the deal, never by the options."""
    kept = seating.kept
    return MatchOut(
        id=kept.id,
        names=list(kept.names),
        players=list(kept.written),
        round=kept.round,
        sitting=kept.sitting,
        waiting=seating.free_seat is not None,
        view={**seating.view(owner).as_dict(), "options": seating.match.game.open_options},
        table=settling(site, seating, owner),
    )


def settling(site: Site, seating: MatchSession, owner: str | None) -> Settling:
    """What the caller can settle now."""
    rounds, holders = site.desk.rounds(seating), seating.holders
    can = possible(site.desk.presence, seating, owner, rounds)
    questions = [(seat, question) for seat in (1, 2) if (question := asked(seating, seat))]
    named = (
        ("take-back", can.take_back),
        ("draw", can.draw),
        ("call-off", can.call_off),
        ("claim", can.left),
        ("answer", can.theirs),
        ("rematch", can.again),
        ("device", can.device),
    )
    return Settling(
        backs=seating.kept.backs,
        asked=[OfferOut(seat=seat, kind=question.kind, declined=question.declined) for seat, question in questions],
        presence=list(signs(site.desk.presence, seating, owner)),
        coach=[seat in holders and holders[seat].coach for seat in (1, 2)],
        can=[name for name, is_possible in named if is_possible],
        next=seating.round_after(rounds),
    )
