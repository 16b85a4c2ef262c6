"""The rules of the number races: one number, two moves, exactly the target wins."""

from functools import cached_property
from typing import Any, NamedTuple

from bitduel.core.certificate import Certificate
from bitduel.core.errors import OptionError
from bitduel.core.evaluation import LOSS, WIN, Evaluation, Evaluator
from bitduel.core.game import LOST, WON, Feature, Game, Number
from bitduel.core.lesson import EvaluatorFor
from bitduel.core.options import IntegerOption, Option
from bitduel.core.picture import MoveTarget, Picture, Scale, Token
from bitduel.core.view import View
from bitduel.core.worksheet import UnpluggedGame, Worksheet
from bitduel.games.law_evaluator import LawEvaluator
from bitduel.games.number_race.law import NumberLaw

MOST = 1_000_000_000
QUICK = 100_000


class NumberPosition(NamedTuple):
    """The shared number."""

    number: Number


class NumberBoard(NamedTuple):
    """The shared number, as both seats see it."""

    number: int


class NumberRace(Game[NumberPosition]):
    """A race of one number: add the step or double; reaching the target wins, passing it loses."""

    moves = ("add", "double")
    reasons = {WON: "exact", LOST: "exceeded"}
    benchmark_options = {"target": 100_000}
    surveys = (
        {"target": "2..127"},
        {"start": "1..24", "target": "2..40"},
        {"step": "1..16", "target": "2..40"},
    )
    checker = "number_race"

    def __init__(self, /, **options: object) -> None:
        super().__init__(**options)
        self.first_number, self.target, self.step = (int(self.options[n]) for n in ("start", "target", "step"))
        if self.first_number >= self.target:
            raise OptionError(f"start ({self.first_number}) must be less than target ({self.target})")

    def start(self, deal: str = "") -> NumberPosition:
        """Return the starting number."""
        return NumberPosition(self.first_number)

    def play(self, position: NumberPosition, move: str) -> NumberPosition:
        """Add the step, or double."""
        return NumberPosition(position.number + self.step if move == "add" else position.number * 2)

    def verdict(self, position: NumberPosition) -> Number:
        """Decide: exactly the target wins, more than it loses."""
        return WON * (position.number == self.target) + LOST * (position.number > self.target)

    @property
    def ranges(self) -> tuple[int, ...]:
        """The furthest overshoot: by doubling, or by a step larger than that."""
        return (self.target + max(self.target, self.step),)

    @property
    def size(self) -> int:
        """The count of all numbers up to the target, and half of that again beyond it."""
        return self.target * 3 // 2

    @cached_property
    def law(self) -> NumberLaw:
        """The law of the number races for this target and step."""
        return NumberLaw(self.target, self.step)

    def evaluator(self) -> Evaluator:
        """Return the evaluator by the law."""
        return NumberEvaluator(self)

    def certificate(self) -> Certificate:
        """Prove the start by the chain of numbers that decide it: values, plies and winning moves."""
        law, chain, todo = self.law, dict[int, list[Any]](), [self.first_number]
        while todo:
            number = todo.pop()
            if number not in chain:
                move, plies = law.fastest_win(number), law.plies(number)
                chain[number] = [str(LOSS), plies] if move is None else [str(WIN), plies, move]
                todo += law.premises(number)
        start = NumberEvaluator(self).evaluate(self.start())
        data = {**self.certificate_heading(start), "chain": {str(number): chain[number] for number in sorted(chain)}}
        return Certificate(data, f"the {len(chain):,} numbers that the start depends on", f"{self.checker}_law")

    @property
    def features(self) -> tuple[Feature, ...]:
        """The number."""
        return (Feature("number", 1, self.ranges[0] - 1),)

    def worksheet(self, evaluator_for: EvaluatorFor) -> Worksheet:
        """Return the worksheet for these settings."""
        from bitduel.games.number_race.worksheet import race_worksheet

        return race_worksheet(self, evaluator_for)

    def unplugged(self) -> UnpluggedGame:
        """Return the version to cut out for these settings."""
        from bitduel.games.number_race.worksheet import race_unplugged

        return race_unplugged(self)

    def encode_view(self, view: View) -> tuple[int, ...]:
        """Return the number."""
        return (view.board.number,)

    def observe(self, position: NumberPosition, to_move: bool, over: bool) -> NumberBoard:
        """Show the number to both seats."""
        return NumberBoard(number=int(position.number))

    def picture(self, view: View, names: tuple[str, str]) -> Picture:
        """Draw the number on a scale up to the target."""
        number = view.board.number
        caption = f"The number is {number}. The target is {self.target}."
        places = tuple(MoveTarget(move, self.play(NumberPosition(number), move).number) for move in view.legal)
        scale = Scale(0, self.target, (Token("number", number),), targets=places, trail=self._trail(view))
        return Picture(caption, scale=scale)

    def _trail(self, view: View) -> tuple[Token, ...]:
        """Return the numbers made before the last move, with the seats that made them."""
        position, trail = self.start(), []
        for ply, move in enumerate(view.history[:-1]):
            position = self.play(position, move)
            trail.append(Token("", position.number, view.first if ply % 2 == 0 else 3 - view.first))
        return tuple(trail)


class NumberEvaluator(LawEvaluator[NumberPosition]):
    """The value of every move by the law, in about as many steps as the target has digits, squared."""

    game: NumberRace

    @property
    def depth(self) -> int:
        """The target: an upper bound on the plies of a race."""
        return self.game.target

    def evaluate(self, position: NumberPosition) -> Evaluation:
        """Return who wins from a number, and how long it takes."""
        number, law = int(position.number), self.game.law
        return Evaluation(LOSS if law.is_lost(number) else WIN, law.plies(number))

    def notes(self) -> list[str]:
        """Name the law."""
        return ["Worked out by a proved rule, without listing all positions."]


def size_options(target: int, step: int, target_phrase: str = "to {}") -> tuple[Option, ...]:
    """Declare the three sizes of a number race."""
    return (
        IntegerOption(
            "start", 1, "the number at the start", 1, MOST - 1, QUICK, label="Starting number", phrase="from {}"
        ),
        IntegerOption(
            "target", target, "the number to reach exactly", 2, MOST, QUICK, label="Target", phrase=target_phrase
        ),
        IntegerOption("step", step, "how much 'add' adds", 1, MOST, QUICK, label="'Add' adds", phrase="adding {}"),
    )
