"""The page of the lobby, where people look for an opponent; without scripts it loads itself again."""

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from bitduel.core.errors import BitduelError
from bitduel.games.registry import all_games, find
from bitduel.service.clocks import settings_text
from bitduel.service.credentials import hashed
from bitduel.service.lobby import CLOCK, COME_WITHIN, COMPUTER_AFTER, LobbyService, LobbyState, NotWaitingError
from bitduel.web.http.clients import client_of, owner_of
from bitduel.web.site import Site, form_of, in_thread, own_token, remember
from bitduel.web.start_form import USUAL_LEVEL


class LobbyPages:
    """The endpoints of the lobby."""

    def __init__(self, site: Site, lobby: LobbyService) -> None:
        self.site = site
        self.lobby = lobby

    async def show(self, request: Request) -> Response:
        """Show the queue to who waits, lead who was paired to the match, and offer all games to others."""
        state = await in_thread(self._state, request)
        if state and state.match_id:
            return RedirectResponse(f"/matches/{state.match_id}", 303)
        return self._page(request, state)

    async def enter(self, request: Request) -> Response:
        """Begin to look for an opponent."""
        fields = await form_of(request)
        token = own_token(request)
        try:
            await in_thread(self.site.creation_quota.take, client_of(request))
            state = await in_thread(self.lobby.enter, hashed(token), fields.get("game") or None)
        except BitduelError as error:
            return self._page(request, None, error)
        there = f"/matches/{state.match_id}" if state.match_id else "/lobby"
        return remember(request, RedirectResponse(there, 303), token)

    async def leave(self, request: Request) -> Response:
        """Stop looking."""
        if owner := owner_of(request):
            await in_thread(self.lobby.leave, owner)
        return RedirectResponse("/lobby", 303)

    async def state(self, request: Request) -> Response:
        """Send what a script has to know: whether this browser waits, or which match was found."""
        state = await in_thread(self._state, request)
        found = {"state": "none"} if state is None else {"state": "waiting", "waited": round(state.waited)}
        if state and state.match_id:
            session = await in_thread(self.site.service.session, state.match_id)
            found = {"state": "paired", "url": f"/matches/{state.match_id}", "title": session.match.game.title}
        return JSONResponse(found, headers={"cache-control": "no-store"})

    def _state(self, request: Request) -> LobbyState | None:
        """Return the state of this browser; None if it does not wait, or if the match it found is over."""
        owner = owner_of(request)
        if owner is None:
            return None
        try:
            state = self.lobby.poll(owner)
        except NotWaitingError:
            return None
        return None if state.match_id and self.site.service.session(state.match_id).match.outcome else state

    def _page(self, request: Request, state: LobbyState | None, error: BitduelError | None = None) -> Response:
        games = all_games()
        chosen = find(state.game) if state and state.game else None
        return self.site.page(
            "lobby.html",
            error=error,
            games=games,
            is_looking=state is not None,
            chosen=chosen,
            wanted=request.query_params.get("game"),
            waited=state.waited if state else 0,
            clock=settings_text(CLOCK),
            computer_after=COMPUTER_AFTER,
            come_within=COME_WITHIN,
            computer_game=chosen or next(iter(games)),
            level=USUAL_LEVEL,
        )
