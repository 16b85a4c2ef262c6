"""The law of the number races, computed for any size and stated in plain words; docs/number-races.md proves it.

Halves of the target divide the numbers into zones, and doubling leads from a zone into the next one up. Among the
numbers of a zone that are whole steps apart, doubling wins from all or from none; and a loser either adds until the
zone is left behind, or doubles at once.
"""

from functools import lru_cache

from bitduel.core.words import Law

MOST_CACHED = 100_000


class NumberLaw:
    """The value and the length of every race to one target by one step."""

    def __init__(self, target: int, step: int) -> None:
        self.target, self.step = target, step
        self._cached_plies = lru_cache(MOST_CACHED)(self._count_plies)
        self._cached_tops = lru_cache(MOST_CACHED)(self._is_top_lost)

    def is_lost(self, number: int) -> bool:
        """Tell whether the player to move loses; at the target itself that player has lost."""
        if self._is_high(number):
            return (self.target - number) // self.step % 2 == 0
        top = self._top(number)
        lost = self._cached_tops(number % self.step, top)
        return lost is not None and lost == ((top - number) // self.step % 2 == 0)

    def plies(self, number: int) -> int:
        """Count the moves left when the winner hurries and the loser delays, a last overshoot included."""
        return self._cached_plies(number)

    def fastest_win(self, number: int) -> str | None:
        """Return the fastest winning move, adding where both are as fast; None for a lost number."""
        if self.is_lost(number):
            return None
        added = number + self.step
        adds = self._is_lost_there(added) and self.plies(added) < self.plies(number)
        return "add" if adds else "double"

    def premises(self, number: int) -> list[int]:
        """Return the higher numbers whose values decide this one; none in the highest zone."""
        if self._is_high(number):
            return []
        adds, above = self.climb(number)
        doubled = 2 * number
        if adds > 1 and not self.is_lost(number):
            return [doubled] if self.is_lost(doubled) else [number + self.step]
        return [doubled, above] if above <= self.target else [doubled]

    def climb(self, number: int) -> tuple[int, int]:
        """Return how many additions lead out of the zone of a number, and the number above it."""
        adds = (self._top(number) - number) // self.step + 1
        return adds, number + adds * self.step

    def cap(self, number: int) -> int:
        """Return the cap of a lost number: below it adding alternates between lost and won numbers."""
        for zone in range((self.target // number).bit_length() - 2, 0, -1):
            top = self.target >> zone
            highest = top - (top - number) % self.step
            if highest > top // 2 and self._cached_tops(number % self.step, top) is None:
                return top // 2
        return self.target

    def _count_plies(self, number: int) -> int:
        if self._is_high(number):
            return -((number - self.target) // self.step)
        adds, above = self.climb(number)
        doubled = 2 * number
        if self.is_lost(doubled):
            by_doubling = 1 + self.plies(doubled)
            return min(by_doubling, 1 + self.plies(above)) if adds == 1 and self._is_lost_there(above) else by_doubling
        if not self.is_lost(number):
            return 1 + self.plies(number + self.step)
        return max(1 + self.plies(doubled), adds + (self.plies(above) if above <= self.target else 0))

    def _is_lost_there(self, number: int) -> bool:
        return number <= self.target and self.is_lost(number)

    def _is_high(self, number: int) -> bool:
        return 2 * number > self.target

    def _top(self, number: int) -> int:
        """Return the top of a zone: the target halved as often as it stays at least this number."""
        return self.target >> (self.target // number).bit_length() - 1

    def _is_top_lost(self, rest: int, top: int) -> bool | None:
        """Tell whether the highest number of a zone with this rest is lost; None if all of them are won."""
        highest = top - (top - rest) % self.step
        return None if self.is_lost(2 * highest) else not self._is_lost_there(highest + self.step)


def fence(target: int) -> int:
    """Return where doubling an odd number stops winning with step 2: half the target, quartered until odd, or 0."""
    height = target // 2
    while height and height % 2 == 0:
        height //= 4
    return height


SOURCE = "docs/number-races.md"

LIMIT = (
    "Going past the target loses at once. So we can treat the race as a game in which nobody may pass the target, and "
    "whoever cannot move loses. Call a number lost if whoever has to move from it loses, and won otherwise. A number "
    "is won if some move makes a lost number that is not above the target. The target itself is lost for whoever would "
    "move next."
)

BY_ONE = Law(
    name="adding-one",
    title="Who wins when 'add' adds 1",
    statement="If the target is odd, or the number is more than half of it, the player to move wins if the difference "
    "is odd, and loses if it is even. Otherwise, if the number is more than a quarter of the target, the player to "
    "move wins. Otherwise, replace the target by a quarter of it, rounded down, and start again.",
    why="In the upper half, doubling goes too far, so both players add. From the second quarter you can double into "
    "the upper half and make an even number. Whoever first goes past a quarter lets the opponent do just that.",
    proof=(
        LIMIT,
        "The upper half: doubling goes past the target, so both players add. The player to move makes the last "
        "addition if the difference is odd.",
        "An odd target is lost, like every target. From an odd number, both moves make an even one. From an even "
        "number, adding 1 makes an odd one, which is not above the target. So, from the target down, the odd numbers "
        "are lost and the even ones won.",
        "An even target, the second quarter: doubling makes an even number in the upper half, or the target. The "
        "difference is even, so that number is lost.",
        "An even target, the lowest quarter: a move past a quarter of it (rounded down) lands in the second quarter, "
        "where the opponent wins. So the numbers up to there form a race of their own, in which nobody may pass a "
        "quarter of the target, and the same reasoning applies to it.",
    ),
    source=SOURCE,
)

TARGETS_BY_ONE = Law(
    name="lost-targets-adding-one",
    title="The lost targets when 'add' adds 1",
    statement="Starting from 1, the first player loses if the target in base 4 contains a 1 or a 3, and wins if it "
    "does not. So it is nearly always better to go second.",
    why="Dividing by 4 and rounding down crosses out the last base-4 digit. A number is odd when its last digit is "
    "odd.",
    proof=(
        "Look at the last digit in base 4. If it is 1 or 3, the target is odd, its difference from 1 is even, and the "
        "start is lost. If it is 0 or 2 and the target is 4 or more, we start again with a quarter of it, which has "
        "the same digits without the last.",
        "So we cross out digits 0 and 2 from the right. Either an odd digit comes last, and the start is lost, or a "
        "single 2 is left, and doubling wins.",
    ),
    source=SOURCE,
)

BY_TWO = Law(
    name="adding-two",
    title="Who wins when 'add' adds 2",
    statement="Even numbers: halve the number and the target (rounding down), and use the rule for adding 1. Odd "
    "numbers: halve the target, then keep dividing by 4, always rounding down, until the result is odd (the fence) or "
    "0 (no fence). At or below the fence, the player to move wins by doubling. Above it, the player to move wins if "
    "adding 2 still fits an odd number of times, and loses otherwise.",
    why="Even numbers stay even, so they can be halved. Doubling an odd number makes it even for good, and wins only "
    "up to the fence. Above the fence both players add.",
    proof=(
        LIMIT,
        "An even number stays even. Halve all the numbers, and the target (rounding down): adding 2 becomes adding 1, "
        "doubling stays doubling, and a move that goes past the target still does.",
        "Doubling an odd number makes twice the number. Halved, that is the number itself in a race to half the "
        "target, adding 1. So doubling wins if the number is lost in that race. By the rule for adding 1, an odd "
        "number is lost if the goal is odd. If the goal is even, it is won if it is more than a quarter of the goal; "
        "otherwise we start again with a quarter of the goal. So we divide half the target by 4 until it is odd: the "
        "odd numbers up to that fence are lost there, and no others.",
        "Above the fence doubling does not win, so both players add, and whoever makes the last addition wins.",
    ),
    source=SOURCE,
)

TARGETS_BY_TWO = Law(
    name="lost-targets-adding-two",
    title="The lost targets when 'add' adds 2",
    statement="Starting from 1, the first player loses if the target in base 4 has nothing but 0s and 1s and ends in "
    "1, and wins otherwise. So it is nearly always better to go first, and always if the target is even.",
    why="A digit 2 or 3 in base 4 makes a fence of at least 1, and then doubling wins. Without a fence, count the "
    "additions.",
    proof=(
        "Halving the target and then dividing by 4 until the result is odd finds a binary 1 in an odd place, counted "
        "from 0 at the right: a digit 2 or 3 in base 4. If there is one, the fence is at least 1, and the start is "
        "won.",
        "If there is none, all digits are 0 or 1. If the target ends in 0 it is a multiple of 4, and adding 2 to 1 "
        "fits an odd number of times, so the start is won. If it ends in 1, adding fits an even number of times, so "
        "the start is lost.",
    ),
    source=SOURCE,
)

EVERY_STEP = Law(
    name="every-step",
    title="Who wins, whatever 'add' adds",
    statement="Numbers that differ by a multiple of the step share a cap. At first the cap is the target. Split the "
    "numbers into zones: from the target down to half of it, from there down to a quarter, and so on. Go down zone by "
    "zone. If doubling the numbers of a zone that share a cap makes lost numbers, their cap drops below that zone. A "
    "number is lost if it is not above its cap and adding fits below the cap an even number of times. Every other "
    "number is won.",
    why="Within a zone, doubling wins from all numbers that share a cap, or from none of them. Neighbours are one step "
    "apart, so their doubles are two steps apart, and lost and won numbers alternate.",
    proof=(
        LIMIT,
        "In the top zone, above half of the target, both players add. So the rule holds with the target as the cap.",
        "Go on to the next zone down, and look at its numbers that share a cap. Their doubles are in the zone above, "
        "two steps apart from each other. The rule already holds there: either all of them are won, above their cap, "
        "or lost and won numbers alternate, so that two numbers two steps apart have the same result. So doubling wins "
        "from all or from none.",
        "If doubling wins from all of them, they are all won, and the cap drops below them. If doubling wins from "
        "none of them, each is lost if one more step makes a won number or goes past the target, and won otherwise. "
        "So lost and won numbers alternate, as the rule says.",
    ),
    source=SOURCE,
)

LAWS = {1: (TARGETS_BY_ONE, BY_ONE, EVERY_STEP), 2: (TARGETS_BY_TWO, BY_TWO, EVERY_STEP, BY_ONE)}
"""The laws of a race by its usual step, the most useful first."""
