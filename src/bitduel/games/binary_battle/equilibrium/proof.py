"""The value as a fraction: solve the indifference equations exactly, then prove the result.

The proof does not rest on how the fractions were found: whatever the two mixtures are, the exact
best reply to each bounds the value, and if both bounds are the same fraction it is the value.
"""

from collections.abc import Iterator
from fractions import Fraction

from bitduel.games.binary_battle.equilibrium.double_oracle import Branch, Pair, Plan
from bitduel.games.binary_battle.equilibrium.exact import Proof, plan_of
from bitduel.games.binary_battle.equilibrium.knowledge import (
    State,
    following,
    is_guess,
    reply_tables,
    start,
    toggled,
    worth_of_bits,
)
from bitduel.games.binary_battle.equilibrium.policy import Mixture, from_weights, rewards_of

Unknown = tuple[State, int]
Equation = dict[Unknown, Fraction]
Solution = dict[Unknown, Fraction]
KNOWN: Unknown = (State(0, 0, 0, 0), 0)
WORTH = 0
TIE = 1e-9


def _support(mixture: Mixture) -> Iterator[Branch]:
    for state, row in mixture.rows.items():
        for bit in range(1, mixture.bits + 1):
            if mixture.chances[row, bit - 1] > 0:
                yield state, bit


def _flow_equations(mixture: Mixture) -> list[Equation]:
    """Say that what enters a state leaves it."""
    rows: dict[State, Equation] = {state: {} for state in mixture.rows}
    rows[start(mixture.bits)][KNOWN] = Fraction(-1)
    for state, bit in _support(mixture):
        rows[state][state, bit] = Fraction(1)
        for child in following(state, toggled(mixture.bits, state.number, bit)):
            rows[child][state, bit] = Fraction(-1)
    return list(rows.values())


def _guesses_of(mixture: Mixture) -> dict[int, list[Branch]]:
    found: dict[int, list[Branch]] = {}
    for state, bit in _support(mixture):
        target = toggled(mixture.bits, state.number, bit)
        if is_guess(state, target):
            found.setdefault(target, []).append((state, bit))
    return found


def _tied_turns(seat: int, mixture: Mixture, plan: Plan) -> Iterator[Branch]:
    """List the turns of the other seat's plan that are best replies, from the start on.

    Those it does not use count as well: a corner of the set of optimal mixtures is where such
    turns become as good as the others.
    """
    bits = mixture.bits
    tables = reply_tables(bits, rewards_of(3 - seat, mixture.hits))
    todo, seen = [start(bits)], set()
    while todo:
        state = todo.pop()
        if state in seen or state.turn > len(tables):
            continue
        seen.add(state)
        worths = worth_of_bits(bits, tables[state.turn - 1], state)
        for bit in plan.get(state, ()):
            if worths[bit - 1] >= max(worths) - TIE:
                yield state, bit
                todo += following(state, toggled(bits, state.number, bit))


def _indifference_equations(seat: int, mixture: Mixture, plan: Plan) -> list[Equation]:
    """Say that every turn that ties is worth as much to the other seat as the state it is made in."""
    guesses = _guesses_of(mixture)
    return [_tie(seat, mixture, guesses, turn) for turn in _tied_turns(seat, mixture, plan)]


def _tie(seat: int, mixture: Mixture, guesses: dict[int, list[Branch]], turn: Branch) -> Equation:
    state, bit = turn
    target = toggled(mixture.bits, state.number, bit)
    row: Equation = {(state, WORTH): Fraction(-1)}
    for child in following(state, target):
        # Nothing can be won once the mixture has surely hit.
        if child.turn <= len(mixture.hits):
            row[child, WORTH] = Fraction(1)
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


def _rough_weights(mixture: Mixture) -> Solution:
    rough: Solution = {}
    for state, bit in _support(mixture):
        row = mixture.rows[state]
        weight = float(mixture.reach[row] * mixture.chances[row, bit - 1])
        rough[state, bit] = Fraction(weight).limit_denominator(1000)
    return rough


def exact_mixture(seat: int, mixture: Mixture, plan: Plan) -> Mixture:
    """Return the mixture in fractions that makes the other seat, with this plan, indifferent."""
    rough = _rough_weights(mixture)
    rows = _flow_equations(mixture) + _indifference_equations(seat, mixture, plan)
    values = rough | _solutions(_System(rows).eliminate(), rough)
    weights: dict[State, dict[int, Fraction]] = {}
    for state, bit in rough:
        weights.setdefault(state, {})[bit] = values[state, bit]
    return from_weights(mixture.bits, weights)


def prove(mixtures: Pair[Mixture], plans: Pair[Plan]) -> Proof | None:
    """Return the proof of the exact value, None if the fractions that were found prove nothing."""
    try:
        first, second = exact_mixture(1, mixtures[0], plans[1]), exact_mixture(2, mixtures[1], plans[0])
        return Proof((plan_of(first), plan_of(second)))
    except ValueError:
        return None
