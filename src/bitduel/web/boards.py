"""What the pages show of a match: everything from views, words and pictures; nothing from positions."""

from typing import Any, NamedTuple, TypedDict
from urllib.parse import quote, urlencode

from markupsafe import Markup

from bitduel.core.evaluator import Evaluator, best
from bitduel.core.game import PASS, Game
from bitduel.core.hints import told
from bitduel.core.match import Match
from bitduel.core.options import Setting
from bitduel.core.view import View
from bitduel.core.words import Names
from bitduel.rendering.board import board_svg, open_board_svg, open_svg, picture_svg
from bitduel.rendering.choices import BoardChoices
from bitduel.service.messages import label as label


class Board(TypedDict):
    """The picture of a view and its caption."""

    board: Markup
    caption: str


class MoveRow(NamedTuple):
    """A move with where it leads and what it is worth; the address is of the position after it."""

    move: str
    label: str
    worth: str
    best: bool
    leads: str = ""
    url: str | None = None
    sign: str = ""


def shown_options(game: Game[Any], options: dict[str, Setting]) -> str:
    """The options that were chosen otherwise than by default, as people read them."""
    usual = {option.name: option.default for option in game.declared}
    return ", ".join(f"{name}={value}" for name, value in options.items() if value != usual[name])


def board(game: Game[Any], view: View, names: Names, notes: bool = True, choices: BoardChoices | None = None) -> Board:
    """The picture of a view and its caption, with what a player could also keep in mind or without; or to play on."""
    picture = game.picture(view, names)
    picture = picture if notes else picture.without_notes()
    if game.hidden:
        drawn = picture_svg(picture) if choices is None else board_svg(picture, choices)
    else:
        drawn = open_svg(picture) if choices is None else open_board_svg(picture, tuple(choices.values()))
    return {"board": drawn, "caption": picture.caption}


def choices(judge: Evaluator, match: Match) -> list[MoveRow]:
    """What every move is worth at a position where everything is open to whoever looks."""
    if not match.to_move:
        return []
    view = match.view(match.to_move)
    judged = judge.choices(view)
    good = {choice.move for choice in best(judged)}
    words = match.game.words
    leads = {move: "" if move == PASS else words.leads(view, move) for move in view.legal}
    return [MoveRow(c.move, label(c.move), told(c.worth), c.move in good, leads[c.move]) for c in judged]


def position_url(match: Match) -> str:
    """The address of the position of a match; of one in the dark that still goes on, of its start."""
    view = match.view(None)
    options = match.game.dealt(view.deal).options if view.deal else view.options
    chosen = {f"opt-{name}": value for name, value in options.items() if value != ""}
    known = view.history and (view.over or not match.game.chance)
    moves = {"moves": ", ".join(view.history)} if known else {}
    return f"/games/{match.game.slug}/position?{urlencode({**chosen, **moves}, quote_via=quote)}"
