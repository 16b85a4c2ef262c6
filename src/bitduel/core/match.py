"""Matches: a game played from its first move to its outcome."""

import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from random import SystemRandom
from typing import Any, ClassVar

from bitduel.core.errors import MatchOverError, MoveError, OutcomeError, SeatError, printable
from bitduel.core.game import PASS, Game, Turn, Verdict
from bitduel.core.outcomes import REPETITION, RESIGNATION, Outcome, can_be_claimed
from bitduel.core.view import UNSEEN, View

SEATS = (1, 2)
MAX_SHOWN = 6
"""The number of moves in the representation of a match."""

_CHANCE = SystemRandom()


def other_seat(seat: int) -> int:
    """Return the seat of the opponent."""
    return 3 - seat


def check_seat(seat: object) -> None:
    """Raise SeatError unless this is a seat."""
    if type(seat) is not int or seat not in SEATS:
        raise SeatError(f"A seat must be 1 or 2, not {printable(repr(seat))}.")


@cache
def _ending(mover: int, verdict: int, reason: str) -> Outcome:
    """Return the outcome of a match by the verdict on the player who just moved."""
    winner = {Verdict.WON: mover, Verdict.LOST: other_seat(mover)}.get(Verdict(verdict))
    return Outcome(winner, reason)


class Match:
    """A match: its moves so far, the seat to move, and the outcome; it can be rebuilt from its moves.

    Two matches are equal if the same moves were made in the same game. A match can be copied and pickled;
    its representation shows nothing that a spectator may not see.
    """

    __slots__ = ("_can_repeat", "_counts", "_turn", "deal", "first", "game", "legal", "moves", "outcome")
    __hash__ = None  # type: ignore[assignment]
    """None: a match changes with every move, so it cannot be a key."""

    painter: ClassVar[Callable[["Match"], str] | None] = None
    """A function that draws a match for notebooks, set by the package that can draw."""

    moves: list[str]
    legal: tuple[str, ...]
    """The legal moves in the game's order; none once the match is over."""
    outcome: Outcome | None
    _counts: tuple[dict[Any, int], dict[Any, int]] | None
    """The number of times each position came up, for each seat to move; None if repetition does not matter."""
    _can_repeat: bool
    """Whether one more repetition may end the match."""

    def __init__(self, game: Game[Any], first: int = 1, deal: str | None = None, moves: Iterable[str] = ()) -> None:
        """Start a match, and make the moves; without a deal, chance decides now."""
        if type(first) is not int or first not in SEATS:
            check_seat(first)
        if deal is None:
            deal = game.deal(_CHANCE)
        self.game = game
        self.first = first
        self.deal = deal
        self.moves = []
        self.outcome = None
        self._turn = turn = game.openings.get(deal) or game.opening_turn(deal)
        self.legal = turn.legal
        self._counts = ({turn.position: 1}, {}) if turn.may_end else None
        self._can_repeat = 0 < game.repetition <= 2
        for move in moves:
            self.play(move)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Match):
            return NotImplemented
        one, two = ((m.first, m.deal, m.moves, m.outcome) for m in (self, other))
        return one == two and self.game == other.game

    def __repr__(self) -> str:
        view = self.view(None)
        skipped = "... " if view.ply > MAX_SHOWN else ""
        moves = skipped + ", ".join(view.history[-MAX_SHOWN:]) if view.history else "no move yet"
        over = view.over
        state = f"winner {over.winner}, {over.reason}" if over else f"seat {view.to_move} to move"
        return f"<Match of {self.game!r}: {moves}; {state}>"

    def __copy__(self) -> "Match":
        copied = object.__new__(Match)
        copied.game, copied.first, copied.deal = self.game, self.first, self.deal
        copied.moves, copied.legal, copied.outcome = self.moves.copy(), self.legal, self.outcome
        copied._turn, copied._can_repeat = self._turn, self._can_repeat
        copied._counts = self._counts and (self._counts[0].copy(), self._counts[1].copy())
        return copied

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.game, self.first, self.deal, tuple(self.moves), self.outcome)

    def _repr_svg_(self) -> str | None:
        """Return a picture for notebooks, as a spectator may see it."""
        return Match.painter(self) if Match.painter else None

    @property
    def position(self) -> Any:
        """The position, seen by the player to move."""
        return self._turn.position

    @property
    def ply(self) -> int:
        """The number of moves made."""
        return len(self.moves)

    @property
    def next_seat(self) -> int:
        """The seat whose turn comes after the moves so far, even if the match is over."""
        return self.first if len(self.moves) % 2 == 0 else 3 - self.first

    @property
    def to_move(self) -> int | None:
        """The seat to move, or None once the match is over."""
        return None if self.outcome else self.next_seat

    @property
    def must_pass(self) -> bool:
        """Whether the player to move has no move but to pass."""
        return self.legal == (PASS,)

    @property
    def repeating(self) -> tuple[str, ...]:
        """The legal moves that end the match by repetition."""
        if self._counts is None or not self._can_repeat:
            return ()
        counts, last = self._counts[(len(self.moves) + 1) % 2], self.game.repetition - 1
        return tuple([move for move in self.legal if counts.get(self._turn.after(move).position, 0) >= last])

    @property
    def information_state(self) -> Any:
        """The key of what the player to move knows: `View.information_state` without making a view."""
        game, position = self.game, self._turn.position
        seen = position if game.has_perfect_information else (game.observe(position, True, False), len(self.moves))
        repeating = self.repeating if self._can_repeat else ()
        return (seen, repeating) if repeating else seen

    @property
    def sight(self) -> Any:
        """Return `information_state`, under its old name."""
        warnings.warn("Match.sight is now Match.information_state", DeprecationWarning, stacklevel=2)
        return self.information_state

    def play(self, move: str) -> None:
        """Make a move; if it is not possible, raise MoveError and change nothing."""
        if self.outcome:
            raise MatchOverError("The match is over.")
        turn = self._turn.successors.get(move) or self._turn.after(move)
        self.moves.append(move)
        self._turn = turn
        self.legal = turn.legal
        if turn.may_end:
            self._check_end(turn)

    def _check_end(self, turn: Turn[Any]) -> None:
        """End the match by its rules, or by repetition."""
        if turn.verdict:
            self._end(_ending(3 - self.next_seat, turn.verdict, self.game.reasons[turn.verdict]))
        elif self._counts is not None:
            counts, position = self._counts[len(self.moves) % 2], turn.position
            counts[position] = count = counts.get(position, 0) + 1
            if count > 1:
                self._can_repeat = self._can_repeat or count >= self.game.repetition - 1
                if count >= self.game.repetition:
                    self._end(Outcome(None, REPETITION))

    def _end(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self.legal = ()

    def after(self, move: str) -> "Match":
        """Return the match with one more move; this one stays as it is."""
        match = self.__copy__()
        match.play(move)
        return match

    def at(self, ply: int) -> "Match":
        """Return the match as it was after `ply` moves; the outcome belongs to the last one."""
        if not 0 <= ply <= self.ply:
            raise MoveError(f"This match has only {self.ply} moves. There is no move {ply}.")
        return self.__copy__() if ply == self.ply else Match(self.game, self.first, self.deal, self.moves[:ply])

    def walk(self) -> Iterator["Match"]:
        """Yield the match before its first move, and after each move."""
        match = Match(self.game, self.first, self.deal)
        for move in tuple(self.moves):
            yield match.__copy__()
            match.play(move)
        yield self.__copy__()

    def resign(self, seat: int) -> None:
        """End the match in the other seat's favour."""
        check_seat(seat)
        self.conclude(Outcome(other_seat(seat), RESIGNATION))

    def conclude(self, outcome: Outcome) -> None:
        """End the match by an ending that is not in its rules (see `outcomes.ENDINGS`)."""
        if self.outcome:
            raise MatchOverError("The match is over.")
        if not (isinstance(outcome, Outcome) and can_be_claimed(outcome)):
            raise OutcomeError(f"A match cannot end by {printable(repr(outcome), 80)}.")
        self._end(outcome)

    def undo(self, seat: int) -> int:
        """Take back to the seat's own last turn; return the number of moves taken back."""
        check_seat(seat)
        if not self.game.has_perfect_information:
            raise MoveError("You can't take back moves in a game with hidden information.")
        ply = self.last_turn(seat)
        if ply is None:
            raise MoveError("You have no move to take back.")
        taken = self.ply - ply
        earlier = self.at(ply)
        for slot in Match.__slots__:
            setattr(self, slot, getattr(earlier, slot))
        return taken

    def last_turn(self, seat: int) -> int | None:
        """Return the ply of the seat's last turn in which it had a choice, or None."""
        latest = len(self.moves) - (2 if seat == self.next_seat else 1)
        for ply in range(latest, -1, -2):
            if self.moves[ply] != PASS:
                return ply
        return None

    def listed_moves(self) -> tuple[str, ...]:
        """Return the moves as a list shows them, with what they lead to; for those who may see all of it."""
        listed, turn = [], self.game.opening_turn(self.deal)
        for move in self.moves:
            listed.append(move if move == PASS else self.game.words.listed(turn.position, move))
            turn = turn.successors.get(move) or turn.after(move)
        return tuple(listed)

    def seat_at(self, ply: int) -> int:
        """Return the seat that makes the move of a ply (the first is 0)."""
        return self.first if ply % 2 == 0 else other_seat(self.first)

    def view(self, seat: int | None) -> View:
        """Return what a seat may see; None stands for a spectator."""
        if seat is not None:
            check_seat(seat)
        game, position, over = self.game, self._turn.position, self.outcome is not None
        open_now = over or not game.is_hidden
        next_seat = self.next_seat
        turn_here = not over and seat == next_seat
        return View(
            game=game.slug,
            options=dict(game.options if over else game.open_options),
            seat=seat,
            first=self.first,
            to_move=None if over else next_seat,
            board=game.observe(position, (seat or 1) == next_seat, over)
            if seat or open_now
            else game.observe_as_spectator(position),
            history=tuple(self.moves) if open_now else self._visible_moves(seat),
            legal=self.legal if turn_here else (),
            over=self.outcome,
            deal=self.deal if over and self.deal else None,
            repeating=self.repeating if turn_here else (),
            position=position if game.has_perfect_information else None,
        )

    def hindsight(self, ply: int) -> View:
        """Return what everybody may see of an earlier ply: everything, once the match is over."""
        match = self.at(ply)
        if self.outcome and not match.outcome:
            match._end(self.outcome)
        return match.view(None)

    def _visible_moves(self, seat: int | None) -> tuple[str, ...]:
        moves = [UNSEEN] * len(self.moves)
        if seat:
            own = slice(0 if seat == self.first else 1, None, 2)
            moves[own] = self.moves[own]
        return tuple(moves)


def _rebuild(game: Game[Any], first: int, deal: str, moves: tuple[str, ...], outcome: Outcome | None) -> Match:
    match = Match(game, first, deal, moves)
    if outcome and not match.outcome:
        match.conclude(outcome)
    return match
