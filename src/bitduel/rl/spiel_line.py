"""One playing as OpenSpiel holds it: a match once its deal is known, and what both seats have seen on the way."""

from copy import copy
from itertools import islice
from typing import Any

from bitduel.core.errors import BitduelError
from bitduel.core.game import Deal, Game
from bitduel.core.match import SEATS, Match
from bitduel.core.view import UNSEEN
from bitduel.rl.game_length import longest
from bitduel.rl.information_state import Sight

MOST_DEALS = 1 << 16
"""More deals than this cannot be told one by one."""

MOST_ROWS = 1 << 16

LONG = 1000
"""Where a match can go on for ever, it is a draw after so many plies, unless said otherwise."""


Rows = tuple[tuple[int, ...], ...]


class TooManyDealsError(BitduelError):
    """A game in which more can be dealt than can be listed."""


class HorizonError(BitduelError):
    """A length that a match cannot be cut to."""


class SharedRules:
    """What all playings of a game share: its rules, its deals, and when a match is cut short."""

    def __init__(self, game: Game[Any], horizon: int = 0) -> None:
        if horizon < 0:
            raise HorizonError(f"horizon must be a number of plies, or 0 for as long as a match takes, not {horizon}.")
        self.game = game
        self.sight = Sight(game)
        self.fixed = "" if not game.chance else game.fixed_deal
        self.deals: list[Deal] = [] if self.fixed is not None else list(islice(game.deals(), MOST_DEALS + 1))
        if len(self.deals) > MOST_DEALS:
            raise TooManyDealsError("More can be dealt than can be told one by one; choose a smaller size.")
        most = longest(game)
        self.horizon = horizon or most or LONG
        self.may_be_cut = most is None or self.horizon < most
        self.rows: dict[tuple[Any, int], Rows] = {}
        """What both seats see at a position after so many moves; a tree comes to the same over and over."""

    def __reduce__(self) -> tuple[Any, ...]:
        return SharedRules, (self.game, self.horizon)

    def look(self, match: Match) -> Rows:
        """What both seats see."""
        key = match.position, match.ply
        found = self.rows.get(key)
        if found is None:
            if len(self.rows) >= MOST_ROWS:
                self.rows.clear()
            found = self.rows[key] = tuple(self.sight.numbers(match, seat) for seat in SEATS)
        return found


class Line:
    """A match, or None before the deal, and what both seats saw after each of its moves where that is hidden."""

    __slots__ = ("match", "seen", "table")

    match: Match | None
    seen: list[Rows]

    def __init__(self, table: SharedRules) -> None:
        self.table = table
        self.match = None
        self.seen = []
        if table.fixed is not None:
            self.deal(table.fixed)

    def __deepcopy__(self, memo: dict[int, Any]) -> "Line":
        return self.__copy__()

    def __copy__(self) -> "Line":
        copied = object.__new__(Line)
        copied.table, copied.seen = self.table, self.seen.copy()
        copied.match = self.match and copy(self.match)
        return copied

    def deal(self, deal: str) -> None:
        """Begin the match."""
        self.match = Match(self.table.game, deal=deal)
        self._look()

    def play(self, move: str) -> None:
        """Make a move."""
        assert self.match
        self.match.play(move)
        self._look()

    def _look(self) -> None:
        if not self.table.game.transparent and self.match:
            self.seen.append(self.table.look(self.match))

    @property
    def over(self) -> bool:
        """Whether the match has ended, or is cut short."""
        match = self.match
        return match is not None and (match.outcome is not None or match.ply >= self.table.horizon)

    def numbers(self, seat: int) -> tuple[int, ...]:
        """The features of what a seat sees now."""
        assert self.match
        return self.seen[-1][seat - 1] if self.seen else self.table.sight.numbers(self.match, seat)

    def moves(self, seat: int) -> list[str]:
        """The moves so far as the seat knows them."""
        assert self.match
        moves = self.match.moves
        if not self.table.game.hidden:
            return moves
        return [move if self.match.seat_at(ply) == seat else UNSEEN for ply, move in enumerate(moves)]

    def __str__(self) -> str:
        """All that matters for what comes next, and so the hidden too."""
        if self.match is None:
            return "before the deal"
        match, game = self.match, self.table.game
        past = f", after {', '.join(match.moves) or 'nothing'}" if game.repetition or game.hidden else ""
        length = f", ply {match.ply}" if self.table.may_be_cut else ""
        told = ", ".join(f"{name}={value}" for name, value in match.position._asdict().items())
        over = ", over" if self.over else ""
        return f"seat {match.next_seat}: {told}{past}{length}{over}"
