"""Evaluations of positions and moves, how they compare, and what an evaluator can do."""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from math import inf
from typing import Any, NamedTuple, Protocol, runtime_checkable

from bitduel.core.view import View


class Value(StrEnum):
    """The result for a player when both play best."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"

    @property
    def sign(self) -> int:
        """The value in arrays: 1, 0 or -1."""
        return {Value.WIN: 1, Value.DRAW: 0, Value.LOSS: -1}[self]


WIN, DRAW, LOSS = Value.WIN, Value.DRAW, Value.LOSS
BY_SIGN = {value.sign: value for value in Value}


class Evaluation(NamedTuple):
    """The evaluation of a position or a move for a player, with best play from there on.

    A game without hidden information has a value and the plies to the end (None for a draw);
    one with hidden information has a probability of winning. Unknown fields are None.
    """

    value: Value | None = None
    plies: int | None = None
    win_probability: float | None = None

    @property
    def rank(self) -> tuple[float, float]:
        """A key that orders evaluations from worst to best: fast wins, slow losses, draws and unknown in between.

        An end at an unknown distance counts as further away than any at a known one.
        """
        if self.win_probability is not None:
            return self.win_probability, 0
        far = inf if self.plies is None else self.plies
        return {WIN: (2, -far), LOSS: (0, far)}.get(self.value or DRAW, (1, 0))

    @property
    def is_assumed(self) -> bool:
        """Whether the probability rests on an assumption about the opponent."""
        return False

    def as_data(self) -> dict[str, Any]:
        """Return the evaluation as JSON-ready data."""
        data = {**self._asdict(), "value": self.value and str(self.value)}
        return {**data, "assumed": True} if self.is_assumed else data


class AssumedEvaluation(Evaluation):
    """An evaluation against an opponent who has left the equilibrium, so that the policy from here is assumed."""

    __slots__ = ()

    @property
    def is_assumed(self) -> bool:
        """Always true."""
        return True


UNKNOWN_EVALUATION = Evaluation()
"""The evaluation of what lies beyond the horizon."""

MoveProbabilities = Mapping[str, float]
"""The probability of each move."""


class MoveEvaluation(NamedTuple):
    """A move and its evaluation for the player who makes it."""

    move: str
    evaluation: Evaluation

    def as_data(self) -> dict[str, Any]:
        """Return the move and its evaluation as JSON-ready data."""
        return {"move": self.move, **self.evaluation.as_data()}


class DepthLimitedEvaluator(Protocol):
    """An evaluator of moves up to a number of plies ahead."""

    def choices(self, view: View, horizon: int | None = None) -> list[MoveEvaluation]:
        """Return the evaluation of every legal move, in the game's order; beyond the horizon it is unknown."""


class Evaluator(DepthLimitedEvaluator, Protocol):
    """An exact evaluator of every move, from what a seat may see."""

    @property
    def depth(self) -> int:
        """About how many plies a match can last."""

    def policy(self, view: View) -> dict[str, float]:
        """Return the probability of each move in optimal play."""

    def notes(self) -> list[str]:
        """Return a few lines about how the evaluations were found."""


@runtime_checkable
class BoundedEvaluator(Protocol):
    """An evaluator that looks a few plies ahead at any size, but solves only small games."""

    def check_size(self) -> None:
        """Raise TooLargeError where the whole game cannot be solved."""


@runtime_checkable
class HeuristicEvaluator(Protocol):
    """An evaluator of a game of chance that can also guess beyond its horizon."""

    def heuristic_priors(self, view: View) -> dict[str, float]:
        """Return weights for the legal moves, larger for more promising ones; none is 0."""

    def certain_wins(self, view: View, plies: int) -> list[str]:
        """Return the moves that win within some plies whatever chance has dealt, unless the opponent is faster."""


class Policy(NamedTuple):
    """A way to play: the probabilities of moves at a view."""

    probabilities: Callable[[View], MoveProbabilities]
    is_stationary: bool
    """Whether the probabilities depend on the board alone, not on the number of moves made."""


@runtime_checkable
class PolicyEvaluator(Protocol):
    """An evaluator of a match between any two policies."""

    def policy_value(self, first: Policy, second: Policy) -> float:
        """Return the probability that the player who starts wins."""


@runtime_checkable
class DealEvaluator(Protocol):
    """An evaluator of the deals of a game of chance."""

    def deal_value(self, deal: str) -> float:
        """Return the probability that the player who starts wins with a deal that neither player knows."""


@runtime_checkable
class BestResponseEvaluator(Evaluator, Protocol):
    """An evaluator of a game with hidden information that finds the best response to any policy."""

    def best_response(self, order: int, policy: Policy) -> Policy:
        """Return the best response to a policy of the player who moves first (order 1) or second (order 2)."""

    def best_response_value(self, order: int, policy: Policy, response: Policy) -> float:
        """Return the probability that a response wins against a policy."""


TOLERANCE = 1e-9
"""Probabilities closer than this are equal."""


def best_choices(choices: Sequence[MoveEvaluation]) -> list[MoveEvaluation]:
    """Return the choices that no other is better than."""
    ranks = [choice.evaluation.rank for choice in choices]
    top = max(ranks)
    pairs = zip(choices, ranks, strict=True)
    return [choice for choice, rank in pairs if rank[0] >= top[0] - TOLERANCE and rank[1] >= top[1] - TOLERANCE]
