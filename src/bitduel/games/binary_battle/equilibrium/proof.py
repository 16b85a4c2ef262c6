"""The value as a fraction: solve the indifference equations exactly, then prove the result.

The proof does not rest on how the fractions were found: whatever the two strategies are, the exact
best response to each bounds the value, and if both bounds are the same fraction it is the value.
"""

from collections.abc import Iterator
from fractions import Fraction

from bitduel.games.binary_battle.equilibrium.double_oracle import Branch, Pair, Plan
from bitduel.games.binary_battle.equilibrium.information_states import (
    InformationState,
    bit_values,
    is_guess,
    response_tables,
    start,
    successors,
    toggled,
)
from bitduel.games.binary_battle.equilibrium.strategies import (
    BehaviourStrategy,
    Proof,
    from_weights,
    plan_of,
    rewards_of,
)

Unknown = tuple[InformationState, int]
Equation = dict[Unknown, Fraction]
Solution = dict[Unknown, Fraction]
KNOWN: Unknown = (InformationState(0, 0, 0, 0), 0)
VALUE = 0
TIE = 1e-9


def _support(strategy: BehaviourStrategy) -> Iterator[Branch]:
    for state, row in strategy.rows.items():
        for bit in range(1, strategy.bits + 1):
            if strategy.chances[row, bit - 1] > 0:
                yield state, bit


def _flow_equations(strategy: BehaviourStrategy) -> list[Equation]:
    """Make what enters a state leave it."""
    rows: dict[InformationState, Equation] = {state: {} for state in strategy.rows}
    rows[start(strategy.bits)][KNOWN] = Fraction(-1)
    for state, bit in _support(strategy):
        rows[state][state, bit] = Fraction(1)
        for child in successors(state, toggled(strategy.bits, state.number, bit)):
            rows[child][state, bit] = Fraction(-1)
    return list(rows.values())


def _guesses_of(strategy: BehaviourStrategy) -> dict[int, list[Branch]]:
    guesses: dict[int, list[Branch]] = {}
    for state, bit in _support(strategy):
        target = toggled(strategy.bits, state.number, bit)
        if is_guess(state, target):
            guesses.setdefault(target, []).append((state, bit))
    return guesses


def _tied_turns(seat: int, strategy: BehaviourStrategy, plan: Plan) -> Iterator[Branch]:
    """List the turns of the other seat's plan that are best responses, from the start on.

    Those it does not use count as well: a corner of the set of optimal strategies is where such
    turns become as good as the others.
    """
    bits = strategy.bits
    tables = response_tables(bits, rewards_of(3 - seat, strategy.hits))
    todo, seen = [start(bits)], set()
    while todo:
        state = todo.pop()
        if state in seen or state.turn > len(tables):
            continue
        seen.add(state)
        values = bit_values(bits, tables[state.turn - 1], state)
        for bit in plan.get(state, ()):
            if values[bit - 1] >= max(values) - TIE:
                yield state, bit
                todo += successors(state, toggled(bits, state.number, bit))


def _indifference_equations(seat: int, strategy: BehaviourStrategy, plan: Plan) -> list[Equation]:
    """Give every turn that ties the value, to the other seat, of the state it is made in."""
    guesses = _guesses_of(strategy)
    return [_tie(seat, strategy, guesses, turn) for turn in _tied_turns(seat, strategy, plan)]


def _tie(seat: int, strategy: BehaviourStrategy, guesses: dict[int, list[Branch]], turn: Branch) -> Equation:
    state, bit = turn
    target = toggled(strategy.bits, state.number, bit)
    row: Equation = {(state, VALUE): Fraction(-1)}
    for child in successors(state, target):
        # Nothing can be won once the strategy has surely hit.
        if child.turn <= len(strategy.hits):
            row[child, VALUE] = Fraction(1)
    if is_guess(state, target):
        row[KNOWN] = Fraction(1)
        for guess in guesses.get(target, []):
            if guess[0].turn < state.turn + (seat == 1):
                row[guess] = Fraction(-1)
    return row


class _System:
    """Linear equations brought into triangular form, in fractions and without many zeros."""

    def __init__(self, rows: list[Equation]) -> None:
        self.rows = rows
        self.left = set(range(len(rows)))
        self.where: dict[Unknown, set[int]] = {}
        for index, row in enumerate(rows):
            for key in row:
                self.where.setdefault(key, set()).add(index)

    def eliminate(self) -> list[tuple[Unknown, Equation]]:
        """Return each equation with the unknown it gives, always taking the shortest one left."""
        done = []
        while self.left:
            index = min(self.left, key=lambda place: len(self.rows[place]))
            self._retire(index)
            pivot = self.rows[index]
            unknowns = [key for key in pivot if key != KNOWN]
            # A row without unknowns says nothing or that there is no solution: the proof will tell.
            if unknowns:
                unknown = min(unknowns, key=lambda key: len(self.where[key]))
                done.append((unknown, pivot))
                for other in list(self.where[unknown]):
                    self._subtract(other, pivot, unknown)
        return done

    def _retire(self, index: int) -> None:
        self.left.remove(index)
        for key in self.rows[index]:
            self.where[key].discard(index)

    def _subtract(self, index: int, pivot: Equation, unknown: Unknown) -> None:
        row = self.rows[index]
        factor = row[unknown] / pivot[unknown]
        for key, value in pivot.items():
            rest = row.get(key, 0) - factor * value
            if rest:
                row[key] = rest
                self.where[key].add(index)
            else:
                row.pop(key, None)
                self.where[key].discard(index)


def _solutions(done: list[tuple[Unknown, Equation]], guess: Solution) -> Solution:
    """Substitute backwards; unknowns the equations leave free keep a nearby simple fraction."""
    values = {KNOWN: Fraction(1)}
    for unknown, row in reversed(done):
        total = Fraction(0)
        for key, factor in row.items():
            if key != unknown:
                total += factor * values.setdefault(key, guess.get(key, Fraction(0)))
        values[unknown] = -total / row[unknown]
    return values


def _rough_weights(strategy: BehaviourStrategy) -> Solution:
    rough: Solution = {}
    for state, bit in _support(strategy):
        row = strategy.rows[state]
        weight = float(strategy.reach[row] * strategy.chances[row, bit - 1])
        rough[state, bit] = Fraction(weight).limit_denominator(1000)
    return rough


def exact_strategy(seat: int, strategy: BehaviourStrategy, plan: Plan) -> BehaviourStrategy:
    """Return the strategy in fractions that makes the other seat, with this plan, indifferent."""
    rough = _rough_weights(strategy)
    rows = _flow_equations(strategy) + _indifference_equations(seat, strategy, plan)
    values = rough | _solutions(_System(rows).eliminate(), rough)
    weights: dict[InformationState, dict[int, Fraction]] = {}
    for state, bit in rough:
        weights.setdefault(state, {})[bit] = values[state, bit]
    return from_weights(strategy.bits, weights)


def prove(strategies: Pair[BehaviourStrategy], plans: Pair[Plan]) -> Proof | None:
    """Return the proof of the exact value, None if the fractions that were found prove nothing."""
    try:
        first, second = exact_strategy(1, strategies[0], plans[1]), exact_strategy(2, strategies[1], plans[0])
        return Proof((plan_of(first), plan_of(second)))
    except ValueError:
        return None
