"""Binary Race to 64: add 2 or double one shared total; exactly 64 wins."""

from collections.abc import Iterator, Mapping
from functools import cache, cached_property

from bitduel.core.evaluation import LOSS, WIN
from bitduel.core.game import Variant
from bitduel.core.lesson import ChoiceAnswer, ChoiceStep, Lesson, LessonPosition, LessonStep, MatchStep, MoveStep
from bitduel.core.match import other_seat
from bitduel.core.outcomes import Outcome
from bitduel.core.phrases import join_with_and, join_with_or
from bitduel.core.practice import PracticeItem
from bitduel.core.puzzle import EvaluatorFor, Puzzle
from bitduel.core.view import View
from bitduel.core.words import Names
from bitduel.games.number_race.law import NumberLaw, fence
from bitduel.games.number_race.lesson import NumberClaims, has_odd, method, quarters
from bitduel.games.number_race.rules import NumberRace, size_options
from bitduel.games.number_race.words import NumberWords

AIM = "Add {step} or double the shared total. Make exactly {target}."


class BinaryRace64Words(NumberWords):
    """Sentences with numbered operations, as the rulebook prints them."""

    fields = {"number": "the total"}
    nouns = ("number total",)

    def aim(self) -> str:
        """Name the step and the target as chosen."""
        return AIM.format(step=self.game.step, target=self.game.target)

    def turn(self, view: View, name: str) -> list[str]:
        """List the two operations."""
        return [f"{name}, choose an operation:", f"1. Add {self.game.step}", "2. Multiply by 2"]

    def prompt(self, view: View, name: str) -> str:
        """Ask for 1 or 2."""
        return "Enter your choice (1 or 2): "

    def answers(self, view: View) -> Mapping[str, str]:
        """Accept only 1 and 2, as the rulebook demands."""
        return {"1": "add", "2": "double"}

    def invalid_answer(self, view: View) -> str:
        """Refuse anything else."""
        return "Invalid choice. Please enter 1 or 2."

    def played(self, view: View, move: str, name: str) -> list[str]:
        """Say the new total."""
        return [f"New total is {view.board.number}."]

    def ending(self, outcome: Outcome, names: Names) -> list[str]:
        """Say who won, by reaching the target or by the other exceeding it."""
        winner = outcome.winner or 1
        if outcome.reason == "exact":
            return [f"{names[winner - 1]} wins by reaching exactly {self.game.target}."]
        loser = names[other_seat(winner) - 1]
        return [f"{loser} loses by exceeding {self.game.target}. {names[winner - 1]} wins."]

    def leads_to(self, view: View, move: str) -> str:
        """Say the total after the move."""
        return f"the total becomes {self.after(view, move)}"

    def short_rules(self) -> list[str]:
        """Return the rules in three lines."""
        game = self.game
        return [
            f"You share one total. It starts at {game.first_number}.",
            f"On your turn, add {game.step} or double it.",
            f"Make exactly {game.target} and you win. Go past {game.target} and you lose.",
        ]

    def rules(self) -> list[str]:
        """Explain the rules."""
        game = self.game
        return [
            f"Both players share one total. It starts at {game.first_number}.",
            f"On your turn, add {game.step} to the total or multiply it by 2. You cannot pass.",
            f"If your move makes the total exactly {game.target}, you win.",
            f"If your move makes it more than {game.target}, you lose at once.",
        ]


class BinaryRace64(NumberRace):
    """One shared total, from 1 to exactly 64."""

    slug = "binary-race-64"
    short = "64"
    title = "Binary Race to 64"
    aim = AIM.format(step=2, target=64)
    declared_options = size_options(target=64, step=2, target_phrase="played to {}")
    variants = (
        Variant(
            "To 90, adding 3",
            {"target": 90, "step": 3},
            "You must tell three kinds of number apart, not two.",
            "win",
            30,
        ),
        Variant(
            "To 100, adding 3",
            {"target": 100, "step": 3},
            "The second player can win, and hardly anybody sees it.",
            "loss",
            26,
        ),
        Variant("To 85", {"target": 85}, "One of the rare targets where the second player can win.", "loss", 42),
    )

    @classmethod
    def lesson(cls) -> Lesson:
        """Return the lesson of the game."""
        return _lesson()

    @cached_property
    def words(self) -> BinaryRace64Words:
        """Every sentence of the game."""
        return BinaryRace64Words(self)

    @classmethod
    def practice(cls) -> tuple[PracticeItem, ...]:
        """Return the items of practice after the lesson."""
        from bitduel.games.number_race.practice import race_64_practice

        return race_64_practice(cls)

    @classmethod
    def puzzle_kinds(cls) -> tuple[type[Puzzle], ...]:
        """Return the kinds of puzzles."""
        from bitduel.games.number_race import puzzles, target_puzzles

        return puzzles.NumberLine, puzzles.GoodToLeave, target_puzzles.Crossroads

    @classmethod
    def generate_puzzles(cls, evaluator_for: EvaluatorFor) -> Iterator[Puzzle]:
        """Yield all puzzles that a deck may choose from; their law needs no evaluator."""
        from bitduel.games.number_race import puzzle_generator as generator

        yield from generator.generate_lines(cls, range(22, 131, 2))
        yield from generator.generate_windows(cls, range(24, 101, 2))
        yield from generator.generate_crossroads(cls)


RACE = NumberClaims(BinaryRace64)
TARGET, STEP = BinaryRace64().target, BinaryRace64().step
LAW = NumberLaw(TARGET, STEP)
HALF, QUARTER = TARGET // 2, TARGET // 4
ODD = [number for number in range(1, TARGET, 2) if LAW.is_lost(number)]
HIGH = [number for number in range(HALF + 2, TARGET, 2) if LAW.is_lost(number)]
LOW = [number for number in range(2, HALF, 2) if LAW.is_lost(number)]
SHORT = 16
"""The target of the match at the end of the lesson."""


def _is_bad_start(target: int) -> bool:
    """Return whether the target is odd, and no odd number comes up when its half is divided by 4 again and again."""
    return target % 2 == 1 and not has_odd(quarters(target // 2))


@cache
def _lesson() -> Lesson:
    """Build eight steps, from the last move back to the first and to a match, and two about other targets."""
    return Lesson("Which totals to leave", (*_odd_totals(), *_even_totals(), _whole_match(), *_any_target()), method)


def _odd_totals() -> tuple[LessonStep, ...]:
    return (
        MoveStep(
            title=f"Exactly {TARGET}",
            text=(
                f"You and your opponent share one total. On your turn, add {STEP} or multiply by 2.",
                f"Make exactly {TARGET} and you win. Go past {TARGET} and you lose.",
            ),
            question=f"The total is {HALF}. Can you win right now?",
            position=RACE.at(HALF),
            right=("double",),
            praise=f"{HALF} doubled is {TARGET}. You win.",
            wrong=f"That makes {HALF + STEP}. Doubling is now too much for both of you, and your opponent will be the "
            f"one to reach {TARGET}.",
            hint=f"What is {HALF} times 2?",
        ),
        MoveStep(
            title="The odd trap",
            text=(
                f"Add {STEP} to an odd total and it stays odd, so adding alone never reaches {TARGET}.",
                f"From {TARGET - 1}, both moves go past {TARGET}. So whoever has to move from {TARGET - 1} loses.",
            ),
            question=f"The total is {TARGET - 3}. What do you play?",
            position=RACE.at(TARGET - 3),
            right=("add",),
            praise=f"{TARGET - 1}. Whatever your opponent does now, it goes past {TARGET}.",
            wrong=f"{TARGET - 3} doubled is {2 * (TARGET - 3)}. That's past {TARGET}, so you lose.",
            hint=f"Which move makes {TARGET - 1}?",
            claims=(RACE.good([TARGET - 1]),),
        ),
        ChoiceStep(
            title="Good totals",
            text=(
                "A total is good to leave if whoever has to move from it loses. We call it a good total.",
                f"{TARGET - 1} is good. So is {TARGET - 5}: your opponent makes {TARGET - 3}, and you make "
                f"{TARGET - 1}.",
                "Count down by 4 to find all the good odd totals. (Step 7 is about an opponent who doubles.)",
            ),
            question="Which of these is good?",
            position=RACE.at(25),
            answers=(
                ChoiceAnswer("25", "From 25, your opponent adds 2 and leaves you 27.", RACE.good([25])),
                ChoiceAnswer(
                    "27",
                    f"The good odd totals are {ODD[0]}, {ODD[1]}, {ODD[2]} and so on, up to {ODD[-1]}.",
                    RACE.good(ODD),
                    is_right=True,
                ),
                ChoiceAnswer("29", "From 29, your opponent adds 2 and leaves you 31.", RACE.good([29])),
            ),
            hint="Count down by 4: 63, 59, 55, 51, 47, 43, ...",
            claims=(RACE.bad([number for number in range(1, TARGET, 2) if number not in ODD]),),
        ),
    )


def _even_totals() -> tuple[LessonStep, ...]:
    low = f"{', '.join(map(str, LOW[:-1]))} or {LOW[-1]}"
    return (
        MoveStep(
            title=f"Even totals above {HALF}",
            text=(
                f"Above {HALF}, doubling goes past {TARGET}. So you both keep adding.",
                f"{TARGET} is good: make it and you have won. {TARGET - 4} is good: your opponent makes {TARGET - 2}, "
                f"and you make {TARGET}. So are {TARGET - 8}, {TARGET - 12}, {TARGET - 16}, ...",
                f"Above {HALF}, the good even totals are the multiples of 4.",
            ),
            question="The total is 34. What do you play?",
            position=RACE.at(34),
            right=("add",),
            praise=f"36 is good. Keep making multiples of 4, all the way to {TARGET}.",
            wrong=f"34 doubled is 68. That's past {TARGET}, so you lose.",
            hint=f"Which move makes a multiple of 4 without going past {TARGET}?",
            claims=(RACE.good(HIGH), RACE.bad([n for n in range(34, TARGET, 2) if n not in HIGH])),
        ),
        MoveStep(
            title=f"From {QUARTER + 2} to {HALF}, double",
            text=(
                f"Double any even total from {QUARTER + 2} to {HALF}. You get a multiple of 4 above {HALF}, and that "
                "is good.",
                "So if you have to move from one of these, double it and you're winning.",
            ),
            question="The total is 22. What do you play?",
            position=RACE.at(22),
            right=("double",),
            praise="44 is a multiple of 4. Now keep making multiples of 4.",
            wrong="That makes 24. Your opponent doubles it to 48, a good total.",
            hint=f"Which move makes a multiple of 4 above {HALF}?",
            claims=(RACE.bad(range(QUARTER + 2, HALF + 1, 2)),),
        ),
        MoveStep(
            title="A smaller race inside",
            text=(
                f"Never leave an even total from {QUARTER + 2} to {HALF}. From {QUARTER}, both moves lead there, so "
                f"{QUARTER} is good.",
                f"Now race to {QUARTER} in the same way. Above {QUARTER // 2}, leave {LOW[1]} or "
                f"{QUARTER}. From {QUARTER // 2 - 2} or {QUARTER // 2}, double. And {LOW[0]} is good, a quarter of "
                f"{QUARTER}.",
            ),
            question="The total is 14. What do you play?",
            position=RACE.at(14),
            right=("add",),
            praise=f"{QUARTER}. Your opponent has to make {QUARTER + 2} or {HALF}, and you double.",
            wrong="That makes 28. Your opponent doubles it to 56, a multiple of 4.",
            hint=f"Which move makes {low}?",
            claims=(RACE.good(LOW), RACE.bad([n for n in range(2, QUARTER, 2) if n not in LOW])),
        ),
        MoveStep(
            title="If your opponent doubles",
            text=(
                f"You went first and made {ODD[0]}, a good odd total. Your opponent didn't add. They doubled it.",
                "An even total stays even, so now you need the good even totals: "
                f"{', '.join(map(str, LOW))}, and then {HIGH[0]}, {HIGH[1]}, {HIGH[2]} and so on.",
            ),
            question="The total is 6. What do you play?",
            position=LessonPosition(BinaryRace64(), ("add", "double")),
            right=("double",),
            praise=f"{LOW[1]} is good. If your opponent makes 14, make {QUARTER}. If they make 24, make 48.",
            wrong=f"That makes 8. Your opponent doubles it to {QUARTER}, a good total.",
            hint=f"Which move makes {low}?",
        ),
    )


def _whole_match() -> LessonStep:
    good = [number for number in range(1, SHORT) if NumberLaw(SHORT, STEP).is_lost(number)]
    odd, even = ([number for number in good if number % 2 == rest] for rest in (1, 0))
    return MatchStep(
        title="Play a match",
        text=(
            f"Now play a whole match. To keep it short, the target is {SHORT}. The good odd totals are "
            f"{join_with_and(odd)}. The good even totals are {join_with_and(even)}.",
            "You go first, from 1. Leave a good total every turn, and even a perfect opponent can't stop you.",
        ),
        question="What do you play?",
        position=RACE.at(1, SHORT),
        learner_seat=1,
        value=WIN,
        praise=f"You beat perfect play. The same plan wins the race to {TARGET}. Start by making {ODD[0]}.",
        wrong="That isn't a good total to leave.",
        hint=f"If you can't make {SHORT}, leave {join_with_or([*map(str, odd)])}, or else "
        f"{join_with_or([*map(str, even)])}.",
        claims=(RACE.good(good, SHORT), RACE.bad([n for n in range(1, SHORT) if n not in good], SHORT)),
    )


def _any_target() -> tuple[LessonStep, ...]:
    most, refused, others, fenced = 100, 21, (22, 64), 44
    lost = [target for target in range(2, most + 1) if _is_bad_start(target)]
    won = [target for target in range(2, most + 1) if not _is_bad_start(target)]
    replies = {
        21: f"{_halves(21)}: none is odd, but 21 is. Go second. Up to {most}, the first player loses only with targets "
        f"{join_with_and(lost)}.",
        22: f"{_halves(22)}: 11 is odd, so the first player doubles 1 and wins.",
        64: f"{_halves(64)}: none is odd, and 64 is even. The first player wins by adding.",
    }
    under = range(1, fence(fenced) + 1, 2)
    over = range(under[-1] + 2, fenced, 2)
    left = [number for number in over if NumberLaw(fenced, STEP).is_lost(number)]
    top = fence(fenced)
    return (
        MoveStep(
            title="Extra: doubling odd totals",
            text=(
                "With some targets, you double small odd totals.",
                "Halve the target. If that's even, divide by 4, rounding down, until it's odd.",
                f"For {fenced}: {fenced // 2}, then {top}. So double odd totals up to {top}. Above {top}, leave "
                f"{left[-1]}, {left[-2]}, {left[-3]}, ...",
            ),
            question=f"The target is {fenced}, the total 1. What do you play?",
            position=RACE.at(1, fenced),
            right=("double",),
            praise="2 is a good total here. From "
            f"{join_with_and(under[1:])}, doubling wins too ({join_with_and([2 * n for n in under[1:]])}).",
            wrong=f"That makes 3. It isn't above {top}, so your opponent doubles it to 6, a good total.",
            hint=f"Is 1 above {top}?",
            claims=(
                RACE.wins_by(under, fenced, "double"),
                RACE.good(left, fenced),
                RACE.good([2, 6], fenced),
                RACE.bad([number for number in over if number not in left], fenced),
            ),
        ),
        ChoiceStep(
            title="Extra: who starts?",
            text=(
                "Halve the target and divide by 4 again and again. If you get an odd number, go first and double 1.",
                "If you never do, doubling odd totals doesn't help. Then go first if the target is even, second if "
                "it's odd.",
            ),
            question="The total starts at 1. With which of these targets should you go second?",
            position=RACE.at(1),
            answers=tuple(
                ChoiceAnswer(str(target), replies[target], RACE.targets([target], LOSS), is_right=target == refused)
                for target in sorted((refused, *others))
            ),
            hint="Halve each one, rounding down. Then divide by 4 until you get 1, 2 or 3.",
            claims=(
                RACE.targets(lost, LOSS),
                RACE.targets(won, WIN),
                *(RACE.wins_by([1], each, "double" if has_odd(quarters(each // 2)) else "add") for each in won),
            ),
        ),
    )


def _halves(target: int) -> str:
    """Return half of a target, a quarter of that and so on, as far as 1."""
    return ", ".join(map(str, quarters(target // 2)))
