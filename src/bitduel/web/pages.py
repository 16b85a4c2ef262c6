"""The pages about games: home, a game with its options, and any position of it."""

import logging
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote, urlencode

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from bitduel.core.advice import told
from bitduel.core.errors import BitduelError, NotSolvedError
from bitduel.core.game import Game
from bitduel.core.judge import Judge
from bitduel.core.match import Match
from bitduel.core.options import Choice, Option, Whole
from bitduel.core.words import PLAYERS
from bitduel.games import Kind, find, shelf
from bitduel.paint.board import miniature_svg
from bitduel.paint.chart import chart_svg
from bitduel.players import COMPUTERS
from bitduel.solve.chart import chart
from bitduel.solve.oracle import TableJudge, oracle
from bitduel.solve.position import judgement, stand
from bitduel.web import show
from bitduel.web.desk import make_game
from bitduel.web.site import Site, address, form_of, in_thread, options_of, own_token, remember, status_of

LEVELS = [{"name": computer.name, "about": computer.about} for computer in COMPUTERS[:4]]
log = logging.getLogger("bitduel.web")
FRAMES = 5
LONGEST_FILM = 40
LONGEST_MOVES = 4000


class Pages:
    """Endpoints about games."""

    def __init__(self, site: Site) -> None:
        self.site = site

    async def home(self, request: Request) -> Response:
        """The five games."""
        return self._ready("/", self._home)

    async def game(self, request: Request) -> Response:
        """One game: rules, readings as options, who should win."""
        kind = find(request.path_params["slug"])
        if request.query_params:
            return await in_thread(self._game, kind, dict(request.query_params))
        return self._ready(f"/games/{kind.slug}", lambda: self._game(kind, {}))

    async def play(self, request: Request) -> Response:
        """Open a table as the form says."""
        kind = find(request.path_params["slug"])
        fields = await form_of(request)
        token = own_token(request)
        try:
            self.site.creations.take(address(request))
            made = await in_thread(self._create, kind, fields, token)
        except BitduelError as error:
            return await in_thread(self._game, kind, fields, error)
        return remember(request, RedirectResponse(f"/matches/{made}", 303), token)

    async def position(self, request: Request) -> Response:
        """Any position of a game, with what every move is worth."""
        kind = find(request.path_params["slug"])
        return await in_thread(self._position, kind, dict(request.query_params), str(request.url))

    def _home(self) -> HTMLResponse:
        return self.site.page("home.html", games=list(_cards()), levels=LEVELS)

    def _ready(self, path: str, make: Callable[[], HTMLResponse]) -> Response:
        """A page that is the same for everybody is made once, under the one address that is its own."""
        pages = self.site.ready_pages
        if path not in pages:
            pages[path] = bytes(make().body)
        return HTMLResponse(pages[path])

    def _create(self, kind: Kind, fields: dict[str, str], token: str) -> str:
        game = make_game(kind, options_of(fields))
        names = (fields.get("name", "").strip() or None, fields.get("name2", "").strip() or None)
        return self.site.desk.create(game, fields.get("opponent", ""), fields.get("first", "toss"), names, token)

    def _game(self, kind: Kind, fields: dict[str, str], error: BitduelError | None = None) -> HTMLResponse:
        try:
            game = make_game(kind, options_of(fields))
        except BitduelError as wrong:
            game, error = kind(), error or wrong
        match = Match(game, deal=game.any_deal())
        judge = _judge(game)
        picture = chart(judge) if isinstance(judge, TableJudge) else None
        return self.site.page(
            "game.html",
            code=status_of(error) if error else 200,
            game=kind,
            rules=game.words.rules(),
            readings=game.words.readings,
            fields=[_field(option, fields) for option in kind.declared],
            error=str(error) if error else None,
            levels=LEVELS,
            verdict=_verdict(game, match) if judge else None,
            choices=show.choices(judge, match) if judge else [],
            chart=Markup(chart_svg(picture)) if picture else None,
            position_url=show.position_url(match),
            **show.board(game, match.view(1), PLAYERS),
        )

    def _position(self, kind: Kind, fields: dict[str, str], share: str) -> HTMLResponse:
        try:
            game = make_game(kind, options_of(fields))
            match = stand(game, fields.get("moves", "")[:LONGEST_MOVES])
            error = None
        except BitduelError as wrong:
            game, error = kind(), wrong
            match = Match(game, deal=game.any_deal())
        view = match.view(match.next_seat)
        judge = _judge(game)
        rows = show.choices(judge, match) if judge else []
        known = not error and (not game.chance or game.fixed_deal is not None)
        choices = [row._replace(url=_step(fields, [*match.moves, row.move]) if known else None) for row in rows]
        return self.site.page(
            "position.html",
            code=status_of(error) if error else 200,
            game=kind,
            moves=", ".join(match.moves),
            verdict=_verdict(game, match) if judge else None,
            choices=choices,
            back_url=_step(fields, match.moves[:-1]) if match.moves else None,
            share=share,
            error=str(error) if error else None,
            **show.board(game, view, PLAYERS),
        )


def _judge(game: Game[Any]) -> Judge | None:
    """Who knows what the moves of a game are worth; nobody in some."""
    try:
        return oracle(game)
    except NotSolvedError:
        return None


def _step(fields: dict[str, str], moves: list[str]) -> str:
    """The address of another position of the same game."""
    options = {name: value for name, value in fields.items() if name.startswith("opt-")}
    return "?" + urlencode({**options, "moves": ", ".join(moves)}, quote_via=quote)


def _verdict(game: Game[Any], match: Match) -> str:
    if match.outcome:
        return " ".join(line.strip("- ") for line in game.words.end(match.outcome, PLAYERS) if line.strip("- "))
    return f"{PLAYERS[match.next_seat - 1]} is to move and {told(judgement(match).worth)}."


def _cards() -> Iterator[dict[str, object]]:
    """Every game as a card; one from outside that fails does not take the others down with it."""
    for kind in shelf():
        try:
            yield _card(kind)
        except Exception as error:
            # A stranger's game can fail in any way.
            log.error("the game %s is left out at home: %s: %s", kind.slug, type(error).__name__, error)


def _card(kind: Kind) -> dict[str, object]:
    return {"slug": kind.slug, "title": kind.title, "aim": kind.aim, "frames": _frames(kind())}


def _frames(game: Game[Any]) -> list[Markup]:
    """A few positions of sensible play, spread over a whole match."""
    match = Match(game, deal=game.any_deal())
    judge = _judge(game)
    frames: list[Markup] = []
    while match.to_move and match.ply < LONGEST_FILM:
        frames.append(miniature_svg(game.picture(match.view(1), PLAYERS)))
        mixture = judge.mixture(match.view(match.to_move)) if judge else dict.fromkeys(match.legal[-1:], 1.0)
        match.play(max(mixture, key=lambda move: mixture[move]))
    return [frames[i * (len(frames) - 1) // (FRAMES - 1)] for i in range(FRAMES)]


def _field(option: Option, fields: dict[str, str]) -> dict[str, object]:
    """An option as a field of a form, built from its declaration."""
    value = fields.get(f"opt-{option.name}", "").strip() or option.default
    known = {"name": f"opt-{option.name}", "option": option.name, "help": option.help, "value": value}
    nothing: dict[str, object] = {"kind": "text", "low": None, "high": None, "choices": []}
    if isinstance(option, Whole):
        high = min(option.high, option.quick or option.high)
        return {**nothing, **known, "kind": "number", "low": option.low, "high": high}
    if isinstance(option, Choice):
        return {**nothing, **known, "kind": "choice", "choices": list(option.choices.items())}
    return {**nothing, **known}
