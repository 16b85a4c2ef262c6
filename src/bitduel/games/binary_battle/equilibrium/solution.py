"""The equilibrium of the hidden table: its value, its proof and advice for every situation."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from bitduel.games.binary_battle.equilibrium.information_states import (
    Array,
    InformationState,
    bit_values,
    check_bits,
    check_state,
    constant_hazard_table,
    response_tables,
    response_value,
)
from bitduel.games.binary_battle.equilibrium.strategies import BehaviourStrategy, Proof, rewards_of

GAP = 1e-9
VISIBLE = 1e-12


@dataclass(frozen=True)
class ResponseBounds:
    """The win probability of each seat's best response to the other's strategy."""

    first: float
    second: float

    @property
    def gap(self) -> float:
        """The most that the value may still be off; zero at the very equilibrium."""
        return self.first + self.second - 1


@dataclass(frozen=True)
class Equilibrium:
    """Optimal strategies of both seats, seat 1 moving first."""

    bits: int
    strategies: tuple[BehaviourStrategy, BehaviourStrategy]
    proof: Proof | None = None

    @property
    def exact(self) -> Fraction | None:
        """The value as a fraction, if it is proved."""
        return self.proof.value if self.proof else None

    @cached_property
    def value(self) -> float:
        """Player 1's win probability when both keep to their strategies."""
        return float(self._wins.sum()) / (1 << self.bits)

    def value_for(self, secret: int) -> float:
        """Return the same where this is the secret."""
        return float(self._wins[:, secret].sum())

    @cached_property
    def certificate(self) -> ResponseBounds:
        """The most that each seat could win against the other's strategy."""
        first, second = (float(response_value(self.bits, self._rewards[seat - 1])) for seat in (1, 2))
        return ResponseBounds(first / (1 << self.bits), second / (1 << self.bits))

    def check(self) -> None:
        """Raise ValueError unless value and certificate agree."""
        certificate = self.certificate
        if not all(abs(doubt) <= GAP for doubt in (certificate.gap, certificate.first - self.value)):
            raise ValueError(f"this is not an equilibrium: {certificate}, value {self.value}")

    def choices(self, seat: int, turn: int, number: int, low: int, high: int) -> list[tuple[int, float]]:
        """Return (bit, win probability) for every bit, given that the game still goes on.

        The player then plays best against the equilibrium opponent. If that opponent should have
        won by now, as always in late turns, nothing is known of the one who has not: the secret is
        taken as uniform in the interval and the opponent as hitting in each turn by even chance.
        """
        state = self._state(seat, turn, number, low, high)
        mass = self._mass(seat, state)
        if self.expects(seat, *state):
            table = self._tables[seat - 1][turn - 1]
        else:
            mass, table = high - low + 1.0, constant_hazard_table(self.bits)
        values = bit_values(self.bits, table, state)
        return [(bit, min(float(value) / mass, 1.0)) for bit, value in enumerate(values, start=1)]

    def behaviour(self, seat: int, turn: int, number: int, low: int, high: int) -> list[float]:
        """Return the probability of toggling each bit; off the strategy's paths a best response."""
        state = self._state(seat, turn, number, low, high)
        mixed = self.strategies[seat - 1].at(state)
        if mixed is not None:
            return mixed
        wins = [win for _, win in self.choices(seat, *state)]
        best = wins.index(max(wins))
        return [float(place == best) for place in range(self.bits)]

    def expects(self, seat: int, turn: int, number: int, low: int, high: int) -> bool:
        """Tell whether an opponent who plays the equilibrium may still be without a hit."""
        return self._mass(seat, self._state(seat, turn, number, low, high)) > VISIBLE

    def _state(self, seat: int, turn: int, number: int, low: int, high: int) -> InformationState:
        state = InformationState(turn, number, low, high)
        check_state(self.bits, state)
        if seat not in (1, 2):
            raise ValueError(f"a seat must be 1 or 2, not {seat}")
        return state

    @cached_property
    def _rewards(self) -> tuple[Array, Array]:
        """By seat, [turn - 1, secret] -> chance that the opponent has not hit by that turn."""
        first, second = self.strategies
        return rewards_of(1, second.hits), rewards_of(2, first.hits)

    @cached_property
    def _wins(self) -> Array:
        """By [turn - 1, secret], the chance that player 1 wins in that turn, given the secret."""
        hits, in_time = self.strategies[0].hits, self._rewards[0]
        turns = min(len(hits), len(in_time))
        return np.asarray(hits[:turns] * in_time[:turns])

    def _mass(self, seat: int, state: InformationState) -> float:
        rewards = self._rewards[seat - 1]
        if state.turn > len(rewards):
            return 0.0
        return float(rewards[state.turn - 1, state.low : state.high + 1].sum())

    @cached_property
    def _tables(self) -> tuple[list[Array], list[Array]]:
        return response_tables(self.bits, self._rewards[0]), response_tables(self.bits, self._rewards[1])


def proved(proof: Proof) -> Equilibrium:
    """Return the equilibrium that two plans prove."""
    first, second = proof.plans
    return Equilibrium(first.bits, (first.rounded(), second.rounded()), proof)


def solve(bits: int, exact: bool = True) -> Equilibrium:
    """Compute the equilibrium, with its value proved as a fraction if asked and possible."""
    from bitduel.games.binary_battle.equilibrium.double_oracle import equilibrium_strategies
    from bitduel.games.binary_battle.equilibrium.proof import prove

    check_bits(bits)
    strategies, plans = equilibrium_strategies(bits)
    proof = prove(strategies, plans) if exact else None
    equilibrium = proved(proof) if proof else Equilibrium(bits, strategies)
    equilibrium.check()
    return equilibrium
