"""The JSON API of what players settle between them."""

from typing import Literal

from fastapi import APIRouter, Request, Response
from pydantic import Field

from bitduel.service.match_service import hashed, new_token
from bitduel.storage.writes import MatchMoment
from bitduel.web.api_out import PROBLEMS, Id, MatchOut, SeatOut, StrictModel, answer_with, match_out
from bitduel.web.offers import KINDS
from bitduel.web.site import Site, asker_of, bearer_of, in_thread, owner_of, token_of


class At(StrictModel):
    """The moment at which something is said: how many moves there are, and how often some were taken back."""

    ply: int = Field(ge=0, le=1_000_000)
    backs: int = Field(default=0, ge=0, le=1_000_000)

    @property
    def moment(self) -> MatchMoment:
        """The same for the store."""
        return MatchMoment(self.ply, self.backs)


class NewAnswer(At):
    """A yes or no to what the other asks."""

    kind: Literal["draw", "take-back", "rematch"] = Field(examples=[*KINDS])
    yes: bool


class ClaimRequest(At):
    """What to make of a match that the other has left."""

    result: Literal["win", "draw"]


class Consent(StrictModel):
    """Whether one would have the coach in a match between two."""

    coach: bool


class SeatTicket(StrictModel):
    """What moves a seat, once and soon."""

    ticket: str = Field(max_length=100)


class NewTicket(SeatTicket):
    """A ticket with how long it can be used."""

    minutes: int


def table_api(site: Site) -> APIRouter:
    """The routes beside those of api.py."""
    router = APIRouter(prefix="/api/v1/matches/{id}", responses=PROBLEMS)
    table, links = site.table, site.links

    @router.post(
        "/take-back", response_model=MatchOut, summary="Take back to your last turn; between two people, ask for it"
    )
    async def take_back(id: Id, wish: At, request: Request) -> Response:  # noqa: A002 - named as in the path
        owner = await _owner(site, request)
        return await answer_with(site, owner, lambda: table.take_back(id, owner, wish.moment))

    @router.post("/draw", response_model=MatchOut, summary="Offer a draw, or accept the one that is offered")
    async def draw(id: Id, wish: At, request: Request) -> Response:  # noqa: A002
        owner = await _owner(site, request)
        return await answer_with(site, owner, lambda: table.offer_draw(id, owner, wish.moment))

    @router.post("/answer", response_model=MatchOut, summary="Say yes or no to what the other asks")
    async def answer(id: Id, wish: NewAnswer, request: Request) -> Response:  # noqa: A002
        owner = await _owner(site, request)
        return await answer_with(site, owner, lambda: table.answer(id, owner, wish.kind, wish.yes, wish.moment))

    @router.post("/withdrawal", response_model=MatchOut, summary="Ask no longer")
    async def withdraw(id: Id, request: Request) -> Response:  # noqa: A002
        owner = await _owner(site, request)
        return await answer_with(site, owner, lambda: table.withdraw(id, owner))

    @router.post(
        "/calling-off", response_model=MatchOut, summary="Leave a match with fewer than two moves; it does not count"
    )
    async def call_off(id: Id, wish: At, request: Request) -> Response:  # noqa: A002
        owner = await _owner(site, request)
        return await answer_with(site, owner, lambda: table.call_off(id, owner, wish.moment))

    @router.post("/claim", response_model=MatchOut, summary="Claim a match that the other has left for long")
    async def claim(id: Id, wish: ClaimRequest, request: Request) -> Response:  # noqa: A002
        owner = await _owner(site, request)
        return await answer_with(site, owner, lambda: table.claim(id, owner, wish.result == "win", wish.moment))

    @router.post(
        "/coach", response_model=MatchOut, summary="Say whether you would have the coach in a match between two"
    )
    async def coach(id: Id, wish: Consent, request: Request) -> Response:  # noqa: A002
        owner = await _owner(site, request)
        return await answer_with(site, owner, lambda: table.agree_to_coach(id, owner, wish.coach))

    @router.post(
        "/next",
        response_model=MatchOut,
        summary="Another round between the same two: the new one once both want it, else this",
    )
    async def next_round(id: Id, request: Request) -> Response:  # noqa: A002
        owner = await _owner(site, request)
        await in_thread(site.creations.take, asker_of(request))
        return await answer_with(site, owner, lambda: site.desk.seating(table.play_again(id, owner) or id))

    @router.post("/device", summary="A ticket that moves your seat to another client")
    async def device(id: Id, request: Request) -> NewTicket:  # noqa: A002
        await _owner(site, request)
        made = await in_thread(links.make, id, token_of(request))
        return NewTicket(ticket=made.secret, minutes=made.minutes)

    @router.post("/device/seat", summary="Take a seat with such a ticket; whoever had it watches from then on")
    async def take_seat(id: Id, wish: SeatTicket, request: Request) -> SeatOut:  # noqa: A002
        token = bearer_of(request) or new_token()

        def work() -> SeatOut:
            with site.guessing(request):
                links.use(id, wish.ticket, hashed(token))
            seating = site.desk.seating(id)
            seat = seating.seats(hashed(token))[0]
            return SeatOut(seat=seat, token=token, invitation=None, match=match_out(site, seating, hashed(token)))

        return await in_thread(work)

    return router


async def _owner(site: Site, request: Request) -> str | None:
    """Who asks, within the limits of how often."""
    await in_thread(site.sayings.take, asker_of(request))
    return owner_of(request)
