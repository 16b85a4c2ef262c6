"""Scores of the built-in players against each other, seats swapped evenly: a win 1, a draw a half.

Without hidden information a score is exact, from the position table; endless play is a draw. Where a rule limits
repetition the whole history matters, so the score comes from many matches. With hidden information it is exact where
the game's evaluator can compute it, and otherwise comes from matches, too. A sampled score has an error bound.
"""

from functools import lru_cache
from math import sqrt
from random import Random
from typing import Any, NamedTuple

import numpy as np

from bitduel.core.errors import TooLargeError
from bitduel.core.evaluation import Policy, PolicyEvaluator
from bitduel.core.game import Game, Verdict
from bitduel.core.match import Match
from bitduel.players.driver import drive
from bitduel.players.evaluating_players import PolicyPlayer, best_move_policy, erring_policy, named_level
from bitduel.players.player import RandomPlayer
from bitduel.players.spec import LEVEL, PERFECT, RANDOM, build, parse
from bitduel.solver.evaluators import TableEvaluator, evaluator_for
from bitduel.solver.move_values import Array, BoolArray, FloatArray, MoveValues, normalised

TABLE_MATCHES = 20_000
"""Matches played on the table where the score has to be sampled."""

DRIVEN_MATCHES = 1_000
"""Matches played one by one where there is no table."""

MAX_COUNTS = 50_000_000
"""Repetition counts held in memory at a time."""

MAX_STEPS = 1_000
"""Moves up to which scores without loops are found step by step."""

MAX_EQUATIONS = 10_000
"""Linear equations solved at a time."""

NEGLIGIBLE = 1e-9
"""Chance of a move below which it counts as impossible: an end that takes a billion moves is none."""

DEVIATIONS = 3
"""Standard deviations to either side of a sampled score."""


class ScoreBound(NamedTuple):
    """An expected score and its error bound, 0 where the score is exact."""

    points: float
    error: float = 0.0


def score(game: Game[Any], player: str, opponent: str) -> ScoreBound:
    """Return the score of one built-in player against another."""
    evaluator = evaluator_for(game)
    if isinstance(evaluator, TableEvaluator):
        if game.repetition:
            return _sample_on_table(evaluator, player, opponent)
        return ScoreBound(_exact_score(evaluator, player, opponent))
    if isinstance(evaluator, PolicyEvaluator):
        policies = _policy(game, player), _policy(game, opponent)
        return ScoreBound((evaluator.policy_value(*policies) + 1 - evaluator.policy_value(*reversed(policies))) / 2)
    return _sample_matches(game, player, opponent)


def move_chances(game: Game[Any], name: str, values: MoveValues) -> FloatArray:
    """Return how likely a built-in player is to make each move."""
    kind, detail = parse(name)
    if kind == RANDOM:
        return normalised(values.legal)
    if kind == LEVEL:
        return best_move_policy(values, int(detail))
    return values.optimal_policy() if kind == PERFECT else erring_policy(values, named_level(game, kind))


def _exact_score(evaluator: TableEvaluator, player: str, opponent: str) -> float:
    values = evaluator.move_values(np.arange(len(evaluator.solution.table)))
    chances = [move_chances(evaluator.game, name, values) for name in (player, opponent)]
    return (_first_player_score(evaluator, *chances) + 1 - _first_player_score(evaluator, *reversed(chances))) / 2


def _first_player_score(evaluator: TableEvaluator, first: FloatArray, second: FloatArray) -> float:
    """Solve one linear equation for each position and player to move."""
    table = evaluator.solution.table
    size = len(table)
    source, move = np.nonzero(table.after >= 0)
    target = table.after[source, move]
    chances = np.concatenate([first[source, move], second[source, move]])
    possible = chances > NEGLIGIBLE
    transitions = _Transitions(
        np.concatenate([source, source + size])[possible],
        np.concatenate([target + size, target])[possible],
        chances[possible],
    )
    by_mover = np.select([table.verdict == Verdict.WON, table.verdict == Verdict.LOST], [1.0, 0.0], 0.5)
    points = np.concatenate([1 - by_mover, by_mover])
    ends = np.tile(table.verdict != Verdict.OPEN, 2)
    open_ = transitions.leading_to(ends) & ~ends
    return float(transitions.solve(np.where(open_, 0, points), open_)[0])


class _Transitions(NamedTuple):
    """The transitions between positions and their chances."""

    source: Array
    target: Array
    chances: FloatArray

    def leading_to(self, ends: BoolArray) -> BoolArray:
        """Return the positions from which an end can be reached; from the others play never ends."""
        leading = ends
        while True:
            more = leading.copy()
            more[self.source[leading[self.target]]] = True
            if (more == leading).all():
                return leading
            leading = more

    def solve(self, points: FloatArray, open_: BoolArray) -> FloatArray:
        """Return the points of the open positions: step by step without loops, else by linear equations."""
        for _ in range(MAX_STEPS):
            sums = np.bincount(self.source, self.chances * points[self.target], len(points))
            better = np.where(open_, sums, points)
            if (better == points).all():
                return points
            points = better
        return self._solve_equations(np.where(open_, 0, points), open_)

    def _solve_equations(self, points: FloatArray, open_: BoolArray) -> FloatArray:
        count = int(np.count_nonzero(open_))
        if count > MAX_EQUATIONS:
            raise TooLargeError(
                f"Scores with loops are exact for up to {MAX_EQUATIONS:,} positions, not for {count:,}."
            )
        index = np.cumsum(open_) - 1
        inside = open_[self.source] & open_[self.target]
        known = np.bincount(self.source, self.chances * points[self.target], len(points))[open_]
        matrix = np.eye(count)
        rows, columns = index[self.source[inside]], index[self.target[inside]]
        np.subtract.at(matrix, (rows, columns), self.chances[inside])
        solved = points.copy()
        solved[open_] = np.linalg.solve(matrix, known)
        return solved


def _sample_on_table(evaluator: TableEvaluator, player: str, opponent: str) -> ScoreBound:
    """Play many matches side by side on the table, under the rule of repetition."""
    rng = np.random.default_rng(TABLE_MATCHES)
    at_once = max(1, MAX_COUNTS // len(evaluator.solution.table))
    points: list[Array] = []
    for start in range(0, TABLE_MATCHES // 2, at_once):
        count = min(at_once, TABLE_MATCHES // 2 - start)
        points.append(play_side_by_side(evaluator, (player, opponent), count, rng))
        points.append(1 - play_side_by_side(evaluator, (opponent, player), count, rng))
    return _bound(np.concatenate(points))


def play_side_by_side(
    evaluator: TableEvaluator, names: tuple[str, str], matches: int, rng: np.random.Generator
) -> Array:
    """Return the points of the player who starts in each match."""
    table, limit = evaluator.solution.table, evaluator.game.repetition
    counts = np.zeros((matches, 2, len(table)), np.int8)
    counts[:, 0, 0] = 1
    points, open_ = np.full(matches, 0.5), np.arange(matches)
    at: Array = np.zeros(matches, np.int32)
    ply = 0
    while len(open_):
        mover, ply = ply % 2, ply + 1
        successors = table.after[at]
        repeating = (successors >= 0) & (counts[open_[:, None], 1 - mover, successors] >= limit - 1)
        chances = move_chances(evaluator.game, names[mover], evaluator.move_values(at, repeating))
        at = successors[np.arange(len(at)), _sample(chances, rng)]
        counts[open_, 1 - mover, at] += 1
        verdict = table.verdict[at]
        won = np.select([verdict == Verdict.WON, verdict == Verdict.LOST], [1.0, 0.0], 0.5)
        points[open_] = 1 - won if mover else won
        is_open = (verdict == Verdict.OPEN) & (counts[open_, 1 - mover, at] < limit)
        open_, at = open_[is_open], at[is_open]
    return points


def _sample(chances: FloatArray, rng: np.random.Generator) -> Array:
    """Return one move for each position, drawn by these chances."""
    cumulative = chances.cumsum(axis=1)
    dice = rng.random((len(chances), 1)) * cumulative[:, -1:]
    return np.asarray((cumulative <= dice).sum(axis=1))


def _sample_matches(game: Game[Any], player: str, opponent: str) -> ScoreBound:
    """Play some matches one by one."""
    rng = Random(DRIVEN_MATCHES)
    players = [build(parse(name), game, rng) for name in (player, opponent)]
    points = []
    for number in range(DRIVEN_MATCHES):
        match = Match(game, 1 + number % 2, game.deal(rng))
        outcome = drive(match, {1: players[0], 2: players[1]})
        points.append({1: 1.0, 2: 0.0}.get(outcome.winner or 0, 0.5) if outcome else 0.5)
    return _bound(np.array(points))


def _bound(points: Array) -> ScoreBound:
    return ScoreBound(float(points.mean()), DEVIATIONS * float(points.std()) / sqrt(len(points)))


@lru_cache(maxsize=16)
def _policy(game: Game[Any], name: str) -> Policy:
    player = build(parse(name), game, Random(0))
    assert isinstance(player, PolicyPlayer | RandomPlayer), "a player whose chances are known"
    return Policy(player.policy, player.timeless)
