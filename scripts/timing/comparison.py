"""Whether two kinds of things can be told apart by how long they take, and how small a difference would be found.

A thing is asked about several times, and what it takes is the fastest of these: all others have waited for something
else as well. Things are compared, not askings, for whatever makes one thing slow makes all askings of it slow.
"""

from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest, mannwhitneyu, norm

from bitduel.arena.intervals import Estimate, wilson

Times = NDArray[np.float64]
ALPHA = 0.001
"""Without any difference one measurement in a thousand says that there is one."""
SURE = 0.95
"""How often a difference must be found to count as one that would be found."""
TRIALS = 200


class Told(NamedTuple):
    """What a comparison came to; times in seconds."""

    effect: float
    """How much longer the second kind takes."""
    chance: float
    """How likely a difference in ranks like this is where there is none."""
    right: int
    guesses: int
    detectable: float
    """A delay as small as this would have been found 95 times in 100."""

    @property
    def found(self) -> bool:
        """Whether the two kinds are told apart."""
        return self.chance < ALPHA

    @property
    def guessing(self) -> Estimate:
        """How often the attacker guessed right."""
        return wilson(self.right / self.guesses, self.guesses)

    def __str__(self) -> str:
        share = self.guessing
        return (
            f"{self.effect * 1e6:+8.1f} us   p {self.chance:6.4f}   guessed {share.value:4.0%} "
            f"({share.low:.0%} to {share.high:.0%})   would find {self.detectable * 1e6:6.1f} us"
        )


def taken(samples: Times) -> Times:
    """Return the time of each request, from its row of samples."""
    return np.asarray(samples.min(axis=1))


def rank_test(one: Times, two: Times) -> float:
    """How likely it is by chance that the ranks of two kinds lie so far apart."""
    return float(mannwhitneyu(one, two, method="asymptotic").pvalue)


def luck(right: int, tried: int, by_chance: float) -> float:
    """How likely at least so many right ones are by chance alone."""
    return float(binomtest(right, tried, by_chance / tried, alternative="greater").pvalue)


def guesses(one: Times, two: Times, rng: np.random.Generator) -> tuple[int, int]:
    """Fit a threshold on half of the samples and test it on the other half, both ways; return hits and trials."""
    halves = [np.array_split(rng.permutation(kind), 2) for kind in (one, two)]
    right = 0
    for learnt in (0, 1):
        first, second = (float(np.median(kind[learnt])) for kind in halves)
        threshold, sign = (first + second) / 2, 1 if second >= first else -1
        tried = [sign * (kind[1 - learnt] - threshold) for kind in halves]
        right += int((tried[0] < 0).sum() + (tried[1] >= 0).sum())
    return right, len(one) + len(two)


def power(times: Times, delay: float, rng: np.random.Generator, trials: int = TRIALS) -> float:
    """How often a delay is found that half of these things have, whichever half; theirs as they are is the noise."""
    mixed = rng.permuted(np.tile(times, (trials, 1)), axis=1)
    one = len(times) // 2
    mixed[:, one:] += delay
    ranks = mixed.argsort(axis=1).argsort(axis=1) + 1
    two = len(times) - one
    spread = np.sqrt(one * two * (len(times) + 1) / 12)
    off = abs(ranks[:, :one].sum(axis=1) - one * (len(times) + 1) / 2)
    return float((off / spread > norm.isf(ALPHA / 2)).mean())


def detectable(times: Times, rng: np.random.Generator) -> float:
    """About the smallest delay that is found 95 times in 100; endless where there are too few things to find any."""
    if power(times, 1e9, rng) < SURE:
        return inf
    low, high = 0.0, float(np.std(times)) or 1e-9
    while power(times, high, rng) < SURE:
        low, high = high, 2 * high
    for _ in range(6):
        middle = (low + high) / 2
        low, high = (low, middle) if power(times, middle, rng) >= SURE else (middle, high)
    return high


def told(one: Times, two: Times, rng: np.random.Generator) -> Told:
    """Two kinds compared, each a row of samples for each thing."""
    first, second = taken(one), taken(two)
    effect = float(np.median(second) - np.median(first))
    # The noise is what is left when a difference, if there is one, is taken away.
    noise = np.concatenate([first - np.median(first), second - np.median(second)])
    return Told(effect, rank_test(first, second), *guesses(first, second, rng), detectable(noise, rng))
