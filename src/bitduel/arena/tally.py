"""The tally of a run: sums over its rows that do not grow with the number of games, and samples of games."""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from heapq import heappush, heappushpop
from typing import Any, NamedTuple
from zlib import crc32

from bitduel.arena.game_record import GameRecord
from bitduel.core.outcomes import ABANDONED

Title = tuple[str, tuple[tuple[str, Any], ...]]
"""A game with its options."""

CLUSTERS = 100
"""The most clusters of a stratum: rounds beyond share them, and a hundred tell the spread well enough."""


class Result(IntEnum):
    """The end of a game, seen by seat 1: by play, by somebody's fault, or by the limit of plies."""

    WON = 0
    DRAWN = 1
    LOST = 2
    WON_BY_FAULT = 3
    ABANDONED = 4
    LOST_BY_FAULT = 5

    @property
    def points(self) -> float:
        """The points of seat 1; an abandoned game is drawn."""
        return (1.0, 0.5, 0.0)[self % 3]


def _result(row: GameRecord) -> Result:
    """Return how a game ended; without a winner it counts as a draw, even if its row names a fault."""
    if row.winner is None:
        return Result.ABANDONED if row.reason == ABANDONED else Result.DRAWN
    return Result((0 if row.winner == 1 else 2) + (3 if row.fault is not None else 0))


class SeatedPair(NamedTuple):
    """Two players in a game: `one` has seat 1."""

    title: Title
    one: str
    two: str


@dataclass(slots=True)
class SideTotals:
    """The sums over the play of one seat."""

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
    """The moves in games whose tokens are known."""
    faults: Counter[str] = field(default_factory=Counter)

    def __iadd__(self, other: "SideTotals") -> "SideTotals":
        for name in self.__slots__:
            if name != "faults":
                setattr(self, name, getattr(self, name) + getattr(other, name))
        self.faults.update(other.faults)
        return self

    def add(self, row: GameRecord, seat: int, moves: int) -> None:
        """Count one game."""
        self.games += 1
        self.moves += moves
        self.seconds += row.seconds[seat]
        self.decisions += row.decisions[seat]
        self.blunders += row.blunders[seat]
        self.regret += row.regret[seat]
        if row.held is not None:
            kept, had = row.held[seat]
            self.kept += kept
            self.had += had
        tokens = row.tokens[seat]
        if tokens is not None:
            self.tokens += tokens
            self.token_moves += moves
        if row.faults[seat]:
            self.faults.update(row.faults[seat])
        if row.fault is not None and row.winner == 2 - seat:
            self.faults[row.reason] += 1


class LuckSums(NamedTuple):
    """Sums, squares and products of seat 1's points and luck, to tell luck from skill."""

    games: float = 0.0
    points: float = 0.0
    luck: float = 0.0
    point_squares: float = 0.0
    luck_squares: float = 0.0
    products: float = 0.0

    def __or__(self, other: "LuckSums") -> "LuckSums":
        return LuckSums(*map(sum, zip(self, other, strict=True)))


LuckByCluster = dict[int, LuckSums]


class CountedMeasure(IntEnum):
    """The index of a sum over the games of a cluster, after the results and for each seat."""

    DECIDED = 0
    """Games with a decision."""
    REGRET = 1
    """The mean regret of their decisions."""
    BLUNDERS = 2
    """The share of blunders among their decisions."""
    HAD_WON = 3
    """Games with a won position."""
    KEPT = 4
    """The share of won positions that stayed won."""


def cell_index(seat: int, measure: CountedMeasure) -> int:
    """Return the index in a cell of a measure of seat 0 or 1."""
    return len(Result) + seat * len(CountedMeasure) + measure


EMPTY_CELL = array("d", bytes(8 * cell_index(2, CountedMeasure.DECIDED)))
"""A cell without a game: counts by result, then the measures of both seats."""


class GameSample:
    """A bounded sample of games, the same whatever the order in which they come."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._heap: list[tuple[int, str, GameRecord]] = []

    def add(self, row: GameRecord) -> None:
        """Offer one more game to the sample."""
        mark = -crc32(row.id.encode("utf-8", "replace"))
        if len(self._heap) < self.size:
            heappush(self._heap, (mark, row.id, row))
        elif mark > self._heap[0][0]:
            heappushpop(self._heap, (mark, row.id, row))

    @property
    def rows(self) -> list[GameRecord]:
        """The games, in an order that does not depend on how they went."""
        return [row for _, _, row in sorted(self._heap, key=lambda each: (-each[0], each[1]))]


@dataclass(slots=True)
class PairTally:
    """The counts for two players who sat in this order."""

    sides: tuple[SideTotals, SideTotals]
    luck: LuckByCluster
    cells: dict[int, "array[float]"]
    """The sums by cluster."""
    samples: Sequence[GameSample]


Stratum = tuple[Title, frozenset[str]]
"""A game and two players who met in it; in a game with a deal all players, because they share the deals."""
Clusters = dict[Stratum, dict[int, dict[SeatedPair, "array[float]"]]]
"""All cells, by stratum, cluster and seated pair."""
Sampling = Callable[[SeatedPair], Sequence[GameSample]]
"""Returns, once for each seated pair, the samples to which its games go."""


class RunTally:
    """All counts of a run."""

    def __init__(self, rows: Iterable[GameRecord] = (), sampling: Sampling = lambda pair: ()) -> None:
        self.games = 0
        self.not_isolated: Counter[str] = Counter()
        """For each bot, the games after which it could remember what it learned."""
        self.sampling = sampling
        self.pairs: dict[SeatedPair, PairTally] = {}
        self._dealt: set[Title] = set()
        for row in rows:
            self.add(row)

    def add(self, row: GameRecord) -> None:
        """Count one game."""
        self.games += 1
        pair = SeatedPair(row.title, *row.seats)
        counts = self.pairs.get(pair)
        if counts is None:
            counts = self.pairs[pair] = PairTally((SideTotals(), SideTotals()), {}, {}, self.sampling(pair))
        plies = len(row.moves)
        counts.sides[0].add(row, 0, (plies + 1) // 2)
        counts.sides[1].add(row, 1, plies // 2)
        result, cluster = _result(row), row.round % CLUSTERS
        if row.deal is not None:
            self._dealt.add(pair.title)
        if row.luck is not None:
            points, luck = result.points, row.luck
            sums = LuckSums(1, points, luck, points * points, luck * luck, points * luck)
            counts.luck[cluster] = counts.luck.get(cluster, LuckSums()) | sums
        _add_to_cell(counts.cells, cluster, row, result)
        for name, isolated in zip(row.seats, row.isolated, strict=True):
            if isolated is False:
                self.not_isolated[name] += 1
        for sample in counts.samples:
            sample.add(row)

    def clusters(self, title: Title | None = None) -> Clusters:
        """Return the cells of one game, or of all, by what varies together."""
        found: Clusters = {}
        for pair, counts in self.pairs.items():
            if title in (None, pair.title):
                players = frozenset() if pair.title in self._dealt else frozenset((pair.one, pair.two))
                clusters = found.setdefault((pair.title, players), {})
                for number, cell in counts.cells.items():
                    clusters.setdefault(number, {})[pair] = cell
        return found

    def count(self, *results: Result) -> int:
        """Return how many games ended in one of these ways."""
        return int(sum(cell[each] for pair in self.pairs.values() for cell in pair.cells.values() for each in results))

    @property
    def players(self) -> list[str]:
        """All players, in the order in which they came up first."""
        return list(dict.fromkeys(name for pair in self.pairs for name in (pair.one, pair.two)))


def _add_to_cell(cells: dict[int, "array[float]"], cluster: int, row: GameRecord, result: Result) -> None:
    cell = cells.get(cluster)
    if cell is None:
        cell = cells[cluster] = EMPTY_CELL[:]
    cell[result] += 1
    for seat in (0, 1):
        decisions = row.decisions[seat]
        if decisions:
            cell[cell_index(seat, CountedMeasure.DECIDED)] += 1
            if row.regret[seat]:
                cell[cell_index(seat, CountedMeasure.REGRET)] += row.regret[seat] / decisions
                cell[cell_index(seat, CountedMeasure.BLUNDERS)] += row.blunders[seat] / decisions
        if row.held is not None and row.held[seat][1]:
            kept, had = row.held[seat]
            cell[cell_index(seat, CountedMeasure.HAD_WON)] += 1
            cell[cell_index(seat, CountedMeasure.KEPT)] += kept / had


def cell_results(cell: "array[float]", faults_count: bool = True) -> tuple[float, float, float]:
    """Return how many games of a cell seat 1 won, drew and lost; faults as losses, or left out."""
    won, drawn, lost = cell[Result.WON], cell[Result.DRAWN] + cell[Result.ABANDONED], cell[Result.LOST]
    if faults_count:
        return won + cell[Result.WON_BY_FAULT], drawn, lost + cell[Result.LOST_BY_FAULT]
    return won, drawn, lost
