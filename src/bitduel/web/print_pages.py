"""The page with the sheets of a game to print: rules, worksheet, answers and pieces to cut out."""

from functools import lru_cache

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from bitduel.core.errors import BitduelError
from bitduel.core.options import OptionValue
from bitduel.core.phrases import game_phrase
from bitduel.games.registry import GameClass, find
from bitduel.learning.print_sheets import (
    ALL,
    PAPERS,
    available_sheets,
    check_paper,
    chosen_kinds,
    game_address,
    make_sheets,
    sheets_html,
)
from bitduel.service.new_match import make_game
from bitduel.web.http.addresses import opens_here_only
from bitduel.web.site import SitePages, in_turn, options_of
from bitduel.web.start_form import start_form


class PrintPages(SitePages):
    """The endpoint of sheets to print."""

    async def show(self, request: Request) -> Response:
        """Show the sheets that were chosen, ready to print, below the form that chooses others."""
        kind, fields = find(request.path_params["slug"]), dict(request.query_params)
        base = self.site.addresses.base(request.scope)
        return await in_turn(self.shared, request, self._show, kind, fields, base)

    def _show(self, kind: GameClass, fields: dict[str, str], base: str) -> Response:
        sheet, paper = fields.get("sheet", ALL), fields.get("paper", "a4")
        choices = {ALL: "All of them", **available_sheets(kind)}
        error, sheets, title = None, Markup(""), kind.title
        try:
            kinds, paper = chosen_kinds(kind, sheet), check_paper(paper)
            game = make_game(kind, options_of(fields))
            title = game_phrase(game)
            address = "" if opens_here_only(base) else game_address(base, game)
            sheets = _sheets(kind, tuple(game.options.items()), kinds, "answers" in fields, paper, address)
        except BitduelError as caught:
            error = caught
        form = start_form(kind, fields, error)
        return self.site.page(
            "print.html",
            error=error,
            game=kind,
            title=title,
            sheets=sheets,
            form=form,
            choices=choices,
            sheet=sheet if sheet in choices else ALL,
            papers=PAPERS,
            paper=paper if paper in PAPERS else "a4",
            has_answers="answers" in fields,
        )


@lru_cache(maxsize=64)
def _sheets(
    kind: GameClass,
    options: tuple[tuple[str, OptionValue], ...],
    kinds: tuple[str, ...],
    has_answers: bool,
    paper: str,
    address: str,
) -> Markup:
    game = kind(**dict(options))
    return sheets_html(game, make_sheets(game, kinds, has_answers, address), paper, address)
