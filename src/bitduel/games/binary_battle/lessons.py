"""The lesson of Binary Battle: binary search, why it is not the best when somebody else searches too, and a plan."""

from fractions import Fraction
from functools import cache

from bitduel.core.evaluation import Evaluation
from bitduel.core.hints import often
from bitduel.core.lesson import Answer, Choose, Lesson, Play, Stand, Step, Try, Worthy
from bitduel.games.binary_battle.claims import Duel, Hits, Opens
from bitduel.games.binary_battle.rules import BinaryBattle
from bitduel.games.binary_battle.search_plans import beside, plain, plan

BITS = BinaryBattle().bits
LAST = (1 << BITS) - 1
VALUE = Fraction(53385752187865, 78837601833728)
"""How often the one who starts wins if both play best; docs/theorems.md has the proof."""
PLAN_SECOND = Fraction(202935341462679, 630700814669824)
PLAIN_SECOND = Fraction(176123267557581, 630700814669824)
"""How often the plan, and plain binary search, win as second against best play."""
OPENING = {"toggle 1": 0.604, "toggle 2": 0.291, "toggle 3": 0.105}
"""How often best play of the one who starts toggles which bit first."""
SEARCHED, TURN = "01011", 7


def stand(deal: str, *toggles: int) -> Stand:
    """A match after some toggles, those of both players in turn."""
    return Stand(BinaryBattle(), tuple(f"toggle {bit}" for bit in toggles), deal)


def chance(at: Stand, move: str, wins: float) -> Worthy:
    """The claim that a toggle wins so often."""
    return Worthy(f"'{move}' wins {often(wins)}.", (at,), Evaluation(win_probability=wins), move)


@cache
def lesson() -> Lesson:
    """Nine steps: search, race, differ, and a plan to remember."""
    return Lesson("Search, but not alone", (*search(), *race(), *differ(), match()), plan, holds=False)


def search() -> tuple[Step, ...]:
    """How to look for the secret if nobody else does."""
    start, high = stand("00111"), stand("00111", 1, 1)
    return (
        Try(
            title="Toggle, and be told",
            text=(
                f"There is a secret number of {BITS} bits. You toggle one bit of your own number a turn and are told "
                "whether it is less than the secret, or greater. The first to hit the secret wins.",
                "You see nothing of your opponent. The bar shows where the secret can still be.",
            ),
            question="Your number is 11100, which is 28. The secret is 29, 30 or 31. What do you do?",
            stand=stand("11101", 1, 2, 2, 3, 3, 1),
            right=("toggle 4", "toggle 5"),
            praise="A number that can be the secret: it may hit, and if not, you know more.",
            wrong="That number cannot be the secret. It costs a turn and tells you nothing.",
            hint="Bit 4 is worth 2, bit 5 is worth 1.",
        ),
        Try(
            title="The first toggle",
            text=(
                f"At first the secret can be anything from 0 to {LAST}. A number in the middle splits it in two "
                "halves.",
                "A number near the end leaves nearly all of it.",
            ),
            question="Your first toggle. There is more than one good one.",
            stand=start,
            right=("toggle 1", "toggle 2", "toggle 3"),
            praise="The three larger bits are equally good against best play. With best play you now win "
            f"{often(float(VALUE))}.",
            wrong="So small a number tells you hardly anything.",
            hint="Which bits are worth most?",
            claims=(chance(start, "toggle 1", float(VALUE)), Duel("Best play by both.", None, None, float(VALUE))),
        ),
        Try(
            title="Too much",
            text=(
                "You have toggled bit 1 and made 16. It was greater than the secret: that is from 0 to 15.",
                "Any number that can be the secret has bit 1 at 0 again.",
            ),
            question="Your number is 10000. What do you do?",
            stand=high,
            right=("toggle 1",),
            praise="Straight back, and 0 itself may be the secret: this turn is not lost.",
            wrong="That makes your number even greater. You will have to take bit 1 back anyway.",
            hint="Your number is too large, and only one toggle makes it smaller.",
        ),
    )


def race() -> tuple[Step, ...]:
    """What it costs, and what happens if both do it."""
    second = 1 - VALUE
    return (
        Choose(
            title="What a search costs",
            text=(
                "Plain binary search sets the bits from the left, and takes one back if it was too much.",
                "So a 1 of the secret costs one turn, and a 0 before the last 1 costs two. After the last 1 it "
                "is over. (The secret 0 has no 1, and costs two turns.)",
            ),
            question=f"How many turns does it take to hit {SEARCHED}?",
            stand=stand(SEARCHED),
            answers=tuple(
                Answer(
                    str(turn), said, Hits(f"It hits {SEARCHED} in turn {turn}.", plain, SEARCHED, turn), turn == TURN
                )
                for turn, said in (
                    (5, "Five bits, but each 0 before the last 1 is set and taken back."),
                    (TURN, "Three 1s are three turns, two 0s before the last 1 are four."),
                    (10, "That would be two turns for each bit, but a 1 stays as it is set."),
                )
            ),
            hint=f"{SEARCHED} has three 1s, and two 0s before the last of them.",
            claims=(
                Hits("It hits 10000 in turn 1.", plain, "10000", 1),
                Hits("It hits 00001 in turn 9.", plain, "00001", 9),
                Hits("It hits 00000 in turn 2.", plain, "00000", 2),
            ),
        ),
        Choose(
            title="Somebody else searches too",
            text=(
                "Your opponent starts and uses plain binary search. You are second and do exactly the same.",
                "For every secret both need equally many turns.",
            ),
            question="How often do you win?",
            stand=stand("00111", 1),
            answers=(
                Answer(
                    "Half of the time",
                    "Both hit in the same turn, but your opponent has it first. Every time.",
                    Duel("Who starts wins half.", plain, plain, 0.5),
                ),
                Answer(
                    "One time in three",
                    "Both hit in the same turn, but your opponent has it first. Every time.",
                    Duel("Who starts wins two in three.", plain, plain, 2 / 3),
                ),
                Answer(
                    "Never",
                    "Both hit in the same turn, and your opponent has it first. Who is second must do something else. "
                    f"With best play the second wins {often(float(second))}.",
                    Duel("Who starts always wins.", plain, plain, 1.0),
                    right=True,
                ),
            ),
            hint="Who makes the turn first in which both would hit?",
        ),
    )


def differ() -> tuple[Step, ...]:
    """Being second, being unpredictable, and a plan that comes close to both."""
    behind, late = stand("11011", 1, 1, 2), stand("11011", 1, 2, 2, 1, 3)
    some, many = beside(BITS)
    of_100 = {move: round(100 * share) for move, share in OPENING.items()}
    return (
        Try(
            title="Where the other is not",
            text=(
                "You are second. You have toggled bit 1, and 16 was less: the secret is from 17 to 31.",
                "Your opponent may well have been at 24 before you, in the middle, and then it is not the secret.",
            ),
            question="Your number is 10000. What do you do? There are two best ones.",
            stand=behind,
            right=("toggle 3", "toggle 4"),
            praise="Not the middle, but beside it: your opponent is less likely to have been there.",
            wrong="Other toggles win more often here.",
            blame={"toggle 2": "The middle is where your opponent is most likely to have been before you."},
            hint="Not the middle, and not the smallest step.",
            claims=(chance(behind, "toggle 2", 0.3453), chance(behind, "toggle 3", 0.3654)),
        ),
        Choose(
            title="Nobody may know",
            text=(
                "Whoever always searches alike can be beaten by somebody who knows it. So the best play is a mixture.",
                f"Of 100 matches it opens with bit 1 in about {of_100['toggle 1']}, with bit 2 in about "
                f"{of_100['toggle 2']} and with bit 3 in about {of_100['toggle 3']}. Against that nobody can do "
                "better, whatever they try.",
            ),
            question="How does the best play open?",
            stand=stand("00111"),
            answers=(
                Answer(
                    "With bit 1, always",
                    "Then the other knows where you have been.",
                    Opens("Bit 1.", {"toggle 1": 1.0}),
                ),
                Answer(
                    "With bit 1, 2 or 3, by chance",
                    "The three larger bits, the largest most often.",
                    Opens("Bit 1, 2 or 3.", OPENING),
                    True,
                ),
                Answer(
                    "With any bit, evenly",
                    "The two smallest bits tell too little to be worth a turn.",
                    Opens("Any bit.", {f"toggle {bit}": 1 / BITS for bit in range(1, BITS + 1)}),
                ),
            ),
            hint="By chance, but not with the smallest bits.",
        ),
        Try(
            title="A plan to remember",
            text=(
                "Open with bit 2. Then look at the numbers one toggle away that can be the secret: take the one "
                "nearest "
                f"to the middle. But while {some} to {many} numbers are left, take the second nearest. If there "
                "is none, take "
                "the leftmost toggle that leaves you the fewest toggles away from one.",
            ),
            question="You are second. Your number is 11000, the secret is from 25 to 31. What do you do?",
            stand=late,
            right=("toggle 4", "toggle 5"),
            praise=f"Seven are left, so not 28, the middle, but 26. (25 is as good.) As second this wins "
            f"{float(PLAN_SECOND):.1%} against best play; {float(1 - VALUE):.1%} is the most, and plain binary search "
            f"has {float(PLAIN_SECOND):.1%}.",
            wrong="Other toggles win more often here.",
            blame={"toggle 3": "28 is the middle. Seven numbers are left, so the plan takes the second nearest."},
            hint="Seven numbers are left. 28 is nearest to the middle.",
            claims=(
                Duel("The plan against best play, as second.", None, plan, float(1 - PLAN_SECOND)),
                Duel("Plain binary search against best play, as second.", None, plain, float(1 - PLAIN_SECOND)),
            ),
        ),
    )


def match() -> Step:
    """A whole match in the dark."""
    return Play(
        title="A match in the dark",
        text=(
            f"You start, your opponent plays best. The plan wins {often(float(VALUE))} then, and nothing wins more.",
            "Somebody who knew your plan could do better against it. So open with bit 1 or 3 now and then.",
        ),
        question="What do you do?",
        stand=stand("10110"),
        side=1,
        value=None,
        praise="You hit the secret first.",
        wrong="Other toggles win more often here.",
        unlucky="Your opponent hit the secret first, although you gave nothing away. In the dark that happens.",
        hint="Bit 2 first. Then the possible number nearest to the middle, or the second nearest while 7 to 15 "
        "are left.",
        claims=(Duel("The plan against best play, as first.", plan, None, float(VALUE)),),
    )
