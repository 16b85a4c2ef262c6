"""Double oracle on states of knowledge: best replies extend a game solved by one flow LP."""

from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from bitduel.core.extras import extra
from bitduel.games.binary_battle.equilibrium.knowledge import (
    Array,
    State,
    best_bit,
    following,
    is_guess,
    reply_tables,
    start,
    toggled,
)
from bitduel.games.binary_battle.equilibrium.policy import IncompletePolicyError, Mixture, from_weights, rewards_of

Plan = dict[State, set[int]]
Branch = tuple[State, int]
Item = TypeVar("Item")
Pair = tuple[Item, Item]
Weights = NDArray[np.float64]
TIE_BREAK = 1e-11
TOLERANCE = 1e-10
TOLERANCES = ("primal_feasibility_tolerance", "dual_feasibility_tolerance")


@dataclass
class _Matrix:
    """A sparse matrix being written down."""

    rows: list[int] = field(default_factory=list)
    columns: list[int] = field(default_factory=list)
    values: list[float] = field(default_factory=list)

    def add(self, row: int, column: int, value: float) -> None:
        self.rows.append(row)
        self.columns.append(column)
        self.values.append(value)

    def build(self, height: int, width: int) -> object:
        from scipy.sparse import csr_matrix

        return csr_matrix((self.values, (self.rows, self.columns)), shape=(height, width))


def extend(bits: int, plan: Plan, tables: list[Array]) -> bool:
    """Add the turns of a best reply to a plan and tell whether any was new."""
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
        todo += following(state, toggled(bits, state.number, bit))
    return grown


def turns_of(plan: Plan) -> list[Branch]:
    """List the (state, bit) of a plan in a fixed order."""
    return [(state, bit) for state in sorted(plan) for bit in sorted(plan[state])]


class RestrictedGame:
    """Both players keep to their plans: a linear programme in three blocks of variables.

    They are the weights of player 1's turns, his survival [turn, secret], and the worth of
    player 2's states. Player 1 minimises what player 2's best reply is worth.
    """

    def __init__(self, bits: int, horizon: int, plans: Pair[Plan]) -> None:
        """Give every variable of the programme its place."""
        self.bits, self.horizon, self.size = bits, horizon, 1 << bits
        self.turns = turns_of(plans[0]), turns_of(plans[1])
        self.row = {state: row for row, state in enumerate(plans[0])}
        self.alive = len(self.turns[0])
        worth = self.alive + horizon * self.size
        self.worth = {state: worth + k for k, state in enumerate(plans[1])}
        self.width = worth + len(plans[1])

    def _flow(self) -> tuple[object, NDArray[np.float64]]:
        matrix = _Matrix()
        goal = np.zeros(len(self.row) + self.horizon * self.size)
        goal[self.row[start(self.bits)]] = 1
        for column, (state, bit) in enumerate(self.turns[0]):
            target = toggled(self.bits, state.number, bit)
            matrix.add(self.row[state], column, 1)
            for child in following(state, target):
                if child in self.row:
                    matrix.add(self.row[child], column, -1)
            if is_guess(state, target):
                matrix.add(len(self.row) + self._moment(state.turn, target), column, 1)
        self._link(matrix, goal)
        return matrix.build(len(goal), self.width), goal

    def _link(self, matrix: _Matrix, goal: NDArray[np.float64]) -> None:
        """Say that survival falls by what is hit."""
        for moment in range(self.horizon * self.size):
            row = len(self.row) + moment
            matrix.add(row, self.alive + moment, 1)
            if moment < self.size:
                goal[row] = 1
            else:
                matrix.add(row, self.alive + moment - self.size, -1)

    def _moment(self, turn: int, secret: int) -> int:
        return (turn - 1) * self.size + secret

    def _replies(self) -> object:
        matrix = _Matrix()
        for row, (state, bit) in enumerate(self.turns[1]):
            target = toggled(self.bits, state.number, bit)
            matrix.add(row, self.worth[state], -1)
            if is_guess(state, target):
                matrix.add(row, self.alive + self._moment(state.turn, target), 1)
            for child in following(state, target):
                if child in self.worth:
                    matrix.add(row, self.worth[child], 1)
        return matrix.build(len(self.turns[1]), self.width)

    def solve(self) -> Pair[Weights]:
        """Return optimal weights of the turns; player 2's are the multipliers of his replies."""
        with extra("equilibrium", "Solving Binary Battle for a new number of bits"):
            from scipy.optimize import linprog

        flow, goal = self._flow()
        cost = np.zeros(self.width)
        cost[self.worth[start(self.bits)]] = 1
        bounds = np.full((self.width, 2), [-np.inf, np.inf])
        bounds[: self.alive, 0] = 0
        limit, options = np.zeros(len(self.turns[1])), dict.fromkeys(TOLERANCES, TOLERANCE)
        found = linprog(cost, self._replies(), limit, flow, goal, bounds, "highs-ds", options=options)
        if not found.success:
            raise ArithmeticError(f"the linear programme failed: {found.message}")
        return found.x[: self.alive], -found.ineqlin.marginals

    def hits(self, side: int, weights: Weights) -> Array:
        """Return [turn - 1, secret] -> weight of hits, the last turn taking what is not hit."""
        hits = np.zeros((self.horizon, self.size))
        for (state, bit), weight in zip(self.turns[side], weights.tolist(), strict=True):
            target = toggled(self.bits, state.number, bit)
            if weight > 0 and is_guess(state, target):
                hits[state.turn - 1, target] += weight
        hits[-1] += 1 - hits.sum(axis=0)
        return hits

    def mixture(self, side: int, weights: Weights) -> Mixture:
        """Return the behaviour that has these weights."""
        split: dict[State, dict[int, float]] = {}
        for (state, bit), weight in zip(self.turns[side], weights.tolist(), strict=True):
            split.setdefault(state, {})[bit] = weight
        return from_weights(self.bits, split)


def _extend_both(bits: int, horizon: int, plans: Pair[Plan], hits: Pair[Array]) -> bool:
    """Extend both plans by best replies, of equal ones those that hit sooner."""
    haste = TIE_BREAK * np.arange(horizon, 0, -1.0)[:, None]
    grown = False
    for side in (0, 1):
        rewards = rewards_of(side + 1, hits[1 - side])
        grown |= extend(bits, plans[side], reply_tables(bits, rewards + haste))
    return grown


def _attempt(bits: int, horizon: int) -> tuple[Pair[Mixture], Pair[Plan]]:
    plans: Pair[Plan] = ({}, {})
    never = np.zeros((horizon, 1 << bits))
    never[-1] = 1
    hits = never, never
    while _extend_both(bits, horizon, plans, hits):
        game = RestrictedGame(bits, horizon, plans)
        weights = game.solve()
        hits = game.hits(0, weights[0]), game.hits(1, weights[1])
    return (game.mixture(0, weights[0]), game.mixture(1, weights[1])), plans


def equilibrium_mixtures(bits: int) -> tuple[Pair[Mixture], Pair[Plan]]:
    """Return both equilibrium mixtures, each hitting every secret for certain, and the plans."""
    for horizon in range(3 * bits + 2, 6 * bits + 9, bits):
        try:
            return _attempt(bits, horizon)
        except IncompletePolicyError:
            # Some reply was not through by the horizon; only a longer one tells what it misses.
            continue
    raise ArithmeticError(f"no horizon is long enough for {bits} bits")
