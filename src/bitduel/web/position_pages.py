"""The pages of positions: any position with the value of every move, and all positions of a small game in a chart.

In a game with hidden information a position is what one player knows, and the page follows what that player sees.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from bitduel.core.errors import BitduelError, NotSolvedError
from bitduel.core.evaluation import Evaluator, best_choices
from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.core.phrases import evaluation_phrase, settings_phrase
from bitduel.core.words import PLAYERS
from bitduel.games.registry import GameClass, find
from bitduel.learning.hints import explain_moves, hint_sentences
from bitduel.service.new_match import make_game
from bitduel.solver.analysis import analyse_position, match_after
from bitduel.solver.atlas import position_chart
from bitduel.solver.belief_tracking import InformationSet, information_set
from bitduel.solver.evaluators import TableEvaluator, evaluator_for
from bitduel.web import boards, link_previews
from bitduel.web.position_editor import (
    PositionEditor,
    PositionForm,
    knowledge_editor,
    line_to_key,
    line_to_knowledge,
    line_to_position,
    position_editor,
    submitted_form,
)
from bitduel.web.site import SitePages, in_turn, options_of
from bitduel.web.start_form import USUAL_LEVEL, levels_in, play_on_fields

LONGEST_MOVES = 4000
ALWAYS = 0.9995
"""The smallest share of a move that is 100% as far as three digits tell."""
SEATS = {"1": "first", "2": "second"}


class PositionPages(SitePages):
    """The endpoints about positions."""

    async def position(self, request: Request) -> Response:
        """Show any position of a game with the value of every move."""
        kind = find(request.path_params["slug"])
        fields, base = dict(request.query_params), self.site.addresses.base(request.scope)
        form = submitted_form(request.query_params.multi_items())
        return await in_turn(self.shared, request, self._position, kind, fields, form, str(request.url), base)

    async def chart(self, request: Request) -> Response:
        """Show every position of a small game by who wins there."""
        kind = find(request.path_params["slug"])
        return await in_turn(self.shared, request, self._chart, kind, dict(request.query_params))

    def _position(
        self, kind: GameClass, fields: dict[str, str], form: PositionForm | None, here: str, base: str
    ) -> Response:
        game, error = game_or_default(kind, fields)
        try:
            if (fields.get("at") or form is not None) and not error:
                return RedirectResponse(f"/games/{kind.slug}/position{_address_of(game, fields, form)}", 303)
            page = position_page(game, {} if error else fields)
        except BitduelError as caught:
            error, page = caught, position_page(game, _options(fields), form)
        return self.site.page(
            "position.html",
            game=kind,
            e=page,
            start_url=position_query(fields, [], **({"seat": "2"} if fields.get("seat") == "2" else {})),
            levels=levels_in(game),
            usual=USUAL_LEVEL,
            share=here,
            card=None if error else link_previews.position_card(base, game, page.caption, fields),
            error=error,
        )

    def _chart(self, kind: GameClass, fields: dict[str, str]) -> HTMLResponse:
        game, error = game_or_default(kind, fields)
        evaluator = find_evaluator(game)
        chart = position_chart(evaluator) if isinstance(evaluator, TableEvaluator) else None
        return self.site.page(
            "chart.html",
            code=200 if chart or error else 404,
            game=kind,
            options=settings_phrase(game),
            chart=chart,
            axes=[game.words.fields.get(title, title) for title in (chart.across_title, chart.down_title)]
            if chart
            else [],
            pads=chart.wrapped()[0].count(None) if chart and not chart.down else 0,
            base=f"/games/{kind.slug}/position{position_query(fields, [])}",
            evaluation_phrase=evaluation_phrase,
            error=error,
        )


class PositionPage(NamedTuple):
    """The content of the page of a position."""

    board: Markup
    caption: str
    verdict: str | None
    choices: list[boards.MoveRow]
    trail: list[tuple[str, str, str]]
    """The moves that led here: the move, the feedback to it, and the address to go back to."""
    back_url: str | None
    is_hidden: bool = False
    """Whether a hidden deal makes the position a player's knowledge."""
    is_mixed: bool = False
    """Whether the players see different things, so that best play is mixed."""
    seats: tuple[tuple[str, str, bool], ...] = ()
    """The players whose knowledge it can be: the words, the address, and whether it is this one."""
    deals: int = 0
    play_on: dict[str, str] | None = None
    """The fields of a form that starts a match from here."""
    why: tuple[str, ...] = ()
    """The hint for the player to move: the plan, and the law."""
    mover: str = ""
    editor: PositionEditor | None = None


def find_evaluator(game: Game[Any]) -> Evaluator | None:
    """Return the evaluator of a game; None for a game that is not solved."""
    try:
        return evaluator_for(game)
    except NotSolvedError:
        return None


def game_or_default(kind: GameClass, fields: Mapping[str, str]) -> tuple[Game[Any], BitduelError | None]:
    """Return the game with the options among some fields, or with its defaults and the error of the options."""
    try:
        return make_game(kind, options_of(fields)), None
    except BitduelError as error:
        return kind(), error


def position_query(fields: Mapping[str, str], moves: Sequence[str], **more: str) -> str:
    """Return the query of another position of the same game."""
    query = {**_options(fields), **more, "moves": ", ".join(moves)}
    return "?" + urlencode({name: value for name, value in query.items() if value != ""}, quote_via=quote)


def verdict_of(match: Match) -> str:
    """Return the sentence that says who should win, or who has won."""
    if match.outcome:
        lines = match.game.words.end(match.outcome, PLAYERS)
        return " ".join(line.strip("- ") for line in lines if line.strip("- "))
    return f"{PLAYERS[match.next_seat - 1]} moves next and {evaluation_phrase(analyse_position(match).evaluation)}."


def position_page(game: Game[Any], fields: Mapping[str, str], form: PositionForm | None = None) -> PositionPage:
    """Return the page of an address; a form that was submitted in vain is shown again."""
    return _hidden_page(game, fields, form) if _is_dealt(game) else _open_page(game, fields, form)


def _is_dealt(game: Game[Any]) -> bool:
    return game.has_chance and game.fixed_deal is None


def _options(fields: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in fields.items() if name.startswith("opt-")}


def _address_of(game: Game[Any], fields: Mapping[str, str], form: PositionForm | None) -> str:
    """Return the query of a position that was set up in a form, or named by its key."""
    if form is None:
        return position_query(fields, line_to_key(game, fields.get("at", "")))
    if _is_dealt(game):
        moves, deal, seat = line_to_knowledge(game, form)
        return position_query(fields, moves, seat=seat, deal=deal if moves else "")
    return position_query(fields, line_to_position(game, form))


def _open_page(game: Game[Any], fields: Mapping[str, str], form: PositionForm | None) -> PositionPage:
    match = match_after(game, fields.get("moves", "")[:LONGEST_MOVES])
    evaluator, view, played = find_evaluator(game), match.view(match.next_seat), match.moves
    keys = boards.keys(game)
    rows = boards.move_rows(evaluator, game, view) if evaluator else []
    return PositionPage(
        **boards.board(game, view, PLAYERS),
        verdict=verdict_of(match) if evaluator else None,
        choices=[row._replace(url=position_query(fields, [*played, row.move]), key=keys.get(row.move)) for row in rows],
        trail=[(move, "", position_query(fields, played[: ply + 1])) for ply, move in enumerate(played)],
        back_url=position_query(fields, played[:-1]) if played else None,
        play_on=play_on_fields(match, match.next_seat),
        why=_explanation(evaluator, match) if evaluator and match.to_move else (),
        mover=PLAYERS[match.next_seat - 1],
        editor=position_editor(match, form, _options(fields)),
    )


def _explanation(evaluator: Evaluator, match: Match) -> tuple[str, ...]:
    """Return the sentences of a hint without the best moves, which are starred."""
    explained = explain_moves(evaluator, match)
    return tuple(hint_sentences(explained, [boards.label(each.choice.move) for each in explained])[1:])


def _hidden_page(game: Game[Any], fields: Mapping[str, str], form: PositionForm | None) -> PositionPage:
    line = [" ".join(move.lower().split()) for move in fields.get("moves", "")[:LONGEST_MOVES].split(",")]
    line = [move for move in line if move]
    seat = 2 if game.is_hidden and fields.get("seat") == "2" else 1
    own = {"seat": str(seat)} if game.is_hidden else {}
    known = information_set(game, seat, line, fields.get("deal", "")[:LONGEST_MOVES])
    evaluator = find_evaluator(game)
    trail = [
        (move, text, position_query(fields, line[: ply + 1], **own, deal=known.deal))
        for ply, (move, text) in enumerate(zip(line, known.feedback(), strict=True))
    ]
    seats = [(f"You go {when}", position_query(fields, [], seat=n), n == str(seat)) for n, when in SEATS.items()]
    deal = known.deal if line[:-1] else ""
    return PositionPage(
        **boards.board(game, known.view, PLAYERS),
        verdict=_chance_text(known, evaluator) if evaluator else None,
        choices=_hidden_rows(known, evaluator, fields, own) if evaluator else [],
        trail=trail,
        back_url=position_query(fields, line[:-1], **own, deal=deal) if line else None,
        is_hidden=True,
        is_mixed=game.is_hidden,
        seats=tuple(seats) if game.is_hidden else (),
        deals=len(known.matches),
        editor=knowledge_editor(game, known.view, form, _options(fields)) if evaluator else None,
    )


def _chance_text(known: InformationSet, evaluator: Evaluator) -> str:
    best = best_choices(evaluator.choices(known.view))[0]
    return f"{PLAYERS[known.seat - 1]} moves next and {evaluation_phrase(best.evaluation)}."


def _hidden_rows(
    known: InformationSet, evaluator: Evaluator, fields: Mapping[str, str], own: dict[str, str]
) -> list[boards.MoveRow]:
    """Return every move with how often best play makes it, its value, and the feedback that may follow."""
    game, policy = known.matches[known.deal].game, evaluator.policy(known.view)

    def answers(move: str) -> tuple[boards.FeedbackLink, ...]:
        line = [*known.line, move]
        return tuple(
            boards.FeedbackLink(
                each.text,
                each.deal_count,
                None if each.outcome else position_query(fields, line, **own, deal=each.deal),
            )
            for each in known.possible_feedback(move)
        )

    return [
        row._replace(share=_share_text(policy.get(row.move, 0.0)) if game.is_hidden else "", answers=answers(row.move))
        for row in boards.move_rows(evaluator, game, known.view)
    ]


def _share_text(share: float) -> str:
    return "never" if share == 0 else "always" if share >= ALWAYS else f"{share:.1%} of the time"
