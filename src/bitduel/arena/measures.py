"""What a run tells of every player: points, and how far from perfect the play was; docs/arena-measures.md explains."""

from array import array
from collections import defaultdict
from collections.abc import Callable
from typing import Any, NamedTuple

from bitduel.arena.intervals import Cluster, Estimate, share
from bitduel.arena.tally import Clusters, CountedMeasure, Result, RunTally, Side, Title, at, ended


class WinRecord(NamedTuple):
    """Games won, drawn and lost."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        """All of them."""
        return sum(self)

    @property
    def points(self) -> float:
        """A win 1, a draw a half."""
        return self.won + self.drawn / 2

    def __or__(self, other: "WinRecord") -> "WinRecord":
        return WinRecord(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


class PlayerScore(NamedTuple):
    """What somebody has won: from each seat, the part of the matches won there, and the score of it all."""

    first: WinRecord = WinRecord()
    second: WinRecord = WinRecord()
    abandoned: int = 0
    """Of those that were drawn, the matches that reached the limit of plies."""
    wins: tuple[Estimate | None, Estimate | None] = (None, None)
    score: Estimate | None = None

    @property
    def all(self) -> WinRecord:
        """Both seats together."""
        return self.first | self.second


class Pooled(NamedTuple):
    """The same from all decisions of all matches together, so that a long match weighs more than a short one."""

    regret: float | None
    blunders: float | None
    kept: float | None


class PlayQuality(NamedTuple):
    """How far from perfect somebody's moves were, and what they cost."""

    games: int
    moves: int
    decisions: int
    regret: Estimate | None
    """Given away for each decision, in the mean of all matches that had any."""
    blunders: Estimate | None
    """The part of the decisions that gave something away, likewise."""
    kept: Estimate | None
    """Of the positions that were won, the part that still was after the move, likewise."""
    pooled: Pooled
    faults: dict[str, int]
    seconds: float | None
    """For each move."""
    tokens: float | None
    """For each move of which they are known."""


class ClusterSeat(NamedTuple):
    """Where somebody sat in a cluster of games: 0 or 1, what was counted there, and whether against oneself."""

    seat: int
    cell: "array[float]"
    alone: bool

    def ended(self, faults_count: bool) -> tuple[float, ...]:
        """How many games were won, drawn and lost here."""
        return ended(self.cell, faults_count)[:: 1 - 2 * self.seat]


Seats = list[list[list[ClusterSeat]]]
"""Somebody's seats by stratum and cluster."""


class Measured(NamedTuple):
    """Everything about one player, in one game or in all."""

    player: str
    standing: PlayerScore
    without_faults: PlayerScore
    play: PlayQuality

    def as_data(self) -> dict[str, Any]:
        """The same as JSON-ready data."""
        play = self.play
        return {
            "player": self.player,
            **_standing_data(self.standing),
            "without_faults": _standing_data(self.without_faults),
            "moves": play.moves,
            "decisions": play.decisions,
            "regret_per_decision": play.regret and play.regret.as_data(),
            "blunder_rate": play.blunders and play.blunders.as_data(),
            "won_positions_kept": play.kept and play.kept.as_data(),
            "pooled": {
                "regret_per_decision": play.pooled.regret,
                "blunder_rate": play.pooled.blunders,
                "won_positions_kept": play.pooled.kept,
            },
            "faults": play.faults,
            "seconds_per_move": play.seconds,
            "tokens_per_move": play.tokens,
        }


def _standing_data(standing: PlayerScore) -> dict[str, Any]:
    seated = zip(("as_first", "as_second"), (standing.first, standing.second), standing.wins, strict=True)
    return {
        "games": standing.all.games,
        **standing.all._asdict(),
        "abandoned": standing.abandoned,
        "points": standing.all.points,
        "score": standing.score and standing.score.as_data(),
        **{name: {**seat._asdict(), "win_rate": wins and wins.as_data()} for name, seat, wins in seated},
    }


def measure(tally: RunTally, title: Title | None = None) -> list[Measured]:
    """Every player in one game, or in all; who has the best score comes first."""
    seats = _seats(tally.clusters(title))
    sides: dict[str, Side] = {}
    for pairing, book in tally.books.items():
        if title in (None, pairing.title):
            for name, side in zip((pairing.one, pairing.two), book.sides, strict=True):
                sides.setdefault(name, Side()).__iadd__(side)
    found = [
        Measured(
            name,
            _standing(seats[name], faults_count=True),
            _standing(seats[name], faults_count=False),
            _play(seats[name], side),
        )
        for name, side in sides.items()
    ]
    return sorted(found, key=lambda each: -each.standing.score.value if each.standing.score else 1)


def _seats(clusters: Clusters) -> dict[str, Seats]:
    """Where everybody sat, by stratum and cluster."""
    found: dict[str, Seats] = defaultdict(list)
    for strata in clusters.values():
        own: dict[str, dict[int, list[ClusterSeat]]] = defaultdict(lambda: defaultdict(list))
        for number, cluster in strata.items():
            for seated, cell in cluster.items():
                for seat, name in enumerate((seated.one, seated.two)):
                    own[name][number].append(ClusterSeat(seat, cell, seated.one == seated.two))
        for name, numbered in own.items():
            found[name].append(list(numbered.values()))
    return found


def _play(seats: Seats, side: Side) -> PlayQuality:
    """What the sums of somebody's play mean."""

    def mean(counted: CountedMeasure, cases: CountedMeasure) -> Estimate | None:
        return _share(seats, lambda each: (each.cell[at(each.seat, counted)], each.cell[at(each.seat, cases)]))

    return PlayQuality(
        games=side.games,
        moves=side.moves,
        decisions=side.decisions,
        regret=mean(CountedMeasure.REGRET, CountedMeasure.DECIDED),
        blunders=mean(CountedMeasure.BLUNDERS, CountedMeasure.DECIDED),
        kept=mean(CountedMeasure.KEPT, CountedMeasure.HAD_WON),
        pooled=Pooled(
            _part(side.regret, side.decisions), _part(side.blunders, side.decisions), _part(side.kept, side.had)
        ),
        faults=dict(sorted(side.faults.items())),
        seconds=_part(side.seconds, side.moves),
        tokens=_part(side.tokens, side.token_moves),
    )


def _part(counted: float, cases: int) -> float | None:
    return counted / cases if cases else None


def _standing(seats: Seats, faults_count: bool) -> PlayerScore:
    """What somebody has won against others; games against oneself tell nothing of that."""
    records, abandoned = [WinRecord(), WinRecord()], 0.0
    for each in (each for stratum in seats for cluster in stratum for each in cluster if not each.alone):
        records[each.seat] |= WinRecord(*map(int, each.ended(faults_count)))
        abandoned += each.cell[Result.ABANDONED]

    def points(each: ClusterSeat) -> Cluster:
        won, drawn, lost = each.ended(faults_count)
        return (0, 0) if each.alone else (won + drawn / 2, won + drawn + lost)

    def wins(seat: int) -> Estimate | None:
        def won(each: ClusterSeat) -> Cluster:
            counts = each.ended(faults_count)
            return (0, 0) if each.alone or each.seat != seat else (counts[0], sum(counts))

        return _share(seats, won)

    return PlayerScore(records[0], records[1], int(abandoned), (wins(0), wins(1)), _share(seats, points))


def _share(seats: Seats, counted: Callable[[ClusterSeat], Cluster]) -> Estimate | None:
    """A share of what is counted at somebody's seats, cluster by cluster."""

    def summed(cluster: list[ClusterSeat]) -> Cluster:
        found = [counted(each) for each in cluster]
        return sum(one for one, _ in found), sum(two for _, two in found)

    return share([summed(cluster) for cluster in stratum] for stratum in seats)


def cross_table(tally: RunTally, title: Title | None = None) -> dict[tuple[str, str], WinRecord]:
    """For everybody who met, what the first named won against the second."""
    found: dict[tuple[str, str], WinRecord] = defaultdict(WinRecord)
    for pairing, book in tally.books.items():
        if title in (None, pairing.title) and pairing.one != pairing.two:
            for cell in book.cells.values():
                won, drawn, lost = map(int, ended(cell))
                found[pairing.one, pairing.two] |= WinRecord(won, drawn, lost)
                found[pairing.two, pairing.one] |= WinRecord(lost, drawn, won)
    return dict(found)


def count(tally: RunTally, results: Callable[[Result], bool]) -> int:
    """How many games ended in one of these ways."""
    wanted = [result for result in Result if results(result)]
    return sum(book.total(result) for book in tally.books.values() for result in wanted)


def faults_ended(tally: RunTally) -> int:
    """How many games somebody's fault ended."""
    return count(tally, lambda result: result.by_fault)


def abandoned(tally: RunTally) -> int:
    """How many games reached the limit of plies."""
    return count(tally, lambda result: result is Result.ABANDONED)
