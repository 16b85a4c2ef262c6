"""What the moves of a number race are worth by its law, at any size."""

from functools import cached_property

from bitduel.core.evaluation import LOSS, WIN, Evaluation
from bitduel.core.view import View
from bitduel.games import number_law
from bitduel.games.law import LawJudge
from bitduel.games.number_race import NumberPosition, NumberRace
from bitduel.games.number_zones import Zones


class NumberJudge(LawJudge[NumberPosition]):
    """Answers in about as many steps as the target has digits, squared."""

    game: NumberRace

    @property
    def depth(self) -> int:
        """A race can take as many plies as its target."""
        return self.game.target

    @cached_property
    def zones(self) -> Zones:
        """What is known of this target and step."""
        return Zones(self.game.target, self.game.step)

    def stand(self, view: View) -> NumberPosition:
        """The number."""
        return NumberPosition(view.board.number)

    def worth(self, position: NumberPosition) -> Evaluation:
        """Who wins from a number, and how long it takes."""
        number, target, step = int(position.number), self.game.target, self.game.step
        won = number_law.mover_wins(number, target, step)
        count = number_law.PLIES.get(step)
        return Evaluation(WIN if won else LOSS, count(number, target) if count else self.zones.plies(number))

    def notes(self) -> list[str]:
        """That no table was needed."""
        return ["Worked out by the law of the number races, without a table."]
