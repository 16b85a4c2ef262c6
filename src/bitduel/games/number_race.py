"""What the two number races share: one number, two moves, exactly the target wins."""

from typing import NamedTuple

from bitduel.core.certificate import Certificate
from bitduel.core.errors import OptionError
from bitduel.core.evaluator import Evaluator
from bitduel.core.game import LOST, WON, Feature, Game, Number
from bitduel.core.hints import Act
from bitduel.core.laws import Law
from bitduel.core.options import Option, Whole
from bitduel.core.picture import Picture, Place, Scale, Token
from bitduel.core.view import View
from bitduel.core.words import Reading

MOST = 1_000_000_000
QUICK = 100_000


class NumberPosition(NamedTuple):
    """The shared number."""

    number: Number


class NumberBoard(NamedTuple):
    """What both seats see: everything."""

    number: int


class NumberRace(Game[NumberPosition]):
    """Add the step or double; reaching the target wins, passing it loses."""

    moves = ("add", "double")
    reasons = {WON: "exact", LOST: "exceeded"}
    large = {"target": 100_000}
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
            raise OptionError(f"start must be less than target, but {self.first_number} is not less than {self.target}")

    def start(self, deal: str = "") -> NumberPosition:
        """The starting number."""
        return NumberPosition(self.first_number)

    def play(self, position: NumberPosition, move: str) -> NumberPosition:
        """Add the step, or double."""
        return NumberPosition(position.number + self.step if move == "add" else position.number * 2)

    def verdict(self, position: NumberPosition) -> Number:
        """Exactly the target wins, more than it loses."""
        return WON * (position.number == self.target) + LOST * (position.number > self.target)

    @property
    def ranges(self) -> tuple[int, ...]:
        """The furthest overshoot is by doubling, or by a step larger than that."""
        return (self.target + max(self.target, self.step),)

    @property
    def size(self) -> int:
        """Every number up to the target, and half as many beyond it."""
        return self.target * 3 // 2

    def evaluator(self) -> Evaluator:
        """The law of the number races."""
        from bitduel.games.number_evaluator import NumberJudge

        return NumberJudge(self)

    def certificate(self) -> Certificate:
        """The chain of numbers that the law of the number races walks."""
        from bitduel.games.number_proof import certificate

        return certificate(self)

    @property
    def features(self) -> tuple[Feature, ...]:
        """The number."""
        return (Feature("number", 1, self.ranges[0] - 1),)

    def encode_view(self, view: View) -> tuple[int, ...]:
        """The number."""
        return (view.board.number,)

    def encode_positions(self, position: NumberPosition, ply: Number, to_move: bool = True) -> tuple[Number, ...]:
        """The number, the same for both seats."""
        return (position.number,)

    def observe(self, position: NumberPosition, to_move: bool, over: bool) -> NumberBoard:
        """The number."""
        return NumberBoard(number=int(position.number))

    def picture(self, view: View, names: tuple[str, str]) -> Picture:
        """The number on its way to the target."""
        number = view.board.number
        caption = f"The number is {number}; the target is {self.target}."
        places = tuple(Place(move, self.play(NumberPosition(number), move).number) for move in view.legal)
        return Picture(caption, scale=Scale(0, self.target, (Token("number", number),), places=places))


def act(game: NumberRace, view: View, move: str) -> Act:
    """A move in words, with the number it makes."""
    number = game.play(NumberPosition(view.board.number), move).number
    if move == "double":
        return Act(f"doubling to {number}", f"double to {number}")
    return Act(f"adding {game.step} to make {number}", f"add {game.step} to make {number}")


def meanings(game: NumberRace) -> dict[str, str]:
    """What the moves do, in other words."""
    return {"add": f"make the number larger by {game.step}", "double": "make the number twice as large"}


def stands(view: View) -> str:
    """From which number the race goes on."""
    return f"From {view.board.number}"


def reason(game: NumberRace, view: View) -> str:
    """Why the number is lost for whoever must move; nothing where it is won."""
    from bitduel.games.number_reason import why_lost

    last = "your opponent makes" if view.to_move == view.seat else "you make"
    return why_lost(view.board.number, game.target, game.step, last)


def laws(game: NumberRace) -> tuple[Law, ...]:
    """The laws of the number races, those of the usual step first."""
    from bitduel.games import number_laws

    return number_laws.laws(next(int(option.default) for option in game.declared if option.name == "step"))


def size_options(target: int, step: int) -> tuple[Option, ...]:
    """The three sizes of a number race."""
    return (
        Whole("start", 1, "the number at the start", 1, MOST - 1, quick=QUICK),
        Whole("target", target, "the number to reach exactly", 2, MOST, quick=QUICK),
        Whole("step", step, "how much 'add' adds", 1, MOST, quick=QUICK),
    )


OVERSHOOT = Reading(
    point="A move that overshoots",
    rulebook="It loses at once; whether it is offered is not said.",
    default="It is always offered, also where every move overshoots, and loses at once.",
)

STARTER = Reading(
    point="Who starts",
    rulebook="Decided by the players, for example by a coin toss.",
    default="Player 1, unless asked otherwise; the menu proposes a coin toss.",
    choose="--first 1, --first 2 or --first toss",
)
