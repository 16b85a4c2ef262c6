"""What the moves of a number race are worth by its law, at any size."""

from functools import cached_property

from bitduel.core.view import View
from bitduel.core.worth import LOSS, WIN, Worth
from bitduel.games import number_law
from bitduel.games.law import LawJudge
from bitduel.games.number_race import NumberRace, Position
from bitduel.games.number_zones import Zones


class NumberJudge(LawJudge[Position]):
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

    def stand(self, view: View) -> Position:
        """The number."""
        return Position(view.board.number)

    def worth(self, position: Position) -> Worth:
        """Who wins from a number, and how long it takes."""
        number, target, step = int(position.number), self.game.target, self.game.step
        won = number_law.mover_wins(number, target, step)
        count = number_law.PLIES.get(step)
        return Worth(WIN if won else LOSS, count(number, target) if count else self.zones.plies(number))

    def notes(self) -> list[str]:
        """That no table was needed."""
        return ["Worked out by the law of the number races, without a table."]
