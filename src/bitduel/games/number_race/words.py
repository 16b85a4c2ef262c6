"""The sentences that the number races share, and the reason why a number is lost."""

from math import gcd

from bitduel.core.outcomes import Outcome
from bitduel.core.phrases import MovePhrase, join_with_or
from bitduel.core.view import View
from bitduel.core.words import Law, Reading, Words
from bitduel.games.number_race.law import EVERY_STEP, LAWS, NumberLaw, fence
from bitduel.games.number_race.rules import NumberPosition, NumberRace

OVERSHOOT = Reading(
    point="A move that overshoots",
    rulebook="It loses at once. The rulebook does not say whether you may choose it.",
    default="You may always choose it, even when every move overshoots. It loses at once.",
)

STARTER = Reading(
    point="Who starts",
    rulebook="The players decide, for example by a coin toss.",
    default="Player 1 starts, unless you choose otherwise. The menu suggests a coin toss.",
    choose="Player 2 starts, or a coin toss decides.",
)


class NumberWords(Words):
    """The sentences of a number race that do not depend on its rulebook."""

    readings = (OVERSHOOT, STARTER)

    def __init__(self, game: NumberRace) -> None:
        self.game = game
        self.meanings = {"add": f"make the number larger by {game.step}", "double": "make the number twice as large"}

    def symbol(self, move: str) -> str:
        """Return what the move does to the number."""
        return f"+{self.game.step}" if move == "add" else "\u00d72"

    def own_ending(self, outcome: Outcome, is_winner: bool) -> str:
        """Say who made the target or went past it."""
        who = "You" if is_winner == (outcome.reason == "exact") else "Your opponent"
        return (
            f"{who} made it exactly {self.game.target}."
            if outcome.reason == "exact"
            else f"{who} went past {self.game.target}."
        )

    def listed(self, position: NumberPosition, move: str) -> str:
        """Return what the move does, and the number it makes."""
        return f"{self.symbol(move)} to {self.game.play(position, move).number}"

    def move_phrase(self, view: View, move: str) -> MovePhrase:
        """Name a move with the number it makes."""
        number = self.after(view, move)
        if move == "double":
            return MovePhrase(f"doubling to {number}", f"double to {number}")
        return MovePhrase(f"adding {self.game.step} to make {number}", f"add {self.game.step} to make {number}")

    def position_phrase(self, view: View) -> str:
        """Name the number from which the race goes on."""
        return f"From {view.board.number}"

    def reason(self, view: View) -> str:
        """Say why the number is lost for whoever must move; nothing if it is won."""
        last = "your opponent makes" if view.to_move == view.seat else "you make"
        return why_lost(view.board.number, self.game.target, self.game.step, last)

    def question(self, view: View) -> str:
        """Ask what follows from the numbers that can be made."""
        target = self.game.target
        made = sorted({self.after(view, move) for move in view.legal})
        fitting = [str(number) for number in made if number <= target]
        if str(target) in fitting:
            return f"Which move makes {target}?"
        if not fitting:
            return f"Both moves go past {target}. Could you have seen that coming?"
        if len(fitting) < len(made):
            return f"Doubling goes past {target}. Who makes the last move that fits, if you both only add?"
        return f"You can make {join_with_or(fitting)}. What can your opponent make from there?"

    def laws(self) -> tuple[Law, ...]:
        """Return the laws of the number races, those of the usual step first."""
        usual = next(int(option.default) for option in self.game.declared_options if option.name == "step")
        return LAWS.get(usual, (EVERY_STEP,))

    def after(self, view: View, move: str) -> int:
        """Return the number that a move makes."""
        return int(self.game.play(NumberPosition(view.board.number), move).number)


def why_lost(number: int, target: int, step: int, last: str = "the opponent makes") -> str:
    """Say why a number is lost, with who makes the last move that fits; nothing for a number that is won."""
    law = NumberLaw(target, step)
    if not law.is_lost(number):
        return ""
    if 2 * number > target:
        return _sentence(_only_adding(number, target, step, last))
    shared = gcd(number, step)
    if shared > 1:
        return _divided(number, target, step, shared, last)
    if step == 1:
        return _by_one(number, target, last)
    if step == 2:
        return _sentence(_odd_by_two(number, target, last))
    return _sentence(_by_cap(number, law.cap(number), step, last))


def _divided(number: int, target: int, step: int, shared: int, last: str) -> str:
    how = "Halved" if shared == 2 else f"Divided by {shared}"
    small = number // shared, target // shared, step // shared
    return f"{how}, this is a race from {small[0]} to {small[1]}, adding {small[2]}. {why_lost(*small, last)}"


def _only_adding(number: int, target: int, step: int, last: str) -> str:
    fits = (target - number) // step
    if not fits:
        return f"every move from {number} goes past {target}"
    return f"from {number}, doubling goes past {target}. {_additions(step, fits, last)}"


def _by_one(number: int, target: int, last: str) -> str:
    """Explain a number up to half the target; a target that cannot be quartered is odd."""
    goal, count = target, 0
    while goal % 2 == 0 and 4 * number <= goal:
        goal, count = goal // 4, count + 1
    inside = _sentence(_only_adding(number, goal, 1, last) if 2 * number > goal else _odd_goal(number, goal))
    if not count:
        return inside
    times = {1: "", 2: " twice"}.get(count, f" {count} times")
    return f"Whoever first goes past {goal} loses. ({goal} is {target} divided by 4{times}, rounded down.) {inside}"


def _odd_goal(number: int, goal: int) -> str:
    from_here = f"Every move from an odd number such as {number} makes an even one"
    return f"{goal} is odd. {from_here}. Adding 1 then makes it odd again"


def _odd_by_two(number: int, target: int, last: str) -> str:
    high, fits = fence(target), (target - number) // 2
    doubling = f"above {high}" if high else "here"
    return f"doubling an odd number loses {doubling}. {_additions(2, fits, last)}"


def _by_cap(number: int, cap: int, step: int, last: str) -> str:
    """Explain a number by its cap: whoever adds past it loses, and so does whoever doubles before."""
    fits = (cap - number) // step
    if not fits:
        return f"doubling {number} loses. So does adding {step}, because it goes past {cap}"
    return f"whoever doubles here loses, and so does whoever adds past {cap}. {_additions(step, fits, last)}"


def _additions(step: int, fits: int, last: str) -> str:
    return f"Adding {step} still fits {fits} times (an even number), so {last} the last addition"


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
