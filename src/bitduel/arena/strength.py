"""How strong players are: Bradley and Terry's model with Davidson's draws and a term for the first seat.

The player on seat 1 wins, draws or loses in proportion to first * a, drawn * sqrt(first * a * b) and b, where a and b
are the strengths of the two; `first` and `drawn` are a game's own. All of it is found together, by Newton's method on
the logarithms, where the likelihood has one summit.

A player who won everything would be infinitely strong. So everybody has also won half a game and lost half a game
against an imaginary player of strength 1, and the logarithms of `first` and `drawn` are known beforehand to be 0, give
or take 5. With any number of real games this is next to nothing; without it, some numbers would be none.
"""

from collections import defaultdict
from collections.abc import Iterable
from math import exp, log, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bitduel.arena.sure import Estimate, around
from bitduel.arena.tally import Both, Pairing, Result, Title

Array = NDArray[np.float64]

SCALE = 400 / log(10)
"""As in chess: 400 points more are ten wins to one loss."""
HALF = 0.5
"""The wins, and the losses, against the imaginary player."""
DOUBT = 5.0
"""How far from 0 the logarithms of `first` and `drawn` are thought to be."""
STEPS = 200
CLOSE = 1e-10

Counted = Iterable[tuple[Pairing, Both, int]]


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


class _Contest(NamedTuple):
    """Two who met in a game, one of them on seat 1."""

    title: Title
    first: str
    second: str


class _Model:
    """The likelihood of all games, by logarithms of strengths, then of first seats, then of draws."""

    def __init__(self, counted: Counted) -> None:
        pairs = [(pairing, both, count) for pairing, both, count in counted]
        self.clusters = [(list(_contests(pairing, both)), count) for pairing, both, count in pairs]
        wins: dict[_Contest, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
        for games, count in self.clusters:
            for contest, result in games:
                wins[contest][result % 3] += count
        self.contests = {contest: number for number, contest in enumerate(wins)}
        names = (name for contest in wins for name in (contest.first, contest.second))
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
            lines[at, 0, player[contest.first]] += 1
            lines[at, 0, first[contest.title]] += 1
            lines[at, 2, player[contest.second]] += 1
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

    def scatter(self, at: Array) -> Array:
        """How much the slope varies from pair to pair of games."""
        chances = self.chances(at)
        means = np.einsum("cr,crp->cp", chances, self.lines)
        found: Array = np.zeros((self.size, self.size))
        for games, count in self.clusters:
            slope = sum(self.lines[self.contests[c], r % 3] - means[self.contests[c]] for c, r in games)
            found += count * np.outer(slope, slope)
        pairs = sum(count for _, count in self.clusters)
        return found * pairs / max(1, pairs - 1)


def _contests(pairing: Pairing, both: Both) -> Iterable[tuple[_Contest, Result]]:
    title, one, two = pairing
    for (first, second), result in zip(((one, two), (two, one)), both, strict=True):
        if result is not None:
            yield _Contest(title, first, second), result


def strengths(counted: Counted) -> Strengths:
    """The strengths of all who played."""
    model = _Model(counted)
    if not model.contests:
        return Strengths((), {}, {}, 0, {})
    at = model.summit()
    known: Array = np.asarray(np.linalg.inv(model.bend(at)), np.float64)
    groups = _groups(model)
    compared: Array = np.eye(model.size)
    for group in set(groups):
        inside = [place for place, each in enumerate(groups) if each == group]
        compared[np.ix_(inside, inside)] -= 1 / len(inside)
    scatter = model.scatter(at)
    errors = _errors(compared, known, scatter)
    points = compared @ at
    notes = _notes(model)
    found = [
        Strength(name, around(SCALE * points[place], SCALE * errors[place]), groups[place], notes.get(name, ""))
        for place, name in enumerate(model.players)
    ]
    ahead = _ahead(model, points, groups)
    doubts = _errors(ahead, known, scatter)
    lead = {name: around(SCALE * (ahead[i] @ at), SCALE * doubts[i]) for i, name in enumerate(model.players)}
    seats = range(len(model.players), len(model.players) + len(model.titles))
    first = {t: around(SCALE * at[p], SCALE * errors[p]) for t, p in zip(model.titles, seats, strict=True)}
    even = {title: exp(at[seats.stop + place]) for place, title in enumerate(model.drawn)}
    draws = {title: even.get(title, 0) / (2 + even.get(title, 0)) for title in model.titles}
    return Strengths(tuple(sorted(found, key=lambda s: (s.group, -s.points.value))), first, draws, max(groups), lead)


def _ahead(model: _Model, points: Array, groups: list[int]) -> Array:
    """For each player, the strongest of the group less the player."""
    places = range(len(groups))
    best = {group: max((at for at in places if groups[at] == group), key=lambda at: points[at]) for group in groups}
    each: Array = np.eye(model.size)
    return each[[best[group] for group in groups]] - each[: len(groups)]


def _errors(compared: Array, known: Array, scatter: Array) -> list[float]:
    """The larger of two standard errors: as if all games were apart, and as they vary from pair to pair."""
    apart = np.diag(compared @ known @ compared.T)
    paired = np.diag(compared @ known @ scatter @ known @ compared.T)
    return [sqrt(max(one, two, 0.0)) for one, two in zip(apart, paired, strict=True)]


def _groups(model: _Model) -> list[int]:
    """For each player the number of the group of those who met, by way of others or not."""
    group = {name: name for name in model.players}

    def head(name: str) -> str:
        while group[name] != name:
            group[name] = group[group[name]]
            name = group[name]
        return name

    for contest in model.contests:
        group[head(contest.first)] = head(contest.second)
    heads = list(dict.fromkeys(map(head, model.players)))
    return [heads.index(head(name)) + 1 for name in model.players]


def _notes(model: _Model) -> dict[str, str]:
    points: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for contest, at in model.contests.items():
        won, drawn, lost = model.counts[at]
        if contest.first != contest.second:
            for name, gained in ((contest.first, won + drawn / 2), (contest.second, lost + drawn / 2)):
                points[name][0] += gained
                points[name][1] += won + drawn + lost
    ends = {name: gained / games for name, (gained, games) in points.items()}
    return {name: {1.0: "won everything", 0.0: "lost everything"}.get(part, "") for name, part in ends.items()}
