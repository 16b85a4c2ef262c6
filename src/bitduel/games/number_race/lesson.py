"""The parts that the lessons of the number races share: their method, quarters, and claims about numbers."""

from collections.abc import Iterable

from bitduel.core.evaluation import LOSS, WIN, Evaluation, Value
from bitduel.core.lesson import EvaluationClaim, LessonPosition
from bitduel.core.view import View
from bitduel.games.number_race.law import NumberLaw
from bitduel.games.number_race.rules import NumberRace


def method(view: View) -> str:
    """Leave a number that is good to leave; if there is none, add."""
    number, step, target = view.board.number, int(view.options["step"]), int(view.options["target"])
    law, results = NumberLaw(target, step), {"add": number + step, "double": 2 * number}
    good = [move for move, result in results.items() if result <= target and law.is_lost(result)]
    return good[0] if good else "add"


def quarters(number: int) -> list[int]:
    """Return a number, a quarter of it, a quarter of that and so on, each rounded down, as far as 1."""
    return [number, *quarters(number // 4)] if number else []


def has_odd(numbers: Iterable[int]) -> bool:
    """Return whether one of the numbers is odd."""
    return any(number % 2 for number in numbers)


class NumberClaims:
    """Positions of one number race, and claims about them that a lesson makes."""

    def __init__(self, game: type[NumberRace]) -> None:
        self.game = game

    def at(self, number: int, target: int | None = None) -> LessonPosition:
        """Return a race that starts at a number."""
        return LessonPosition(self.game(start=number) if target is None else self.game(start=number, target=target))

    def good(self, numbers: Iterable[int], target: int | None = None) -> EvaluationClaim:
        """Claim that these numbers are good to leave: whoever must move from them loses."""
        return self._claim(numbers, target, LOSS, "good to leave")

    def bad(self, numbers: Iterable[int], target: int | None = None) -> EvaluationClaim:
        """Claim that these numbers are not good to leave: whoever must move from them wins."""
        return self._claim(numbers, target, WIN, "not good to leave")

    def wins_by(self, numbers: Iterable[int], target: int, move: str) -> EvaluationClaim:
        """Claim that a move wins from each of these numbers."""
        positions = tuple(self.at(number, target) for number in numbers)
        return EvaluationClaim(f"To {target}: '{move}' wins from all of them.", positions, Evaluation(WIN), move)

    def targets(self, numbers: Iterable[int], value: Value) -> EvaluationClaim:
        """Claim that with these targets the first player, who moves from 1, wins or loses."""
        positions = tuple(self.at(1, target) for target in numbers)
        shown = ", ".join(str(position.game.options["target"]) for position in positions)
        return EvaluationClaim(f"The first player has a {value} with targets {shown}.", positions, Evaluation(value))

    def _claim(self, numbers: Iterable[int], target: int | None, value: Value, words: str) -> EvaluationClaim:
        positions = tuple(self.at(number, target) for number in numbers)
        shown = ", ".join(str(position.game.options["start"]) for position in positions)
        return EvaluationClaim(
            f"To {positions[0].game.options['target']}: {shown}: {words}.", positions, Evaluation(value)
        )
