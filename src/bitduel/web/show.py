"""What the pages show of a match: everything from views, words and pictures; nothing from positions."""

from typing import Any, NamedTuple, TypedDict
from urllib.parse import quote, urlencode

from markupsafe import Markup

from bitduel.core.advice import told
from bitduel.core.game import PASS, Game
from bitduel.core.judge import Judge, best
from bitduel.core.match import Match
from bitduel.core.options import Setting
from bitduel.core.view import UNSEEN, View
from bitduel.core.words import Names
from bitduel.paint.board import picture_svg
from bitduel.web.desk import Seating


class Board(TypedDict):
    """The picture of a view and its caption."""

    board: Markup
    caption: str


class Told(NamedTuple):
    """A move with where it leads and what it is worth; the address is of the position after it."""

    move: str
    label: str
    worth: str
    best: bool
    leads: str = ""
    url: str | None = None


def shown_options(game: Game[Any], options: dict[str, Setting]) -> str:
    """The options that were chosen otherwise than by default, as people read them."""
    usual = {option.name: option.default for option in game.declared}
    return ", ".join(f"{name}={value}" for name, value in options.items() if value != usual[name])


def board(game: Game[Any], view: View, names: Names, notes: bool = True) -> Board:
    """The picture of a view and its caption, with what a player could also keep in mind or without."""
    picture = game.picture(view, names)
    picture = picture if notes else picture.without_notes()
    return {"board": picture_svg(picture), "caption": picture.caption}


def label(move: str) -> str:
    """A move as a button says it."""
    return move[:1].upper() + move[1:]


def said(seating: Seating, view: View) -> list[str]:
    """What was said after the last move, to whoever is looking."""
    match, names = seating.match, seating.kept.names
    if not match.moves:
        return [line for line in match.game.words.opening() if line]
    seat, move = match.seat_at(match.ply - 1), match.moves[-1]
    name = names[seat - 1]
    if move == PASS:
        return [match.game.words.passed(name)]
    if view.seat == seat:
        return match.game.words.played(match.view(seat), move, name)
    if view.history[-1] == UNSEEN:
        return [match.game.words.unseen(name)]
    return [f"{name}: {label(move)}."]


def ending(seating: Seating) -> list[str]:
    """How the match ended, and what may now be told."""
    match = seating.match
    assert match.outcome
    lines = [*match.game.words.end(match.outcome, seating.kept.names), *match.game.words.reveal(match.view(None))]
    return [line.strip("- ") for line in lines if line.strip("- ")]


def status(seating: Seating, view: View) -> str:
    """One sentence on where the match stands."""
    if seating.match.outcome:
        return " ".join(ending(seating))
    if seating.free_seat and view.to_move == seating.free_seat:
        return "Waiting for a friend to take the other seat."
    name = seating.kept.names[(view.to_move or 1) - 1]
    if view.seat == view.to_move:
        return f"{name}, it is your turn."
    return f"{name} is to move."


def choices(judge: Judge, match: Match) -> list[Told]:
    """What every move is worth at a position where everything is open to whoever looks."""
    if not match.to_move:
        return []
    view = match.view(match.to_move)
    judged = judge.choices(view)
    good = {choice.move for choice in best(judged)}
    words = match.game.words
    leads = {move: "" if move == PASS else words.leads(view, move) for move in view.legal}
    return [Told(c.move, label(c.move), told(c.worth), c.move in good, leads[c.move]) for c in judged]


def position_url(match: Match) -> str:
    """The address of the position of a match; of one in the dark that still goes on, of its start."""
    view = match.view(None)
    options = match.game.dealt(view.deal).options if view.deal else view.options
    chosen = {f"opt-{name}": value for name, value in options.items() if value != ""}
    known = view.history and (view.over or not match.game.chance)
    moves = {"moves": ", ".join(view.history)} if known else {}
    return f"/games/{match.game.slug}/position?{urlencode({**chosen, **moves}, quote_via=quote)}"
