"""The lesson of Binary Race to 64: the odd totals, the even ones, and targets in base 4."""

from functools import cache

from bitduel.core.evaluation import LOSS, WIN
from bitduel.core.lesson import Answer, Choose, Lesson, Play, Stand, Step, Try
from bitduel.games.binary_race_64.rules import BinaryRace64
from bitduel.games.number_lesson import at, bad, base_4, fence, good, is_good_to_leave, method, targets, wins_by

TARGET, STEP = BinaryRace64().target, BinaryRace64().step
HALF, QUARTER = TARGET // 2, TARGET // 4
ODD = [number for number in range(1, TARGET, 2) if is_good_to_leave(number, TARGET, STEP)]
HIGH = [number for number in range(HALF + 2, TARGET, 2) if is_good_to_leave(number, TARGET, STEP)]
LOW = [number for number in range(2, HALF, 2) if is_good_to_leave(number, TARGET, STEP)]
REFUSED, FINE = 21, (22, 64)
OTHER, LAST = 44, 28
MOST = 100


def is_bad_start(target: int) -> bool:
    """Whether base 4 shows nothing but 0 and 1, and a 1 at the end."""
    return set(base_4(target)) <= set("01") and base_4(target)[-1] == "1"


@cache
def lesson() -> Lesson:
    """Ten steps, from the last move back to the first."""
    return Lesson("Which totals to leave", (*odd_totals(), *even_totals(), *any_target(), whole_match()), method)


def odd_totals() -> tuple[Step, ...]:
    """The end, and what it means for odd totals."""
    return (
        Try(
            title=f"Exactly {TARGET}",
            text=(
                f"Both players share one total. On your turn you add {STEP}, or you multiply it by 2.",
                f"Make it exactly {TARGET} and you win. Make it more and you lose at once.",
            ),
            question=f"The total is {HALF}. Win now.",
            stand=at(BinaryRace64, HALF),
            right=("double",),
            praise=f"{HALF} times 2 is {TARGET}. You have won.",
            wrong=f"That makes {HALF + STEP}. Now doubling goes too far, and your opponent gets to {TARGET} first.",
            hint=f"What is twice {HALF}?",
        ),
        Try(
            title="The odd trap",
            text=(
                f"An odd total that only grows by {STEP} stays odd. It never hits {TARGET}.",
                f"But somebody has to go past it. Whoever must move from {TARGET - 1} loses.",
            ),
            question=f"The total is {TARGET - 3}. What do you do?",
            stand=at(BinaryRace64, TARGET - 3),
            right=("add",),
            praise=f"{TARGET - 1}. Whatever your opponent does, it is more than {TARGET}.",
            wrong=f"That makes {2 * (TARGET - 3)}, far past {TARGET}. You have lost at once.",
            hint=f"Which move makes {TARGET - 1}?",
            claims=(good(BinaryRace64, [TARGET - 1]),),
        ),
        Choose(
            title="Every second odd total",
            text=(
                f"A total is good to leave if whoever must move from it loses. {TARGET - 1} is. Then {TARGET - 5} is, "
                f"too: your opponent adds {STEP}, you add {STEP}, and there is {TARGET - 1}.",
                "Go on counting down by 4 and you have all odd totals that are good to leave.",
            ),
            question=f"{TARGET - 1}, {TARGET - 5}, {TARGET - 9}, ... Which of these is good to leave?",
            stand=at(BinaryRace64, 25),
            answers=(
                Answer("25", "From 25 one adds 2 and leaves 27.", good(BinaryRace64, [25])),
                Answer(
                    "27",
                    f"The odd totals that are good to leave are {ODD[0]}, {ODD[1]}, {ODD[2]} and so on to {ODD[-1]}.",
                    good(BinaryRace64, ODD),
                    right=True,
                ),
                Answer("29", "From 29 one adds 2 and leaves 31.", good(BinaryRace64, [29])),
            ),
            hint="Count down from 63 by 4: 63, 59, 55, 51, 47, ...",
            claims=(bad(BinaryRace64, [number for number in range(1, TARGET, 2) if number not in ODD]),),
        ),
    )


def even_totals() -> tuple[Step, ...]:
    """The even totals: multiples of 4 on top, doubling below, and the same again four times smaller."""
    return (
        Try(
            title=f"Even totals above {HALF}",
            text=(
                f"Above {HALF} doubling goes too far, so only adding is left: {TARGET - 4}, {TARGET - 2}, {TARGET}.",
                f"{TARGET - 4} is good to leave, then {TARGET - 8}, and so on: the multiples of 4.",
            ),
            question="The total is 34. What do you do?",
            stand=at(BinaryRace64, 34),
            right=("add",),
            praise=f"36 is a multiple of 4. From now on you make every multiple of 4, up to {TARGET}.",
            wrong=f"34 doubled is 68, more than {TARGET}. You have lost at once.",
            hint="Which move makes a multiple of 4?",
            claims=(good(BinaryRace64, HIGH), bad(BinaryRace64, [n for n in range(34, TARGET, 2) if n not in HIGH])),
        ),
        Try(
            title=f"Even totals from {QUARTER + 2} to {HALF}: double",
            text=(
                f"Double an even total from {QUARTER + 2} to {HALF}: you get a multiple of 4 above {HALF}, or "
                f"{TARGET} itself.",
                "All of those are good to leave.",
            ),
            question="The total is 22. What do you do?",
            stand=at(BinaryRace64, 22),
            right=("double",),
            praise="44 is a multiple of 4. Your opponent adds 2, you add 2, and so on.",
            wrong="That leaves 24, and your opponent doubles it to 48, which is good to leave.",
            hint="One of the moves makes a multiple of 4 in the upper half.",
            claims=(bad(BinaryRace64, range(QUARTER + 2, HALF + 1, 2)),),
        ),
        Try(
            title="The same, four times smaller",
            text=(
                f"So nobody likes to leave an even total from {QUARTER + 2} to {HALF}. Below that there is a smaller "
                f"race: to {QUARTER}, a quarter of {TARGET}. Inside that one there is a race to {QUARTER // 4}.",
                f"Good to leave there: {', '.join(map(str, LOW))}.",
            ),
            question="The total is 14. What do you do?",
            stand=at(BinaryRace64, 14),
            right=("add",),
            praise=f"{QUARTER}. Your opponent must go past it, and you double.",
            wrong="That leaves 28, and your opponent doubles it to 56, a multiple of 4.",
            hint=f"Which move makes one of {', '.join(map(str, LOW))}?",
            claims=(good(BinaryRace64, LOW), bad(BinaryRace64, [n for n in range(2, QUARTER, 2) if n not in LOW])),
        ),
        Try(
            title="When the race turns even",
            text=(
                f"You started at 1 and left {ODD[0]}, the first good odd total. Your opponent did not add, but "
                "doubled.",
                "From now on all totals are even, for good.",
            ),
            question="The total is 6. What do you do?",
            stand=Stand(BinaryRace64(), ("add", "double")),
            right=("double",),
            praise=f"{LOW[1]} is good to leave: from there it goes to 14 and {QUARTER}, or to 24 and 48.",
            wrong=f"That leaves 8, and your opponent doubles it to {QUARTER}.",
            hint=f"Good to leave: {', '.join(map(str, LOW))}.",
        ),
    )


def any_target() -> tuple[Step, ...]:
    """Other targets: base 4, and the fence."""
    lost = [target for target in range(2, MOST + 1) if is_bad_start(target)]
    won = [target for target in range(2, MOST + 1) if not is_bad_start(target)]
    shown = ", ".join(f"{target} is {base_4(target)}" for target in sorted((REFUSED, *FINE)))
    why = {22: "has a 2 in it", 64: "ends in 0"}
    under = range(1, fence(OTHER) + 1, 2)
    over = range(under[-1] + 2, OTHER, 2)
    left = [number for number in over if is_good_to_leave(number, OTHER, STEP)]
    also = " and ".join(map(str, under[1:]))
    return (
        Choose(
            title="Any target, in base 4",
            text=(
                "Write the target in base 4, with the digits 0 to 3.",
                "The one who starts at 1 loses only if all digits are 0 or 1 and the last one is 1. Hardly any target "
                f"is like that: up to {MOST} only {', '.join(map(str, lost))}.",
            ),
            question=f"In base 4, {shown}. With which target would you rather not start?",
            stand=at(BinaryRace64, 1),
            answers=tuple(
                Answer(
                    str(target),
                    f"{base_4(target)} {why[target]}, so who starts wins."
                    if target in why
                    else f"{base_4(target)}: nothing but 1s. Let your opponent start.",
                    targets(BinaryRace64, [target], LOSS),
                    right=target == REFUSED,
                )
                for target in sorted((REFUSED, *FINE))
            ),
            hint="Only 0 and 1, and a 1 at the end.",
            claims=(targets(BinaryRace64, lost, LOSS), targets(BinaryRace64, won, WIN)),
        ),
        Try(
            title="The fence",
            text=(
                "With some targets it is right to double an odd total. Take half the target, then a quarter of that, "
                "rounded down, until it is odd. That is the fence. "
                f"For {OTHER}: {OTHER // 2}, then {fence(OTHER)}. ({TARGET} has none.)",
                "From an odd total up to the fence, double. Above it count down by 4, as before: "
                f"{left[-1]}, {left[-2]}, {left[-3]}, ...",
            ),
            question=f"The target is {OTHER}, the total 1. What do you do?",
            stand=at(BinaryRace64, 1, OTHER),
            right=("double",),
            praise=f"1 is not above the fence, so doubling wins. It does from {also}, too.",
            wrong="That leaves 3, which is not above the fence either: your opponent doubles.",
            hint=f"The fence is {fence(OTHER)}. Is 1 above it?",
            claims=(
                wins_by(BinaryRace64, under, OTHER, "double"),
                good(BinaryRace64, left, OTHER),
                bad(BinaryRace64, [number for number in over if number not in left], OTHER),
            ),
        ),
    )


def whole_match() -> Step:
    """A race that needs all of it."""
    lost = [number for number in range(2, LAST, 2) if is_good_to_leave(number, LAST, STEP)]
    return Play(
        title="A whole match",
        text=(
            f"The target is {LAST}. Half of it is {LAST // 2}, a quarter of that, rounded down, is {fence(LAST)}, "
            "which is odd: that is the fence.",
            f"Start at 1 and win against the best defence. Good even totals: {', '.join(map(str, lost))}.",
        ),
        question="What do you do?",
        stand=at(BinaryRace64, 1, LAST),
        side=1,
        value=WIN,
        praise=f"You won against best play. The same method wins the race to {TARGET}, with 3, 7, 11 and so on.",
        wrong="That is not good to leave.",
        hint=f"First double, for 1 is not above the fence. Then leave one of {', '.join(map(str, lost))}.",
        claims=(good(BinaryRace64, lost, LAST),),
    )
