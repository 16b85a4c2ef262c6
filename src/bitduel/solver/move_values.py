"""Values of moves as arrays, positions by moves: the form in which players choose."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bitduel.core.evaluation import DepthLimitedEvaluator, MoveEvaluation
from bitduel.core.game import Game, Verdict
from bitduel.core.match import Match
from bitduel.core.view import View

BoolArray = NDArray[np.bool_]
Array = NDArray[Any]
FloatArray = NDArray[np.float64]

UNKNOWN_PLIES = 1 << 40
"""The plies of a forced end at an unknown distance."""

TOLERANCE = 1e-6
"""Expected scores closer than this are the same."""


@dataclass(frozen=True)
class MoveValues:
    """The legal moves of some positions and their values for the player who makes them."""

    legal: BoolArray
    sign: Array
    """1 for a win, -1 for a loss, 0 for a draw or an unknown value."""
    plies: Array
    """The plies to the end; 0 where the sign is 0."""
    ends_drawn: BoolArray
    """Whether the move ends the match in a draw."""
    expected_scores: Callable[[], FloatArray]
    """The expected score of each move against a weaker opponent, computed only where it matters."""

    @property
    def draws(self) -> BoolArray:
        """The legal moves that neither win nor lose, as far as is known."""
        return np.asarray(self.legal & (self.sign == 0), np.bool_)

    def without_early_draws(self, moves: BoolArray) -> BoolArray:
        """Return these moves without those that end in a draw, if another of them keeps the draw open."""
        lasting = moves & self.draws & ~self.ends_drawn
        return moves & ~(self.ends_drawn & lasting.any(axis=1, keepdims=True))

    def best(self, horizon: float = np.inf) -> BoolArray:
        """Return the best moves within a horizon: wins as fast, losses as late as possible."""
        far = 1 + self.plies.max(initial=0)
        rank = np.where(self.plies <= horizon, self.sign * (far - self.plies), 0)
        rank = np.where(self.legal, rank, -far - 1)
        return np.asarray(self.legal & (rank == rank.max(axis=1, keepdims=True)), np.bool_)

    def optimal_policy(self) -> FloatArray:
        """Return equal probabilities for the best moves with the highest expected score."""
        moves = self.without_early_draws(self.best())
        if moves.sum(axis=1).max(initial=0) > 1:
            scores = np.where(moves, self.expected_scores(), -1)
            moves &= scores >= scores.max(axis=1, keepdims=True) - TOLERANCE
        return normalised(moves)


def normalised(weights: Array) -> FloatArray:
    """Return the weights of moves as probabilities; all 0 where no move has a weight."""
    total = weights.sum(axis=1, keepdims=True)
    return np.asarray(weights / np.where(total > 0, total, 1), np.float64)


def by_move(moves: Sequence[str], probabilities: FloatArray) -> dict[str, float]:
    """Return the probabilities at one position by move, without those that are 0."""
    return {move: chance for move, chance in zip(moves, probabilities[0].tolist(), strict=True) if chance > 0}


def choice_values(
    choices: Sequence[MoveEvaluation], ends_drawn: Sequence[bool], trap_scores: Callable[[], Sequence[float]]
) -> MoveValues:
    """Return the values of one position from evaluated moves; all draws have the same expected score."""
    signs = [choice.evaluation.value.sign if choice.evaluation.value else 0 for choice in choices]
    known_plies = [choice.evaluation.plies for choice in choices]
    plies = [(UNKNOWN_PLIES if n is None else n) if sign else 0 for sign, n in zip(signs, known_plies, strict=True)]
    row = (1, len(choices))
    sign = np.reshape(signs, row)
    return MoveValues(
        legal=np.ones(row, np.bool_),
        sign=sign,
        plies=np.reshape(plies, row),
        ends_drawn=np.reshape(ends_drawn, row),
        expected_scores=lambda: np.where(sign < 0, np.reshape(trap_scores(), row), 0.5),
    )


def trap_scores(game: Game[Any], evaluator: DepthLimitedEvaluator, view: View, horizon: int | None) -> list[float]:
    """Return for each legal move a score from 0.5 to 1 that grows with the share of wrong replies to it."""
    match = Match(game, view.first, "", view.history)
    return [_trap_score(evaluator, match.after(move), horizon) for move in view.legal]


def _trap_score(evaluator: DepthLimitedEvaluator, match: Match, horizon: int | None) -> float:
    if match.to_move is None:
        return 0.5
    replies = evaluator.choices(match.view(match.to_move), horizon and min(horizon, 2))
    ranks = [reply.evaluation.rank[0] for reply in replies]
    return (1 + sum(rank < max(ranks) for rank in ranks) / len(ranks)) / 2


def drawing_moves(game: Game[Any], view: View) -> list[bool]:
    """Return for each legal move whether it ends the match in a draw, by the rules or by repetition."""
    verdicts = {move: game.verdict(game.play(view.position, move)) for move in view.legal}
    return [verdict == Verdict.DRAWN or move in view.repeating for move, verdict in verdicts.items()]


def with_position(game: Game[Any], view: View) -> View:
    """Return the view with its position; a view that came from outside is played again."""
    return view if view.position is not None else Match(game, view.first, "", view.history).view(view.seat)
