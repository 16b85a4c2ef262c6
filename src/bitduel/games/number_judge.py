"""What the moves of a number race are worth by its law, at any size."""

from bitduel.core.game import Verdict
from bitduel.core.judge import Judged, best
from bitduel.core.view import View
from bitduel.core.worth import LOSS, UNSEEN_WORTH, WIN, Worth
from bitduel.games import number_law
from bitduel.games.number_race import NumberRace, Position

PLIES = {1: number_law.plies_by_one, 2: number_law.plies_by_two}

NEAR = 10
"""Where the law does not tell the plies, so many are counted by playing on."""


class LawJudge:
    """Answers in as many steps as the target has digits."""

    def __init__(self, game: NumberRace) -> None:
        self.game = game

    @property
    def depth(self) -> int:
        """A race can take as many plies as its target."""
        return self.game.target

    def choices(self, view: View, horizon: int | None = None) -> list[Judged]:
        """Both moves with their values; plies where the law tells them."""
        return [self._judge(view.board.number, move, horizon) for move in view.legal]

    def mixture(self, view: View) -> dict[str, float]:
        """Any of the best moves."""
        moves = [choice.move for choice in best(self.choices(view))]
        return {move: 1 / len(moves) for move in moves}

    def notes(self) -> list[str]:
        """That no table was needed."""
        return ["Worked out by the law of the number races, without a table."]

    def _judge(self, number: int, move: str, horizon: int | None) -> Judged:
        after = int(self.game.play(Position(number), move).number)
        worth = self._after(after)
        if horizon is None:
            return Judged(move, worth)
        plies = self._near(after, min(horizon, NEAR) - 1) if worth.plies is None else worth.plies - 1
        unseen = plies is None or plies >= horizon
        return Judged(move, UNSEEN_WORTH if unseen else Worth(worth.value, (plies or 0) + 1))

    def _after(self, number: int) -> Worth:
        verdict = self.game.verdict(Position(number))
        if verdict != Verdict.OPEN:
            return Worth(WIN if verdict == Verdict.WON else LOSS, 1)
        lost = number_law.mover_wins(number, self.game.target, self.game.step)
        count = PLIES.get(self.game.step)
        plies = count(number, self.game.target) + 1 if count else None
        return Worth(LOSS if lost else WIN, plies)

    def _near(self, number: int, plies: int) -> int | None:
        """The plies to the end with best play, if they are not more than these."""
        if self.game.verdict(Position(number)) != Verdict.OPEN:
            return 0
        if plies <= 0:
            return None
        then = [int(self.game.play(Position(number), move).number) for move in self.game.moves]
        good = [after for after in then if self._after(after).value == WIN]
        left = [self._near(after, plies - 1) for after in good or then]
        seen = [count + 1 for count in left if count is not None]
        if good:
            return min(seen, default=None)
        return max(seen) if len(seen) == len(left) else None
