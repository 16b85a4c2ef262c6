"""Double or Nothing: add one or double a shared number; exactly 20 wins."""

from collections.abc import Iterator, Mapping
from functools import cache, cached_property

from bitduel.core.evaluation import DRAW, LOSS, WIN, Evaluation, Value
from bitduel.core.game import Variant
from bitduel.core.lesson import (
    ChoiceAnswer,
    ChoiceStep,
    EvaluationClaim,
    Lesson,
    LessonPosition,
    LessonStep,
    MatchStep,
    MoveStep,
)
from bitduel.core.match import other_seat
from bitduel.core.outcomes import Outcome
from bitduel.core.phrases import join_with_and
from bitduel.core.practice import PracticeItem
from bitduel.core.puzzle import EvaluatorFor, Puzzle
from bitduel.core.view import View
from bitduel.core.words import Names
from bitduel.games.number_race.law import NumberLaw
from bitduel.games.number_race.lesson import NumberClaims, has_odd, method, quarters
from bitduel.games.number_race.rules import NumberRace, size_options
from bitduel.games.number_race.words import NumberWords

AIM = "Add {step} or double the shared number. Make exactly {target}."


class DoubleOrNothingWords(NumberWords):
    """Sentences with words for moves, as the rulebook prints them."""

    fields = {"number": "the number"}
    nouns = ("number",)

    def __init__(self, game: NumberRace) -> None:
        super().__init__(game)
        self.step = "one" if game.step == 1 else str(game.step)
        self.acts = {"add": f"add {self.step}", "double": "double it"}

    def aim(self) -> str:
        """Name the step and the target as chosen."""
        return AIM.format(step=self.step, target=self.game.target)

    def turn(self, view: View, name: str) -> list[str]:
        """Say the current number."""
        return [f"Current Number: {view.board.number}"]

    def prompt(self, view: View, name: str) -> str:
        """Ask for one of the two words."""
        return f"{name}, choose 'add' to {self.acts['add']} or 'double' to {self.acts['double']}: "

    def answers(self, view: View) -> Mapping[str, str]:
        """Accept only the two words, as the rulebook demands."""
        return {"add": "add", "double": "double"}

    def invalid_answer(self, view: View) -> str:
        """Refuse anything else."""
        return "Invalid action. Please choose 'add' or 'double'."

    def played(self, view: View, move: str, name: str) -> list[str]:
        """Say what was chosen, and the new number."""
        return [f"You chose to {self.acts[move]}. New number is {view.board.number}."]

    def ending(self, outcome: Outcome, names: Names) -> list[str]:
        """Say who won, by reaching the target or by the other exceeding it."""
        winner = outcome.winner or 1
        if outcome.reason == "exact":
            return ["", f"The number is exactly {self.game.target}!", f"{names[winner - 1]} wins the game!"]
        loser = names[other_seat(winner) - 1]
        return ["", f"The number exceeded {self.game.target}!", f"{loser} loses. {names[winner - 1]} wins the game!"]

    def leads_to(self, view: View, move: str) -> str:
        """Say the number after the move."""
        return f"the number becomes {self.after(view, move)}"

    def short_rules(self) -> list[str]:
        """Return the rules in three lines."""
        game = self.game
        return [
            f"You share one number. It starts at {game.first_number}.",
            f"On your turn, {self.acts['add']} or double it.",
            f"Make exactly {game.target} and you win. Go past {game.target} and you lose.",
        ]

    def rules(self) -> list[str]:
        """Explain the rules."""
        game = self.game
        return [
            f"Both players share one number. It starts at {game.first_number}.",
            f"On your turn, {self.acts['add']} or double the number. You cannot pass.",
            f"If your move makes the number exactly {game.target}, you win.",
            f"If your move makes it more than {game.target}, you lose at once.",
        ]


class DoubleOrNothing(NumberRace):
    """One shared number, from 1 to exactly 20."""

    slug = "double-or-nothing"
    short = "double"
    title = "Double or Nothing"
    aim = AIM.format(step="one", target=20)
    declared_options = size_options(target=20, step=1)
    variants = (
        Variant("From 2 to 48", {"start": 2, "target": 48}, "Two races in one: a lot is decided below 24.", "win", 31),
        Variant("To 42", {"target": 42}, "For once, the player who starts can win.", "win", 29),
        Variant(
            "To 50, adding 3",
            {"target": 50, "step": 3},
            "A short race with no simple rule for odd and even numbers.",
            "win",
            17,
        ),
    )

    @classmethod
    def lesson(cls) -> Lesson:
        """Return the lesson of the game."""
        return _lesson()

    @cached_property
    def words(self) -> DoubleOrNothingWords:
        """Every sentence of the game."""
        return DoubleOrNothingWords(self)

    @classmethod
    def practice(cls) -> tuple[PracticeItem, ...]:
        """Return the items of practice after the lesson."""
        from bitduel.games.number_race.practice import double_practice

        return double_practice(cls)

    @classmethod
    def puzzle_kinds(cls) -> tuple[type[Puzzle], ...]:
        """Return the kinds of puzzles."""
        from bitduel.games.number_race import puzzles, target_puzzles

        return puzzles.NumberLine, puzzles.GoodToLeave, target_puzzles.FindTheTarget

    @classmethod
    def generate_puzzles(cls, evaluator_for: EvaluatorFor) -> Iterator[Puzzle]:
        """Yield all puzzles that a deck may choose from; their law needs no evaluator."""
        from bitduel.games.number_race import puzzle_generator as generator

        yield from generator.generate_lines(cls, range(20, 101, 2))
        yield from generator.generate_windows(cls, range(16, 61, 2))
        yield from generator.generate_targets(cls)


RACE = NumberClaims(DoubleOrNothing)
TARGET = DoubleOrNothing().target
LAW = NumberLaw(TARGET, 1)
HALF, QUARTER = TARGET // 2, TARGET // 4
HIGH = range(HALF + 1, TARGET)
LEFT = [number for number in HIGH if LAW.is_lost(number)]
"""The numbers above the half that are good to leave."""
LOW = [number for number in range(1, QUARTER + 1) if LAW.is_lost(number)]


@cache
def _lesson() -> Lesson:
    """Build ten steps: from the last move back to the first, two matches, and other targets."""
    steps = (*_upper_half(), *_lower_half(), *_matches(), _race_in_a_race(), _any_target())
    return Lesson("Which numbers to leave", steps, method)


def _upper_half() -> tuple[LessonStep, ...]:
    return (
        MoveStep(
            title=f"Exactly {TARGET}",
            text=(
                "You and your opponent share one number. On your turn, add one or double it.",
                f"Make exactly {TARGET} and you win. Go past {TARGET} and you lose.",
            ),
            question=f"The number is {HALF}. Can you win right now?",
            position=RACE.at(HALF),
            right=("double",),
            praise=f"{HALF} doubled is {TARGET}. You win.",
            wrong=f"That makes {HALF + 1}. Doubling is now too much for both of you, and your opponent will be the "
            f"one to reach {TARGET}.",
            hint=f"What is {HALF} times 2?",
        ),
        MoveStep(
            title="Look at what you leave",
            text=(
                "Don't just look at the number you make. Ask what your opponent can do with it.",
                "A number is good to leave if whoever has to move from it loses. We call it a good number.",
                f"{TARGET} is good too: make it and you win.",
            ),
            question=f"The number is {HALF - 1}. Which move leaves a good number?",
            position=RACE.at(HALF - 1),
            right=("double",),
            praise=f"{TARGET - 2} is good. If your opponent makes {TARGET - 1}, you make {TARGET}. If they double, "
            f"they go past {TARGET}.",
            wrong=f"That makes {HALF}, and your opponent doubles it.",
            hint=f"One of your moves leaves {HALF}. You know what to do with {HALF}.",
            claims=(RACE.good([TARGET - 2]), RACE.bad([HALF])),
        ),
        ChoiceStep(
            title="The upper half",
            text=(
                f"Above {HALF}, doubling goes past {TARGET}. So you both add, and the number goes up one by one.",
                f"You want to be the one who makes {TARGET}. Count back from there: one number for you, one for your "
                "opponent, one for you.",
            ),
            question=f"Which numbers above {HALF} are good?",
            position=RACE.at(15),
            answers=(
                ChoiceAnswer(
                    "The even ones",
                    f"{', '.join(map(str, LEFT))}. Your opponent has to make an odd number, and you make the next "
                    "even one.",
                    RACE.good(LEFT),
                    is_right=True,
                ),
                ChoiceAnswer(
                    "The odd ones",
                    f"From {TARGET - 1}, your opponent adds one and makes {TARGET}.",
                    RACE.good([number for number in HIGH if number not in LEFT]),
                ),
                ChoiceAnswer(
                    "All of them",
                    f"{TARGET - 1} is one of them. From there your opponent makes {TARGET}.",
                    RACE.good(HIGH),
                ),
            ),
            hint=f"Is {TARGET - 1} good? Is {TARGET - 2}?",
            claims=(RACE.bad([number for number in HIGH if number not in LEFT]),),
        ),
        MoveStep(
            title=f"From {QUARTER + 1} to {HALF}, double",
            text=(
                f"Double any number from {QUARTER + 1} to {HALF}. You get an even number above {HALF}, which is good, "
                f"or {TARGET} itself.",
                "So if you have to move from one of these, double it and you're winning.",
            ),
            question="The number is 7. What do you play?",
            position=RACE.at(7),
            right=("double",),
            praise=f"14 is even and more than half of {TARGET}. Keep making even numbers.",
            wrong="That makes 8. Your opponent doubles it to 16, a good number.",
            hint=f"Which move makes an even number above {HALF}?",
            claims=(RACE.bad(range(QUARTER + 1, HALF + 1)),),
        ),
    )


def _lower_half() -> tuple[LessonStep, ...]:
    return (
        MoveStep(
            title="A smaller race inside",
            text=(
                f"Never leave a number from {QUARTER + 1} to {HALF}, because your opponent doubles it.",
                f"From {QUARTER}, both moves lead there: {QUARTER} + 1 is {QUARTER + 1}, and {QUARTER} times 2 is "
                f"{2 * QUARTER}. So {QUARTER} is good.",
                f"Now you have a smaller race. Its target is {QUARTER}, a quarter of {TARGET}.",
            ),
            question="The number is 4. What do you play?",
            position=RACE.at(4),
            right=("add",),
            praise=f"{QUARTER}. Your opponent has to make {QUARTER + 1} or {2 * QUARTER}, and you double.",
            wrong="That makes 8. Your opponent doubles it to 16, a good number.",
            hint=f"Which move makes {QUARTER}?",
            claims=(RACE.good([QUARTER]),),
        ),
        ChoiceStep(
            title="Who should go first?",
            text=(
                f"{QUARTER} is odd. In a race to an odd number, the odd numbers are good: {join_with_and(LOW)}.",
                "From an odd number, both moves make an even one. From an even number, add one and it's odd again.",
            ),
            question="The number starts at 1. Who wins if both play perfectly?",
            position=RACE.at(1),
            answers=(
                _winner(
                    "The first player",
                    "1 is good to leave, so the player who has to move from it loses. That's the first player.",
                    WIN,
                ),
                _winner(
                    "The second player",
                    "1 is good to leave, and the first player has to move from it. If you can choose, go second.",
                    LOSS,
                ),
                _winner(
                    "Neither can force a win",
                    "Somebody always wins: the number grows until one player makes the target or goes past it.",
                    DRAW,
                ),
            ),
            hint="Is 1 one of the good numbers?",
            claims=(RACE.good(LOW), RACE.bad([2, 4])),
        ),
    )


def _winner(text: str, reply: str, value: Value) -> ChoiceAnswer:
    claim = EvaluationClaim(
        f"{text}: a {value} for the first player.", (LessonPosition(DoubleOrNothing()),), Evaluation(value)
    )
    return ChoiceAnswer(text, reply, claim, is_right=value == LOSS)


def _race_in_a_race() -> LessonStep:
    """Teach the race inside the smaller race, where a quarter of the target is even."""
    target = 24
    end = target // 4
    good = [number for number in range(1, end + 1) if NumberLaw(target, 1).is_lost(number)]
    return MoveStep(
        title="An even smaller race",
        text=(
            f"The target is {target}, so the smaller race goes to {end}.",
            f"{end} is even, so play to {end} in the same way. Above {end // 2}, leave {good[-2]} or {end}. From 2 or "
            f"{end // 2}, double.",
            f"A quarter of {end}, rounded down, is 1. So 1 is good.",
        ),
        question="The number is 2. What do you play?",
        position=RACE.at(2, target),
        right=("double",),
        praise=f"4 is good. If your opponent makes 5, you make {end}. If they make 8, you make 16.",
        wrong=f"That makes 3. Your opponent doubles it to {end}, a good number.",
        hint=f"Which move makes a number above {end // 2} that is good?",
        claims=(RACE.good(good, target), RACE.bad([n for n in range(1, end) if n not in good], target)),
    )


def _any_target() -> LessonStep:
    most, won_target, others = 64, 42, (12, 64)
    won = [target for target in range(2, most + 1) if not has_odd(quarters(target))]
    lost = [target for target in range(2, most + 1) if has_odd(quarters(target))]
    return ChoiceStep(
        title="Extra: any target",
        text=(
            "Divide the target by 4 again and again, rounding down. These are the targets of the smaller races: "
            f"{TARGET} gives {join_with_and(quarters(TARGET)[1:])}.",
            "If the target or one of them is odd, go second. If all are even, go first.",
        ),
        question="The number starts at 1. With which of these targets would you go first?",
        position=RACE.at(1),
        answers=tuple(
            ChoiceAnswer(str(target), _who_wins(target), RACE.targets([target], WIN), is_right=target == won_target)
            for target in sorted((won_target, *others))
        ),
        hint="Divide each one by 4 until you get 1, 2 or 3. Look for an odd number.",
        claims=(RACE.targets(won, WIN), RACE.targets(lost, LOSS)),
    )


def _who_wins(target: int) -> str:
    """Say who wins with a target, from its quarters."""
    numbers = quarters(target)
    odd = next((number for number in numbers if number % 2), None)
    why = f"{odd} is odd, so the second player wins" if odd else "all are even, so the first player wins"
    return f"{', '.join(map(str, numbers))}: {why}."


def _matches() -> tuple[LessonStep, ...]:
    return (
        MatchStep(
            title="Go second and win",
            text=(
                f"Now play a whole match to {TARGET}. Your opponent goes first and plays perfectly.",
                f"Up to {QUARTER}, leave odd numbers. From {QUARTER + 1} to {HALF}, double. After that, leave even "
                "numbers.",
            ),
            question="What do you play?",
            position=RACE.at(1),
            learner_seat=2,
            value=WIN,
            praise="You beat perfect play. From 1, the second player always can.",
            wrong="That isn't a good number to leave.",
            hint=f"The good numbers are {', '.join(map(str, LOW))}, and {join_with_and(LEFT)}.",
        ),
        MatchStep(
            title="Go first and win",
            text=(
                "The target is 10, and a quarter of that is 2, rounded down. So the smaller race goes to 2.",
                "You can make 2 at once, so go first.",
                "Above 5, leave even numbers. From 3, 4 or 5, double.",
            ),
            question="What do you play?",
            position=RACE.at(1, 10),
            learner_seat=1,
            value=WIN,
            praise="That's how to play to an even target. If the target is odd, leave odd numbers all the way.",
            wrong="That isn't a good number to leave.",
            hint="The good numbers are 2, 6 and 8.",
            claims=(
                RACE.good([2, 6, 8], 10),
                RACE.bad([1, 3, 4, 5, 7, 9], 10),
                RACE.good(list(range(1, 21, 2)), 21),
            ),
        ),
    )
