"""How strong players are: Bradley and Terry's model with Davidson's draws and a term for the first seat.

The player on seat 1 wins, draws or loses in proportion to first * a, drawn * sqrt(first * a * b) and b, where a and b
are the strengths of the two; `first` and `drawn` are a game's own. All of it is found together, by Newton's method on
the logarithms, where the likelihood has one summit.

A player who won everything would be infinitely strong. So everybody has also won half a game and lost half a game
against an imaginary player of strength 1, and the logarithms of `first` and `drawn` are known beforehand to be 0, give
or take 5. With any number of real games this is next to nothing; without it, some numbers would be none.
"""

from array import array
from collections import Counter, defaultdict
from math import exp, log, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bitduel.arena.intervals import SURE, Estimate, around, quantile
from bitduel.arena.tally import Clusters, Result, SeatedPair, Title, ended

Array = NDArray[np.float64]

SCALE = 400 / log(10)
"""As in chess: 400 points more are ten wins to one loss."""
HALF = 0.5
"""The wins, and the losses, against the imaginary player."""
DOUBT = 5.0
"""How far from 0 the logarithms of `first` and `drawn` are thought to be."""
STEPS = 200
CLOSE = 1e-10


class Strength(NamedTuple):
    """How strong somebody is, in points above the mean of those who can be compared."""

    player: str
    points: Estimate
    group: int
    """Only within a group, from 1 on, have players met, by way of others or not."""
    note: str = ""
    """'won everything' or 'lost everything': then only the near end of the interval says something."""

    def as_data(self) -> dict[str, Any]:
        """The same as JSON-ready data."""
        return {**self._asdict(), "points": self.points.as_data()}


class Strengths(NamedTuple):
    """The whole model: everybody, strongest first, and what the first seat is worth in each game."""

    players: tuple[Strength, ...]
    first_seat: dict[Title, Estimate]
    """Points that the first seat is worth."""
    draws: dict[Title, float]
    """How likely two even players draw."""
    groups: int
    lead: dict[str, Estimate]
    """How far the strongest of one's group is ahead; what they share cancels, so it is surer than two intervals."""


class _Model:
    """The likelihood of all games, by logarithms of strengths, then of first seats, then of draws."""

    def __init__(self, clusters: Clusters, faults_count: bool) -> None:
        self.strata = [(title, _counted(stratum, faults_count)) for (title, _), stratum in clusters.items()]
        wins: dict[SeatedPair, Array] = {}
        for _, stratum in self.strata:
            for contest, counts in stratum.items():
                wins[contest] = wins.get(contest, np.zeros(3)) + counts.sum(axis=0)
        wins = {contest: counts for contest, counts in wins.items() if counts.any()}
        self.clusters: Counter[Title] = Counter()
        """How many clusters each game has."""
        for title, stratum in self.strata:
            self.clusters[title] += _clusters(stratum)
        self.contests = {contest: number for number, contest in enumerate(wins)}
        names = (name for contest in wins for name in (contest.one, contest.two))
        self.players = list(dict.fromkeys(names))
        self.titles = list(dict.fromkeys(contest.title for contest in wins))
        self.counts: Array = np.array(list(wins.values())).reshape(-1, 3)
        self.drawn = [t for t in self.titles if any(c.title == t and wins[c][Result.DRAWN] for c in wins)]
        self.size = len(self.players) + len(self.titles) + len(self.drawn)
        self.lines = self._lines()

    def _lines(self) -> Array:
        """For each contest and result, by which parameters its logarithm grows; a draw that never came has none."""
        player = {name: at for at, name in enumerate(self.players)}
        first = {title: len(player) + at for at, title in enumerate(self.titles)}
        drawn = {title: len(player) + len(first) + at for at, title in enumerate(self.drawn)}
        lines: Array = np.zeros((len(self.contests), 3, self.size))
        self.never: Array = np.zeros((len(self.contests), 3))
        for contest, at in self.contests.items():
            lines[at, 0, player[contest.one]] += 1
            lines[at, 0, first[contest.title]] += 1
            lines[at, 2, player[contest.two]] += 1
            lines[at, 1] = (lines[at, 0] + lines[at, 2]) / 2
            if contest.title in drawn:
                lines[at, 1, drawn[contest.title]] = 1
            else:
                self.never[at, 1] = -np.inf
        return lines

    def chances(self, at: Array) -> Array:
        """How likely each contest ends each way."""
        logs = self.lines @ at + self.never
        likely: Array = np.exp(logs - logs.max(axis=1, keepdims=True))
        likely /= likely.sum(axis=1, keepdims=True)
        return likely

    def height(self, at: Array) -> float:
        """The logarithm of the likelihood, with what is known beforehand."""
        chances = self.chances(at)
        games = float((self.counts * np.log(np.where(self.counts > 0, chances, 1.0))).sum())
        strengths, others = np.split(at, [len(self.players)])
        imaginary = -HALF * float((np.logaddexp(0, strengths) + np.logaddexp(0, -strengths)).sum())
        return games + imaginary - float((others**2).sum()) / (2 * DOUBT**2)

    def slope(self, at: Array) -> Array:
        """Where it goes up."""
        chances, games = self.chances(at), self.counts.sum(axis=1, keepdims=True)
        up: Array = np.einsum("cr,crp->p", self.counts - games * chances, self.lines)
        known = len(self.players)
        up[:known] -= HALF * np.tanh(at[:known] / 2)
        up[known:] -= at[known:] / DOUBT**2
        return up

    def bend(self, at: Array) -> Array:
        """How it bends: minus the second derivatives, which is what is known of each parameter."""
        chances, games = self.chances(at), self.counts.sum(axis=1)
        means = np.einsum("cr,crp->cp", chances, self.lines)
        weighted = self.lines * (chances * games[:, None])[:, :, None]
        flat = self.lines.reshape(-1, self.size)
        found: Array = weighted.reshape(-1, self.size).T @ flat - (means * games[:, None]).T @ means
        known = len(self.players)
        even = np.exp(-np.logaddexp(0, at[:known]) - np.logaddexp(0, -at[:known]))
        found[np.diag_indices(self.size)] += np.concatenate([2 * HALF * even, np.full(self.size - known, 1 / DOUBT**2)])
        return found

    def summit(self) -> Array:
        """The parameters that make what happened most likely."""
        at: Array = np.zeros(self.size)
        for _ in range(STEPS):
            step = np.linalg.solve(self.bend(at), self.slope(at))
            height, part = self.height(at), 1.0
            while self.height(at + part * step) < height - CLOSE and part > CLOSE:
                part /= 2
            at = at + part * step
            if np.abs(part * step).max(initial=0) < CLOSE:
                break
        return at

    def scatter(self, at: Array) -> dict[Title, Array]:
        """How much the slope varies from cluster to cluster of games, for each title."""
        chances = self.chances(at)
        found: dict[Title, Array] = {title: np.zeros((self.size, self.size)) for title in self.titles}
        for title, stratum in self.strata:
            slopes: Array = np.zeros((max(map(len, stratum.values()), default=0), self.size))
            for contest, counts in stratum.items():
                if contest in self.contests:
                    place = self.contests[contest]
                    expected = counts.sum(axis=1, keepdims=True) * chances[place]
                    slopes += (counts - expected) @ self.lines[place]
            if title in found:
                found[title] += slopes.T @ slopes
        return found


def _counted(stratum: dict[int, dict[SeatedPair, "array[float]"]], faults_count: bool) -> dict[SeatedPair, Array]:
    """For each contest of a stratum, how its games were won, drawn and lost by seat 1, a line for each cluster."""
    found: dict[SeatedPair, Array] = {}
    for line, cluster in enumerate(stratum.values()):
        for contest, cell in cluster.items():
            found.setdefault(contest, np.zeros((len(stratum), 3)))[line] = ended(cell, faults_count)
    return found


def _clusters(stratum: dict[SeatedPair, Array]) -> int:
    """How many clusters have a game."""
    return int(np.any([counts.any(axis=1) for counts in stratum.values()], axis=0).sum()) if stratum else 0


def strengths(clusters: Clusters, faults_count: bool = True) -> Strengths:
    """The strengths of all who played; faults as losses, or left out."""
    model = _Model(clusters, faults_count)
    if not model.contests:
        return Strengths((), {}, {}, 0, {})
    at = model.summit()
    known: Array = np.asarray(np.linalg.inv(model.bend(at)), np.float64)
    groups = _groups(model)
    compared: Array = np.eye(model.size)
    for group in set(groups):
        inside = [place for place, each in enumerate(groups) if each == group]
        compared[np.ix_(inside, inside)] -= 1 / len(inside)
    doubt = _Doubt(at, known, model.scatter(at), model.clusters, len(model.players))
    points, notes = doubt.estimates(compared), _notes(model)
    found = [
        Strength(name, points[place], groups[place], notes.get(name, "")) for place, name in enumerate(model.players)
    ]
    # Who is the strongest is chosen by what was played, so this must hold for any two at once.
    pairs = len(model.players) * (len(model.players) - 1) / 2
    ahead = doubt.estimates(_ahead(model, compared @ at, groups), sure=1 - (1 - SURE) / max(1, pairs))
    lead = dict(zip(model.players, ahead, strict=True))
    seats = range(len(model.players), len(model.players) + len(model.titles))
    first = {t: doubt.estimates(compared[[p]], t)[0] for t, p in zip(model.titles, seats, strict=True)}
    even = {title: exp(at[seats.stop + place]) for place, title in enumerate(model.drawn)}
    draws = {title: even.get(title, 0) / (2 + even.get(title, 0)) for title in model.titles}
    return Strengths(tuple(sorted(found, key=lambda s: (s.group, -s.points.value))), first, draws, max(groups), lead)


def _ahead(model: _Model, points: Array, groups: list[int]) -> Array:
    """For each player, the strongest of the group less the player."""
    places = range(len(groups))
    best = {group: max((at for at in places if groups[at] == group), key=lambda at: points[at]) for group in groups}
    each: Array = np.eye(model.size)
    return each[[best[group] for group in groups]] - each[: len(groups)]


class _Doubt(NamedTuple):
    """How sure what was found is: from the bend of the likelihood, and from how its slope varies between clusters."""

    at: Array
    known: Array
    scatter: dict[Title, Array]
    clusters: Counter[Title]
    taken: int
    """So many clusters the strengths take up."""

    def estimates(self, compared: Array, title: Title | None = None, sure: float = SURE) -> list[Estimate]:
        """Combinations of the parameters in points; what is a title's own is told by its own clusters."""
        return [self._estimate(line, title, sure) for line in compared]

    def _estimate(self, line: Array, title: Title | None, sure: float) -> Estimate:
        """By the larger of two standard errors; no interval where no cluster is left to tell the spread."""
        value, weights = SCALE * float(line @ self.at), self.known @ line
        spread = {each: float(weights @ scatter @ weights) for each, scatter in self.scatter.items()}
        left = self.clusters.total() - self.taken if title is None else self.clusters[title] - 1
        if left < 1:
            return Estimate(value)
        doubt = sum(part**2 / max(1, self.clusters[each] - 1) for each, part in spread.items())
        freedom = left if title or not doubt else min(left, sum(spread.values()) ** 2 / doubt)
        variance = max(float(line @ self.known @ line), sum(spread.values()) * (left + 1) / left)
        return around(value, SCALE * sqrt(max(0.0, variance)), quantile(freedom, sure))


def _groups(model: _Model) -> list[int]:
    """For each player the number of the group of those who met, by way of others or not."""
    group = {name: name for name in model.players}

    def head(name: str) -> str:
        while group[name] != name:
            group[name] = group[group[name]]
            name = group[name]
        return name

    for contest in model.contests:
        group[head(contest.one)] = head(contest.two)
    heads = list(dict.fromkeys(map(head, model.players)))
    return [heads.index(head(name)) + 1 for name in model.players]


def _notes(model: _Model) -> dict[str, str]:
    points: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for contest, at in model.contests.items():
        won, drawn, lost = model.counts[at]
        if contest.one != contest.two:
            for name, gained in ((contest.one, won + drawn / 2), (contest.two, lost + drawn / 2)):
                points[name][0] += gained
                points[name][1] += won + drawn + lost
    ends = {name: gained / games for name, (gained, games) in points.items()}
    return {name: {1.0: "won everything", 0.0: "lost everything"}.get(part, "") for name, part in ends.items()}
