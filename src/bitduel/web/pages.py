"""The pages about games: home, a game with its options, any position of it, and the whole of it in one picture."""

import logging
from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from bitduel.core.errors import BitduelError, UnknownNameError
from bitduel.core.game import Game
from bitduel.core.hints import told
from bitduel.core.match import Match
from bitduel.core.words import PLAYERS
from bitduel.games import Kind, find, shelf
from bitduel.players import COMPUTERS
from bitduel.service.match_service import make_game
from bitduel.solver.chart import chart, has_chart
from bitduel.solver.evaluators import TableEvaluator
from bitduel.solver.position import stand
from bitduel.web import boards, link_previews
from bitduel.web.animations import film
from bitduel.web.editor import Placed, placed_in
from bitduel.web.explorer import LONGEST_MOVES, address, explorer, judge_of, line_to, verdict_of
from bitduel.web.page_cache import ORIGIN, addressed
from bitduel.web.site import Site, asker_of, form_of, in_thread, in_turn, options_of, own_token, remember, status_of
from bitduel.web.start_form import FIRST, names_in, opponent_in, start_form

LEVELS = [{"name": computer.name, "about": computer.about} for computer in COMPUTERS[:4]]
USUAL = LEVELS[1]["name"]
"""Whom one plays against who has not said."""
LOOKS = {"light": (False, False), "dark": (True, False), "light-still": (False, True), "dark-still": (True, True)}
"""The looks of a film: whether it is dark, and whether it stands still."""
DAY = {"cache-control": "public, max-age=86400"}
log = logging.getLogger("bitduel.web")


class Pages:
    """Endpoints about games."""

    def __init__(self, site: Site) -> None:
        self.site = site

    async def home(self, request: Request) -> Response:
        """The five games."""
        return self._ready(request, "/", self._home)

    async def film(self, request: Request) -> Response:
        """A whole match of a game as a small moving picture."""
        kind, look = find(request.path_params["slug"]), LOOKS.get(request.path_params["look"])
        if look is None:
            raise UnknownNameError("There is nothing here.")
        return await in_thread(self._film, kind, *look)

    async def game(self, request: Request) -> Response:
        """One game: rules, readings as options, who should win."""
        kind = find(request.path_params["slug"])
        if request.query_params:
            return await in_turn(
                self._game, kind, dict(request.query_params), base=self.site.addresses.base(request.scope)
            )
        return self._ready(request, f"/games/{kind.slug}", lambda: self._game(kind, {}))

    async def play(self, request: Request) -> Response:
        """Open a table as the form says."""
        kind = find(request.path_params["slug"])
        fields = await form_of(request)
        token = own_token(request)
        try:
            await in_thread(self.site.creations.take, asker_of(request))
            made = await in_thread(self._create, kind, fields, token)
        except BitduelError as error:
            return await in_turn(self._game, kind, fields, error)
        return remember(request, RedirectResponse(f"/matches/{made}", 303), token)

    async def position(self, request: Request) -> Response:
        """Any position of a game, with what every move is worth."""
        kind = find(request.path_params["slug"])
        fields, base = dict(request.query_params), self.site.addresses.base(request.scope)
        placed = placed_in(request.query_params.multi_items())
        return await in_turn(self._position, kind, fields, placed, str(request.url), base)

    async def chart(self, request: Request) -> Response:
        """Every position of a small game by who wins there."""
        kind = find(request.path_params["slug"])
        return await in_turn(self._chart, kind, dict(request.query_params))

    def _home(self) -> HTMLResponse:
        card = link_previews.home_card(ORIGIN)
        return self.site.page("home.html", games=shelf(), levels=LEVELS, usual=USUAL, card=card)

    def _film(self, kind: Kind, dark: bool, still: bool) -> Response:
        try:
            return Response(film(kind, dark, still), media_type="image/svg+xml", headers=DAY)
        except Exception as error:
            # A stranger's game can fail in any way.
            log.error("the game %s has no film: %s: %s", kind.slug, type(error).__name__, error)
            raise UnknownNameError("There is no film of this game.") from error

    def _ready(self, request: Request, path: str, make: Callable[[], HTMLResponse]) -> Response:
        """A page that is the same for everybody is made once, under the one address that is its own."""
        pages = self.site.ready_pages
        if path not in pages:
            pages[path] = bytes(make().body)
        return HTMLResponse(addressed(pages[path], self.site.addresses.base(request.scope)))

    def _create(self, kind: Kind, fields: dict[str, str], token: str) -> str:
        game = make_game(kind, options_of(fields))
        moves = stand(game, fields["moves"][:LONGEST_MOVES]).moves if fields.get("moves") else ()
        names, first = names_in(fields), fields.get("first", "toss")
        return self.site.desk.create(game, opponent_in(fields), first, names, token, moves)

    def _game(
        self, kind: Kind, fields: dict[str, str], error: BitduelError | None = None, base: str = ORIGIN
    ) -> HTMLResponse:
        game, error = _made(kind, fields, error)
        match = Match(game, deal=game.any_deal())
        judge = judge_of(game)
        return self.site.page(
            "game.html",
            code=status_of(error) if error else 200,
            game=kind,
            goal=game.goal,
            rules=game.words.rules(),
            lesson=kind.lesson(),
            readings=game.words.readings,
            form=start_form(kind, fields, error),
            moves=fields.get("moves", "")[:LONGEST_MOVES],
            starters=FIRST,
            levels=LEVELS,
            shown=fields.get("show") == "verdict" and not error,
            verdict=verdict_of(match) if judge else None,
            choices=boards.choices(judge, match) if judge else [],
            chart_url=_chart_url(game, fields) if has_chart(judge) else None,
            position_url=boards.position_url(match),
            card=None if error else link_previews.game_card(base, game, fields),
            **boards.board(game, match.view(1), PLAYERS),
        )

    def _position(self, kind: Kind, fields: dict[str, str], placed: Placed | None, here: str, base: str) -> Response:
        game, error = _made(kind, fields, None)
        try:
            if (fields.get("at") or placed is not None) and not error:
                return RedirectResponse(f"/games/{kind.slug}/position{line_to(game, fields, placed)}", 303)
            found = explorer(game, {} if error else fields)
        except BitduelError as wrong:
            error, kept = wrong, {name: value for name, value in fields.items() if name.startswith("opt-")}
            found = explorer(game, kept, placed)
        return self.site.page(
            "position.html",
            code=status_of(error) if error else 200,
            game=kind,
            e=found,
            start_url=address(fields, [], **({"seat": fields["seat"]} if fields.get("seat") == "2" else {})),
            levels=LEVELS,
            usual=USUAL,
            share=here,
            card=None if error else link_previews.position_card(base, game, found.caption, fields),
            error=str(error) if error else None,
        )

    def _chart(self, kind: Kind, fields: dict[str, str]) -> HTMLResponse:
        game, error = _made(kind, fields, None)
        judge = judge_of(game)
        found = chart(judge) if isinstance(judge, TableEvaluator) else None
        return self.site.page(
            "chart.html",
            code=status_of(error) if error else 200 if found else 404,
            game=kind,
            options=boards.shown_options(game, game.open_options),
            chart=found,
            pads=found.wrapped()[0].count(None) if found and not found.down else 0,
            base=f"/games/{kind.slug}/position{address(fields, [])}",
            told=told,
            error=str(error) if error else None,
        )


def _made(kind: Kind, fields: dict[str, str], error: BitduelError | None) -> tuple[Game[Any], BitduelError | None]:
    """The game as the fields say, or as it is by default with what is wrong with them."""
    try:
        return make_game(kind, options_of(fields)), error
    except BitduelError as wrong:
        return kind(), error or wrong


def _chart_url(game: Game[Any], fields: dict[str, str]) -> str:
    return f"/games/{game.slug}/chart{address(fields, [])}"
