"""What is said of a match to those who play or watch it, in sentences; all of it from views and the game's words."""

from bitduel.core.endings import DRAWN, LOST, WON, Outcome, counts, result_for
from bitduel.core.game import PASS
from bitduel.core.view import UNSEEN, View
from bitduel.service.match_session import MatchSession


def label(move: str) -> str:
    """A move as a button says it."""
    return move[:1].upper() + move[1:]


def said(seating: MatchSession, view: View, mine: tuple[int, ...]) -> list[str]:
    """What there is to say beside the status: of the last move, or of the end."""
    match, names = seating.match, seating.kept.names
    if match.outcome:
        return ending(seating)[not _headline(seating, mine) :]
    if not match.moves:
        return []
    seat, move = match.seat_at(match.ply - 1), match.moves[-1]
    name = names[seat - 1]
    if move == PASS:
        return [match.game.words.passed(name)]
    if view.seat == seat:
        return [sentence(line) for line in match.game.words.played(match.view(seat), move, name) if line]
    if view.history[-1] == UNSEEN:
        moved = view.seat and {*view.history} - {UNSEEN, PASS}
        return [*filter(None, [match.game.words.reminder(view) if moved else ""]), match.game.words.unseen(name)]
    if match.game.hidden:
        return [f"{name}: {label(move)}."]
    return [f"{name} chose to {match.game.words.act(match.at(match.ply - 1).view(seat), move).theirs}."]


def sentence(line: str) -> str:
    """A line as a sentence among others."""
    return line if line.endswith((".", "!", "?")) else f"{line}."


def to_you(outcome: Outcome, mine: tuple[int, ...]) -> str:
    """What the end is to somebody with one seat; nothing to others, and where the match does not count."""
    result = result_for(mine[0], outcome) if len(mine) == 1 else None
    return {WON: "You win!", LOST: "You lose.", DRAWN: "It is a draw."}[result] if result else ""


def ending(seating: MatchSession) -> list[str]:
    """How the match ended, and what may now be told."""
    match = seating.match
    assert match.outcome
    words, view = match.game.words, match.view(None)
    lines = [*words.end(match.outcome, seating.kept.names), words.why(view), *words.reveal(view)]
    return [line for line in lines if line and not line.startswith("-")]


def _headline(seating: MatchSession, mine: tuple[int, ...]) -> str:
    """The end in a word or two; nothing where the match does not count, for that wants a whole sentence."""
    outcome = seating.match.outcome
    if not outcome or not counts(outcome):
        return ""
    won = f"{seating.kept.names[outcome.winner - 1]} wins." if outcome.winner else "It is a draw."
    return to_you(outcome, mine) or won


def status(seating: MatchSession, view: View, mine: tuple[int, ...] = ()) -> str:
    """One sentence on where the match stands, for who holds these seats."""
    outcome = seating.match.outcome
    if outcome:
        return _headline(seating, mine) or ending(seating)[0]
    if seating.free_seat and view.to_move == seating.free_seat:
        return "Waiting for a friend to take the other seat."
    name = seating.kept.names[(view.to_move or 1) - 1]
    if len(mine) == 1 and view.to_move in mine:
        return "It is your turn."
    if view.seat == view.to_move:
        return f"{name}, it is your turn."
    return f"{name} is to move."
