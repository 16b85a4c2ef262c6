"""What a run tells of every player: points, and how far from perfect the play was; docs/arena-measures.md explains."""

from collections import defaultdict
from collections.abc import Iterable
from math import sqrt
from typing import Any, NamedTuple

from bitduel.arena.sure import Estimate, around, rate, wilson
from bitduel.arena.tally import Both, Pairing, Result, Side, Tally, Title, counted


class Record(NamedTuple):
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

    @property
    def wins(self) -> Estimate | None:
        """The part that was won, with Wilson's interval."""
        return rate(self.won, self.games)

    def plus(self, points: float, count: int) -> "Record":
        """With so many more games that brought these points."""
        won, drawn, lost = self
        return Record(won + count * (points == 1), drawn + count * (points == 0.5), lost + count * (points == 0))

    def __or__(self, other: "Record") -> "Record":
        return Record(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


class Standing(NamedTuple):
    """What somebody has won: from each seat, and the score of it with an interval that knows of pairs."""

    first: Record
    second: Record
    score: Estimate | None

    @property
    def all(self) -> Record:
        """Both seats together."""
        return self.first | self.second


class Play(NamedTuple):
    """How far from perfect somebody's moves were, and what they cost."""

    games: int
    moves: int
    decisions: int
    regret: Estimate | None
    """Given away for each decision."""
    blunders: Estimate | None
    """The part of the decisions that gave something away."""
    kept: Estimate | None
    """Of the positions that were won, the part that still was after the move."""
    faults: dict[str, int]
    seconds: float | None
    """For each move."""
    tokens: float | None
    """For each move of which they are known."""


class Measured(NamedTuple):
    """Everything about one player, in one game or in all."""

    player: str
    standing: Standing
    without_faults: Standing
    play: Play

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
            "faults": play.faults,
            "seconds_per_move": play.seconds,
            "tokens_per_move": play.tokens,
        }


def _standing_data(standing: Standing) -> dict[str, Any]:
    seats = {"as_first": standing.first, "as_second": standing.second}
    return {
        "games": standing.all.games,
        **standing.all._asdict(),
        "points": standing.all.points,
        "score": standing.score and standing.score.as_data(),
        **{name: {**seat._asdict(), "win_rate": seat.wins and seat.wins.as_data()} for name, seat in seats.items()},
    }


def measure(tally: Tally, title: Title | None = None) -> list[Measured]:
    """Every player in one game, or in all; who has the best score comes first."""
    standings = _standings(tally, title, faults_count=True), _standings(tally, title, faults_count=False)
    sides: dict[str, Side] = {}
    for pairing, book in tally.books.items():
        if title in (None, pairing.title):
            for name, side in zip((pairing.one, pairing.two), book.sides, strict=True):
                sides.setdefault(name, Side()).__iadd__(side)
    nothing = Standing(Record(), Record(), None)
    found = [
        Measured(name, standings[0].get(name, nothing), standings[1].get(name, nothing), play_of(side))
        for name, side in sides.items()
    ]
    return sorted(found, key=lambda each: -each.standing.score.value if each.standing.score else 1)


def play_of(side: Side) -> Play:
    """What the sums of somebody's play mean."""
    return Play(
        games=side.games,
        moves=side.moves,
        decisions=side.decisions,
        regret=_regret(side),
        blunders=rate(side.blunders, side.decisions),
        kept=rate(side.kept, side.had),
        faults=dict(sorted(side.faults.items())),
        seconds=side.seconds / side.moves if side.moves else None,
        tokens=side.tokens / side.token_moves if side.token_moves else None,
    )


def _regret(side: Side) -> Estimate | None:
    """Given away for each decision, a ratio of two sums over games that vary together."""
    if not side.decisions:
        return None
    ratio = side.regret / side.decisions
    squares = side.regret_squares - 2 * ratio * side.regret_decisions + ratio * ratio * side.decision_squares
    return around(ratio, sqrt(max(0.0, squares) * side.games / max(1, side.games - 1)) / side.decisions, low=0.0)


class _Scores:
    """The points of one player from pairs of games; a pair is one trial, for its games share a deal."""

    def __init__(self) -> None:
        self.seats = [Record(), Record()]
        self.pairings: dict[Any, list[tuple[float, int, int]]] = defaultdict(list)
        """By pairing: points of a pair, how many games it has, how often."""

    def add(self, stratum: Any, results: Iterable[tuple[int, float]], count: int) -> None:
        points = games = 0.0
        for seat, gained in results:
            self.seats[seat - 1] = self.seats[seat - 1].plus(gained, count)
            points, games = points + gained, games + 1
        if games:
            self.pairings[stratum].append((points, int(games), count))

    def standing(self) -> Standing:
        first, second = self.seats
        return Standing(first, second, self._score())

    def _score(self) -> Estimate | None:
        """Wilson's interval, with as many trials as the spread of the pairs within each pairing is worth."""
        all_ = self.seats[0] | self.seats[1]
        if not all_.games:
            return None
        score = all_.points / all_.games
        trials = sum(count for pairs in self.pairings.values() for _, _, count in pairs)
        if score in (0, 1):
            return wilson(score, trials)
        spread = sum(_spread(pairs) for pairs in self.pairings.values())
        # One more trial of the widest spread keeps the interval open where all pairs went alike.
        variance = (spread + score * (1 - score)) / all_.games**2
        return wilson(score, score * (1 - score) / variance)


def _spread(pairs: list[tuple[float, int, int]]) -> float:
    """What the pairs of one pairing add to the variance of the sum of points."""
    trials = sum(count for _, _, count in pairs)
    games = sum(size * count for _, size, count in pairs)
    mean = sum(points * count for points, _, count in pairs) / games
    squares = sum(count * (points - mean * size) ** 2 for points, size, count in pairs)
    return squares * trials / (trials - 1) if trials > 1 else squares


def _standings(tally: Tally, title: Title | None, faults_count: bool) -> dict[str, Standing]:
    """What everybody has won against others; games against oneself tell nothing of that."""
    found: dict[str, _Scores] = defaultdict(_Scores)
    for pairing, both, count in counted(tally.pairs, faults_count):
        if title in (None, pairing.title) and pairing.one != pairing.two:
            for name, results in seen_by(pairing, both).items():
                found[name].add(pairing, results, count)
    return {name: scores.standing() for name, scores in found.items()}


def seen_by(pairing: Pairing, both: Both) -> dict[str, list[tuple[int, float]]]:
    """For each of the two, the seat and the points in each game of a pair."""
    straight, swapped = both
    one, two = [], []
    if straight is not None:
        one.append((1, straight.points))
        two.append((2, 1 - straight.points))
    if swapped is not None:
        two.append((1, swapped.points))
        one.append((2, 1 - swapped.points))
    return {pairing.one: one, pairing.two: two}


def cross_table(tally: Tally, title: Title | None = None, faults_count: bool = True) -> dict[tuple[str, str], Record]:
    """For everybody who met, what the first named won against the second."""
    found: dict[tuple[str, str], Record] = defaultdict(Record)
    for pairing, both, count in counted(tally.pairs, faults_count):
        if title in (None, pairing.title) and pairing.one != pairing.two:
            for name, results in seen_by(pairing, both).items():
                key = (name, pairing.two if name == pairing.one else pairing.one)
                for _, points in results:
                    found[key] = found[key].plus(points, count)
    return dict(found)


def faults_ended(tally: Tally) -> int:
    """How many games somebody's fault ended."""
    results = ((result, count) for counts in tally.pairs.values() for both, count in counts.items() for result in both)
    return sum(count for result, count in results if isinstance(result, Result) and result.by_fault)
