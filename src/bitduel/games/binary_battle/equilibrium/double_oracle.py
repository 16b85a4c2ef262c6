"""Double oracle on information states: best responses extend a game solved by one flow LP."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from bitduel.core.errors import RequiredExtra
from bitduel.games.binary_battle.equilibrium.information_states import (
    Array,
    InformationState,
    best_bit,
    is_guess,
    response_tables,
    start,
    successors,
    toggled,
)
from bitduel.games.binary_battle.equilibrium.strategies import (
    BehaviourStrategy,
    IncompleteStrategyError,
    from_weights,
    rewards_of,
)

Plan = dict[InformationState, set[int]]
Branch = tuple[InformationState, int]
Item = TypeVar("Item")
Pair = tuple[Item, Item]
Weights = NDArray[np.float64]
Entries = list[tuple[int, int, int]]
"""A sparse matrix as rows, columns and values."""
TIE_BREAK = 1e-11
TOLERANCE = 1e-10
TOLERANCES = ("primal_feasibility_tolerance", "dual_feasibility_tolerance")


def extend(bits: int, plan: Plan, tables: list[Array]) -> bool:
    """Add the turns of a best response to a plan and tell whether any was new."""
    grown, seen, todo = False, set(), [start(bits)]
    while todo:
        state = todo.pop()
        if state in seen or state.turn > len(tables):
            continue
        seen.add(state)
        bit = best_bit(bits, tables[state.turn - 1], state)
        known = plan.setdefault(state, set())
        grown |= bit not in known
        known.add(bit)
        todo += successors(state, toggled(bits, state.number, bit))
    return grown


def _turns_of(plan: Plan) -> list[Branch]:
    """List the (state, bit) of a plan in a fixed order."""
    return [(state, bit) for state in sorted(plan) for bit in sorted(plan[state])]


class RestrictedGame:
    """Both players keep to their plans: a linear programme in three blocks of variables.

    They are the weights of player 1's turns, his survival [turn, secret], and the values of
    player 2's states. Player 1 minimises the value of player 2's best response.
    """

    def __init__(self, bits: int, horizon: int, plans: Pair[Plan]) -> None:
        """Give every variable of the programme its place."""
        self.bits, self.horizon, self.size = bits, horizon, 1 << bits
        self.turns = _turns_of(plans[0]), _turns_of(plans[1])
        self.row = {state: row for row, state in enumerate(plans[0])}
        self.alive = len(self.turns[0])
        first = self.alive + horizon * self.size
        self.value = {state: first + k for k, state in enumerate(plans[1])}
        self.width = first + len(plans[1])

    def _flow(self) -> tuple[object, NDArray[np.float64]]:
        entries: Entries = []
        goal = np.zeros(len(self.row) + self.horizon * self.size)
        goal[self.row[start(self.bits)]] = 1
        for column, (state, bit) in enumerate(self.turns[0]):
            target = toggled(self.bits, state.number, bit)
            entries.append((self.row[state], column, 1))
            for child in successors(state, target):
                if child in self.row:
                    entries.append((self.row[child], column, -1))
            if is_guess(state, target):
                entries.append((len(self.row) + self._moment(state.turn, target), column, 1))
        self._link(entries, goal)
        return self._matrix(entries, len(goal)), goal

    def _link(self, entries: Entries, goal: NDArray[np.float64]) -> None:
        """Make survival fall by what is hit."""
        for moment in range(self.horizon * self.size):
            row = len(self.row) + moment
            entries.append((row, self.alive + moment, 1))
            if moment < self.size:
                goal[row] = 1
            else:
                entries.append((row, self.alive + moment - self.size, -1))

    def _matrix(self, entries: Entries, height: int) -> object:
        from scipy.sparse import csr_matrix

        rows, columns, values = zip(*entries, strict=True)
        return csr_matrix((values, (rows, columns)), shape=(height, self.width))

    def _moment(self, turn: int, secret: int) -> int:
        return (turn - 1) * self.size + secret

    def _responses(self) -> object:
        entries: Entries = []
        for row, (state, bit) in enumerate(self.turns[1]):
            target = toggled(self.bits, state.number, bit)
            entries.append((row, self.value[state], -1))
            if is_guess(state, target):
                entries.append((row, self.alive + self._moment(state.turn, target), 1))
            for child in successors(state, target):
                if child in self.value:
                    entries.append((row, self.value[child], 1))
        return self._matrix(entries, len(self.turns[1]))

    def solve(self) -> Pair[Weights]:
        """Return optimal weights of the turns; player 2's are the multipliers of his responses."""
        with RequiredExtra("equilibrium", "Solving Binary Battle for a new number of bits"):
            from scipy.optimize import linprog

        flow, goal = self._flow()
        cost = np.zeros(self.width)
        cost[self.value[start(self.bits)]] = 1
        bounds = np.full((self.width, 2), [-np.inf, np.inf])
        bounds[: self.alive, 0] = 0
        limit, options = np.zeros(len(self.turns[1])), dict.fromkeys(TOLERANCES, TOLERANCE)
        solved = linprog(cost, self._responses(), limit, flow, goal, bounds, "highs-ds", options=options)
        if not solved.success:
            raise ArithmeticError(f"the linear programme failed: {solved.message}")
        return solved.x[: self.alive], -solved.ineqlin.marginals

    def hits(self, side: int, weights: Weights) -> Array:
        """Return [turn - 1, secret] -> weight of hits, the last turn taking what is not hit."""
        hits = np.zeros((self.horizon, self.size))
        for (state, bit), weight in zip(self.turns[side], weights.tolist(), strict=True):
            target = toggled(self.bits, state.number, bit)
            if weight > 0 and is_guess(state, target):
                hits[state.turn - 1, target] += weight
        hits[-1] += 1 - hits.sum(axis=0)
        return hits

    def strategy(self, side: int, weights: Weights) -> BehaviourStrategy:
        """Return the behaviour that has these weights."""
        split: dict[InformationState, dict[int, float]] = {}
        for (state, bit), weight in zip(self.turns[side], weights.tolist(), strict=True):
            split.setdefault(state, {})[bit] = weight
        return from_weights(self.bits, split)


def _extend_both(bits: int, horizon: int, plans: Pair[Plan], hits: Pair[Array]) -> bool:
    """Extend both plans by best responses, of equal ones those that hit sooner."""
    haste = TIE_BREAK * np.arange(horizon, 0, -1.0)[:, None]
    grown = False
    for side in (0, 1):
        rewards = rewards_of(side + 1, hits[1 - side])
        grown |= extend(bits, plans[side], response_tables(bits, rewards + haste))
    return grown


def _attempt(bits: int, horizon: int) -> tuple[Pair[BehaviourStrategy], Pair[Plan]]:
    plans: Pair[Plan] = ({}, {})
    never = np.zeros((horizon, 1 << bits))
    never[-1] = 1
    hits = never, never
    while _extend_both(bits, horizon, plans, hits):
        game = RestrictedGame(bits, horizon, plans)
        weights = game.solve()
        hits = game.hits(0, weights[0]), game.hits(1, weights[1])
    return (game.strategy(0, weights[0]), game.strategy(1, weights[1])), plans


def equilibrium_strategies(bits: int) -> tuple[Pair[BehaviourStrategy], Pair[Plan]]:
    """Return both equilibrium strategies, each hitting every secret for certain, and the plans."""
    for horizon in range(3 * bits + 2, 6 * bits + 9, bits):
        try:
            return _attempt(bits, horizon)
        except IncompleteStrategyError:
            # Some response was not through by the horizon; only a longer one tells what it misses.
            continue
    raise ArithmeticError(f"no horizon is long enough for {bits} bits")
