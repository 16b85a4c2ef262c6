"""The JSON API of what two players agree on: take-backs, draws, rematches, the coach, and moving a seat."""

from collections.abc import Callable

from fastapi import APIRouter, Request, Response

from bitduel.service.credentials import hashed, new_token
from bitduel.service.match_session import MatchSession
from bitduel.service.requests import AnswerRequest, ClaimRequest, CoachRequest, MomentRequest, SeatTicket
from bitduel.service.responses import MatchResponse, SeatResponse, SeatTicketResponse
from bitduel.web.api import ERRORS, Id, respond, seat_response
from bitduel.web.http.clients import bearer_of, client_of, owner_of, token_of
from bitduel.web.site import Site, in_thread


def offer_api(site: Site) -> APIRouter:
    """Return the routes of offers and of seats that move."""
    router = APIRouter(prefix="/api/v1/matches/{id}", responses=ERRORS)
    offers, links = site.offers, site.links

    async def act(request: Request, work: Callable[..., MatchSession], match_id: str, *args: object) -> Response:
        """Run work on a match for its owner, within the quota."""
        await in_thread(site.offer_quota.take, client_of(request))
        return await in_thread(respond, site, work, match_id, owner_of(request), *args)

    @router.post(
        "/take-back",
        response_model=MatchResponse,
        summary="Undo back to your last turn, or ask the other person to allow it",
    )
    async def take_back(id: Id, body: MomentRequest, request: Request) -> Response:  # noqa: A002 - named as in the path
        return await act(request, offers.take_back, id, body.moment)

    @router.post("/draw", response_model=MatchResponse, summary="Offer a draw, or accept your opponent's offer")
    async def draw(id: Id, body: MomentRequest, request: Request) -> Response:  # noqa: A002
        return await act(request, offers.offer_draw, id, body.moment)

    @router.post("/answer", response_model=MatchResponse, summary="Answer your opponent's request with yes or no")
    async def answer(id: Id, body: AnswerRequest, request: Request) -> Response:  # noqa: A002
        return await act(request, offers.answer, id, body.kind, body.yes, body.moment)

    @router.post("/withdrawal", response_model=MatchResponse, summary="Withdraw your own request")
    async def withdraw(id: Id, request: Request) -> Response:  # noqa: A002
        return await act(request, offers.withdraw, id)

    @router.post(
        "/calling-off",
        response_model=MatchResponse,
        summary="Cancel a match with fewer than two moves; it does not count",
    )
    async def call_off(id: Id, body: MomentRequest, request: Request) -> Response:  # noqa: A002
        return await act(request, site.service.call_off, id, body.moment)

    @router.post(
        "/claim", response_model=MatchResponse, summary="Claim a match because your opponent has been away too long"
    )
    async def claim(id: Id, body: ClaimRequest, request: Request) -> Response:  # noqa: A002
        return await act(request, offers.claim, id, body.result == "win", body.moment)

    @router.post(
        "/coach",
        response_model=MatchResponse,
        summary="Give or withdraw your consent to the coach in a match between two people",
    )
    async def coach(id: Id, body: CoachRequest, request: Request) -> Response:  # noqa: A002
        return await act(request, offers.agree_to_coach, id, body.coach)

    @router.post(
        "/next",
        response_model=MatchResponse,
        summary="Ask for another round; returns it once both players have asked",
    )
    async def next_round(id: Id, request: Request) -> Response:  # noqa: A002
        def play_again(match_id: str, owner: str | None) -> MatchSession:
            site.creation_quota.take(client_of(request))
            return site.service.session(offers.play_again(match_id, owner) or match_id)

        return await act(request, play_again, id)

    @router.post("/device", summary="Get a ticket that moves your seat to another client")
    async def device(id: Id, request: Request) -> SeatTicketResponse:  # noqa: A002
        await in_thread(site.offer_quota.take, client_of(request))
        link = await in_thread(links.make, id, token_of(request))
        return SeatTicketResponse(ticket=link.secret, minutes=link.minutes)

    @router.post("/device/seat", summary="Take over a seat with a ticket; its old owner can then only watch")
    async def take_seat(id: Id, body: SeatTicket, request: Request) -> SeatResponse:  # noqa: A002
        token = bearer_of(request) or new_token()

        def work() -> SeatResponse:
            with site.guessing(request):
                links.use(id, body.ticket, hashed(token))
            return seat_response(site, id, token)

        return await in_thread(work)

    return router
