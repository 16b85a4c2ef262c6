"""What moves are worth where a law tells it: no table, any size."""

from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

from bitduel.core.evaluation import BY_SIGN, LOSS, UNSEEN_WORTH, WIN, Evaluation
from bitduel.core.evaluator import MoveEvaluation, best
from bitduel.core.game import Game, Verdict
from bitduel.core.view import View

P = TypeVar("P", bound=tuple[Any, ...])

ENDS = {Verdict.WON: Evaluation(WIN, 1), Verdict.LOST: Evaluation(LOSS, 1)}


class LawJudge(ABC, Generic[P]):
    """Judges moves by what a law says of the positions they lead to."""

    def __init__(self, game: Game[P]) -> None:
        self.game = game

    @property
    @abstractmethod
    def depth(self) -> int:
        """About how many plies ahead there is something to see."""

    @abstractmethod
    def stand(self, view: View) -> P:
        """The position that a seat sees, its own to move."""

    @abstractmethod
    def worth(self, position: P) -> Evaluation:
        """What the law says of a position that is not over, for the player to move."""

    def choices(self, view: View, horizon: int | None = None) -> list[MoveEvaluation]:
        """Every legal move with its value and plies; an end beyond the horizon is not seen."""
        here = self.stand(view)
        found = [(move, self._made(self.game.play(here, move))) for move in view.legal]
        return [MoveEvaluation(move, worth if _in_sight(worth, horizon) else UNSEEN_WORTH) for move, worth in found]

    def mixture(self, view: View) -> dict[str, float]:
        """Any of the best moves."""
        moves = [choice.move for choice in best(self.choices(view))]
        return {move: 1 / len(moves) for move in moves}

    def notes(self) -> list[str]:
        """That no table was needed."""
        return ["Worked out by the law of the game, without a table."]

    def _made(self, after: P) -> Evaluation:
        """What it is worth to have moved to a position."""
        verdict = Verdict(int(self.game.verdict(after)))
        if verdict != Verdict.OPEN:
            return ENDS[verdict]
        value, plies, _ = self.worth(after)
        assert value is not None, "a law knows every position"
        return Evaluation(BY_SIGN[-value.sign], None if plies is None else plies + 1)


def _in_sight(worth: Evaluation, horizon: int | None) -> bool:
    return horizon is None or (worth.plies is not None and worth.plies <= horizon)
