"""The JSON API of games, matches, positions and puzzles, for programs in any language."""

from collections.abc import Callable, Mapping
from random import SystemRandom
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import PlainTextResponse

from bitduel.core.errors import printable
from bitduel.core.puzzle import GRADES
from bitduel.games.registry import all_games, describe, find
from bitduel.learning.puzzle_deck import LATEST_NUMBER, PuzzleQuery, find_puzzle
from bitduel.learning.review import review, review_data
from bitduel.service.clocks import clock_response
from bitduel.service.credentials import hashed, invitation, new_token
from bitduel.service.match_session import LateError, MatchSession
from bitduel.service.new_match import FRIEND, check_size, make_game
from bitduel.service.offers import NOT_IN_CLASS, available_actions, presence_labels
from bitduel.service.requests import (
    MATCH_ID,
    OPPONENT,
    OPPONENT_NAMES,
    SHORT,
    JoinRequest,
    MoveRequest,
    NewMatchRequest,
    SolveRequest,
)
from bitduel.service.responses import (
    ErrorResponse,
    MatchResponse,
    OfferResponse,
    OffersResponse,
    PuzzleResponse,
    SeatResponse,
    SolveResponse,
)
from bitduel.solver.analysis import analyse_position, analysis_data, match_after
from bitduel.storage.presentation import record_text
from bitduel.storage.stored_match import written
from bitduel.web.http.clients import bearer_of, client_of, owner_of
from bitduel.web.http.streams import EventStream
from bitduel.web.match_pages import stream
from bitduel.web.site import Site, in_thread, in_turn

Id = Annotated[str, Path(min_length=1, max_length=32, pattern=MATCH_ID)]
ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorResponse} for status in (400, 403, 404, 409, 413, 422, 429, 503)
}
RNG = SystemRandom()

NO_JSON = "The request is not valid JSON."
NO_OBJECT = "The request must be a JSON object."
NOT_SENT_AS_JSON = "The request must be JSON. Send the header Content-Type: application/json."
KEY = "[key]"
"""The last part of a location where the key of an object is wrong, and not its value."""
LONGEST_LOCATION = 60

PATTERNS = {OPPONENT: f"be one of {OPPONENT_NAMES}", MATCH_ID: "be lower-case letters and digits"}
MUST = {
    "string_type": "be a text",
    "string_unicode": "be a text",
    "string_too_short": "not be empty",
    "string_too_long": "have at most {max_length} characters",
    "int_type": "be a whole number",
    "int_parsing": "be a whole number",
    "int_parsing_size": "be a smaller whole number",
    "greater_than_equal": "be at least {ge}",
    "less_than_equal": "be at most {le}",
    "bool_type": "be true or false",
    "bool_parsing": "be true or false",
    "literal_error": "be {expected}",
    "list_type": "be a list",
    "dict_type": "be an object",
    "model_attributes_type": "be an object",
    "too_long": "have at most {max_length} entries",
    "value_error": "be {error}",
}
"""The demand that a value does not meet, by the type of pydantic's error."""


def api(site: Site) -> APIRouter:
    """Return the routes of games, matches and positions."""
    router = APIRouter(prefix="/api/v1", responses=ERRORS)
    service = site.service

    @router.get("/matches/{id}", response_model=MatchResponse, summary="View a match as your seat sees it")
    async def view(id: Id, request: Request) -> Response:  # noqa: A002 - named as in the path
        owner = owner_of(request)
        return await in_thread(respond, site, service.visit, id, owner)

    @router.post("/matches/{id}/moves", response_model=MatchResponse, summary="Make a move at the expected ply")
    async def move(id: Id, body: MoveRequest, request: Request) -> Response:  # noqa: A002
        owner = owner_of(request)
        return await in_thread(respond, site, service.move, id, owner, body.ply, body.move, body.backs)

    @router.get("/games", summary="List the games and their options")
    async def games() -> list[dict[str, Any]]:
        return [describe(kind) for kind in all_games()]

    @router.get("/games/{name}", summary="Get the options and rules of one game")
    async def game(name: Annotated[str, Path(max_length=SHORT)]) -> dict[str, Any]:
        kind = find(name)
        return {**describe(kind), "rules": kind().words.rules(), "moves": list(kind().moves)}

    @router.post("/matches", status_code=201, summary="Start a match and take its first seat")
    async def create(body: NewMatchRequest, request: Request) -> SeatResponse:
        await in_thread(site.creation_quota.take, client_of(request))
        token = bearer_of(request) or new_token()
        kind = find(body.game)

        def work() -> SeatResponse:
            game = make_game(kind, body.options)
            names, clock = (body.name, None), body.clock.settings if body.clock else None
            match_id = service.create(game, body.opponent, body.first, names, token, body.moves, clock)
            link = invitation(token, match_id) if body.opponent == FRIEND else None
            return seat_response(site, match_id, token, link)

        return await in_thread(work)

    @router.post("/matches/{id}/seat", summary="Join a match with an invitation")
    async def join(id: Id, body: JoinRequest, request: Request) -> SeatResponse:  # noqa: A002
        token = bearer_of(request) or new_token()

        def work() -> SeatResponse:
            with site.guessing(request):
                service.join(id, body.invitation, body.name, hashed(token))
            return seat_response(site, id, token)

        return await in_thread(work)

    @router.post("/matches/{id}/resignation", response_model=MatchResponse, summary="Give up")
    async def resign(id: Id, request: Request) -> Response:  # noqa: A002
        owner = owner_of(request)
        return await in_thread(respond, site, service.resign, id, owner)

    @router.get("/matches/{id}/review", summary="Review a finished match, move by move")
    async def look_back(id: Id) -> dict[str, Any]:  # noqa: A002
        return await in_turn(_review, await in_thread(service.session, id))

    @router.get("/matches/{id}/record", response_model=None, responses=_text("text/plain"), summary="The text record")
    async def record(id: Id) -> PlainTextResponse:  # noqa: A002
        session = await in_thread(service.session, id)
        return PlainTextResponse(record_text(session.stored, session.match))

    @router.get(
        "/matches/{id}/events",
        response_model=None,
        responses=_text("text/event-stream"),
        summary="Get an event whenever the match changes",
    )
    async def events(id: Id, request: Request) -> EventStream:  # noqa: A002
        await in_thread(service.session, id)
        return stream(site, request, id)

    @router.post("/solve", response_model_exclude_unset=True, summary="Evaluate a position and every move in it")
    async def solve(question: SolveRequest) -> SolveResponse:
        return await in_turn(_solve, question)

    return router


def puzzle_api() -> APIRouter:
    """Return the routes of puzzles."""
    router = APIRouter(prefix="/api/v1", responses=ERRORS)

    @router.get(
        "/puzzles",
        response_model_exclude_unset=True,
        summary="Get a puzzle: by date, by number, by id, or by game and grade",
    )
    async def puzzle(
        game: Annotated[str | None, Query(max_length=SHORT, examples=["double"])] = None,
        grade: Annotated[int | None, Query(ge=GRADES[0], le=GRADES[-1])] = None,
        number: Annotated[int | None, Query(ge=1, le=LATEST_NUMBER)] = None,
        name: Annotated[str | None, Query(alias="id", max_length=SHORT)] = None,
        date: Annotated[str | None, Query(max_length=SHORT, examples=["2026-11-18"])] = None,
        solution: bool = False,
    ) -> PuzzleResponse:
        return await in_turn(_puzzle, PuzzleQuery(game, grade, name, number, date), solution)

    return router


def respond(site: Site, work: Callable[..., MatchSession], match_id: str, owner: str | None, *args: object) -> Response:
    """Run work on a match, and answer with the match as its owner may see it."""
    session = work(match_id, owner, *args)
    # Serialized here, because the framework would validate the model a second time.
    return Response(match_response(site, session, owner).model_dump_json(), media_type="application/json")


def seat_response(site: Site, match_id: str, token: str, invited: str | None = None) -> SeatResponse:
    """Return the seat that a token holds in a match."""
    session, owner = site.service.session(match_id), hashed(token)
    seat = session.seats(owner)[0]
    return SeatResponse(seat=seat, token=token, invitation=invited, match=match_response(site, session, owner))


def match_response(site: Site, session: MatchSession, owner: str | None) -> MatchResponse:
    """Return a match as its caller may see it; a secret is in the deal once the match is over, never in the options."""
    stored, own_seats = session.stored, session.seats(owner)
    return MatchResponse(
        id=stored.id,
        names=list(stored.names),
        players=list(written(stored.players)),
        round=stored.round,
        sitting=stored.sitting,
        waiting=session.free_seat is not None,
        view={**session.view(own_seats).as_dict(), "options": session.match.game.open_options},
        table=_offers_response(site, session, own_seats),
        clock=clock_response(stored.clock) if stored.clock else None,
    )


def _offers_response(site: Site, session: MatchSession, own_seats: tuple[int, ...]) -> OffersResponse:
    rounds, holders, presence = site.service.rounds(session), session.holders, site.service.presence
    actions = available_actions(presence, session, own_seats, rounds)
    not_now = NOT_IN_CLASS if own_seats and site.service.is_in_class(session.stored.id) else ()
    return OffersResponse(
        backs=session.stored.backs,
        asked=[
            OfferResponse(seat=seat, kind=offer.kind, declined=offer.declined) for seat, offer in actions.offers.items()
        ],
        presence=presence_labels(presence, session, own_seats),
        coach=[seat in holders and holders[seat].coach for seat in (1, 2)],
        can=[action for action in actions.can if action not in not_now],
        next=session.round_after(rounds) if len(rounds) > 1 else None,
    )


def _text(kind: str) -> dict[int | str, dict[str, Any]]:
    return {200: {"content": {kind: {"schema": {"type": "string"}}}}}


def _review(session: MatchSession) -> dict[str, Any]:
    if session.match.outcome is None:
        raise LateError("You can review the match once it is over.")
    check_size(session.match.game)
    return review_data(review(session.match, session.stored.names), session.stored.id)


def _solve(question: SolveRequest) -> SolveResponse:
    match = match_after(make_game(find(question.game), question.options), ", ".join(question.moves))
    return SolveResponse.model_validate(analysis_data(match, analyse_position(match)))


def _puzzle(query: PuzzleQuery, solution: bool) -> PuzzleResponse:
    return PuzzleResponse(**find_puzzle(query, RNG).as_data(solution))


def error_sentence(error: Mapping[str, Any]) -> str:
    """Return the sentence for one of pydantic's errors."""
    kind, (source, *location) = error["type"], error["loc"]
    if kind == "json_invalid":
        return NO_JSON
    if source == "body" and not location:
        return NOT_SENT_AS_JSON if isinstance(error.get("input"), bytes) else NO_OBJECT
    field = f"'{_location_name(location)}'"
    if location[-1] == KEY:
        field = f"A name in '{_location_name(location[:-2])}'"
    if kind == "missing":
        return f"{field} is missing."
    if kind == "extra_forbidden":
        return f"There is no field {field} here."
    context = error.get("ctx", {})
    demand = PATTERNS.get(context.get("pattern", "")) or MUST.get(kind, "be as the API declares it")
    return f"{field} must {demand.format_map(context)}."


def _location_name(location: list[Any]) -> str:
    return printable(".".join(map(str, location)), LONGEST_LOCATION)
