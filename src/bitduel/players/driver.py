"""The one loop that plays a match: whose turn it is chooses, the move is made, and whoever listens is told."""

import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from bitduel.core.endings import CRASH, ILLEGAL_MOVE, TIME, Outcome
from bitduel.core.errors import BitduelError, shown
from bitduel.core.game import PASS
from bitduel.core.match import Match, other
from bitduel.core.view import View
from bitduel.players.player import CachedPolicy, FaultError, HaltError, Person, Player, ResignError, TakeBackError

ONLY_PASS = (PASS,)


class Listener:
    """Hears everything that happens in a match; says and keeps nothing unless a subclass does."""

    glances = False
    """Whether it can do without views: then it hears `glanced` of moves for which nobody needed one."""

    def moved(self, match: Match, view: View, move: str) -> None:
        """A move was made; the view is what its player saw before."""

    def glanced(self, match: Match, sight: Any, move: str) -> None:
        """A move was made from memory; the sight is what its player went by."""

    def ended(self, match: Match, fault: str) -> None:
        """The match ended otherwise than by a move; by somebody's fault if one is named."""

    def taken_back(self, match: Match, seat: int) -> None:
        """A seat went back to its own last turn."""


DEAF = Listener()


def check_seconds(seconds: float | None) -> None:
    """Raises BitduelError for what is no time for a move."""
    if seconds is not None and not seconds > 0:
        raise BitduelError(f"The time for a move must be more than 0 seconds, not {seconds}.")


def drive(
    match: Match,
    players: Mapping[int, Player | None],
    listener: Listener = DEAF,
    seconds: float | None = None,
    most_plies: int | None = None,
) -> Outcome | None:
    """Play a match to its end; None where it waits for a seat without a player, or has become too long.

    Who has no move passes. A program that gives no legal move, takes more than so many seconds for one, or
    crashes, loses the match by that.
    """
    check_seconds(seconds)
    seconds = None if seconds is None or seconds > threading.TIMEOUT_MAX else seconds
    quick = _quick(players) if listener.glances else {}
    most = sys.maxsize if most_plies is None else most_plies
    while True:
        _glance_on(match, quick, listener, most)
        seat = match.to_move
        if seat is None or match.ply >= most:
            break
        player = players.get(seat)
        if match.must_pass:
            view = match.view(seat)
            match.play(PASS)
            listener.moved(match, view, PASS)
        elif player is None:
            return None
        else:
            _take_turn(match, seat, player, listener, seconds)
    if match.outcome:
        tell(match, players)
    return match.outcome


def tell(match: Match, players: Mapping[int, Player | None]) -> None:
    """Tell those who want to know how the match ended."""
    for seat, player in players.items():
        over = getattr(player, "over", None)
        if over is not None:
            with suppress(Exception):
                over(match.view(seat))


def _quick(players: Mapping[int, Player | None]) -> dict[int, CachedPolicy]:
    """Those who can move from memory."""
    found: dict[int, CachedPolicy] = {}
    for seat, player in players.items():
        if isinstance(player, CachedPolicy):
            found[seat] = player
    return found


def _glance_on(match: Match, quick: Mapping[int, CachedPolicy], listener: Listener, most: int) -> None:
    """Let players of this house move from memory as long as they can; their moves are legal, and cost no time."""
    moves, play, heard = match.moves, match.play, listener.glanced
    seat = match.next_seat
    while (legal := match.legal) and legal != ONLY_PASS and len(moves) < most:
        player = quick.get(seat)
        if player is None:
            return
        sight = match.sight
        move = player.glance(sight, legal)
        if move is None:
            return
        play(move)
        heard(match, sight, move)
        seat = 3 - seat


def _take_turn(match: Match, seat: int, player: Player, listener: Listener, seconds: float | None) -> None:
    view = match.view(seat)
    try:
        move = player.choose(view) if isinstance(player, Person) else _chosen(player, view, match.legal, seconds)
    except ResignError:
        match.resign(seat)
        listener.ended(match, "")
    except TakeBackError as wish:
        back_to = wish.seat or seat
        match.undo(back_to)
        listener.taken_back(match, back_to)
    except FaultError as fault:
        match.conclude(Outcome(other(seat), fault.reason))
        listener.ended(match, str(fault))
    else:
        match.play(move)
        listener.moved(match, view, move)


def _chosen(player: Player, view: View, legal: tuple[str, ...], seconds: float | None) -> str:
    """A program's move, legal and in time; raises FaultError."""
    try:
        move = player.choose(view) if seconds is None else Timed(player, seconds).choose(view)
    except (ResignError, FaultError, HaltError, KeyboardInterrupt):
        raise
    except BaseException as error:
        # Whatever a program does wrong costs it the match, and nobody else anything.
        raise FaultError(CRASH, f"{type(error).__name__}: {_told(error)}") from error
    if type(move) is not str or move not in legal:
        raise FaultError(ILLEGAL_MOVE, f"{shown(_told(move, repr))} is not legal")
    return move


def _told(thing: object, tell: Callable[[object], str] = str) -> str:
    """Something a program gave, as text; telling it is the program's own code and can fail."""
    try:
        return str(tell(thing))
    except Exception:
        return f"something of the kind {type(thing).__name__}"


class Timed:
    """A player on a clock: who gives no move in so many seconds loses by that, and is left behind."""

    def __init__(self, player: Player, seconds: float) -> None:
        self.player = player
        self.seconds = min(seconds, threading.TIMEOUT_MAX)

    def over(self, view: View) -> None:
        """The player is told how its match ended, if it wants to know."""
        over = getattr(self.player, "over", None)
        if over is not None:
            over(view)

    def choose(self, view: View) -> str:
        """The move, if it comes in time; raises FaultError."""
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
            raise FaultError(TIME, "no move came in time") from None
        if error is not None:
            raise error
        return move  # type: ignore[no-any-return]
