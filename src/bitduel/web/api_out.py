"""A match as the API tells it, and the forms that all of its parts share."""

from typing import Annotated, Any

from fastapi import Path
from pydantic import BaseModel, ConfigDict

from bitduel.tables.seating import Seating
from bitduel.web.site import Site
from bitduel.web.table import asked
from bitduel.web.table_page import table_page

ID = "^[a-z0-9]+$"
Id = Annotated[str, Path(min_length=1, max_length=32, pattern=ID)]


class Problem(BaseModel):
    """What went wrong, in one sentence."""

    error: str


class Strict(BaseModel):
    """Takes what is declared and nothing else."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Said(BaseModel):
    """What a player has asked the other, and whether the other has said no."""

    seat: int
    kind: str
    declined: bool


class Settling(BaseModel):
    """What the players can settle, and have: `backs` counts the take-backs and goes with `ply` into every request."""

    backs: int
    asked: list[Said]
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


class Seat(BaseModel):
    """A seat that was taken, with the secret that proves it: send it as `Authorization: Bearer TOKEN`."""

    seat: int
    token: str
    invitation: str | None
    match: MatchOut


PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem} for status in (400, 403, 404, 409, 413, 422, 429, 503)
}


def match_out(site: Site, seating: Seating, owner: str | None) -> MatchOut:
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


def settling(site: Site, seating: Seating, owner: str | None) -> Settling:
    """What the caller can settle now."""
    rounds = site.desk.rounds(seating)
    page = table_page(site.desk.presence, seating, owner, rounds)
    questions = {seat: asked(seating, seat) for seat in (1, 2)}
    can = {
        "take-back": page.take_back,
        "draw": page.draw,
        "call-off": page.call_off,
        "claim": page.left,
        "answer": page.question,
        "rematch": page.again,
        "device": page.device,
    }
    return Settling(
        backs=page.backs,
        asked=[Said(seat=seat, kind=q.kind, declined=q.declined) for seat, q in questions.items() if q],
        presence=list(page.presence),
        coach=[seat in seating.holders and seating.holders[seat].coach for seat in (1, 2)],
        can=[name for name, possible in can.items() if possible],
        next=next((kept.id for kept in rounds if kept.round == seating.kept.round + 1), None),
    )
