"""Boards with their moves as pages show them: made from views, words and pictures, never from positions."""

from functools import lru_cache
from string import ascii_uppercase
from typing import Any, NamedTuple, TypedDict
from urllib.parse import quote, urlencode

from markupsafe import Markup

from bitduel.core.evaluation import Evaluator, best_choices
from bitduel.core.game import PASS, Game
from bitduel.core.match import Match
from bitduel.core.options import OptionValue
from bitduel.core.phrases import choice_phrases
from bitduel.core.view import View
from bitduel.core.words import PLAYERS, Names
from bitduel.rendering.board import board_html, marked_board_html, public_board_html
from bitduel.rendering.svg import BoardChoice, BoardChoices
from bitduel.service.messages import label as label

LETTERS = "qwertyuiopasdfghjklzxcvbnm"
"""The letters in the order of the keyboard, from below the digits."""
SPARE_KEYS = LETTERS + "1234567890" + ascii_uppercase


class Board(TypedDict):
    """The picture of a view and its caption."""

    board: Markup
    caption: str


class MoveRow(NamedTuple):
    """A move with what it leads to, its evaluation, and the address of the position after it."""

    move: str
    label: str
    worth: str
    best: bool
    leads: str = ""
    url: str | None = None
    sign: str = ""
    key: str | None = None
    share: str = ""
    """The share of best play that makes the move, where best play is mixed."""
    answers: tuple["FeedbackLink", ...] = ()


class FeedbackLink(NamedTuple):
    """Feedback after a move, the number of deals that give it, and the address of the line that goes on from it."""

    said: str
    deals: int
    url: str | None


class MoveButton(NamedTuple):
    """The button of a move: its texts, what it leads to, whether it is legal, and its evaluation for the coach."""

    move: str
    label: str
    key: str
    kind: str
    symbol: str = ""
    leads: str = ""
    legal: bool = False
    best: bool = False
    sign: str = ""

    @property
    def choice(self) -> BoardChoice:
        """The same move as a choice on the board."""
        return BoardChoice(self.move, self.label, self.leads, self.key, self.sign, self.best, self.symbol, self.legal)


def board(
    game: Game[Any],
    view: View,
    names: Names,
    notes: bool = True,
    choices: BoardChoices | None = None,
    you: int | None = None,
) -> Board:
    """Return the board of a view and its caption, with or without notes; with choices it is a board to play on.

    Where the picture does not offer every move, the choices are not on it: the page has other buttons for them.
    """
    picture = game.picture(view, names)
    picture = picture if notes else picture.without_notes()
    choices = choices if choices is not None and is_playable(game) else None
    if game.is_hidden:
        return {"board": board_html(picture, choices, you), "caption": picture.caption}
    drawn = public_board_html(picture, None if choices is None else tuple(choices.values()), you)
    return {"board": drawn, "caption": picture.caption}


def marked_board(game: Game[Any], view: View, names: Names, you: int) -> Markup:
    """Return the board of a view to look at, with marks where the moves lead."""
    picture = game.picture(view, names)
    if not is_playable(game):
        return board_html(picture, None, you)
    return marked_board_html(picture, {each.move: each.choice for each in move_buttons(game, view, [])}, you)


def is_playable(game: Game[Any]) -> bool:
    """Return whether every move can be made on the board, without other buttons."""
    return _is_playable(type(game), tuple(game.open_options.items()))


@lru_cache(maxsize=64)
def _is_playable(kind: type[Game[Any]], options: tuple[tuple[str, OptionValue], ...]) -> bool:
    view = _start(kind, options)
    return {*view.legal} <= {*kind(**dict(options)).picture(view, PLAYERS).moves}


def move_rows(evaluator: Evaluator, game: Game[Any], view: View) -> list[MoveRow]:
    """Return every legal move with its evaluation, from what a view shows."""
    if not view.legal:
        return []
    choices = evaluator.choices(view)
    best = {choice.move for choice in best_choices(choices)}
    leads = {move: "" if move == PASS else game.words.leads_to(view, move) for move in view.legal}
    return [
        MoveRow(c.move, label(c.move), phrase, c.move in best, leads[c.move])
        for c, phrase in zip(choices, choice_phrases(choices), strict=True)
    ]


def move_buttons(game: Game[Any], view: View, rows: list[MoveRow]) -> list[MoveButton]:
    """Return a button for every move, always in the same place, with the evaluations of the coach."""
    disabled = _disabled_buttons(type(game), tuple(game.open_options.items()))
    if not view.legal:
        return list(disabled)
    leads = {move: game.words.leads_to(view, move) for move in view.legal if move != PASS}
    buttons = [each._replace(leads=leads[each.move], legal=True) if each.move in leads else each for each in disabled]
    return _with_evaluations(buttons, rows) if rows else buttons


@lru_cache(maxsize=64)
def _disabled_buttons(kind: type[Game[Any]], options: tuple[tuple[str, OptionValue], ...]) -> tuple[MoveButton, ...]:
    """Return the buttons of a position in which no move is legal; secret options are not part of the cache."""
    game, keys = kind(**dict(options)), _keys(kind, options)
    moves = [move for move in game.moves if move != PASS]
    symbol = game.words.symbol
    return tuple([MoveButton(m, label(m), keys.get(m, ""), m.split()[0], symbol(m)) for m in moves])


def _with_evaluations(buttons: list[MoveButton], rows: list[MoveRow]) -> list[MoveButton]:
    """Return buttons with the evaluations of the coach; the best are marked where there are worse, or no others."""
    evaluated = {row.move: row for row in rows}
    has_worse = any(not row.best for row in rows) or len(rows) == 1
    return [
        button._replace(best=row.best and has_worse, sign=row.sign) if (row := evaluated.get(button.move)) else button
        for button in buttons
    ]


def keys(game: Game[Any]) -> dict[str, str]:
    """Return a key for every move: its first letter where these differ, else what is typed, else a spare key."""
    return _keys(type(game), tuple(game.open_options.items()))


@lru_cache(maxsize=64)
def _keys(kind: type[Game[Any]], options: tuple[tuple[str, OptionValue], ...]) -> dict[str, str]:
    """Return the keys; secret options are not part of the cache, since a fast answer would tell that they are equal."""
    view, words = _start(kind, options), kind(**dict(options)).words
    moves = [move for move in kind(**dict(options)).moves if move != PASS]
    letters = {move: move[0] for move in moves}
    if all(map(str.isalpha, letters.values())) and len({*letters.values()}) == len(moves):
        return letters
    keys: dict[str, str] = {}
    for move in moves:
        answer = words.answer(view, move) if move in view.legal else ""
        if len(answer) == 1 and answer not in keys.values():
            keys[move] = answer
    for move in moves:
        if move not in keys:
            free = [key for key in move[-1] + SPARE_KEYS if key.isalnum() and key not in keys.values()]
            keys |= {move: free[0]} if free else {}
    return {move: keys[move] for move in moves if move in keys}


def _start(kind: type[Game[Any]], options: tuple[tuple[str, OptionValue], ...]) -> View:
    """Return the first player's view of a new match."""
    game = kind(**dict(options))
    return Match(game, deal=game.any_deal()).view(1)


def position_url(match: Match) -> str:
    """Return the address of the position of a match; with hidden information and no result, of its start."""
    view = match.view(None)
    options = match.game.with_deal(view.deal).options if view.deal else view.options
    chosen = {f"opt-{name}": value for name, value in options.items() if value != ""}
    known = view.history and (view.over or not match.game.has_chance)
    moves = {"moves": ", ".join(view.history)} if known else {}
    return f"/games/{match.game.slug}/position?{urlencode({**chosen, **moves}, quote_via=quote)}"
