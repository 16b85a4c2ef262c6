"""The lesson of Double or Nothing: which numbers are good to leave, and how to see it in base 4."""

from functools import cache

from bitduel.core.evaluation import LOSS, WIN
from bitduel.core.lesson import Answer, Choose, Lesson, Play, Step, Try
from bitduel.games.double_or_nothing.rules import DoubleOrNothing
from bitduel.games.number_lesson import at, bad, base_4, good, is_good_to_leave, method, starter, targets

TARGET = DoubleOrNothing().target
HALF, QUARTER = TARGET // 2, TARGET // 4
HIGH = range(HALF + 1, TARGET)
LEFT = [number for number in HIGH if is_good_to_leave(number, TARGET, 1)]
"""Above the half, what is good to leave."""
LOW = [number for number in range(1, QUARTER + 1) if is_good_to_leave(number, TARGET, 1)]
WIN_FIRST, OTHERS = 42, (12, 64)
MOST = 64


def has_odd_digit(target: int) -> bool:
    """Whether base 4 shows a 1 or a 3."""
    return bool(set(base_4(target)) & set("13"))


@cache
def lesson() -> Lesson:
    """Nine steps, from the last move back to the first."""
    return Lesson("Which numbers to leave", (*upper_half(), *lower_half(), *any_target(), *matches()), method)


def upper_half() -> tuple[Step, ...]:
    """The last moves, and what they teach about the numbers before."""
    return (
        Try(
            title=f"Exactly {TARGET}",
            text=(
                "Both players share one number. On your turn you add one, or you double it.",
                f"Make it exactly {TARGET} and you win. Make it more and you lose at once.",
            ),
            question=f"The number is {HALF}. Win now.",
            stand=at(DoubleOrNothing, HALF),
            right=("double",),
            praise=f"{HALF} doubled is {TARGET}. You have won.",
            wrong=f"That makes {HALF + 1}, and from there doubling goes too far. Your opponent counts on and gets "
            f"to {TARGET} first.",
            hint=f"What is twice {HALF}?",
        ),
        Try(
            title="Look at what you leave",
            text=(
                "Do not ask only what your move makes. Ask what your opponent can do with it.",
                "A number is good to leave if whoever must move from it loses.",
            ),
            question=f"The number is {HALF - 1}. Which move leaves a number that is good to leave?",
            stand=at(DoubleOrNothing, HALF - 1),
            right=("double",),
            praise=f"From {TARGET - 2} doubling goes too far and loses. If your opponent makes {TARGET - 1}, you make "
            f"{TARGET}.",
            wrong=f"That leaves {HALF}, and your opponent doubles it.",
            hint=f"One of the two moves leaves {HALF}. You know what one does with {HALF}.",
            claims=(good(DoubleOrNothing, [TARGET - 2]), bad(DoubleOrNothing, [HALF])),
        ),
        Choose(
            title="The upper half",
            text=(
                f"Above {HALF} doubling goes too far. Only adding is left, so the number climbs one by one.",
                f"You want to be the one who makes {TARGET}. Count back from there: one number for you, one for your "
                "opponent, one for you.",
            ),
            question=f"Above {HALF}, which numbers are good to leave?",
            stand=at(DoubleOrNothing, 15),
            answers=(
                Answer(
                    "The even ones",
                    f"{', '.join(map(str, LEFT))}. Your opponent steps off, and you step onto the next one.",
                    good(DoubleOrNothing, LEFT),
                    right=True,
                ),
                Answer(
                    "The odd ones",
                    f"From {TARGET - 1} your opponent adds one and has {TARGET}.",
                    good(DoubleOrNothing, [number for number in HIGH if number not in LEFT]),
                ),
                Answer(
                    "All of them",
                    f"{TARGET - 1} is one of them, and from there your opponent wins at once.",
                    good(DoubleOrNothing, HIGH),
                ),
            ),
            hint=f"Is {TARGET - 1} good to leave? Is {TARGET - 2}?",
            claims=(bad(DoubleOrNothing, [number for number in HIGH if number not in LEFT]),),
        ),
        Try(
            title=f"From {QUARTER + 1} to {HALF}, double",
            text=(
                f"Double a number from {QUARTER + 1} to {HALF} and you get an even number above {HALF}, or "
                f"{TARGET} itself. All of those are good to leave.",
                f"So whoever moves from {QUARTER + 1} to {HALF} wins.",
            ),
            question="The number is 7. What do you do?",
            stand=at(DoubleOrNothing, 7),
            right=("double",),
            praise="14 is even and above the half. From now on you always make it even.",
            wrong="That leaves 8, and your opponent doubles it to 16, which is good to leave.",
            hint="One of the moves makes an even number in the upper half.",
            claims=(bad(DoubleOrNothing, range(QUARTER + 1, HALF + 1)),),
        ),
    )


def lower_half() -> tuple[Step, ...]:
    """The same race once more, four times smaller."""
    return (
        Try(
            title="A smaller race inside",
            text=(
                f"Nobody likes to leave {QUARTER + 1} to {HALF}. So below that there is a smaller race: whoever has to "
                f"go past {QUARTER} loses.",
                f"{QUARTER} is a quarter of {TARGET}. It is good to leave: both moves go past it.",
            ),
            question="The number is 4. What do you do?",
            stand=at(DoubleOrNothing, 4),
            right=("add",),
            praise=f"{QUARTER}. Your opponent must go to {QUARTER + 1} or {2 * QUARTER}, and you double.",
            wrong="That leaves 8, which your opponent doubles to 16.",
            hint=f"Which move makes {QUARTER}?",
            claims=(good(DoubleOrNothing, [QUARTER]),),
        ),
        Choose(
            title="Who should start?",
            text=(
                f"{QUARTER} is odd, and in a race to an odd number the odd numbers are good to leave: "
                f"{', '.join(map(str, LOW))}.",
                "From an odd number both moves make an even one. From an even number one adds one, and it is "
                "odd again.",
            ),
            question="The number starts at 1. Who wins, if both play best?",
            stand=at(DoubleOrNothing, 1),
            answers=starter(
                DoubleOrNothing(),
                (
                    "1 is one of the numbers that are good to leave, and here nobody had to play well to leave it.",
                    "1 is good to leave, and it is your opponent who must move from it. Go second if you may choose.",
                    "One of the two always wins: the number grows until somebody makes the target or goes past it.",
                ),
                LOSS,
            ),
            hint="Is 1 among the numbers that are good to leave?",
            claims=(good(DoubleOrNothing, LOW), bad(DoubleOrNothing, [2, 4])),
        ),
    )


def any_target() -> tuple[Step, ...]:
    """Base 4, because each smaller race is a quarter of the one before."""
    won = [target for target in range(2, MOST + 1) if not has_odd_digit(target)]
    lost = [target for target in range(2, MOST + 1) if has_odd_digit(target)]
    said = {
        target: f"{target} is {base_4(target)} in base 4: there is an odd digit, so who starts loses."
        for target in OTHERS
    }
    shown = ", ".join(f"{target} is {base_4(target)}" for target in sorted((WIN_FIRST, *OTHERS)))
    return (
        Choose(
            title="Any target, in base 4",
            text=(
                "Write the target with the digits 0 to 3, in base 4. To cross out the last digit is to take a quarter, "
                "rounded down. "
                f"{TARGET} is {base_4(TARGET)}, a quarter of it is {base_4(QUARTER)}.",
                "If any digit is odd, 1 or 3, the one who starts at 1 loses. If all are 0 or 2, the one who "
                "starts wins.",
            ),
            question=f"In base 4, {shown}. With which target would you start?",
            stand=at(DoubleOrNothing, 1),
            answers=tuple(
                Answer(
                    str(target),
                    said.get(target, f"{base_4(target)}: no odd digit, so who starts wins."),
                    targets(DoubleOrNothing, [target], WIN),
                    right=target == WIN_FIRST,
                )
                for target in sorted((WIN_FIRST, *OTHERS))
            ),
            hint="Look for the one without a 1 or a 3.",
            claims=(targets(DoubleOrNothing, won, WIN), targets(DoubleOrNothing, lost, LOSS)),
        ),
    )


def matches() -> tuple[Step, ...]:
    """The whole race, from either side."""
    return (
        Play(
            title="Go second and win",
            text=(
                f"Now a whole match to {TARGET}. Your opponent starts at 1 and defends as well as can be.",
                f"Odd up to {QUARTER}, then double into the upper half, then even.",
            ),
            question="What do you do?",
            stand=at(DoubleOrNothing, 1),
            side=2,
            value=WIN,
            praise="You won against best play. From 1, whoever goes second always can.",
            wrong="That is not good to leave.",
            hint=f"Good to leave: {', '.join(map(str, LOW))}, and {', '.join(map(str, LEFT))}.",
        ),
        Play(
            title="A target where you start",
            text=(
                f"The target is 10, in base 4 {base_4(10)}: no odd digit, so start yourself.",
                "Above 5 leave even numbers. From 3 to 5 double. Below that the race is to 2.",
            ),
            question="What do you do?",
            stand=at(DoubleOrNothing, 1, 10),
            side=1,
            value=WIN,
            praise="That is all there is to know. It works for every target.",
            wrong="That is not good to leave.",
            hint="Good to leave: 2, 6 and 8.",
            claims=(good(DoubleOrNothing, [2, 6, 8], 10), bad(DoubleOrNothing, [1, 3, 4, 5, 7, 9], 10)),
        ),
    )
