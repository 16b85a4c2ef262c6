"""Mixed strategies in whole numbers, and the best reply to one without any rounding.

A plan says how many of so many equal parts make each turn, so what enters a state of knowledge must leave it to the
last part. The best reply is bounded by floating point first: only turns that come within a billionth of the best can be
best, and those few are compared in whole numbers. Rounding adds up to less than a hundredth of that.
"""

from fractions import Fraction
from functools import cached_property
from math import lcm

import numpy as np

from bitduel.games.binary_battle.equilibrium.knowledge import (
    State,
    check_state,
    following,
    is_guess,
    reply_tables,
    start,
    toggled,
    worth_of_bits,
)
from bitduel.games.binary_battle.equilibrium.policy import Mixture

NEAR = 1e-9
"""A turn that is worth less than the best by more than this, in floating point, is not the best."""

Weights = dict[State, tuple[int, ...]]


def most_turns(bits: int) -> int:
    """Return the turns after which no plan of ours is still without a hit."""
    return 8 * (bits + 1)


class CountedPlan:
    """How many of `scale` equal parts toggle each bit in each state of knowledge that is come to."""

    def __init__(self, bits: int, scale: int, weights: Weights) -> None:
        self.bits, self.scale, self.weights = bits, scale, weights

    def check(self) -> None:
        """Raise ValueError unless this is a strategy: all parts set out, and what comes to a state leaves it."""
        if self.scale < 1 or not all(_is_turn(self.bits, state, parts) for state, parts in self.weights.items()):
            raise ValueError("the strategy is not made of whole parts of turns")
        coming = {start(self.bits): self.scale}
        for state, bit, part in self.turns():
            for child in following(state, toggled(self.bits, state.number, bit)):
                coming[child] = coming.get(child, 0) + part
        if coming != {state: sum(parts) for state, parts in self.weights.items()}:
            raise ValueError("the strategy loses its way: not all that comes to a state leaves it")

    def turns(self) -> list[tuple[State, int, int]]:
        """Every state with a bit that is toggled there and how many parts do so."""
        return [(s, bit, part) for s, parts in self.weights.items() for bit, part in enumerate(parts, 1) if part]

    @cached_property
    def hits(self) -> list[list[int]]:
        """By turn and secret, how many parts hit it then."""
        hits = [[0] * (1 << self.bits) for _ in range(max(state.turn for state in self.weights))]
        for state, bit, part in self.turns():
            target = toggled(self.bits, state.number, bit)
            if is_guess(state, target):
                hits[state.turn - 1][target] += part
        return hits

    def shares(self, state: State) -> list[Fraction]:
        """How likely each bit is in a state that is come to."""
        parts = self.weights[state]
        return [Fraction(part, sum(parts)) for part in parts]

    def rounded(self) -> Mixture:
        """The same in floating point."""
        states = sorted(self.weights)
        rows = [self.weights[state] for state in states]
        chances = np.array([[part / sum(parts) for part in parts] for parts in rows])
        return Mixture(self.bits, np.array(states, dtype=np.int64), chances)


def plan_of(mixture: Mixture) -> CountedPlan:
    """The plan of a mixture in fractions."""
    flow = mixture.reach[:, None] * mixture.chances
    scale = lcm(*(Fraction(share).denominator for share in flow.flat))
    rows = [tuple(int(share * scale) for share in row) for row in flow]
    return CountedPlan(mixture.bits, scale, {state: rows[row] for state, row in mixture.rows.items()})


def rewards(seat: int, other: CountedPlan) -> list[list[int]]:
    """By turn and secret, how many parts of the other's plan leave a hit by this seat in time."""
    alive, found = [other.scale] * (1 << other.bits), []
    for hits in other.hits:
        then = [left - hit for left, hit in zip(alive, hits, strict=True)]
        found.append(alive if seat == 1 else then)
        alive = then
    if any(alive):
        raise ValueError("the strategy does not hit every secret")
    return found


def best_reply(seat: int, other: CountedPlan) -> Fraction:
    """The win probability of the best reply of a seat to the other's plan."""
    return Fraction(_Reply(other.bits, rewards(seat, other), other.scale).worth, other.scale << other.bits)


class Proof:
    """Two plans and the value that they prove; nothing but a proof can be made, or one that was made before."""

    def __init__(self, plans: tuple[CountedPlan, CountedPlan]) -> None:
        """Raise ValueError unless each plan holds the other's best reply to the same value."""
        for plan in plans:
            plan.check()
        self.plans, self.value = plans, best_reply(1, plans[1])
        if self.value != 1 - best_reply(2, plans[0]):
            raise ValueError("the strategies are not best replies to each other")

    @classmethod
    def recorded(cls, plans: tuple[CountedPlan, CountedPlan], value: Fraction) -> "Proof":
        """Return a proof that was made when the package was built; making it again takes seconds."""
        found = cls.__new__(cls)
        found.plans, found.value = plans, value
        return found


class _Reply:
    """One best reply: states by turn with the turns that may be best, then their worth from the last turn back."""

    def __init__(self, bits: int, rewards: list[list[int]], scale: int) -> None:
        self.bits, self.rewards = bits, rewards
        self.last = [max((t for t, row in enumerate(rewards, 1) if row[s]), default=0) for s in range(1 << bits)]
        self.tables = reply_tables(bits, np.array([[reward / scale for reward in row] for row in rewards]))

    @property
    def worth(self) -> int:
        """What is collected from the start, in parts."""
        levels, front = [], {start(self.bits)}
        while front:
            levels.append({state: self._good(state) for state in front})
            front = {child for good in levels[-1].values() for _, children in good for child in children}
        worth: dict[State, int] = {}
        for level in reversed(levels):
            worth = {state: max(self._collected(state, *turn, worth) for turn in good) for state, good in level.items()}
        return worth[start(self.bits)]

    def _good(self, state: State) -> list[tuple[int, list[State]]]:
        """Where the turns lead that may be best: a number, and the states after it with something left to win."""
        worths: list[float] = worth_of_bits(self.bits, self.tables[state.turn - 1], state).tolist()
        enough = max(worths) - NEAR
        targets = [toggled(self.bits, state.number, bit) for bit, worth in enumerate(worths, 1) if worth >= enough]
        return [(target, [s for s in following(state, target) if self._is_open(s)]) for target in targets]

    def _is_open(self, state: State) -> bool:
        return max(self.last[state.low : state.high + 1]) >= state.turn

    def _collected(self, state: State, target: int, children: list[State], worth: dict[State, int]) -> int:
        now = self.rewards[state.turn - 1][target] if is_guess(state, target) else 0
        return now + sum(worth[child] for child in children)


def _is_turn(bits: int, state: State, parts: tuple[int, ...]) -> bool:
    check_state(bits, state)
    return state.turn <= most_turns(bits) and len(parts) == bits and min(parts) >= 0 and sum(parts) > 0
