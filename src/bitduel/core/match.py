"""One playing of a game: the only place that speaks of Player 1 and Player 2."""

from collections.abc import Iterable
from functools import cache
from typing import Any

from bitduel.core.errors import MatchOverError, MoveError
from bitduel.core.game import PASS, REPETITION, RESIGNATION, Game, Outcome, Turn, Verdict
from bitduel.core.view import UNSEEN, View


def other(seat: int) -> int:
    """The seat across the table."""
    return 3 - seat


@cache
def _ending(mover: int, verdict: int, reason: str) -> Outcome:
    """How a match ends by a verdict on the player who just moved."""
    winner = {Verdict.WON: mover, Verdict.LOST: other(mover)}.get(Verdict(verdict))
    return Outcome(winner, reason)


class Match:
    """Seats, the moves so far, who is to move, and how it ended; rebuilt from its moves."""

    __slots__ = ("_counts", "_turn", "deal", "first", "game", "legal", "moves", "outcome")

    legal: tuple[str, ...]
    """The legal moves in the game's order; none once the match is over."""

    def __init__(self, game: Game[Any], first: int = 1, deal: str = "", moves: Iterable[str] = ()) -> None:
        self.game = game
        self.first = first
        self.deal = deal
        self._replay(moves)

    def _replay(self, moves: Iterable[str]) -> None:
        self.moves: list[str] = []
        self.outcome: Outcome | None = None
        self._turn = turn = self.game.opening(self.deal)
        self.legal = turn.legal
        self._counts: dict[tuple[Any, int], int] | None = None
        if self.game.repetition:
            self._counts = {}
            self._count()
        for move in moves:
            self.play(move)

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

    def play(self, move: str) -> None:
        """Make a move; raises MoveError, changing nothing, where it is not possible."""
        turn = self._turn.then.get(move)
        if turn is None or self.outcome:
            turn = self._find(move)
        self.moves.append(move)
        self._turn = turn
        self.legal = turn.legal
        if turn.verdict:
            self._end(_ending(3 - self.next_seat, turn.verdict, self.game.reasons[turn.verdict]))
        elif self._counts is not None:
            self._count()

    def _find(self, move: str) -> Turn[Any]:
        if self.outcome:
            raise MatchOverError("The match is over.")
        return self._turn.after(move)

    def _end(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self.legal = ()

    def resign(self, seat: int) -> None:
        """End the match in the other seat's favour."""
        self.conclude(Outcome(other(seat), RESIGNATION))

    def conclude(self, outcome: Outcome) -> None:
        """End the match otherwise than by its rules, as it was ended before."""
        if self.outcome:
            raise MatchOverError("The match is over.")
        self._end(outcome)

    def undo(self, seat: int) -> int:
        """Take back to the seat's own last turn; says how many moves were taken back."""
        if self.game.hidden:
            raise MoveError("Moves cannot be taken back in a game with hidden information.")
        keep = self.last_turn(seat)
        if keep is None:
            raise MoveError("There is no move of yours to take back.")
        taken = self.ply - keep
        self._replay(self.moves[:keep])
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
        over = self.outcome is not None
        position = self._turn.position
        watching = seat is None and self.game.hidden
        board = (
            self.game.watch(position, over)
            if watching
            else self.game.see(position, (seat or 1) == self.next_seat, over)
        )
        return View(
            game=self.game.slug,
            options=self.game.options if over else self.game.open_options,
            seat=seat,
            first=self.first,
            to_move=self.to_move,
            board=board,
            history=tuple(m if self._may_see(seat, p) else UNSEEN for p, m in enumerate(self.moves)),
            legal=self.legal if seat == self.to_move else (),
            over=self.outcome,
            deal=self.deal if over and self.deal else None,
        )

    def _may_see(self, seat: int | None, ply: int) -> bool:
        return not self.game.hidden or self.outcome is not None or self.seat_at(ply) == seat

    def _count(self) -> None:
        assert self._counts is not None
        key = (self._turn.position, self.next_seat)
        times = self._counts[key] = self._counts.get(key, 0) + 1
        if times >= self.game.repetition:
            self._end(Outcome(None, REPETITION))
