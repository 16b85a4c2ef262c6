"""The loop that plays a match: the player to move chooses, the move is made, and the listener is notified."""

import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from bitduel.core.errors import BitduelError, printable
from bitduel.core.game import PASS
from bitduel.core.match import Match, other_seat
from bitduel.core.outcomes import CRASH, ILLEGAL_MOVE, TIME, Outcome
from bitduel.core.view import View
from bitduel.players.player import CachedPolicy, FaultError, HaltError, Person, Player, ResignError, TakeBackError

ONLY_PASS = (PASS,)


class Listener:
    """Receives everything that happens in a match; does nothing unless a subclass does."""

    accepts_sampled = False
    """Whether `sampled` may be called instead of `moved`, for moves that needed no view."""

    def moved(self, match: Match, view: View, move: str) -> None:
        """Handle a move; the view is what its player saw before it."""

    def sampled(self, match: Match, information_state: Any, move: str) -> None:
        """Handle a move that a cached policy made from an information state."""

    def ended(self, match: Match, fault: str) -> None:
        """Handle an end otherwise than by a move; the fault is empty if there was none."""

    def taken_back(self, match: Match, seat: int) -> None:
        """Handle the return to the last turn of a seat."""


def check_seconds(seconds: float | None) -> None:
    """Raise BitduelError unless this can be the time for a move."""
    if seconds is not None and not seconds > 0:
        raise BitduelError(f"The time limit per move must be more than 0 seconds, not {seconds}.")


def drive(
    match: Match,
    players: Mapping[int, Player | None],
    listener: Listener | None = None,
    seconds: float | None = None,
    most_plies: int | None = None,
) -> Outcome | None:
    """Play a match to its end; return None if a seat has no player, or the match has become too long.

    A player without a move passes. A program that returns no legal move, takes more than the given seconds for one, or
    crashes, loses the match by that.
    """
    check_seconds(seconds)
    seconds = None if seconds is None or seconds > threading.TIMEOUT_MAX else seconds
    listener = listener or Listener()
    cached: dict[int, CachedPolicy] = {}
    for seat, player in players.items() if listener.accepts_sampled else ():
        if isinstance(player, CachedPolicy):
            cached[seat] = player
    max_plies = sys.maxsize if most_plies is None else most_plies
    while True:
        _play_cached(match, cached, listener, max_plies)
        to_move = match.to_move
        if to_move is None or match.ply >= max_plies:
            break
        player = players.get(to_move)
        if match.must_pass:
            view = match.view(to_move)
            match.play(PASS)
            listener.moved(match, view, PASS)
        elif player is None:
            return None
        else:
            _take_turn(match, to_move, player, listener, seconds)
    if match.outcome:
        announce_outcome(match, players)
    return match.outcome


def announce_outcome(match: Match, players: Mapping[int, Player | None]) -> None:
    """Call `over` of each player that has it."""
    for seat, player in players.items():
        over = getattr(player, "over", None)
        if over is not None:
            with suppress(Exception):
                over(match.view(seat))


def _play_cached(match: Match, cached: Mapping[int, CachedPolicy], listener: Listener, max_plies: int) -> None:
    """Let built-in players move from their caches as long as they can; their moves are legal, and cost no time."""
    moves, play, notify = match.moves, match.play, listener.sampled
    seat = match.next_seat
    while (legal := match.legal) and legal != ONLY_PASS and len(moves) < max_plies:
        player = cached.get(seat)
        if player is None:
            return
        information_state = match.information_state
        move = player.sample(information_state, legal)
        if move is None:
            return
        play(move)
        notify(match, information_state, move)
        seat = 3 - seat


def _take_turn(match: Match, seat: int, player: Player, listener: Listener, seconds: float | None) -> None:
    view = match.view(seat)
    try:
        move = player.choose(view) if isinstance(player, Person) else _ask_program(player, view, match.legal, seconds)
    except ResignError:
        match.resign(seat)
        listener.ended(match, "")
    except TakeBackError as error:
        back_to = error.seat or seat
        match.undo(back_to)
        listener.taken_back(match, back_to)
    except FaultError as fault:
        match.conclude(Outcome(other_seat(seat), fault.reason))
        listener.ended(match, str(fault))
    else:
        match.play(move)
        listener.moved(match, view, move)


def _ask_program(player: Player, view: View, legal: tuple[str, ...], seconds: float | None) -> str:
    """Return a program's move, legal and in time; raise FaultError if it gives none."""
    try:
        move = player.choose(view) if seconds is None else TimedPlayer(player, seconds).choose(view)
    except (ResignError, FaultError, HaltError, KeyboardInterrupt):
        raise
    except BaseException as error:
        # An error of a program costs it the match, and must not stop the others.
        raise FaultError(CRASH, f"{type(error).__name__}: {_describe(error)}") from error
    if type(move) is not str or move not in legal:
        raise FaultError(ILLEGAL_MOVE, f"{printable(_describe(move, repr))} is not legal")
    return move


def _describe(value: object, to_text: Callable[[object], str] = str) -> str:
    """Return a program's value as text; the conversion is the program's own code and can fail."""
    try:
        return str(to_text(value))
    except Exception:
        return f"a value of type {type(value).__name__}"


class TimedPlayer:
    """A player with a time limit: one that does not move in time loses by that, and its thread is abandoned."""

    def __init__(self, player: Player, seconds: float) -> None:
        self.player = player
        self.seconds = min(seconds, threading.TIMEOUT_MAX)

    def over(self, view: View) -> None:
        """Call `over` of the player, if it has it."""
        over = getattr(self.player, "over", None)
        if over is not None:
            over(view)

    def choose(self, view: View) -> str:
        """Return the move, if it comes in time; raise FaultError."""
        answers: SimpleQueue[Any] = SimpleQueue()

        def answer() -> None:
            try:
                answers.put((self.player.choose(view), None))
            except BaseException as error:
                answers.put((None, error))

        Thread(target=answer, daemon=True).start()
        try:
            move, error = answers.get(timeout=self.seconds)
        except Empty:
            raise FaultError(TIME, "it didn't move in time") from None
        if error is not None:
            raise error
        return move  # type: ignore[no-any-return]
