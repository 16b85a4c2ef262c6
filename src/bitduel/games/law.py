"""What moves are worth where a law tells it: no table, any size."""

from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

from bitduel.core.game import Game, Verdict
from bitduel.core.judge import Judged, best
from bitduel.core.view import View
from bitduel.core.worth import BY_SIGN, LOSS, UNSEEN_WORTH, WIN, Worth

P = TypeVar("P", bound=tuple[Any, ...])

ENDS = {Verdict.WON: Worth(WIN, 1), Verdict.LOST: Worth(LOSS, 1)}


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
    def worth(self, position: P) -> Worth:
        """What the law says of a position that is not over, for the player to move."""

    def choices(self, view: View, horizon: int | None = None) -> list[Judged]:
        """Every legal move with its value and plies; an end beyond the horizon is not seen."""
        here = self.stand(view)
        found = [(move, self._made(self.game.play(here, move))) for move in view.legal]
        return [Judged(move, worth if _in_sight(worth, horizon) else UNSEEN_WORTH) for move, worth in found]

    def mixture(self, view: View) -> dict[str, float]:
        """Any of the best moves."""
        moves = [choice.move for choice in best(self.choices(view))]
        return {move: 1 / len(moves) for move in moves}

    def notes(self) -> list[str]:
        """That no table was needed."""
        return ["Worked out by the law of the game, without a table."]

    def _made(self, after: P) -> Worth:
        """What it is worth to have moved to a position."""
        verdict = Verdict(int(self.game.verdict(after)))
        if verdict != Verdict.OPEN:
            return ENDS[verdict]
        value, plies, _ = self.worth(after)
        assert value is not None, "a law knows every position"
        return Worth(BY_SIGN[-value.sign], None if plies is None else plies + 1)


def _in_sight(worth: Worth, horizon: int | None) -> bool:
    return horizon is None or (worth.plies is not None and worth.plies <= horizon)
