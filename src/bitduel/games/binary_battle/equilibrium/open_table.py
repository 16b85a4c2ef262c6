"""The open table: both numbers and every feedback are public, so play is pure.

Everything is counted in half secrets: with an interval of k secrets the mover's share is a whole
number from 0 to 2 k. Turns that tell nothing may go round in circles, hence two bounds, one
counting endless play as lost by the mover, one as won; in the value it is won by half.

The plans hold a share of the secrets even if endless play is lost. Toggling outside the interval tells nothing and
could go round, so every step also says how long it can still take until there is news. Where a step tells nothing, the
position after the other's answer has a larger share, or the same and less time left; so news must come. A player who
holds nothing need not hurry.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bitduel.games.binary_battle.equilibrium.information_states import (
    InformationState,
    best_toggle_values,
    check_bits,
    is_guess,
    successors,
    toggled,
)

Shares = NDArray[np.uint8 | np.uint16]


def _dtype(length: int) -> type[np.uint8] | type[np.uint16]:
    """Return the smallest type of number that holds the half secrets of an interval."""
    return np.uint8 if 2 * length < 256 else np.uint16


class OpenSolution:
    """Values of every position (mine, theirs, low, high) with the mover's number first."""

    def __init__(self, bits: int) -> None:
        """Solve all intervals from the shortest to the whole."""
        check_bits(bits)
        self.bits, self.size = bits, 1 << bits
        nothing: Shares = np.zeros((self.size, self.size + 1, self.size), dtype=np.uint8)
        # Each list is by the length of the interval; arrays are [mine, low, theirs].
        self._lower, self._upper, self._falls = [nothing], [nothing], [nothing]
        self._shares, self._delays = [nothing], [nothing]
        for length in range(1, self.size + 1):
            self._solve(length)

    def value(self, mine: int, theirs: int, low: int, high: int) -> Fraction:
        """Return the probability that the player to move wins."""
        self._check(mine, theirs, low, high)
        length = high - low + 1
        return Fraction(int(self._shares[length][mine, low, theirs]), 2 * length)

    @cached_property
    def start(self) -> Fraction:
        """Player 1's win probability at the start."""
        return self.value(0, 0, 0, self.size - 1)

    def bounds(self, mine: int, theirs: int, low: int, high: int) -> tuple[int, int, int]:
        """Return what the mover gets in half secrets if endless play is lost, if it is won, and the last round.

        The last one is the round in which the upper bound came down to what it is.
        """
        self._check(mine, theirs, low, high)
        lists = self._lower, self._upper, self._falls
        lower, upper, fall = (int(each[high - low + 1][mine, low, theirs]) for each in lists)
        return lower, upper, fall

    def choices(self, mine: int, theirs: int, low: int, high: int) -> list[tuple[int, Fraction]]:
        """Return (bit, win probability) for every bit the player to move may toggle."""
        self._check(mine, theirs, low, high)
        targets = [(bit, toggled(self.bits, mine, bit)) for bit in range(1, self.bits + 1)]
        return [(bit, self._after(target, theirs, low, high)) for bit, target in targets]

    def best(self, mine: int, theirs: int, low: int, high: int) -> int:
        """Return the best bit; of equal ones the one that forces news soonest, so play ends."""
        choices = self.choices(mine, theirs, low, high)
        top = max(value for _, value in choices)
        ties = [bit for bit, value in choices if value == top]
        return min(ties, key=lambda bit: self._delay(toggled(self.bits, mine, bit), theirs, low, high))

    def value_for(self, secret: int) -> float:
        """Return what player 1 wins by best play where this is the secret; what goes round in circles is half won."""
        mine, theirs, low, high = 0, 0, 0, self.size - 1
        met: set[tuple[int, ...]] = set()
        while (position := (len(met) % 2, mine, theirs, low, high)) not in met:
            number = toggled(self.bits, mine, self.best(mine, theirs, low, high))
            if number == secret:
                return float(len(met) % 2 == 0)
            low, high = (
                max(low, number + 1) if number < secret else low,
                min(high, number - 1) if number > secret else high,
            )
            mine, theirs = theirs, number
            met.add(position)
        return 0.5

    def _after(self, target: int, theirs: int, low: int, high: int) -> Fraction:
        if not low <= target <= high:
            return 1 - self.value(theirs, target, low, high)
        won = Fraction(1)
        for left, right in ((low, target - 1), (target + 1, high)):
            if left <= right:
                won += (right - left + 1) * (1 - self.value(theirs, target, left, right))
        return won / (high - low + 1)

    def _delay(self, target: int, theirs: int, low: int, high: int) -> int:
        if low <= target <= high:
            return -1
        return int(self._delays[high - low + 1][theirs, low, target])

    def _check(self, mine: int, theirs: int, low: int, high: int) -> None:
        numbers = (mine, theirs, low, high)
        if low > high or not all(0 <= number < self.size for number in numbers):
            raise ValueError(f"with {self.bits} bits there is no position {numbers}")

    def _solve(self, length: int) -> None:
        lower, upper, delay = self._bounds(length, self._upper, self._lower)
        same = np.array_equal(lower, upper)
        self._lower.append(lower)
        self._upper.append(lower if same else upper)
        self._falls.append(delay)
        if not same:
            # The bounds may differ further down only; here they start from the values there.
            lower, upper, delay = self._bounds(length, self._shares, self._shares)
        # Who can force more than half by getting somewhere does so; else going round is best.
        self._shares.append(lower if same else np.minimum(np.maximum(lower, lower.dtype.type(length)), upper))
        self._delays.append(delay)

    def _bounds(self, length: int, most: list[Shares], least: list[Shares]) -> tuple[Shares, Shares, Shares]:
        """Narrow both bounds of the mover's share until they stand still.

        most and least bound what the opponent gets once the interval is shorter. The third
        result is the round in which the upper bound last moved.
        """
        total = _dtype(length)(2 * length)
        guess, news = self._guesses(length), (self._news(length, most), self._news(length, least))
        lower, upper = np.zeros_like(news[0]), np.full_like(news[0], total)
        delay, count = np.zeros(lower.shape, np.uint8), 0
        while True:
            count += 1
            better = self._turn(guess, news[0], total - upper)
            worse = self._turn(guess, news[1], total - lower)
            delay[worse != upper] = count
            if np.array_equal(better, lower) and np.array_equal(worse, upper):
                return lower, upper, delay
            lower, upper = better, worse

    def _turn(self, guess: NDArray[np.bool_], news: Shares, passing: Shares) -> Shares:
        return best_toggle_values(self.bits, np.where(guess, news, passing.transpose(2, 1, 0)))

    def _guesses(self, length: int) -> NDArray[np.bool_]:
        """Mark [target, low, any] where the target lies in the interval."""
        ahead = np.arange(self.size)[:, None] - np.arange(self.size - length + 1)
        marks: NDArray[np.bool_] = ((ahead >= 0) & (ahead < length))[:, :, None]
        return marks

    def _news(self, length: int, shares: list[Shares]) -> Shares:
        """Return the mover's share [target, low, theirs] of guessing the target."""
        low, total = np.arange(self.size - length + 1), _dtype(length)(2 * length)
        news: Shares = np.zeros((self.size, len(low), self.size), dtype=_dtype(length))
        for below in range(length):
            target, above = low + below, length - 1 - below
            lost = shares[below][:, low, target] + shares[above][:, target + 1, target]
            news[target, low] = total - lost.T
        return news


class OpenPosition(NamedTuple):
    """A position seen by the player to move: both numbers, and where the secret can be."""

    mine: int
    theirs: int
    low: int
    high: int


class OpenStep(NamedTuple):
    """The bit to toggle, the number that makes, the secrets that are won for certain, and the time until news."""

    bit: int
    number: int
    share: int
    time: int


Plan = dict[OpenPosition, OpenStep]


def open_plans(bits: int) -> tuple[Fraction, tuple[Plan, Plan]]:
    """Return the value of the start and a plan for each seat.

    Raise ArithmeticError if it depends on how endless play is counted.
    """
    solution = OpenSolution(bits)
    start = OpenPosition(0, 0, 0, solution.size - 1)
    lower, upper, _ = solution.bounds(*start)
    if lower != upper:
        raise ArithmeticError(f"with {bits} bits the value depends on how endless play is counted")
    plans = [_plan(solution, [start]), _plan(solution, list(_after_any(bits, start)))]
    return Fraction(lower // 2, solution.size), (plans[0], plans[1])


def _after(bits: int, place: OpenPosition, bit: int) -> list[OpenPosition]:
    """Return the positions of the other player after a toggle that does not win."""
    number = toggled(bits, place.mine, bit)
    cases = successors(InformationState(1, place.mine, place.low, place.high), number)
    return [OpenPosition(place.theirs, number, case.low, case.high) for case in cases]


def _after_any(bits: int, place: OpenPosition) -> Iterator[OpenPosition]:
    """Return the positions of the other player after any toggle that does not win."""
    return (then for bit in range(1, bits + 1) for then in _after(bits, place, bit))


def _plan(solution: OpenSolution, todo: list[OpenPosition]) -> Plan:
    """Return the steps of a seat from these positions on, whatever the other does."""
    bits, bit_of = solution.bits, dict[OpenPosition, int]()
    while todo:
        place = todo.pop()
        if place not in bit_of:
            bit_of[place] = _best(solution, place)
            todo += [answer for then in _after(bits, place, bit_of[place]) for answer in _after_any(bits, then)]
    shares = {place: solution.bounds(*place)[0] // 2 for place in bit_of}
    times = _times(bits, bit_of, shares)
    return {
        place: OpenStep(bit_of[place], toggled(bits, place.mine, bit_of[place]), shares[place], times[place])
        for place in sorted(bit_of)
    }


def _best(solution: OpenSolution, place: OpenPosition) -> int:
    """Return a toggle that holds the lower bound, of several the one that brings news soonest."""
    share = solution.bounds(*place)[0]
    held = [(bit, *_held(solution, place, bit)) for bit in range(1, solution.bits + 1)]
    return min((fall, bit) for bit, value, fall in held if value == share)[1]


def _held(solution: OpenSolution, place: OpenPosition, bit: int) -> tuple[int, int]:
    """Return the half secrets that a toggle holds, and the round in which that was clear; 0 where it brings news."""
    then = _after(solution.bits, place, bit)
    bounds = [solution.bounds(*each) for each in then]
    left = sum(2 * (each.high - each.low + 1) - upper for each, (_, upper, _) in zip(then, bounds, strict=True))
    if _tells(solution.bits, place, bit):
        return left + 2, 0
    return left, bounds[0][2]


def _tells(bits: int, place: OpenPosition, bit: int) -> bool:
    return is_guess(InformationState(1, place.mine, place.low, place.high), toggled(bits, place.mine, bit))


def _times(bits: int, bit_of: dict[OpenPosition, int], shares: dict[OpenPosition, int]) -> dict[OpenPosition, int]:
    """Count for each position the steps of the plan that the other can delay news without giving anything away."""
    times: dict[OpenPosition, int] = {}

    def time(place: OpenPosition) -> int:
        if place not in times:
            soon = not shares[place] or _tells(bits, place, bit_of[place])
            times[place] = 0 if soon else 1 + max(map(time, waits(place)), default=0)
        return times[place]

    def waits(place: OpenPosition) -> list[OpenPosition]:
        (then,) = _after(bits, place, bit_of[place])
        answers = [each for each in _after_any(bits, then) if (each.low, each.high) == (place.low, place.high)]
        return [each for each in answers if shares[each] == shares[place]]

    return {place: time(place) for place in bit_of}
