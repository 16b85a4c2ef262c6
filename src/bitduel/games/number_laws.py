"""The laws of the number races in plain words; docs/number-races.md has them in full, with how long a race takes."""

from bitduel.core.laws import Law

SOURCE = "docs/number-races.md"

LIMIT = (
    "Passing the target loses at once, so nobody does it who can help it: the race is the same as a game in which "
    "nobody may pass the target and whoever cannot move loses. A number is won if some move makes a number that is not "
    "above the target and lost; the target itself is lost for whoever would be next."
)

BY_ONE = Law(
    name="adding-one",
    title="Who wins when 'add' adds 1",
    statement="If the target is odd, or the number is more than half of it, whoever is to move wins exactly if the "
    "difference between them is odd. Otherwise, if the number is more than a quarter of the target, whoever "
    "is to move wins. Otherwise it is as with a quarter of the target, rounded down, instead of the target.",
    why="In the upper half only adding is left; from the second quarter one doubles into it, to an even number; and "
    "whoever first passes a quarter lets the other do just that.",
    proof=(
        LIMIT,
        "The upper half: doubling passes the target, so only adding is left, and whoever is to move makes the last "
        "addition exactly if their number is odd.",
        "An odd target: it is odd itself, and lost. From an odd number both moves make an even one. From an even "
        "number adding 1 makes an odd one, which is not above the target. So, from the target down, the odd numbers "
        "are lost and the even ones won.",
        "An even target, the second quarter: doubling makes an even number in the upper half, or the target. The "
        "difference is even, so that number is lost.",
        "An even target, the lowest quarter: a move past a quarter of it (rounded down) ends in the second quarter, "
        "where the other wins. So the numbers up to there are a race of their own, in which nobody may pass a quarter "
        "of the target, and the law is asked again.",
    ),
    source=SOURCE,
)

TARGETS_BY_ONE = Law(
    name="lost-targets-adding-one",
    title="The lost targets when 'add' adds 1",
    statement="Starting from 1, the player who starts loses exactly if the target, written in base 4, has a digit 1 or "
    "3 somewhere. So going second is nearly always right.",
    why="To quarter a number and round down is to cross out its last digit in base 4, and an odd digit makes an odd "
    "number.",
    proof=(
        "Look at the last digit in base 4. If it is 1 or 3, the target is odd, its difference from 1 is even, and the "
        "start is lost. If it is 0 or 2 and the target is 4 or more, the law asks about a quarter of it: the same "
        "digits without the last.",
        "So digits 0 and 2 are crossed out from the right until an odd digit comes last, and the start is lost, or a "
        "single 2 is left, and doubling wins at once.",
    ),
    source=SOURCE,
)

BY_TWO = Law(
    name="adding-two",
    title="Who wins when 'add' adds 2",
    statement="An even number is as half of it on the way to half the target, adding 1. For an odd number halve the "
    "target and then quarter it, always rounded down, until that is odd: the fence, or 0. Up to the fence "
    "whoever is to move wins, by doubling. Above it, exactly if adding 2 fits an odd number of times.",
    why="Even numbers stay even, so they can be halved. Doubling an odd number leads there for good, and wins only up "
    "to the fence; above it only adding is left.",
    proof=(
        LIMIT,
        "From an even number only even ones come up. Halve all of them, and the target, rounded down: adding 2 becomes "
        "adding 1, doubling stays doubling, and what passes the target still does.",
        "From an odd number doubling makes twice the number, which is, halved, the number itself on the way to half "
        "the target by adding 1. So doubling wins exactly if the number is lost there. By the law for adding 1 an odd "
        "number is lost on the way to an odd goal, won on the way to an even one if it is more than a quarter of it, "
        "and otherwise as with a quarter. So half the target is quartered until it is odd, and exactly the odd numbers "
        "up to that fence are lost there.",
        "Above the fence doubling does not win, so only adding is left, and whoever makes the last addition wins.",
    ),
    source=SOURCE,
)

TARGETS_BY_TWO = Law(
    name="lost-targets-adding-two",
    title="The lost targets when 'add' adds 2",
    statement="Starting from 1, the player who starts loses exactly if the target, written in base 4, has only digits "
    "0 and 1 and ends in 1. So going first is nearly always right, and always where the target is even.",
    why="A digit 2 or 3 in base 4 makes a fence of at least 1, and then doubling wins; without a fence the additions "
    "are counted.",
    proof=(
        "Halving and then quartering the target until it is odd finds a binary 1 on an odd place, counted from 0 at "
        "the right: a digit 2 or 3 in base 4. If there is one, the fence is at least 1, and the start is won.",
        "If there is none, all digits are 0 or 1. If the target ends in 0 it is a multiple of 4, and adding 2 to 1 "
        "fits an odd number of times: won. If it ends in 1, an even number of times: lost.",
    ),
    source=SOURCE,
)

EVERY_STEP = Law(
    name="every-step",
    title="Who wins, whatever 'add' adds",
    statement="Numbers that are whole steps apart share a cap, at first the target. Go down from the target by halves. "
    "Where doubling such numbers between one half and the next makes a lost number, their cap falls below "
    "that part. A number is lost exactly if it is not above its cap and adding fits below the cap an even "
    "number of times.",
    why="Between one half and the next, doubling wins from all numbers that are whole steps apart, or from none: from "
    "one to the next their doubles are two steps apart, and lost and won numbers take turns.",
    proof=(
        LIMIT,
        "Above half of the target only adding is left, so the rule holds with the target for a cap.",
        "Go on to the next part below, and look at its numbers that are whole steps apart. Their doubles are in the "
        "part above, two steps apart from each other. There the rule holds already: either all of them are won, above "
        "their cap, or lost and won take turns, so that what is two steps apart is alike. So doubling wins from all or "
        "from none.",
        "If it wins from all, they are all won, and the cap falls below them. If from none, each of them is lost "
        "exactly if a step more makes a won number or passes the target, so lost and won take turns, as the rule says.",
    ),
    source=SOURCE,
)

LAWS = {1: (TARGETS_BY_ONE, BY_ONE, EVERY_STEP), 2: (TARGETS_BY_TWO, BY_TWO, EVERY_STEP, BY_ONE)}
"""What is told first in a race that adds so much by default."""


def laws(step: int) -> tuple[Law, ...]:
    """The laws of a race that adds so much by default."""
    return LAWS.get(step, (EVERY_STEP,))
