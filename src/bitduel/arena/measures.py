"""The measures of every player in a run: points, quality of play and luck; docs/arena-measures.md explains them."""

from array import array
from collections import defaultdict
from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

from bitduel.arena.intervals import Cluster, Estimate, Spread, estimate_share, widened_wilson
from bitduel.arena.tally import (
    Clusters,
    CountedMeasure,
    LuckByCluster,
    LuckSums,
    Result,
    RunTally,
    SideTotals,
    Title,
    cell_index,
    cell_results,
)

MIN_ROUNDS = 2
"""One round has one deal per seat, so luck cannot be separated from play."""


class WinRecord(NamedTuple):
    """Games won, drawn and lost."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        """All games."""
        return sum(self)

    @property
    def points(self) -> float:
        """A win counts 1, a draw a half."""
        return self.won + self.drawn / 2

    def __or__(self, other: "WinRecord") -> "WinRecord":
        return WinRecord(*map(sum, zip(self, other, strict=True)))


class PlayerScore(NamedTuple):
    """The results of a player from each seat, the share of wins there, and the score."""

    first: WinRecord = WinRecord()
    second: WinRecord = WinRecord()
    abandoned: int = 0
    """The number of drawn matches that reached the limit of plies."""
    wins: tuple[Estimate | None, Estimate | None] = (None, None)
    score: Estimate | None = None

    @property
    def all(self) -> WinRecord:
        """Both seats together."""
        return self.first | self.second

    def as_data(self) -> dict[str, Any]:
        """Return the data of a report."""
        return {
            "games": self.all.games,
            **self.all._asdict(),
            "abandoned": self.abandoned,
            "points": self.all.points,
            "score": self.score,
            "as_first": {**self.first._asdict(), "win_rate": self.wins[0]},
            "as_second": {**self.second._asdict(), "win_rate": self.wins[1]},
        }


class PooledQuality(NamedTuple):
    """The quality over all decisions of all matches, so that a long match weighs more than a short one."""

    regret_per_decision: float | None
    blunder_rate: float | None
    won_positions_kept: float | None


class PlayQuality(NamedTuple):
    """The distance of a player's moves from perfect play, and what they cost."""

    moves: int
    decisions: int
    regret_per_decision: Estimate | None
    """In the mean of all matches that had any."""
    blunder_rate: Estimate | None
    """The share of decisions that were blunders, likewise."""
    won_positions_kept: Estimate | None
    """The share of won positions that were still won after the move, likewise."""
    pooled: PooledQuality
    faults: dict[str, int]
    seconds_per_move: float | None
    tokens_per_move: float | None
    """For each move of which they are known."""


class PlayerMeasures(NamedTuple):
    """All measures of one player, in one game or in all."""

    player: str
    standing: PlayerScore
    without_faults: PlayerScore
    play: PlayQuality

    def as_data(self) -> dict[str, Any]:
        """Return the data of a report."""
        scores = {**self.standing.as_data(), "without_faults": self.without_faults.as_data()}
        return {"player": self.player, **scores, **self.play._asdict()}


class ClusterSeat(NamedTuple):
    """A player's seat (0 or 1) in a cell, and whether the player met itself there."""

    seat: int
    cell: "array[float]"
    is_self_play: bool

    def results(self, faults_count: bool) -> tuple[float, ...]:
        """Return how many games the player won, drew and lost here."""
        return cell_results(self.cell, faults_count)[:: 1 - 2 * self.seat]


Seats = list[list[list[ClusterSeat]]]
"""A player's seats by stratum and cluster."""


def measure(tally: RunTally, title: Title | None = None) -> list[PlayerMeasures]:
    """Return every player in one game, or in all, the best score first."""
    seats = _seats(tally.clusters(title))
    totals: dict[str, SideTotals] = {}
    for pair, counts in tally.pairs.items():
        if title in (None, pair.title):
            for name, side in zip((pair.one, pair.two), counts.sides, strict=True):
                totals.setdefault(name, SideTotals()).__iadd__(side)
    players = [
        PlayerMeasures(
            name,
            _score(seats[name], faults_count=True),
            _score(seats[name], faults_count=False),
            _quality(seats[name], total),
        )
        for name, total in totals.items()
    ]
    return sorted(players, key=lambda each: -each.standing.score.value if each.standing.score else 1)


def _seats(clusters: Clusters) -> dict[str, Seats]:
    seats: dict[str, Seats] = defaultdict(list)
    for stratum in clusters.values():
        by_player: dict[str, dict[int, list[ClusterSeat]]] = defaultdict(lambda: defaultdict(list))
        for number, cluster in stratum.items():
            for pair, cell in cluster.items():
                for seat, name in enumerate((pair.one, pair.two)):
                    by_player[name][number].append(ClusterSeat(seat, cell, pair.one == pair.two))
        for name, numbered in by_player.items():
            seats[name].append(list(numbered.values()))
    return seats


def _quality(seats: Seats, total: SideTotals) -> PlayQuality:
    def mean(counted: CountedMeasure, cases: CountedMeasure) -> Estimate | None:
        return _share(
            seats, lambda each: (each.cell[cell_index(each.seat, counted)], each.cell[cell_index(each.seat, cases)])
        )

    def ratio(counted: float, cases: int) -> float | None:
        return counted / cases if cases else None

    return PlayQuality(
        moves=total.moves,
        decisions=total.decisions,
        regret_per_decision=mean(CountedMeasure.REGRET, CountedMeasure.DECIDED),
        blunder_rate=mean(CountedMeasure.BLUNDERS, CountedMeasure.DECIDED),
        won_positions_kept=mean(CountedMeasure.KEPT, CountedMeasure.HAD_WON),
        pooled=PooledQuality(
            ratio(total.regret, total.decisions),
            ratio(total.blunders, total.decisions),
            ratio(total.kept, total.had),
        ),
        faults=dict(sorted(total.faults.items())),
        seconds_per_move=ratio(total.seconds, total.moves),
        tokens_per_move=ratio(total.tokens, total.token_moves),
    )


def _score(seats: Seats, faults_count: bool) -> PlayerScore:
    """Return the score against others; games against oneself do not count."""
    records, abandoned = [WinRecord(), WinRecord()], 0.0
    for each in (each for stratum in seats for cluster in stratum for each in cluster if not each.is_self_play):
        records[each.seat] |= WinRecord(*map(int, each.results(faults_count)))
        abandoned += each.cell[Result.ABANDONED]

    def points(each: ClusterSeat) -> Cluster:
        won, drawn, lost = each.results(faults_count)
        return (0, 0) if each.is_self_play else (won + drawn / 2, won + drawn + lost)

    def wins(seat: int) -> Estimate | None:
        def won(each: ClusterSeat) -> Cluster:
            counts = each.results(faults_count)
            return (0, 0) if each.is_self_play or each.seat != seat else (counts[0], sum(counts))

        return _share(seats, won)

    return PlayerScore(records[0], records[1], int(abandoned), (wins(0), wins(1)), _share(seats, points))


def _share(seats: Seats, count: Callable[[ClusterSeat], Cluster]) -> Estimate | None:
    """Estimate a share of what is counted at a player's seats, cluster by cluster."""

    def total(cluster: list[ClusterSeat]) -> Cluster:
        counts = [count(each) for each in cluster]
        return sum(counted for counted, _ in counts), sum(cases for _, cases in counts)

    return estimate_share([total(cluster) for cluster in stratum] for stratum in seats)


def cross_table(tally: RunTally, title: Title | None = None) -> dict[tuple[str, str], WinRecord]:
    """Return, for every two players who met, the results of the first against the second."""
    table: dict[tuple[str, str], WinRecord] = defaultdict(WinRecord)
    for pair, counts in tally.pairs.items():
        if title in (None, pair.title) and pair.one != pair.two:
            for cell in counts.cells.values():
                won, drawn, lost = map(int, cell_results(cell))
                table[pair.one, pair.two] |= WinRecord(won, drawn, lost)
                table[pair.two, pair.one] |= WinRecord(lost, drawn, won)
    return dict(table)


class LuckShare(NamedTuple):
    """A player's score in a game with a deal, as it was and with the luck of the deals taken out."""

    player: str
    games: int
    luck: float
    """The mean luck of the deals: how much likelier than usual they made a win, with perfect play on both sides."""
    share: float
    """The part of a deal's luck that went into the results: about 1 between perfect players."""
    explained: float | None
    """The part of the variance of the results that the deals explain; None if too few games tell."""
    score: Estimate
    adjusted: Estimate
    """The score that remains with even deals."""


def luck_shares(tally: RunTally, title: Title) -> list[LuckShare]:
    """Return the luck of every player in a game; nothing if nothing is dealt."""
    parts: dict[str, list[tuple[LuckByCluster, int]]] = {}
    for pair, counts in tally.pairs.items():
        if pair.title == title and counts.luck and pair.one != pair.two:
            parts.setdefault(pair.one, []).append((counts.luck, 1))
            parts.setdefault(pair.two, []).append((counts.luck, -1))
    shares = [_luck_share(name, each) for name, each in parts.items()]
    return sorted(shares, key=lambda each: -each.adjusted.value)


def _luck_share(player: str, parts: list[tuple[LuckByCluster, int]]) -> LuckShare:
    """Regress points on luck within each pairing; `parts` has a sign for the seat."""
    pairs = [reduce(or_, clusters.values(), LuckSums()) for clusters, _ in parts]
    results = sum(each.point_squares - each.points**2 / each.games for each in pairs)
    spread = sum(each.luck_squares - each.luck**2 / each.games for each in pairs)
    common = sum(each.products - each.points * each.luck / each.games for each in pairs)
    slope = common / spread if spread > 0 else 0.0
    rounds = _rounds(parts)
    games, luck = sum(each.games for each in rounds), sum(each.luck for each in rounds)
    score = estimate_share([[(each.points, each.games) for each in rounds]])
    assert score is not None, "a player has a score"
    return LuckShare(
        player=player,
        games=int(games),
        luck=luck / games,
        share=slope,
        explained=min(1.0, common * slope / results) if len(rounds) >= MIN_ROUNDS and results > 0 else None,
        score=score,
        adjusted=_adjusted(rounds, score, slope, len(parts)),
    )


def _rounds(parts: list[tuple[LuckByCluster, int]]) -> list[LuckSums]:
    """Return a player's games, points and luck in each cluster, over all opponents and both seats."""
    rounds: dict[int, LuckSums] = defaultdict(LuckSums)
    for clusters, sign in parts:
        for cluster, sums in clusters.items():
            own = sums.points if sign > 0 else sums.games - sums.points
            rounds[cluster] |= LuckSums(sums.games, own, sign * sums.luck)
    return list(rounds.values())


def _adjusted(rounds: list[LuckSums], score: Estimate, slope: float, means: int) -> Estimate:
    """Return the score with the luck taken out, by what is left of the spread between rounds.

    Where seats were swapped on every deal, luck has taken itself out: then it is the score. Otherwise degrees of
    freedom go into the slope, and into the means within which it was found; and doubt about it counts as far as luck
    was uneven.
    """
    if not any(each.luck for each in rounds):
        return score
    count, games = len(rounds), sum(each.games for each in rounds)
    mean = sum(each.luck for each in rounds) / games
    value = min(1.0, max(0.0, score.value - slope * mean))
    uneven = sum((each.luck - mean * each.games) ** 2 for each in rounds)
    freedom = min(count - 2, int(games) - means - 1)
    if freedom < 1 or not uneven:
        return Estimate(value)
    left = sum((each.points - slope * each.luck - value * each.games) ** 2 for each in rounds)
    variance = left * count / freedom * (1 / games**2 + mean**2 / (uneven * count))
    return widened_wilson(value, variance, Spread(variance, freedom, count))
