"""Strategies of one player, in floating point or in fractions and in whole numbers, and the exact best response.

A behaviour strategy has the probability of each bit in each information state. A realization plan counts how many of
a number of equal parts make each turn, so what enters an information state must leave it to the last part. The best
response to a plan is bounded by floating point first: only turns that come within a billionth of the best can be best,
and those few are compared in whole numbers. Rounding adds up to less than a hundredth of that.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm

import numpy as np
from numpy.typing import NDArray

from bitduel.games.binary_battle.equilibrium.information_states import (
    Array,
    InformationState,
    bit_values,
    check_state,
    is_guess,
    response_tables,
    start,
    successors,
    toggled,
)

Chance = float | Fraction
Weights = Mapping[InformationState, Mapping[int, Chance]]
NEGLIGIBLE = 1e-11


class IncompleteStrategyError(ValueError):
    """A strategy comes to a state for which it has no turn."""


@dataclass(frozen=True)
class BehaviourStrategy:
    """The probability of each bit in every state that can be visited; states are sorted rows of InformationState."""

    bits: int
    states: NDArray[np.int64]
    chances: Array

    @cached_property
    def rows(self) -> dict[InformationState, int]:
        """The row of each state."""
        return {InformationState(*map(int, state)): row for row, state in enumerate(self.states)}

    def at(self, state: InformationState) -> list[float] | None:
        """Return the probability of each bit in this state, None if it is never visited."""
        row = self.rows.get(state)
        return None if row is None else [float(chance) for chance in self.chances[row]]

    @cached_property
    def hits(self) -> Array:
        """By [turn - 1, secret], the probability of hitting that secret in that turn."""
        return self._spread()[0]

    @cached_property
    def reach(self) -> Array:
        """For each state, the probability of coming there if the secret allows it."""
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
        used = flow > 0
        flow, before, target = flow[used], before[used], target[used]
        guess = (before[:, 2] <= target) & (target <= before[:, 3])
        np.add.at(hits, target[guess], flow[guess])
        for low, high, taken in _children(before, target, guess):
            child = np.column_stack([before[:, 0] + 1, target, low, high])[taken]
            np.add.at(reach, _find(codes, _codes(self.bits, child)), flow[taken])

    def _check(self, codes: NDArray[np.int64]) -> None:
        """Refuse what is not a strategy; written so that nan is refused as well."""
        first = codes[:1] == _codes(self.bits, np.array([start(self.bits)]))
        if not (first.all() and len(codes) and (np.diff(codes) > 0).all()):
            raise ValueError("the states are not in order from the start")
        if not ((self.chances >= 0).all() and (abs(self.chances.sum(axis=1) - 1) <= 1e-12).all()):
            raise ValueError("the probabilities of some state do not add up to 1")


def _codes(bits: int, states: NDArray[np.int64]) -> NDArray[np.int64]:
    turn, number, low, high = states.T
    return np.asarray(((turn << bits | number) << bits | low) << bits | high, dtype=np.int64)


def _find(codes: NDArray[np.int64], wanted: NDArray[np.int64]) -> NDArray[np.intp]:
    rows = np.minimum(np.searchsorted(codes, wanted), len(codes) - 1)
    if (codes[rows] != wanted).any():
        raise IncompleteStrategyError("the strategy has no move for a state that can occur")
    return rows


def _children(before: Array, target: Array, guess: Array) -> list[tuple[Array, Array, Array]]:
    low, high = before[:, 2], before[:, 3]
    return [
        (low, high, ~guess),
        (low, target - 1, guess & (low < target)),
        (target + 1, high, guess & (target < high)),
    ]


def from_weights(bits: int, weights: Weights) -> BehaviourStrategy:
    """Turn weights of (state, bit) into behaviour, without states that are not visited."""
    shares: dict[InformationState, list[Chance]] = {}
    todo = [start(bits)]
    while todo:
        state = todo.pop()
        if state in shares:
            continue
        shares[state] = _shares(bits, weights.get(state, {}))
        for bit in range(1, bits + 1):
            if shares[state][bit - 1] > 0:
                todo += successors(state, toggled(bits, state.number, bit))
    states = sorted(shares)
    chances = np.array([shares[state] for state in states])
    return BehaviourStrategy(bits, np.array(states, dtype=np.int64), chances)


def _shares(bits: int, weights: Mapping[int, Chance]) -> list[Chance]:
    parts = [max(weights.get(bit, 0), 0) for bit in range(1, bits + 1)]
    # The solver leaves dust where a weight is truly zero; exact weights pass untouched.
    parts = [weight if weight > NEGLIGIBLE else weight * 0 for weight in parts]
    total = sum(parts)
    if not total:
        raise IncompleteStrategyError("the strategy has no move for a state that can occur")
    return [weight / total for weight in parts]


def survival(hits: Array) -> Array:
    """Return [turns made, secret] -> probability of not having hit, summed from the end.

    Summing from the end makes it exactly zero once the last hit is made.
    """
    tail: Array = np.cumsum(hits[::-1], axis=0)[::-1]
    return np.concatenate([tail, tail[:1] * 0])


def rewards_of(seat: int, other_hits: Array) -> Array:
    """Return [turn - 1, secret] -> probability that a hit by this seat then comes in time."""
    return survival(other_hits)[seat - 1 :][: len(other_hits)]


NEAR = 1e-9
"""A turn whose value is below the best by more than this, in floating point, is not the best."""

CountedWeights = dict[InformationState, tuple[int, ...]]


def most_turns(bits: int) -> int:
    """Return the turns after which no plan of ours is still without a hit."""
    return 8 * (bits + 1)


class RealizationPlan:
    """The number of `scale` equal parts that toggle each bit, for each information state that can be reached."""

    def __init__(self, bits: int, scale: int, weights: CountedWeights) -> None:
        self.bits, self.scale, self.weights = bits, scale, weights

    def check(self) -> None:
        """Raise ValueError unless this is a strategy: parts begin at the start, and what enters a state leaves it."""
        if self.scale < 1 or not all(_is_turn(self.bits, state, parts) for state, parts in self.weights.items()):
            raise ValueError("the strategy has a weight that is not valid")
        coming = {start(self.bits): self.scale}
        for state, bit, part in self.turns():
            for child in successors(state, toggled(self.bits, state.number, bit)):
                coming[child] = coming.get(child, 0) + part
        if coming != {state: sum(parts) for state, parts in self.weights.items()}:
            raise ValueError("the weights that enter and leave a state are not equal")

    def turns(self) -> list[tuple[InformationState, int, int]]:
        """Return every state with a bit that is toggled there and the parts that do so."""
        return [(s, bit, part) for s, parts in self.weights.items() for bit, part in enumerate(parts, 1) if part]

    @cached_property
    def hits(self) -> list[list[int]]:
        """The parts that hit, by turn and secret."""
        hits = [[0] * (1 << self.bits) for _ in range(max(state.turn for state in self.weights))]
        for state, bit, part in self.turns():
            target = toggled(self.bits, state.number, bit)
            if is_guess(state, target):
                hits[state.turn - 1][target] += part
        return hits

    def shares(self, state: InformationState) -> list[Fraction]:
        """Return the probability of each bit in a state that can be reached."""
        parts = self.weights[state]
        return [Fraction(part, sum(parts)) for part in parts]

    def rounded(self) -> BehaviourStrategy:
        """Return the same strategy in floating point."""
        states = sorted(self.weights)
        rows = [self.weights[state] for state in states]
        chances = np.array([[part / sum(parts) for part in parts] for parts in rows])
        return BehaviourStrategy(self.bits, np.array(states, dtype=np.int64), chances)


def plan_of(strategy: BehaviourStrategy) -> RealizationPlan:
    """Return the plan of a strategy in fractions."""
    flow = strategy.reach[:, None] * strategy.chances
    scale = lcm(*(Fraction(share).denominator for share in flow.flat))
    rows = [tuple(int(share * scale) for share in row) for row in flow]
    return RealizationPlan(strategy.bits, scale, {state: rows[row] for state, row in strategy.rows.items()})


def rewards(seat: int, other: RealizationPlan) -> list[list[int]]:
    """Return, by turn and secret, the parts of the other's plan that leave a hit by this seat in time."""
    alive, in_time = [other.scale] * (1 << other.bits), []
    for hits in other.hits:
        then = [left - hit for left, hit in zip(alive, hits, strict=True)]
        in_time.append(alive if seat == 1 else then)
        alive = then
    if any(alive):
        raise ValueError("the strategy does not hit every secret")
    return in_time


def best_response(seat: int, other: RealizationPlan) -> Fraction:
    """Return the win probability of the best response of a seat to the other's plan."""
    return Fraction(_BestResponse(other.bits, rewards(seat, other), other.scale).value, other.scale << other.bits)


class Proof:
    """Two plans and the value that they prove: checked when made, or recorded from an earlier check."""

    def __init__(self, plans: tuple[RealizationPlan, RealizationPlan]) -> None:
        """Raise ValueError unless each plan holds the other's best response to the same value."""
        for plan in plans:
            plan.check()
        self.plans, self.value = plans, best_response(1, plans[1])
        if self.value != 1 - best_response(2, plans[0]):
            raise ValueError("the strategies are not best replies to each other")

    @classmethod
    def recorded(cls, plans: tuple[RealizationPlan, RealizationPlan], value: Fraction) -> "Proof":
        """Return a proof that was made when the package was built; making it again takes seconds."""
        proof = cls.__new__(cls)
        proof.plans, proof.value = plans, value
        return proof


class _BestResponse:
    """One best response: states by turn with the turns that may be best, then their values from the last turn back."""

    def __init__(self, bits: int, rewards: list[list[int]], scale: int) -> None:
        self.bits, self.rewards = bits, rewards
        self.last = [max((t for t, row in enumerate(rewards, 1) if row[s]), default=0) for s in range(1 << bits)]
        self.tables = response_tables(bits, np.array([[reward / scale for reward in row] for row in rewards]))

    @property
    def value(self) -> int:
        """The parts that are collected from the start."""
        levels, front = [], {start(self.bits)}
        while front:
            levels.append({state: self._good(state) for state in front})
            front = {child for good in levels[-1].values() for _, children in good for child in children}
        values: dict[InformationState, int] = {}
        for level in reversed(levels):
            values = {state: max(self._value(state, *turn, values) for turn in good) for state, good in level.items()}
        return values[start(self.bits)]

    def _good(self, state: InformationState) -> list[tuple[int, list[InformationState]]]:
        """Return the targets that may be best, with the states after them that have something left to win."""
        values: list[float] = bit_values(self.bits, self.tables[state.turn - 1], state).tolist()
        enough = max(values) - NEAR
        targets = [toggled(self.bits, state.number, bit) for bit, value in enumerate(values, 1) if value >= enough]
        return [(target, [s for s in successors(state, target) if self._is_open(s)]) for target in targets]

    def _is_open(self, state: InformationState) -> bool:
        return max(self.last[state.low : state.high + 1]) >= state.turn

    def _value(
        self,
        state: InformationState,
        target: int,
        children: list[InformationState],
        values: dict[InformationState, int],
    ) -> int:
        now = self.rewards[state.turn - 1][target] if is_guess(state, target) else 0
        return now + sum(values[child] for child in children)


def _is_turn(bits: int, state: InformationState, parts: tuple[int, ...]) -> bool:
    check_state(bits, state)
    return state.turn <= most_turns(bits) and len(parts) == bits and min(parts) >= 0 and sum(parts) > 0
