"""A mixed strategy written as behaviour: in each state of knowledge, how often which bit."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bitduel.games.binary_battle.equilibrium.knowledge import Array, State, following, start, toggled

Chance = float | Fraction
Weights = Mapping[State, Mapping[int, Chance]]
NEGLIGIBLE = 1e-11


class IncompletePolicyError(ValueError):
    """A strategy comes to a state for which it has no turn."""


@dataclass(frozen=True)
class Mixture:
    """Behaviour in every state that can be visited; states are sorted rows of State."""

    bits: int
    states: NDArray[np.int64]
    chances: Array

    @cached_property
    def rows(self) -> dict[State, int]:
        """Return where each state is to be found."""
        return {State(*map(int, state)): row for row, state in enumerate(self.states)}

    def at(self, state: State) -> list[float] | None:
        """Return the probability of each bit in this state, None if it is never visited."""
        row = self.rows.get(state)
        return None if row is None else [float(chance) for chance in self.chances[row]]

    @cached_property
    def hits(self) -> Array:
        """Return [turn - 1, secret] -> probability of hitting that secret in that turn."""
        return self._spread()[0]

    @cached_property
    def reach(self) -> Array:
        """Return for each state the probability of coming there if the secret allows it."""
        return self._spread()[1]

    def _spread(self) -> tuple[Array, Array]:
        codes = _codes(self.bits, self.states)
        self._check(codes)
        hits = np.zeros((int(self.states[-1, 0]), 1 << self.bits), dtype=self.chances.dtype)
        reach = np.zeros(len(codes), dtype=self.chances.dtype)
        reach[0] += 1
        for turn in range(1, len(hits) + 1):
            rows = slice(*np.searchsorted(self.states[:, 0], [turn, turn + 1]))
            self._turn(codes, rows, hits[turn - 1], reach)
        return hits, reach

    def _turn(self, codes: NDArray[np.int64], rows: slice, hits: Array, reach: Array) -> None:
        masks = 1 << np.arange(self.bits)[::-1]
        flow = (reach[rows, None] * self.chances[rows]).ravel()
        before = np.repeat(self.states[rows], self.bits, axis=0)
        target = (self.states[rows, 1, None] ^ masks).ravel()
        taken = flow > 0
        flow, before, target = flow[taken], before[taken], target[taken]
        guess = (before[:, 2] <= target) & (target <= before[:, 3])
        np.add.at(hits, target[guess], flow[guess])
        for low, high, kept in _children(before, target, guess):
            child = np.column_stack([before[:, 0] + 1, target, low, high])[kept]
            np.add.at(reach, _find(codes, _codes(self.bits, child)), flow[kept])

    def _check(self, codes: NDArray[np.int64]) -> None:
        """Refuse what is not a strategy; written so that nan is refused as well."""
        first = codes[:1] == _codes(self.bits, np.array([start(self.bits)]))
        if not (first.all() and len(codes) and (np.diff(codes) > 0).all()):
            raise ValueError("the states are not in order from the start")
        if not ((self.chances >= 0).all() and (abs(self.chances.sum(axis=1) - 1) <= 1e-12).all()):
            raise ValueError("the behaviour is not made of probabilities")


def _codes(bits: int, states: NDArray[np.int64]) -> NDArray[np.int64]:
    turn, number, low, high = states.T
    return np.asarray(((turn << bits | number) << bits | low) << bits | high, dtype=np.int64)


def _find(codes: NDArray[np.int64], wanted: NDArray[np.int64]) -> NDArray[np.intp]:
    rows = np.minimum(np.searchsorted(codes, wanted), len(codes) - 1)
    if (codes[rows] != wanted).any():
        raise IncompletePolicyError("the strategy leaves a state without a turn")
    return rows


def _children(before: Array, target: Array, guess: Array) -> list[tuple[Array, Array, Array]]:
    low, high = before[:, 2], before[:, 3]
    return [
        (low, high, ~guess),
        (low, target - 1, guess & (low < target)),
        (target + 1, high, guess & (target < high)),
    ]


def from_weights(bits: int, weights: Weights) -> Mixture:
    """Turn weights of (state, bit) into behaviour, without states that are not visited."""
    found: dict[State, list[Chance]] = {}
    todo = [start(bits)]
    while todo:
        state = todo.pop()
        if state in found:
            continue
        found[state] = _shares(bits, weights.get(state, {}))
        for bit in range(1, bits + 1):
            if found[state][bit - 1] > 0:
                todo += following(state, toggled(bits, state.number, bit))
    states = sorted(found)
    chances = np.array([found[state] for state in states])
    return Mixture(bits, np.array(states, dtype=np.int64), chances)


def _shares(bits: int, weights: Mapping[int, Chance]) -> list[Chance]:
    kept = [max(weights.get(bit, 0), 0) for bit in range(1, bits + 1)]
    # The solver leaves dust where a weight is truly zero; exact weights pass untouched.
    kept = [weight if weight > NEGLIGIBLE else weight * 0 for weight in kept]
    total = sum(kept)
    if not total:
        raise IncompletePolicyError("the strategy leaves a state without a turn")
    return [weight / total for weight in kept]


def survival(hits: Array) -> Array:
    """Return [turns made, secret] -> probability of not having hit, summed from the end.

    Summing from the end makes it exactly zero once the last hit is made.
    """
    tail: Array = np.cumsum(hits[::-1], axis=0)[::-1]
    return np.concatenate([tail, tail[:1] * 0])


def rewards_of(seat: int, other_hits: Array) -> Array:
    """Return [turn - 1, secret] -> probability that a hit by this seat then comes in time."""
    return survival(other_hits)[seat - 1 :][: len(other_hits)]
