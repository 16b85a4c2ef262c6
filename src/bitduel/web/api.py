"""The JSON API: everything a page can do, for programs in any language."""

from collections.abc import Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import PlainTextResponse
from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, ValidationError, WrapValidator

from bitduel.core.errors import BitduelError
from bitduel.core.options import Setting
from bitduel.games import describe, find, shelf
from bitduel.service.match_service import (
    FRIEND,
    OPPONENTS,
    LateError,
    MatchSession,
    check_size,
    hashed,
    invitation,
    make_game,
    new_token,
    opponent_of,
)
from bitduel.solver.position import as_data, judgement, stand
from bitduel.solver.review import as_data as review_data
from bitduel.solver.review import review
from bitduel.storage.presentation import record_text
from bitduel.web.api_out import PROBLEMS, Id, MatchOut, SeatOut, StrictModel, answer_with, match_out
from bitduel.web.http.streams import EventStream
from bitduel.web.match_pages import stream
from bitduel.web.site import Site, asker_of, bearer_of, in_thread, in_turn, owner_of

OPPONENT = f"^({'|'.join((FRIEND, *OPPONENTS))}|level:[0-9]{{1,6}})$"
"""How an opponent is written, in any case of letters."""
WHOM = f"{', '.join((FRIEND, *OPPONENTS))} or level:N"
"""The same for people."""
SHORT = 40


def _setting(value: object, check: Callable[[object], Setting]) -> Setting:
    """What an option is set to, or what it must be: one thing, and not one for each form that it could have."""
    try:
        return check(value)
    except ValidationError:
        short = f"a whole number or a text of at most {SHORT} characters"
        raise ValueError("a whole number" if isinstance(value, float) else short) from None


Options = dict[
    Annotated[str, Field(max_length=SHORT)],
    Annotated[int | Annotated[str, Field(max_length=SHORT)], WrapValidator(_setting)],
]


def _folded(name: object) -> object:
    return name.strip().lower() if isinstance(name, str) else name


def _opponent(name: str) -> str:
    """A friend, or a program in its canonical form."""
    try:
        return name if name == FRIEND else str(opponent_of(name))
    except BitduelError:
        raise ValueError(f"one of {WHOM}") from None


Opponent = Annotated[
    str,
    BeforeValidator(_folded),
    Field(max_length=40, pattern=OPPONENT, examples=[*OPPONENTS]),
    AfterValidator(_opponent),
]


class NewMatch(StrictModel):
    """A table to open."""

    game: str = Field(max_length=40, examples=["double"])
    options: Options = Field(default_factory=dict, max_length=10)
    opponent: Opponent = FRIEND
    first: Literal["1", "2", "toss"] = "toss"
    moves: list[Annotated[str, Field(max_length=40)]] = Field(default_factory=list, max_length=200)
    name: str | None = Field(default=None, max_length=300)


class Invitation(StrictModel):
    """A seat to take."""

    invitation: str = Field(max_length=100)
    name: str | None = Field(default=None, max_length=300)


class MoveRequest(StrictModel):
    """A move, with how many moves were made before it, and if you like how often some were taken back."""

    ply: int = Field(ge=0, le=1_000_000)
    move: str = Field(max_length=40, examples=["add"])
    backs: int | None = Field(default=None, ge=0, le=1_000_000)


class SolveRequest(StrictModel):
    """A position to judge."""

    game: str = Field(max_length=40, examples=["double"])
    options: Options = Field(default_factory=dict, max_length=10)
    moves: list[Annotated[str, Field(max_length=40)]] = Field(default_factory=list, max_length=200)


class WorthOut(BaseModel):
    """What something is worth; `assumed` is there where it rests on an assumption about the opponent."""

    value: str | None
    plies: int | None
    win_probability: float | None
    assumed: bool = False


class ChoiceOut(WorthOut):
    """A move and what it is worth."""

    move: str


class SolveResponse(WorthOut):
    """What a position is worth."""

    game: str
    options: dict[str, Setting]
    moves: list[str]
    to_move: int
    over: dict[str, Any] | None
    choices: list[ChoiceOut]


def _text(kind: str) -> dict[int | str, dict[str, Any]]:
    """An answer that is text and no JSON."""
    return {200: {"content": {kind: {"schema": {"type": "string"}}}}}


def api(site: Site) -> APIRouter:
    """The routes of the API."""
    router = APIRouter(prefix="/api/v1", responses=PROBLEMS)
    desk = site.desk

    @router.get("/matches/{id}", response_model=MatchOut, summary="A match as you may see it")
    async def view(id: Id, request: Request) -> Response:  # noqa: A002
        owner = owner_of(request)
        return await answer_with(site, owner, lambda: desk.look(id, owner))

    @router.post("/matches/{id}/moves", response_model=MatchOut, summary="Make a move at the expected ply")
    async def move(id: Id, wish: MoveRequest, request: Request) -> Response:  # noqa: A002
        owner = owner_of(request)
        return await answer_with(site, owner, lambda: desk.move(id, owner, wish.ply, wish.move, wish.backs))

    @router.get("/games", summary="Every game, with its options")
    async def games() -> list[dict[str, Any]]:
        return [describe(kind) for kind in shelf()]

    @router.get("/games/{name}", summary="One game, with its options and its rules")
    async def game(name: Annotated[str, Path(max_length=40)]) -> dict[str, Any]:
        kind = find(name)
        return {**describe(kind), "rules": kind().words.rules(), "moves": list(kind().moves)}

    @router.post("/matches", status_code=201, summary="Open a table and take its first seat")
    async def create(wish: NewMatch, request: Request) -> SeatOut:
        await in_thread(site.creations.take, asker_of(request))
        token = bearer_of(request) or new_token()
        kind = find(wish.game)

        def work() -> SeatOut:
            made = make_game(kind, wish.options)
            match_id = desk.create(made, wish.opponent, wish.first, (wish.name, None), token, wish.moves)
            link = invitation(token, match_id) if wish.opponent == FRIEND else None
            return SeatOut(
                seat=1, token=token, invitation=link, match=match_out(site, desk.seating(match_id), hashed(token))
            )

        return await in_thread(work)

    @router.post("/matches/{id}/seat", summary="Take the free seat with an invitation")
    async def join(id: Id, wish: Invitation, request: Request) -> SeatOut:  # noqa: A002 - named as in the path
        token = bearer_of(request) or new_token()

        def work() -> SeatOut:
            with site.guessing(request):
                seat = desk.join(id, wish.invitation, wish.name, hashed(token))
            return SeatOut(
                seat=seat, token=token, invitation=None, match=match_out(site, desk.seating(id), hashed(token))
            )

        return await in_thread(work)

    @router.post("/matches/{id}/resignation", response_model=MatchOut, summary="Give up")
    async def resign(id: Id, request: Request) -> Response:  # noqa: A002
        owner = owner_of(request)
        return await answer_with(site, owner, lambda: desk.resign(id, owner))

    @router.get("/matches/{id}/review", summary="A finished match, judged move by move")
    async def look_back(id: Id) -> dict[str, Any]:  # noqa: A002
        return await in_turn(reviewed, await in_thread(desk.seating, id))

    @router.get("/matches/{id}/record", response_model=None, responses=_text("text/plain"), summary="The text record")
    async def record(id: Id) -> PlainTextResponse:  # noqa: A002
        return PlainTextResponse(await in_thread(lambda: record_of(desk.seating(id))))

    @router.get(
        "/matches/{id}/events",
        response_model=None,
        responses=_text("text/event-stream"),
        summary="Says when the match has changed",
    )
    async def events(id: Id, request: Request) -> EventStream:  # noqa: A002
        await in_thread(desk.seating, id)
        return stream(site, request, id)

    @router.post("/solve", response_model_exclude_unset=True, summary="What a position is worth, and every move at it")
    async def solve(question: SolveRequest) -> SolveResponse:
        return await in_turn(answer, question)

    return router


def record_of(seating: MatchSession) -> str:
    """The record of what a spectator may see."""
    return record_text(seating.kept, seating.match)


def reviewed(seating: MatchSession) -> dict[str, Any]:
    """A review as the API tells it."""
    if seating.match.outcome is None:
        raise LateError("The match is not over; it can be reviewed when it is.")
    check_size(seating.match.game)
    return review_data(review(seating.match, seating.kept.names), seating.kept.id)


def answer(question: SolveRequest) -> SolveResponse:
    """A position judged."""
    match = stand(make_game(find(question.game), question.options), ", ".join(question.moves))
    return SolveResponse.model_validate(as_data(match, judgement(match)))
