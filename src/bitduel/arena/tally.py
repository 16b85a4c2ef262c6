"""What is counted while the rows of a run are read: sums that do not grow with the number of games."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, NamedTuple

from bitduel.arena.rows import Row
from bitduel.arena.sample import Sample

Title = tuple[str, tuple[tuple[str, Any], ...]]
"""A game with its options."""

MOST_WAITING = 100_000
"""So many games wait for the one with the seats swapped; beyond, all of them are counted alone."""


class Result(IntEnum):
    """How a game ended, for whom it is seat 1's: by play, or by somebody's fault."""

    WON = 0
    DRAWN = 1
    LOST = 2
    WON_BY_FAULT = 3
    DRAWN_BY_FAULT = 4
    LOST_BY_FAULT = 5

    @property
    def points(self) -> float:
        """What seat 1 has of it."""
        return (1.0, 0.5, 0.0)[self % 3]

    @property
    def by_fault(self) -> bool:
        """Whether somebody's fault ended it."""
        return self >= Result.WON_BY_FAULT


RESULTS = {
    (1, False): Result.WON,
    (None, False): Result.DRAWN,
    (2, False): Result.LOST,
    (1, True): Result.WON_BY_FAULT,
    (None, True): Result.DRAWN_BY_FAULT,
    (2, True): Result.LOST_BY_FAULT,
}

Both = tuple[Result | None, Result | None]
"""Two games on the same deal with the seats swapped; None for one that is missing."""


class Pairing(NamedTuple):
    """Who met whom in which game: `one` has seat 1 first, and seat 2 when the seats are swapped."""

    title: Title
    one: str
    two: str


@dataclass(slots=True)
class Side:
    """What the play of one seat adds up to."""

    games: int = 0
    moves: int = 0
    regret: float = 0.0
    decisions: int = 0
    regret_squares: float = 0.0
    regret_decisions: float = 0.0
    decision_squares: int = 0
    blunders: int = 0
    kept: int = 0
    had: int = 0
    seconds: float = 0.0
    tokens: int = 0
    token_moves: int = 0
    """Moves in games of which the tokens are known."""
    faults: Counter[str] = field(default_factory=Counter)

    def __iadd__(self, other: "Side") -> "Side":
        for name in self.__slots__:
            if name == "faults":
                self.faults.update(other.faults)
            else:
                setattr(self, name, getattr(self, name) + getattr(other, name))
        return self


@dataclass(slots=True)
class Dealt:
    """What is needed to tell luck from skill: of seat 1's points and of its luck the sums, squares and products."""

    games: int = 0
    points: float = 0.0
    luck: float = 0.0
    point_squares: float = 0.0
    luck_squares: float = 0.0
    products: float = 0.0


@dataclass(slots=True)
class Book:
    """What is counted for two who sat so, and for those two with the seats swapped."""

    sides: tuple[Side, Side]
    dealt: Dealt
    pairs: dict[bool, Counter[Both]]
    """By whether the seats were swapped: the same counters in the book of the other way round."""
    waiting: dict[bool, dict[int, tuple[bool, Result]]]
    """By round, the games that wait for their mate."""
    samples: Sequence[Sample]
    """Where such games are kept to be looked at."""


class Tally:
    """Everything counted of a run."""

    def __init__(self, sampling: Callable[[Pairing], Sequence[Sample]] = lambda seated: ()) -> None:
        self.games = 0
        self.sampling = sampling
        """Says, once for any two who sit so, where their games are kept."""
        self.books: dict[Pairing, Book] = {}
        """By who sat where: here `one` is seat 1."""
        self.pairs: dict[Pairing, Counter[Both]] = {}
        self._waiting: dict[Pairing, dict[int, tuple[bool, Result]]] = {}
        self._waits = 0

    def add(self, row: Row) -> None:
        """Count one game."""
        self.games += 1
        seated = Pairing(row.title, *row.seats)
        book = self.books.get(seated) or self._open(seated)
        plies = len(row.moves)
        _count(book.sides[0], row, 0, (plies + 1) // 2)
        _count(book.sides[1], row, 1, plies // 2)
        result = RESULTS[row.winner, row.fault is not None]
        if row.luck is not None:
            _deal(book.dealt, result.points, row.luck)
        self._pair(book, row.round, row.swapped, result)
        for sample in book.samples:
            sample.add(row)

    def _open(self, seated: Pairing) -> Book:
        swapped = Pairing(seated.title, seated.two, seated.one)
        pairs = {turned: self.pairs.setdefault(swapped if turned else seated, Counter()) for turned in (False, True)}
        waiting = {turned: self._waiting.setdefault(swapped if turned else seated, {}) for turned in (False, True)}
        book = self.books[seated] = Book((Side(), Side()), Dealt(), pairs, waiting, self.sampling(seated))
        return book

    def _pair(self, book: Book, round_: int, swapped: bool, result: Result) -> None:
        waiting, pairs = book.waiting[swapped], book.pairs[swapped]
        mate = waiting.pop(round_, None)
        if mate is None:
            self._waits += 1
            if self._waits > MOST_WAITING:
                self.close()
            waiting[round_] = swapped, result
        elif mate[0] == swapped:
            pairs[_alone(*mate)] += 1
            waiting[round_] = swapped, result
        else:
            self._waits -= 1
            pairs[(mate[1], result) if swapped else (result, mate[1])] += 1

    def close(self) -> "Tally":
        """Wait for nobody any longer: whose mate has not come is counted alone."""
        for pairing, waiting in self._waiting.items():
            self.pairs[pairing].update(_alone(*mate) for mate in waiting.values())
            waiting.clear()
        self._waits = 0
        return self

    @property
    def titles(self) -> list[Title]:
        """Every game that was played, in the order in which it came up first."""
        return list(dict.fromkeys(pairing.title for pairing in self.books))

    @property
    def players(self) -> list[str]:
        """Everybody who played, in the order in which they came up first."""
        return list(dict.fromkeys(name for pairing in self.books for name in (pairing.one, pairing.two)))


def _count(side: Side, row: Row, seat: int, moves: int) -> None:
    regret, decisions = row.regret[seat], row.decisions[seat]
    side.games += 1
    side.moves += moves
    side.seconds += row.seconds[seat]
    if decisions:
        side.decisions += decisions
        side.decision_squares += decisions * decisions
        side.blunders += row.blunders[seat]
    if regret:
        side.regret += regret
        side.regret_squares += regret * regret
        side.regret_decisions += regret * decisions
    if row.held is not None:
        kept, had = row.held[seat]
        side.kept += kept
        side.had += had
    tokens = row.tokens[seat]
    if tokens is not None:
        side.tokens += tokens
        side.token_moves += moves
    if row.faults[seat]:
        side.faults.update(row.faults[seat])
    if row.fault is not None and row.winner == 2 - seat:
        side.faults[row.reason] += 1


def _deal(dealt: Dealt, points: float, luck: float) -> None:
    dealt.games += 1
    dealt.points += points
    dealt.luck += luck
    dealt.point_squares += points * points
    dealt.luck_squares += luck * luck
    dealt.products += points * luck


def _alone(swapped: bool, result: Result) -> Both:
    return (None, result) if swapped else (result, None)


def tally(rows: Iterable[Row], sampling: Callable[[Pairing], Sequence[Sample]] = lambda seated: ()) -> Tally:
    """All that is counted of some rows."""
    found = Tally(sampling)
    for row in rows:
        found.add(row)
    return found.close()


def without_faults(both: Both) -> Both:
    """The same games, those left out that somebody's fault ended."""
    one, two = (None if result is not None and result.by_fault else result for result in both)
    return one, two


def counted(pairs: dict[Pairing, Counter[Both]], faults_count: bool = True) -> Iterator[tuple[Pairing, Both, int]]:
    """Every pairing with how its pairs of games ended and how often; faults as losses, or left out."""
    for pairing, counts in pairs.items():
        for both, count in counts.items():
            kept = both if faults_count else without_faults(both)
            if kept != (None, None):
                yield pairing, kept, count
