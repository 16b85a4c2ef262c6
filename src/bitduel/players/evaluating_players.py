"""Players that evaluate moves: perfect ones, and levels that make mistakes as people do."""

from bisect import bisect
from collections.abc import Callable
from itertools import accumulate
from random import Random
from typing import Any, NamedTuple

import numpy as np

from bitduel.core.evaluation import (
    TOLERANCE,
    BoundedEvaluator,
    DepthLimitedEvaluator,
    HeuristicEvaluator,
    MoveProbabilities,
    best_choices,
)
from bitduel.core.game import Game
from bitduel.core.view import View
from bitduel.players.player import CachedPolicy
from bitduel.solver.evaluators import TableEvaluator, depth_limited_evaluator, evaluator_for
from bitduel.solver.move_values import (
    FloatArray,
    MoveValues,
    by_move,
    choice_values,
    drawing_moves,
    normalised,
    trap_scores,
    with_position,
)
from bitduel.solver.search import SearchEvaluator

MAX_CACHED = 1 << 14
"""The most information states in a player's cache; then it is cleared."""
MAX_WRONG_MOVES = 4
"""The number of wrong moves beyond which, with hidden information, errors become no more likely."""
DISTANCE_POWER = 1 / 16
"""The power of the distance by which the sense for far ends fades."""
MIN_HOPE = 1e-6
"""The lower bound on the hope that a losing move offers."""


class Level(NamedTuple):
    """A player that sees a few plies exactly and errs like a person beyond: an error that costs less is likelier."""

    foresight: int
    """The plies within which it sees every forced end."""
    depth: int
    """The plies that it looks ahead if it has nothing but a search."""
    sharpness: float
    """The clarity with which an ending one ply away is seen; more distant ones are less clear."""
    sense: float
    """The part of the sharpness that is left for ends far away; it fades slowly."""
    haste: float
    """The value that a win loses for every ply that it comes later."""
    grit: float
    """The preference, among losing moves, for those after which the opponent may err."""
    ambition: float
    """The preference, among drawing moves, for those after which the opponent may err."""


LEVELS = {
    "easy": Level(foresight=1, depth=2, sharpness=1.8, sense=0.05, haste=0.02, grit=1, ambition=1.5),
    "medium": Level(foresight=2, depth=4, sharpness=6.1, sense=0.095, haste=0.1, grit=4, ambition=7),
    "hard": Level(foresight=4, depth=8, sharpness=9.4, sense=0.094, haste=0.3, grit=8, ambition=150),
}
"""The named levels; docs/solving.md has their promises, and their scores against each other."""


def named_level(game: Game[Any], name: str) -> Level:
    """Return a level in a game; where a look at the next move would be perfect play, each may overlook a threat."""
    level = LEVELS[name]
    return level._replace(foresight=1) if game.longest_forced_win == 1 else level


def erring_policy(values: MoveValues, level: Level) -> FloatArray:
    """Return chances in proportion to how good each move looks; a draw is held open if possible."""
    plies = np.maximum(values.plies, 1)
    clearness = level.sharpness * np.maximum(1 / (4 * plies - 3), level.sense * plies**-DISTANCE_POWER)
    appeal = values.sign * clearness * np.exp(-level.haste * _win_delay(values)) + level.grit * _log_hope(values)
    draws = values.draws
    preferred = values.without_early_draws(draws) * _draw_preference(values, level)
    weights = np.where(draws, draws.sum(axis=1, keepdims=True) * normalised(preferred), np.exp(appeal))
    return normalised(values.best(level.foresight) * weights)


def _win_delay(values: MoveValues) -> FloatArray:
    """Return how many plies later than the fastest a winning move wins; 0 for every other move."""
    wins = values.legal & (values.sign > 0)
    fastest = np.where(wins, values.plies, values.plies.max(initial=0)).min(axis=1, keepdims=True)
    return np.where(wins, values.plies - fastest, 0).astype(np.float64)


def _log_hope(values: MoveValues) -> FloatArray:
    """Return how far a losing move lags behind the most hopeful one, 0 or less; 0 for every other move."""
    losses = values.legal & (values.sign < 0)
    if losses.sum(axis=1).max(initial=0) < 2:
        return np.zeros(losses.shape)
    hope = np.where(losses, values.expected_scores(), 0) + MIN_HOPE
    return np.where(losses, np.log(hope / hope.max(axis=1, keepdims=True)), 0)


def _draw_preference(values: MoveValues, level: Level) -> FloatArray:
    if not (level.ambition and values.draws.sum(axis=1).max(initial=0) > 1):
        return np.ones(values.legal.shape)
    return np.asarray(np.exp(level.ambition * (values.expected_scores() - 1)), np.float64)


def best_move_policy(values: MoveValues, depth: int) -> FloatArray:
    """Return equal chances for the moves that look best within a depth; a draw is held open if possible."""
    return normalised(values.without_early_draws(values.best(depth)))


def prior_policy(priors: MoveProbabilities, level: Level) -> dict[str, float]:
    """Return chances like those of `erring_policy` if nothing is known but how promising each move is."""
    top = max(priors.values())
    ratios = {move: prior / top for move, prior in priors.items()}
    wrong = [move for move, ratio in ratios.items() if ratio < 1 - TOLERANCE]
    rarity = min(1, MAX_WRONG_MOVES / max(len(wrong), 1))
    weights = {move: ratio**level.sharpness * (rarity if move in wrong else 1) for move, ratio in ratios.items()}
    total = sum(weights.values())
    return {move: weight / total for move, weight in weights.items()}


class WeightedMoves(NamedTuple):
    """Moves with cumulative weights; the last index is left out of the search, as it is certain."""

    moves: tuple[str, ...]
    cumulative: list[float]
    last: int


class PolicyPlayer(CachedPolicy):
    """A player that draws its moves from a policy that can be read."""

    timeless = True
    """Whether the same board is always played in the same way."""

    def __init__(self, game: Game[Any], rng: Random, evaluator: DepthLimitedEvaluator) -> None:
        self.game = game
        self.rng = rng
        self.evaluator = evaluator
        self._cache: dict[Any, WeightedMoves] = {}
        self._can_cache = not game.repetition or isinstance(evaluator, TableEvaluator)
        """Whether the policy follows from the information state; a search looks at the moves so far too."""
        self._is_keyed_by_state = game.has_perfect_information or not self.timeless
        """Whether the whole information state matters, or the board alone, however many moves were made."""

    def policy(self, view: View) -> MoveProbabilities:
        """Return the probability of each move."""
        raise NotImplementedError

    def choose(self, view: View) -> str:
        """Return a move drawn from the policy."""
        if not self._can_cache or (view.position is None and self.game.has_perfect_information):
            return self._draw(_weighted(self.policy(view)))
        key = view.information_state if self._is_keyed_by_state else view.board
        weighted = self._cache.get(key)
        if weighted is None:
            if len(self._cache) >= MAX_CACHED:
                self._cache.clear()
            weighted = self._cache[key] = _weighted(self.policy(view))
        return self._draw(weighted)

    def sample(self, information_state: Any, legal: tuple[str, ...]) -> str | None:
        """Return a move drawn from the cached policy; None if there is none."""
        weighted = self._cache.get(information_state if self._is_keyed_by_state else information_state[0])
        return None if weighted is None else self._draw(weighted)

    def _draw(self, weighted: WeightedMoves) -> str:
        moves, cumulative, last = weighted
        return moves[bisect(cumulative, self.rng.random() * cumulative[-1], 0, last)]


def _weighted(shares: MoveProbabilities) -> WeightedMoves:
    return WeightedMoves(tuple(shares), list(accumulate(shares.values())), len(shares) - 1)


class PerfectPlayer(PolicyPlayer):
    """An optimal player; where optimal play is mixed, with fresh randomness each time."""

    timeless = False

    def __init__(self, game: Game[Any], rng: Random) -> None:
        self.oracle = evaluator_for(game)
        super().__init__(game, rng, self.oracle)

    def policy(self, view: View) -> MoveProbabilities:
        """Return the optimal policy."""
        return self.oracle.policy(view)


class DepthLimitedPlayer(PolicyPlayer):
    """A player that sees ends that are near, in games of any size."""

    def __init__(self, game: Game[Any], rng: Random) -> None:
        super().__init__(game, rng, depth_limited_evaluator(game))

    def weigh(self, view: View, depth: int | None, choose: Callable[[MoveValues], FloatArray]) -> MoveProbabilities:
        """Return the policy that a rule gives for the values of the moves, as far as the depth shows them."""
        if isinstance(self.evaluator, TableEvaluator):
            return by_move(self.game.moves, choose(self.evaluator.move_values_at(view)))
        view = with_position(self.game, view)
        choices = self.evaluator.choices(view, depth)
        values = choice_values(
            choices, drawing_moves(self.game, view), lambda: trap_scores(self.game, self.evaluator, view, depth)
        )
        return by_move(view.legal, choose(values))


class LevelPlayer(DepthLimitedPlayer):
    """A player that sees ends at most a number of plies away, and plays at random otherwise."""

    def __init__(self, game: Game[Any], rng: Random, depth: int) -> None:
        super().__init__(game, rng)
        self.depth = depth

    def policy(self, view: View) -> MoveProbabilities:
        """Return equal chances for the moves that look best."""
        if not self.game.has_perfect_information:
            moves = [choice.move for choice in best_choices(self.evaluator.choices(view, self.depth))]
            return dict.fromkeys(moves, 1 / len(moves))
        return self.weigh(view, self.depth, lambda values: best_move_policy(values, self.depth))


class NamedLevelPlayer(DepthLimitedPlayer):
    """A player that errs like a person: easy, medium or hard."""

    def __init__(self, game: Game[Any], rng: Random, name: str) -> None:
        super().__init__(game, rng)
        self.level = named_level(game, name)

    def policy(self, view: View) -> MoveProbabilities:
        """Return a policy in which a move is the likelier, the better it looks."""
        if not self.game.has_perfect_information:
            return prior_policy(self._priors(view), self.level)
        depth = self.level.depth if isinstance(self.evaluator, SearchEvaluator | BoundedEvaluator) else None
        return self.weigh(view, depth, lambda values: erring_policy(values, self.level))

    def _priors(self, view: View) -> dict[str, float]:
        if isinstance(self.evaluator, HeuristicEvaluator):
            priors = self.evaluator.heuristic_priors(view)
            certain = self.evaluator.certain_wins(view, self.level.foresight)
            return {move: priors[move] for move in certain} or priors
        choices = self.evaluator.choices(view, self.level.depth)
        return {choice.move: choice.evaluation.win_probability or 1e-9 for choice in choices}
