"""What the pages show of a match: everything from views, words and pictures; nothing from positions."""

from typing import Any, NamedTuple, TypedDict
from urllib.parse import quote, urlencode

from markupsafe import Markup

from bitduel.core.advice import told
from bitduel.core.endings import Outcome, counts
from bitduel.core.game import PASS, Game
from bitduel.core.judge import Judge, best
from bitduel.core.match import Match
from bitduel.core.options import Setting
from bitduel.core.view import UNSEEN, View
from bitduel.core.words import Names
from bitduel.paint.board import board_svg, open_svg, picture_svg
from bitduel.paint.choices import Choices
from bitduel.tables.desk import Seating


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
    sign: str = ""


def shown_options(game: Game[Any], options: dict[str, Setting]) -> str:
    """The options that were chosen otherwise than by default, as people read them."""
    usual = {option.name: option.default for option in game.declared}
    return ", ".join(f"{name}={value}" for name, value in options.items() if value != usual[name])


def board(game: Game[Any], view: View, names: Names, notes: bool = True, choices: Choices | None = None) -> Board:
    """The picture of a view and its caption, with what a player could also keep in mind or without; or to play on."""
    picture = game.picture(view, names)
    picture = picture if notes else picture.without_notes()
    draw = picture_svg if game.hidden else open_svg
    drawn = draw(picture) if choices is None else board_svg(picture, choices)
    return {"board": drawn, "caption": picture.caption}


def label(move: str) -> str:
    """A move as a button says it."""
    return move[:1].upper() + move[1:]


def said(seating: Seating, view: View, mine: tuple[int, ...]) -> list[str]:
    """What there is to say beside the status: of the last move, or of the end."""
    match, names = seating.match, seating.kept.names
    if match.outcome:
        return ending(seating)[not to_you(match.outcome, mine) :]
    if not match.moves:
        return []
    seat, move = match.seat_at(match.ply - 1), match.moves[-1]
    name = names[seat - 1]
    if move == PASS:
        return [match.game.words.passed(name)]
    if view.seat == seat:
        return [sentence(line) for line in match.game.words.played(match.view(seat), move, name) if line]
    if view.history[-1] == UNSEEN:
        return [match.game.words.unseen(name)]
    if match.game.hidden:
        return [f"{name}: {label(move)}."]
    return [f"{name} chose to {match.game.words.act(match.at(match.ply - 1).view(seat), move).theirs}."]


def sentence(line: str) -> str:
    """A line as a sentence among others."""
    return line if line.endswith((".", "!", "?")) else f"{line}."


def to_you(outcome: Outcome, mine: tuple[int, ...]) -> str:
    """What the end is to somebody with one seat; nothing to others, and where the match does not count."""
    if len(mine) != 1 or not counts(outcome):
        return ""
    return {mine[0]: "You win!", None: "It is a draw."}.get(outcome.winner, "You lose.")


def ending(seating: Seating) -> list[str]:
    """How the match ended, and what may now be told."""
    match = seating.match
    assert match.outcome
    words, view = match.game.words, match.view(None)
    lines = [*words.end(match.outcome, seating.kept.names), words.why(view), *words.reveal(view)]
    return [line.strip("- ") for line in lines if line.strip("- ")]


def status(seating: Seating, view: View, mine: tuple[int, ...] = ()) -> str:
    """One sentence on where the match stands, for who holds these seats."""
    outcome = seating.match.outcome
    if outcome:
        return to_you(outcome, mine) or ending(seating)[0]
    if seating.free_seat and view.to_move == seating.free_seat:
        return "Waiting for a friend to take the other seat."
    name = seating.kept.names[(view.to_move or 1) - 1]
    if len(mine) == 1 and view.to_move in mine:
        return "It is your turn."
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
