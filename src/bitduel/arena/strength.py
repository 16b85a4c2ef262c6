"""Strengths of players: Bradley and Terry's model with Davidson's draws and a term for the first seat.

The player on seat 1 wins, draws or loses in proportion to first * a, drawn * sqrt(first * a * b) and b, where a and b
are the strengths of the two; `first` and `drawn` belong to the game. All are fitted together, by Newton's method on
the logarithms, where the likelihood has one maximum.

A player who won everything would be infinitely strong. So everybody is credited with half a win and half a loss
against an imaginary player of strength 1, and the logarithms of `first` and `drawn` have a normal prior around 0 with
deviation 5. With any number of real games this hardly matters; without it, some numbers would not exist.
"""

from array import array
from collections import Counter, defaultdict
from math import exp, log, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bitduel.arena.intervals import CONFIDENCE, Estimate, quantile
from bitduel.arena.tally import Clusters, Result, SeatedPair, Title, cell_results

Array = NDArray[np.float64]

SCALE = 400 / log(10)
"""Points as in chess: a lead of 400 means ten wins to one loss."""
IMAGINARY_GAMES = 0.5
"""The wins, and the losses, against the imaginary player."""
PRIOR_DEVIATION = 5.0
MAX_STEPS = 200
CLOSE = 1e-10


class Strength(NamedTuple):
    """The strength of a player, in points above the mean of the group."""

    player: str
    points: Estimate
    group: int
    """Numbered from 1; players of a group met each other, directly or through others."""
    note: str = ""
    """'won everything' or 'lost everything': then only the near end of the interval has a meaning."""


class Strengths(NamedTuple):
    """The fitted model: all players, strongest first, and the value of the first seat in each game."""

    players: tuple[Strength, ...]
    first_seat: dict[Title, Estimate]
    """The value of the first seat in points."""
    draws: dict[Title, float]
    """The probability that two equal players draw."""
    groups: int
    lead: dict[str, Estimate]
    """The lead of the strongest of a player's group; shared errors cancel, so it is surer than two intervals."""

    def as_data(self) -> dict[str, Any]:
        """Return the data of a report."""
        players = [{**each._asdict(), "behind": self.lead[each.player]} for each in self.players]
        games = [
            {"game": title[0], "options": dict(title[1]), "first_seat": seat, "draws_between_equals": self.draws[title]}
            for title, seat in self.first_seat.items()
        ]
        return {"players": players, "groups": self.groups, "games": games}


class _Model:
    """The likelihood of all games, by the logarithms of strengths, then of first seats, then of draws."""

    def __init__(self, clusters: Clusters, faults_count: bool) -> None:
        self.strata = [(title, _results(stratum, faults_count)) for (title, _), stratum in clusters.items()]
        totals: dict[SeatedPair, Array] = {}
        for _, stratum in self.strata:
            for pair, counts in stratum.items():
                totals[pair] = totals.get(pair, np.zeros(3)) + counts.sum(axis=0)
        totals = {pair: counts for pair, counts in totals.items() if counts.any()}
        self.clusters: Counter[Title] = Counter()
        """The clusters of each game that are not empty."""
        for title, stratum in self.strata:
            if stratum:
                self.clusters[title] += int(np.any([each.any(axis=1) for each in stratum.values()], axis=0).sum())
        self.pairs = {pair: index for index, pair in enumerate(totals)}
        self.players = list(dict.fromkeys(name for pair in totals for name in (pair.one, pair.two)))
        self.titles = list(dict.fromkeys(pair.title for pair in totals))
        self.counts: Array = np.array(list(totals.values())).reshape(-1, 3)
        self.drawn = [t for t in self.titles if any(p.title == t and totals[p][Result.DRAWN] for p in totals)]
        self.size = len(self.players) + len(self.titles) + len(self.drawn)
        self.design, self.offset = self._design()

    def _design(self) -> tuple[Array, Array]:
        """Return the design matrix by pair and result, and an offset of -inf for draws that never came."""
        player = {name: index for index, name in enumerate(self.players)}
        first = {title: len(player) + index for index, title in enumerate(self.titles)}
        drawn = {title: len(player) + len(first) + index for index, title in enumerate(self.drawn)}
        design: Array = np.zeros((len(self.pairs), 3, self.size))
        offset: Array = np.zeros((len(self.pairs), 3))
        for pair, index in self.pairs.items():
            design[index, 0, player[pair.one]] += 1
            design[index, 0, first[pair.title]] += 1
            design[index, 2, player[pair.two]] += 1
            design[index, 1] = (design[index, 0] + design[index, 2]) / 2
            if pair.title in drawn:
                design[index, 1, drawn[pair.title]] = 1
            else:
                offset[index, 1] = -np.inf
        return design, offset

    def probabilities(self, parameters: Array) -> Array:
        """Return the probability of each result, by pair."""
        logs = self.design @ parameters + self.offset
        likely: Array = np.exp(logs - logs.max(axis=1, keepdims=True))
        likely /= likely.sum(axis=1, keepdims=True)
        return likely

    def log_likelihood(self, parameters: Array) -> float:
        """Return the logarithm of the likelihood, with the prior."""
        probabilities = self.probabilities(parameters)
        games = float((self.counts * np.log(np.where(self.counts > 0, probabilities, 1.0))).sum())
        strengths, others = np.split(parameters, [len(self.players)])
        imaginary = -IMAGINARY_GAMES * float((np.logaddexp(0, strengths) + np.logaddexp(0, -strengths)).sum())
        return games + imaginary - float((others**2).sum()) / (2 * PRIOR_DEVIATION**2)

    def gradient(self, parameters: Array) -> Array:
        """Return the gradient of the log-likelihood."""
        probabilities, games = self.probabilities(parameters), self.counts.sum(axis=1, keepdims=True)
        gradient: Array = np.einsum("cr,crp->p", self.counts - games * probabilities, self.design)
        players = len(self.players)
        gradient[:players] -= IMAGINARY_GAMES * np.tanh(parameters[:players] / 2)
        gradient[players:] -= parameters[players:] / PRIOR_DEVIATION**2
        return gradient

    def information(self, parameters: Array) -> Array:
        """Return the negative Hessian of the log-likelihood."""
        probabilities, games = self.probabilities(parameters), self.counts.sum(axis=1)
        means = np.einsum("cr,crp->cp", probabilities, self.design)
        weighted = self.design * (probabilities * games[:, None])[:, :, None]
        flat = self.design.reshape(-1, self.size)
        matrix: Array = weighted.reshape(-1, self.size).T @ flat - (means * games[:, None]).T @ means
        players = len(self.players)
        even = np.exp(-np.logaddexp(0, parameters[:players]) - np.logaddexp(0, -parameters[:players]))
        prior = np.full(self.size - players, 1 / PRIOR_DEVIATION**2)
        matrix[np.diag_indices(self.size)] += np.concatenate([2 * IMAGINARY_GAMES * even, prior])
        return matrix

    def fit(self) -> Array:
        """Return the parameters of the largest likelihood."""
        parameters: Array = np.zeros(self.size)
        for _ in range(MAX_STEPS):
            step = np.linalg.solve(self.information(parameters), self.gradient(parameters))
            before, part = self.log_likelihood(parameters), 1.0
            while self.log_likelihood(parameters + part * step) < before - CLOSE and part > CLOSE:
                part /= 2
            parameters = parameters + part * step
            if np.abs(part * step).max(initial=0) < CLOSE:
                break
        return parameters

    def gradient_scatter(self, parameters: Array) -> dict[Title, Array]:
        """Return how much the gradient varies from cluster to cluster, for each title."""
        probabilities = self.probabilities(parameters)
        scatter: dict[Title, Array] = {title: np.zeros((self.size, self.size)) for title in self.titles}
        for title, stratum in self.strata:
            gradients: Array = np.zeros((max(map(len, stratum.values()), default=0), self.size))
            for pair, counts in stratum.items():
                if pair in self.pairs:
                    index = self.pairs[pair]
                    expected = counts.sum(axis=1, keepdims=True) * probabilities[index]
                    gradients += (counts - expected) @ self.design[index]
            if title in scatter:
                scatter[title] += gradients.T @ gradients
        return scatter


def _results(stratum: dict[int, dict[SeatedPair, "array[float]"]], faults_count: bool) -> dict[SeatedPair, Array]:
    """Return the games won, drawn and lost by seat 1 for each pair of a stratum, a row for each cluster."""
    results: dict[SeatedPair, Array] = {}
    for row, cluster in enumerate(stratum.values()):
        for pair, cell in cluster.items():
            results.setdefault(pair, np.zeros((len(stratum), 3)))[row] = cell_results(cell, faults_count)
    return results


def fit_strengths(clusters: Clusters, faults_count: bool = True) -> Strengths:
    """Return the strengths of all who played; faults as losses, or left out."""
    model = _Model(clusters, faults_count)
    if not model.pairs:
        return Strengths((), {}, {}, 0, {})
    parameters = model.fit()
    covariance: Array = np.asarray(np.linalg.inv(model.information(parameters)), np.float64)
    groups = _groups(model)
    contrasts: Array = np.eye(model.size)
    for group in set(groups):
        members = [index for index, each in enumerate(groups) if each == group]
        contrasts[np.ix_(members, members)] -= 1 / len(members)
    fitted = _Fit(parameters, covariance, model.gradient_scatter(parameters), model.clusters, len(model.players))
    points, notes = [fitted.estimate(each) for each in contrasts], _notes(model)
    players = [Strength(name, points[at], groups[at], notes.get(name, "")) for at, name in enumerate(model.players)]
    # The strongest is chosen by what was played, so this must hold for any two at once.
    pairs = len(model.players) * (len(model.players) - 1) / 2
    confidence = 1 - (1 - CONFIDENCE) / max(1, pairs)
    leads = [fitted.estimate(each, confidence=confidence) for each in _leads(model, contrasts @ parameters, groups)]
    seats = range(len(model.players), len(model.players) + len(model.titles))
    first = {title: fitted.estimate(contrasts[at], title) for title, at in zip(model.titles, seats, strict=True)}
    even = {title: exp(parameters[seats.stop + index]) for index, title in enumerate(model.drawn)}
    draws = {title: even.get(title, 0) / (2 + even.get(title, 0)) for title in model.titles}
    ranked = tuple(sorted(players, key=lambda each: (each.group, -each.points.value)))
    return Strengths(ranked, first, draws, max(groups), dict(zip(model.players, leads, strict=True)))


def _leads(model: _Model, points: Array, groups: list[int]) -> Array:
    """Return the contrast of the strongest of the group with each player."""
    players = range(len(groups))
    best = {group: max((at for at in players if groups[at] == group), key=lambda at: points[at]) for group in groups}
    unit: Array = np.eye(model.size)
    return unit[[best[group] for group in groups]] - unit[: len(groups)]


class _Fit(NamedTuple):
    """The fitted parameters with two measures of their error: the covariance, and the scatter between clusters."""

    parameters: Array
    covariance: Array
    scatter: dict[Title, Array]
    clusters: Counter[Title]
    players: int

    def estimate(self, contrast: Array, title: Title | None = None, confidence: float = CONFIDENCE) -> Estimate:
        """Return a combination of the parameters in points, by the larger of two standard errors.

        A title's own parameter goes by its own clusters. No interval where no cluster is left to tell the spread.
        """
        value, weights = SCALE * float(contrast @ self.parameters), self.covariance @ contrast
        spread = {each: float(weights @ scatter @ weights) for each, scatter in self.scatter.items()}
        left = self.clusters.total() - self.players if title is None else self.clusters[title] - 1
        if left < 1:
            return Estimate(value)
        squared = sum(part**2 / max(1, self.clusters[each] - 1) for each, part in spread.items())
        freedom = left if title or not squared else min(left, sum(spread.values()) ** 2 / squared)
        variance = max(float(contrast @ self.covariance @ contrast), sum(spread.values()) * (left + 1) / left)
        reach = quantile(freedom, confidence) * (SCALE * sqrt(max(0.0, variance)))
        return Estimate(value, value - reach, value + reach)


def _groups(model: _Model) -> list[int]:
    """Return the number of each player's group, in the order in which their first players came."""
    groups = [{name} for name in model.players]
    for pair in model.pairs:
        met = [group for group in groups if pair.one in group or pair.two in group]
        groups = [set[str]().union(*met), *(group for group in groups if group not in met)]
    groups.sort(key=lambda group: min(map(model.players.index, group)))
    return [next(number for number, group in enumerate(groups, 1) if name in group) for name in model.players]


def _notes(model: _Model) -> dict[str, str]:
    points: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for pair, index in model.pairs.items():
        won, drawn, lost = model.counts[index]
        if pair.one != pair.two:
            for name, gained in ((pair.one, won + drawn / 2), (pair.two, lost + drawn / 2)):
                points[name][0] += gained
                points[name][1] += won + drawn + lost
    scores = {name: gained / games for name, (gained, games) in points.items()}
    return {name: {1.0: "won everything", 0.0: "lost everything"}.get(score, "") for name, score in scores.items()}
