"""The JSON API of the lobby, where programs look for an opponent."""

from fastapi import APIRouter, Request, Response

from bitduel.service.credentials import hashed, new_token
from bitduel.service.lobby import LobbyService, LobbyState, NotWaitingError
from bitduel.service.requests import LobbyRequest
from bitduel.service.responses import LobbyResponse
from bitduel.web.api import ERRORS, seat_response
from bitduel.web.http.clients import bearer_of, client_of
from bitduel.web.site import Site, in_thread

NO_TICKET = "Send the token that you got when you started looking, as Authorization: Bearer TOKEN."


def lobby_api(site: Site, lobby: LobbyService) -> APIRouter:
    """Return the routes of the lobby."""
    router = APIRouter(prefix="/api/v1", responses=ERRORS)

    def respond(token: str, state: LobbyState) -> LobbyResponse:
        seat = None
        if state.match_id:
            site.service.visit(state.match_id, hashed(token))
            seat = seat_response(site, state.match_id, token)
        found, waited = "paired" if seat else "waiting", round(state.waited, 1)
        return LobbyResponse(state=found, token=token, game=state.game, waited=waited, seat=seat)

    @router.post("/lobby", summary="Look for an opponent in one game or in any game")
    async def enter(body: LobbyRequest, request: Request) -> LobbyResponse:
        await in_thread(site.creation_quota.take, client_of(request))
        token = bearer_of(request) or new_token()
        return await in_thread(lambda: respond(token, lobby.enter(hashed(token), body.game)))

    @router.get("/lobby", summary="Check whether an opponent was found, at least every 10 seconds")
    async def look(request: Request) -> LobbyResponse:
        token = ticket(request)
        return await in_thread(lambda: respond(token, lobby.poll(hashed(token))))

    @router.delete("/lobby", status_code=204, response_class=Response, summary="Stop looking for an opponent")
    async def leave(request: Request) -> None:
        await in_thread(lobby.leave, hashed(ticket(request)))

    return router


def ticket(request: Request) -> str:
    """Return the secret that a program sends; raise NotWaitingError if it sends none."""
    token = bearer_of(request)
    if token is None:
        raise NotWaitingError(NO_TICKET)
    return token
