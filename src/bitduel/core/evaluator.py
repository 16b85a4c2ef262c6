"""Who knows what moves are worth, and how it is told."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

from bitduel.core.evaluation import Evaluation
from bitduel.core.view import View

Shares = Mapping[str, float]
"""How likely each move is."""


class MoveEvaluation(NamedTuple):
    """A move and what it is worth to the player who makes it."""

    move: str
    worth: Evaluation

    def as_data(self) -> dict[str, Any]:
        """The move and its worth as JSON-ready data."""
        return {"move": self.move, **self.worth.as_data()}


class DepthLimitedEvaluator(Protocol):
    """Knows what can be seen from where one stands."""

    def choices(self, view: View, horizon: int | None = None) -> list[MoveEvaluation]:
        """Every legal move with its worth, in the game's order; beyond the horizon nothing is seen."""


class Evaluator(DepthLimitedEvaluator, Protocol):
    """Knows what every move is worth, from what a seat may see."""

    @property
    def depth(self) -> int:
        """About how many plies ahead there is something to see."""

    def mixture(self, view: View) -> dict[str, float]:
        """Optimal play: how likely each move is."""

    def notes(self) -> list[str]:
        """How the judge knows, in a few lines."""


@runtime_checkable
class BoundedEvaluator(Protocol):
    """A judge that sees what is near at any size, but solves small games only."""

    def check(self) -> None:
        """Raise TooLargeError where the whole game cannot be solved."""


@runtime_checkable
class Guessing(Protocol):
    """A judge of a game of chance that also has a feeling for what lies too far away to be worked out."""

    def hunches(self, view: View) -> dict[str, float]:
        """How promising every legal move looks, in proportion; none is 0."""


class Policy(NamedTuple):
    """How somebody plays, as chances, and whether they play the same whenever they know the same."""

    behaviour: Callable[[View], Shares]
    timeless: bool


@runtime_checkable
class Duelling(Protocol):
    """A judge that can tell how a match between any two players goes, without playing it."""

    def duel(self, first: Policy, second: Policy) -> float:
        """How likely the player who starts is to win."""


@runtime_checkable
class Dealt(Protocol):
    """A judge of a game of chance that can tell what a deal does to a match."""

    def fate(self, deal: str) -> float:
        """How likely the player who starts is to win with this deal, when both play perfectly without knowing it."""


@runtime_checkable
class Exploiting(Evaluator, Protocol):
    """A judge of a game in the dark that knows the best reply to anybody's play, good or bad."""

    def reply(self, order: int, habit: Policy) -> Policy:
        """The best play against somebody who plays like this as the first or the second."""

    def replied(self, order: int, habit: Policy, reply: Policy) -> float:
        """How likely a reply wins against somebody who plays like this as the first or the second."""


TIE = 1e-9
"""Probabilities closer than this are the same."""


def best(choices: Sequence[MoveEvaluation]) -> list[MoveEvaluation]:
    """The moves that are worth most."""
    ranks = [choice.worth.rank for choice in choices]
    top = max(ranks)
    pairs = zip(choices, ranks, strict=True)
    return [choice for choice, rank in pairs if rank[0] >= top[0] - TIE and rank[1] >= top[1] - TIE]
