"""The open table: both numbers and every feedback are public, so play is pure.

Everything is counted in half secrets: with an interval of k secrets the mover's share is a whole
number from 0 to 2 k. Turns that tell nothing may go round in circles, hence two bounds, one
counting endless play as lost by the mover, one as won; in the value it is won by half.
"""

from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bitduel.games.binary_battle.equilibrium.knowledge import best_of, check_bits, toggled

Shares = NDArray[np.uint8 | np.uint16]


def _kind(length: int) -> type[np.uint8] | type[np.uint16]:
    """Return the smallest kind of number that holds the half secrets of an interval."""
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
        return self._share(self._shares, mine, theirs, low, high)

    @cached_property
    def start(self) -> Fraction:
        """Return player 1's win probability at the start."""
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

    def _share(self, shares: list[Shares], mine: int, theirs: int, low: int, high: int) -> Fraction:
        self._check(mine, theirs, low, high)
        length = high - low + 1
        return Fraction(int(shares[length][mine, low, theirs]), 2 * length)

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
            raise ValueError(f"no such position with {self.bits} bits: {numbers}")

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
        total = _kind(length)(2 * length)
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
        return best_of(self.bits, np.where(guess, news, passing.transpose(2, 1, 0)))

    def _guesses(self, length: int) -> NDArray[np.bool_]:
        """Mark [target, low, any] where the target lies in the interval."""
        ahead = np.arange(self.size)[:, None] - np.arange(self.size - length + 1)
        marks: NDArray[np.bool_] = ((ahead >= 0) & (ahead < length))[:, :, None]
        return marks

    def _news(self, length: int, shares: list[Shares]) -> Shares:
        """Return the mover's share [target, low, theirs] of guessing the target."""
        low, total = np.arange(self.size - length + 1), _kind(length)(2 * length)
        news: Shares = np.zeros((self.size, len(low), self.size), dtype=_kind(length))
        for below in range(length):
            target, above = low + below, length - 1 - below
            lost = shares[below][:, low, target] + shares[above][:, target + 1, target]
            news[target, low] = total - lost.T
        return news
