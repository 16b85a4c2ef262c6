"""What is said of a match to those who play or watch it, in sentences; all of it from views and the game's words."""

from bitduel.core.endings import Outcome, counts
from bitduel.core.game import PASS
from bitduel.core.view import UNSEEN, View
from bitduel.tables.seating import Seating


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
