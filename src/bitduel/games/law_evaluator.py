"""An evaluator for games whose positions a proved law decides: no table of positions, any size."""

from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

from bitduel.core.evaluation import BY_SIGN, LOSS, UNKNOWN_EVALUATION, WIN, Evaluation, MoveEvaluation, best_choices
from bitduel.core.game import Game, Verdict
from bitduel.core.view import View

P = TypeVar("P", bound=tuple[Any, ...])

ENDS = {Verdict.WON: Evaluation(WIN, 1), Verdict.LOST: Evaluation(LOSS, 1)}


class LawEvaluator(ABC, Generic[P]):
    """The value of every move by what a law says of the position after it."""

    def __init__(self, game: Game[P]) -> None:
        self.game = game
        self._position: type[P] = type(game.start())

    @property
    @abstractmethod
    def depth(self) -> int:
        """The length of a whole match in plies, roughly."""

    @abstractmethod
    def evaluate(self, position: P) -> Evaluation:
        """Evaluate a position that is not over, for the player to move."""

    @abstractmethod
    def notes(self) -> list[str]:
        """Describe how the values are known."""

    def choices(self, view: View, horizon: int | None = None) -> list[MoveEvaluation]:
        """Evaluate every legal move; an end beyond the horizon is unknown."""
        position = tuple.__new__(self._position, self.game.encode_view(view))
        evaluations = [(move, self._after(self.game.play(position, move))) for move in view.legal]
        return [
            MoveEvaluation(move, each if _is_within(each, horizon) else UNKNOWN_EVALUATION)
            for move, each in evaluations
        ]

    def policy(self, view: View) -> dict[str, float]:
        """Return the best moves, each equally likely."""
        moves = [choice.move for choice in best_choices(self.choices(view))]
        return {move: 1 / len(moves) for move in moves}

    def _after(self, position: P) -> Evaluation:
        """Evaluate a position for the player who just moved."""
        verdict = Verdict(int(self.game.verdict(position)))
        if verdict != Verdict.OPEN:
            return ENDS[verdict]
        value, plies, _ = self.evaluate(position)
        assert value is not None, "a law decides every position"
        return Evaluation(BY_SIGN[-value.sign], None if plies is None else plies + 1)


def _is_within(evaluation: Evaluation, horizon: int | None) -> bool:
    return horizon is None or (evaluation.plies is not None and evaluation.plies <= horizon)
