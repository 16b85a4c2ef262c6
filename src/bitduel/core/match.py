"""One playing of a game: the only place that speaks of Player 1 and Player 2."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from random import SystemRandom
from typing import Any, ClassVar

from bitduel.core.endings import REPETITION, RESIGNATION, Outcome, can_be_claimed
from bitduel.core.errors import MatchOverError, MoveError, OutcomeError, SeatError, shown
from bitduel.core.game import PASS, Game, Verdict
from bitduel.core.turn import Turn
from bitduel.core.view import UNSEEN, View

SEATS = (1, 2)
SHOWN = 6
"""So many of the last moves stand in the text that Python shows of a match."""

_CHANCE = SystemRandom()


def other(seat: int) -> int:
    """The seat across the table."""
    return 3 - seat


def check_seat(seat: object) -> None:
    """Raises SeatError for what is no seat."""
    if type(seat) is not int or seat not in SEATS:
        raise SeatError(f"A seat is 1 or 2, not {shown(repr(seat))}.")


@cache
def _ending(mover: int, verdict: int, reason: str) -> Outcome:
    """How a match ends by a verdict on the player who just moved."""
    winner = {Verdict.WON: mover, Verdict.LOST: other(mover)}.get(Verdict(verdict))
    return Outcome(winner, reason)


class Match:
    """Seats, the moves so far, who is to move, and how it ended; rebuilt from its moves.

    Two matches are equal if the same was played in the same game. A match can be copied and pickled at any
    length; what it shows of itself gives nothing away that a spectator may not see.
    """

    __slots__ = ("_met", "_near", "_turn", "deal", "first", "game", "legal", "moves", "outcome")
    __hash__ = None  # type: ignore[assignment]
    """A match goes on, so it cannot be a key."""

    painter: ClassVar[Callable[["Match"], str] | None] = None
    """Draws a match for a notebook; whoever has one leaves it here."""

    moves: list[str]
    legal: tuple[str, ...]
    """The legal moves in the game's order; none once the match is over."""
    outcome: Outcome | None
    _met: tuple[dict[Any, int], dict[Any, int]] | None
    """How often each position came up, with either seat to move; None where nobody counts."""
    _near: bool
    """Whether a position may have come up so often that once more ends the match."""

    def __init__(self, game: Game[Any], first: int = 1, deal: str | None = None, moves: Iterable[str] = ()) -> None:
        """Begin a match; without a deal chance decides now."""
        if type(first) is not int or first not in SEATS:
            check_seat(first)
        if deal is None:
            deal = game.deal(_CHANCE)
        self.game = game
        self.first = first
        self.deal = deal
        self.moves = []
        self.outcome = None
        self._turn = turn = game.openings.get(deal) or game.opening(deal)
        self.legal = turn.legal
        self._met = ({turn.position: 1}, {}) if turn.may_end else None
        self._near = 0 < game.repetition <= 2
        for move in moves:
            self.play(move)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Match):
            return NotImplemented
        mine, theirs = ((m.first, m.deal, m.moves, m.outcome) for m in (self, other))
        return mine == theirs and self.game == other.game

    def __repr__(self) -> str:
        view = self.view(None)
        skipped = "... " if view.ply > SHOWN else ""
        moves = skipped + ", ".join(view.history[-SHOWN:]) if view.history else "no move yet"
        over = view.over
        state = f"winner {over.winner}, {over.reason}" if over else f"seat {view.to_move} to move"
        return f"<Match of {self.game!r}: {moves}; {state}>"

    def __copy__(self) -> "Match":
        copied = object.__new__(Match)
        copied.game, copied.first, copied.deal = self.game, self.first, self.deal
        copied.moves, copied.legal, copied.outcome = self.moves.copy(), self.legal, self.outcome
        copied._turn, copied._near = self._turn, self._near
        copied._met = self._met and (self._met[0].copy(), self._met[1].copy())
        return copied

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (self.game, self.first, self.deal, tuple(self.moves), self.outcome)

    def _repr_svg_(self) -> str | None:
        """What a notebook shows: the position, as a spectator may see it."""
        return Match.painter(self) if Match.painter else None

    @property
    def position(self) -> Any:
        """The position, seen by the player to move."""
        return self._turn.position

    @property
    def ply(self) -> int:
        """How many moves have been made."""
        return len(self.moves)

    @property
    def next_seat(self) -> int:
        """Whose turn comes after the moves so far, also if the match is over."""
        return self.first if len(self.moves) % 2 == 0 else 3 - self.first

    @property
    def to_move(self) -> int | None:
        """Who is to move, or None once the match is over."""
        return None if self.outcome else self.next_seat

    @property
    def must_pass(self) -> bool:
        """Whether the player to move has no move but to pass."""
        return self.legal == (PASS,)

    @property
    def repeating(self) -> tuple[str, ...]:
        """The legal moves that end the match by repetition."""
        if self._met is None or not self._near:
            return ()
        met, last = self._met[(len(self.moves) + 1) % 2], self.game.repetition - 1
        return tuple([move for move in self.legal if met.get(self._turn.after(move).position, 0) >= last])

    @property
    def sight(self) -> Any:
        """The sight of the player to move: the same as that of the view, without making one."""
        game, position = self.game, self._turn.position
        seen = position if game.transparent else (game.observe(position, True, False), len(self.moves))
        repeating = self.repeating if self._near else ()
        return (seen, repeating) if repeating else seen

    def play(self, move: str) -> None:
        """Make a move; raises MoveError, changing nothing, where it is not possible."""
        if self.outcome:
            raise MatchOverError("The match is over.")
        turn = self._turn.then.get(move) or self._turn.after(move)
        self.moves.append(move)
        self._turn = turn
        self.legal = turn.legal
        if turn.may_end:
            self._look_twice(turn)

    def _look_twice(self, turn: Turn[Any]) -> None:
        """End the match by its rules, or by repetition."""
        if turn.verdict:
            self._end(_ending(3 - self.next_seat, turn.verdict, self.game.reasons[turn.verdict]))
        elif self._met is not None:
            met, position = self._met[len(self.moves) % 2], turn.position
            if position not in met:
                met[position] = 1
            else:
                met[position] += 1
                self._near = self._near or met[position] >= self.game.repetition - 1
                if met[position] >= self.game.repetition:
                    self._end(Outcome(None, REPETITION))

    def _end(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self.legal = ()

    def after(self, move: str) -> "Match":
        """The match with one more move; this one stays as it is."""
        match = self.__copy__()
        match.play(move)
        return match

    def at(self, ply: int) -> "Match":
        """The match as it was after so many moves; how it ended belongs to the last."""
        if not 0 <= ply <= self.ply:
            raise MoveError(f"This match has {self.ply} moves, so it never had {ply}.")
        return self.__copy__() if ply == self.ply else Match(self.game, self.first, self.deal, self.moves[:ply])

    def walk(self) -> Iterator["Match"]:
        """The match before its first move, after it, and so on to the last."""
        match = Match(self.game, self.first, self.deal)
        for move in tuple(self.moves):
            yield match.__copy__()
            match.play(move)
        yield self.__copy__()

    def resign(self, seat: int) -> None:
        """End the match in the other seat's favour."""
        check_seat(seat)
        self.conclude(Outcome(other(seat), RESIGNATION))

    def conclude(self, outcome: Outcome) -> None:
        """End the match otherwise than by its rules, in one of the ways that core/endings.py declares."""
        if self.outcome:
            raise MatchOverError("The match is over.")
        if not (isinstance(outcome, Outcome) and can_be_claimed(outcome)):
            raise OutcomeError(f"A match cannot end by {shown(repr(outcome), 80)}.")
        self._end(outcome)

    def undo(self, seat: int) -> int:
        """Take back to the seat's own last turn; says how many moves were taken back."""
        check_seat(seat)
        if not self.game.transparent:
            raise MoveError("Moves cannot be taken back in a game with hidden information.")
        keep = self.last_turn(seat)
        if keep is None:
            raise MoveError("There is no move of yours to take back.")
        taken = self.ply - keep
        earlier = self.at(keep)
        for slot in Match.__slots__:
            setattr(self, slot, getattr(earlier, slot))
        return taken

    def last_turn(self, seat: int) -> int | None:
        """The ply of the seat's last turn in which it had a choice, or None."""
        plies = range(self.ply - 1, -1, -1)
        return next((p for p in plies if self.seat_at(p) == seat and self.moves[p] != PASS), None)

    def seat_at(self, ply: int) -> int:
        """Who made, or would make, the move of this ply (the first is 0)."""
        return self.first if ply % 2 == 0 else other(self.first)

    def view(self, seat: int | None) -> View:
        """What the seat may see; None for a spectator."""
        if seat is not None:
            check_seat(seat)
        game, position, over = self.game, self._turn.position, self.outcome is not None
        open_now = over or not game.hidden
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
            history=tuple(self.moves) if open_now else self._seen_by(seat),
            legal=self.legal if turn_here else (),
            over=self.outcome,
            deal=self.deal if over and self.deal else None,
            repeating=self.repeating if turn_here else (),
            position=position if game.transparent else None,
        )

    def hindsight(self, ply: int) -> View:
        """What everybody may see of an earlier moment: everything, once the match is over."""
        match = self.at(ply)
        if self.outcome and not match.outcome:
            match._end(self.outcome)
        return match.view(None)

    def _seen_by(self, seat: int | None) -> tuple[str, ...]:
        seen = [UNSEEN] * len(self.moves)
        if seat:
            own = slice(0 if seat == self.first else 1, None, 2)
            seen[own] = self.moves[own]
        return tuple(seen)


def _rebuilt(game: Game[Any], first: int, deal: str, moves: tuple[str, ...], outcome: Outcome | None) -> Match:
    match = Match(game, first, deal, moves)
    if outcome and not match.outcome:
        match.conclude(outcome)
    return match
