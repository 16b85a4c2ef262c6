"""What is counted while the rows of a run are read: sums that do not grow with the number of games."""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, NamedTuple

from bitduel.arena.game_record import GameRecord
from bitduel.arena.sample import GameSample
from bitduel.core.endings import ABANDONED

Title = tuple[str, tuple[tuple[str, Any], ...]]
"""A game with its options."""

CLUSTERS = 100
"""So many clusters each stratum has at most: rounds beyond share them, and a hundred tell the spread well enough."""


class Result(IntEnum):
    """How a game ended, for whom it is seat 1's: by play, by somebody's fault, or by the limit of plies."""

    WON = 0
    DRAWN = 1
    LOST = 2
    WON_BY_FAULT = 3
    ABANDONED = 4
    LOST_BY_FAULT = 5

    @property
    def points(self) -> float:
        """What seat 1 has of it; a game that was abandoned is drawn."""
        return (1.0, 0.5, 0.0)[self % 3]

    @property
    def by_fault(self) -> bool:
        """Whether somebody's fault ended it, which is a loss."""
        return self in (Result.WON_BY_FAULT, Result.LOST_BY_FAULT)


def result_of(row: GameRecord) -> Result:
    """How a game ended. A game without a winner is nobody's loss, whatever its row says of a fault."""
    if row.winner is None:
        return Result.ABANDONED if row.reason == ABANDONED else Result.DRAWN
    return Result((0 if row.winner == 1 else 2) + (3 if row.fault is not None else 0))


class SeatedPair(NamedTuple):
    """Who met whom in which game: `one` has seat 1."""

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


class LuckSums(NamedTuple):
    """What is needed of some games to tell luck from skill: of seat 1's points and luck the sums, squares, products."""

    games: float = 0.0
    points: float = 0.0
    luck: float = 0.0
    point_squares: float = 0.0
    luck_squares: float = 0.0
    products: float = 0.0

    def __or__(self, other: "LuckSums") -> "LuckSums":
        return LuckSums(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


Dealt = dict[int, LuckSums]
"""The games with a deal, by cluster."""


class CountedMeasure(IntEnum):
    """What is summed over the games of a cluster, for each seat, after how they ended."""

    DECIDED = 0
    """Games with a decision."""
    REGRET = 1
    """Of these, what each gave away for each of its decisions."""
    BLUNDERS = 2
    """Of these, the part of the decisions in each that were blunders."""
    HAD_WON = 3
    """Games with a won position."""
    KEPT = 4
    """Of these, the part of the won positions in each that were kept."""


def at(seat: int, measure: CountedMeasure) -> int:
    """Where a sum of seat 0 or 1 stands in a cell."""
    return len(Result) + seat * len(CountedMeasure) + measure


CELL = array("d", bytes(8 * at(2, CountedMeasure.DECIDED)))
"""Nothing counted yet: how games ended, then the measures of both seats."""


@dataclass(slots=True)
class Book:
    """What is counted for two who sat so."""

    sides: tuple[Side, Side]
    dealt: Dealt
    cells: dict[int, "array[float]"]
    """The sums by cluster."""
    samples: Sequence[GameSample]
    """Where such games are kept to be looked at."""

    def total(self, result: Result) -> int:
        """How many games ended so."""
        return int(sum(cell[result] for cell in self.cells.values()))


Stratum = tuple[Title, frozenset[str]]
"""A game and two players who met in it; all players where something is dealt, as then all share the deals."""
Clusters = dict[Stratum, dict[int, dict[SeatedPair, "array[float]"]]]
"""Everything that is counted, by stratum, cluster and who sat where."""


class RunTally:
    """Everything counted of a run."""

    def __init__(self, sampling: Callable[[SeatedPair], Sequence[GameSample]] = lambda seated: ()) -> None:
        self.games = 0
        self.not_isolated: Counter[str] = Counter()
        """By bot, the games in which what it learnt could outlive them."""
        self.sampling = sampling
        """Says, once for any two who sit so, where their games are kept."""
        self.books: dict[SeatedPair, Book] = {}
        """By who sat where."""
        self._dealt: set[Title] = set()

    def add(self, row: GameRecord) -> None:
        """Count one game."""
        self.games += 1
        seated = SeatedPair(row.title, *row.seats)
        book = self.books.get(seated) or self._open(seated)
        plies = len(row.moves)
        _count(book.sides[0], row, 0, (plies + 1) // 2)
        _count(book.sides[1], row, 1, plies // 2)
        result = result_of(row)
        if row.deal is not None:
            self._dealt.add(seated.title)
        if row.luck is not None:
            _deal(book.dealt, row.round % CLUSTERS, result.points, row.luck)
        _put(book.cells, row, result)
        for name, isolated in zip(row.seats, row.isolated, strict=True):
            if isolated is False:
                self.not_isolated[name] += 1
        for sample in book.samples:
            sample.add(row)

    def _open(self, seated: SeatedPair) -> Book:
        book = self.books[seated] = Book((Side(), Side()), {}, {}, self.sampling(seated))
        return book

    def is_dealt(self, title: Title) -> bool:
        """Whether something is dealt, so that all games of a round are one cluster."""
        return title in self._dealt

    def clusters(self, title: Title | None = None) -> Clusters:
        """What is counted of one game, or of all, by what varies together."""
        found: Clusters = {}
        for seated, book in self.books.items():
            if title in (None, seated.title):
                dealt = self.is_dealt(seated.title)
                stratum = seated.title, frozenset() if dealt else frozenset((seated.one, seated.two))
                clusters = found.setdefault(stratum, {})
                for number, cell in book.cells.items():
                    clusters.setdefault(number, {})[seated] = cell
        return found

    @property
    def titles(self) -> list[Title]:
        """Every game that was played, in the order in which it came up first."""
        return list(dict.fromkeys(pairing.title for pairing in self.books))

    @property
    def players(self) -> list[str]:
        """Everybody who played, in the order in which they came up first."""
        return list(dict.fromkeys(name for pairing in self.books for name in (pairing.one, pairing.two)))


def _put(cells: dict[int, "array[float]"], row: GameRecord, result: Result) -> None:
    """Add a game to its cluster."""
    number = row.round % CLUSTERS
    cell = cells.get(number)
    if cell is None:
        cell = cells[number] = CELL[:]
    cell[result] += 1
    for seat in (0, 1):
        decisions = row.decisions[seat]
        if decisions:
            cell[at(seat, CountedMeasure.DECIDED)] += 1
            if row.regret[seat]:
                cell[at(seat, CountedMeasure.REGRET)] += row.regret[seat] / decisions
                cell[at(seat, CountedMeasure.BLUNDERS)] += row.blunders[seat] / decisions
        if row.held is not None and row.held[seat][1]:
            kept, had = row.held[seat]
            cell[at(seat, CountedMeasure.HAD_WON)] += 1
            cell[at(seat, CountedMeasure.KEPT)] += kept / had


def _count(side: Side, row: GameRecord, seat: int, moves: int) -> None:
    regret, decisions = row.regret[seat], row.decisions[seat]
    side.games += 1
    side.moves += moves
    side.seconds += row.seconds[seat]
    side.decisions += decisions
    side.blunders += row.blunders[seat]
    side.regret += regret
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


def _deal(dealt: Dealt, cluster: int, points: float, luck: float) -> None:
    dealt[cluster] = dealt.get(cluster, LuckSums()) | LuckSums(
        1, points, luck, points * points, luck * luck, points * luck
    )


def tally(
    rows: Iterable[GameRecord], sampling: Callable[[SeatedPair], Sequence[GameSample]] = lambda seated: ()
) -> RunTally:
    """All that is counted of some rows."""
    found = RunTally(sampling)
    for row in rows:
        found.add(row)
    return found


def ended(cell: "array[float]", faults_count: bool = True) -> tuple[float, float, float]:
    """Of a cell's games how many seat 1 won, drew and lost; faults as losses, or left out."""
    won, drawn, lost = cell[Result.WON], cell[Result.DRAWN] + cell[Result.ABANDONED], cell[Result.LOST]
    if faults_count:
        return won + cell[Result.WON_BY_FAULT], drawn, lost + cell[Result.LOST_BY_FAULT]
    return won, drawn, lost
