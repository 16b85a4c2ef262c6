"""Sentences about a match for its players and spectators, made from views and the game's words."""

from bitduel.core.game import PASS
from bitduel.core.outcomes import (
    ABANDONED,
    AGREED_DRAW,
    DRAWN,
    ENDINGS,
    LOST,
    RESIGNATION,
    TIME,
    WON,
    Outcome,
    is_counted,
    result_for,
)
from bitduel.core.view import UNSEEN, View
from bitduel.core.words import Names
from bitduel.service.match_session import MatchSession

PERSONAL = {
    RESIGNATION: {WON: "{opponent} resigned.", LOST: "You resigned."},
    TIME: {WON: "{opponent} ran out of time.", LOST: "You ran out of time."},
    ABANDONED: {WON: "{opponent} has left.", LOST: "You left the match."},
    AGREED_DRAW: {DRAWN: "You agreed to a draw."},
}
"""The endings that no rulebook has, for one of the two players."""


def label(move: str) -> str:
    """Return a move as the label of a button."""
    return move[:1].upper() + move[1:]


def sentences(session: MatchSession, view: View, own_seats: tuple[int, ...], names: Names | None = None) -> list[str]:
    """Return the sentences beside the status: about the last move, or about the end."""
    match, names = session.match, names or session.stored.names
    if match.outcome:
        return ending(session, own_seats, names)[not _headline(session, own_seats, names) :]
    if session.is_waiting_for_players:
        return ["The clock starts when both players have opened the match."]
    if not match.moves:
        return []
    seat, move = match.seat_at(match.ply - 1), match.moves[-1]
    name = names[seat - 1]
    if move == PASS:
        return [match.game.words.passed(name)]
    if view.seat == seat:
        return [sentence(line) for line in match.game.words.played(view, move, name) if line]
    if view.history[-1] == UNSEEN:
        moved = view.seat and {*view.history} - {UNSEEN, PASS}
        return [*filter(None, [match.game.words.reminder(view) if moved else ""]), match.game.words.unseen_move(name)]
    if match.game.is_hidden or not view.seat:
        return [f"{name}: {label(move)}."]
    return [f"{name} {match.game.words.move_phrase(match.at(match.ply - 1).view(seat), move).report}."]


def sentence(line: str) -> str:
    """Return a line as a sentence."""
    return line if line.endswith((".", "!", "?")) else f"{line}."


def personal_result(outcome: Outcome, own_seats: tuple[int, ...]) -> str:
    """Return the result for the holder of one seat; empty for others, and where the match does not count."""
    result = result_for(own_seats[0], outcome) if len(own_seats) == 1 else None
    return {WON: "You win!", LOST: "You lose.", DRAWN: "It is a draw."}[result] if result else ""


def ending(session: MatchSession, own_seats: tuple[int, ...], names: Names) -> list[str]:
    """Return how the match ended, and what may now be revealed."""
    match = session.match
    assert match.outcome
    words, view = match.game.words, match.view(None)
    own = _own_ending(session, own_seats, names)
    lines = [*([own] if own else words.end(match.outcome, names)), words.why_ended(view), *words.reveal(view)]
    return [line for line in lines if line and not line.startswith("-")]


def _own_ending(session: MatchSession, own_seats: tuple[int, ...], names: Names) -> str:
    """Return how the match ended for the holder of one seat; empty for others, and where it takes names."""
    outcome = session.match.outcome
    result = result_for(own_seats[0], outcome) if outcome and len(own_seats) == 1 else None
    if not outcome or not result:
        return ""
    if outcome.reason in ENDINGS:
        return PERSONAL.get(outcome.reason, {}).get(result, "").format(opponent=names[2 - own_seats[0]])
    return session.match.game.words.own_ending(outcome, result == WON) if outcome.winner else ""


def _headline(session: MatchSession, own_seats: tuple[int, ...], names: Names) -> str:
    """Return the end in a word or two; empty where the match does not count, which needs a sentence."""
    outcome = session.match.outcome
    if not outcome or not is_counted(outcome):
        return ""
    won = f"{names[outcome.winner - 1]} wins." if outcome.winner else "It is a draw."
    return personal_result(outcome, own_seats) or won


def status(session: MatchSession, view: View, own_seats: tuple[int, ...] = (), names: Names | None = None) -> str:
    """Return one sentence on the state of the match, for the holder of these seats."""
    outcome, names = session.match.outcome, names or session.stored.names
    if outcome:
        return _headline(session, own_seats, names) or ending(session, own_seats, names)[0]
    free_seat = session.free_seat
    if free_seat and view.to_move == free_seat:
        return "Waiting for your friend to join."
    name = names[(view.to_move or 1) - 1]
    if len(own_seats) == 1 and view.to_move in own_seats:
        return "Your turn."
    if view.seat == view.to_move:
        return f"{name}, it's your turn."
    return f"{name}'s turn."
