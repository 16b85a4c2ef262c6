"""The hidden table."""

from fractions import Fraction

import numpy as np
import pytest

from battle_by_hand import matrix_value, played_value, solved
from bitduel.games.binary_battle.equilibrium import solve
from bitduel.games.binary_battle.equilibrium.double_oracle import Plan, RestrictedGame
from bitduel.games.binary_battle.equilibrium.information_states import InformationState, start, successors, toggled

VALUES = {
    1: Fraction(1),
    2: Fraction(7, 8),
    3: Fraction(43, 56),
    4: Fraction(691349, 973536),
    5: Fraction(53385752187865, 78837601833728),
}


def test_one_bit_is_won_by_the_first_player() -> None:
    game = solved(1)
    assert game.exact == 1
    assert game.value == 1.0
    assert game.choices(1, 1, 0, 0, 1) == [(1, 1.0)]
    # The secret must be 0: player 2 toggles in vain, player 1 is back on 0 first.
    assert game.choices(2, 1, 0, 0, 1) == [(1, 0.0)]


@pytest.mark.parametrize("bits", VALUES)
def test_value_and_certificate(bits: int) -> None:
    game = solved(bits)
    assert game.exact == VALUES[bits]
    assert game.value == pytest.approx(float(VALUES[bits]), abs=1e-12)
    assert abs(game.certificate.gap) <= 1e-9
    assert game.certificate.first == pytest.approx(game.value, abs=1e-9)
    assert game.certificate.second == pytest.approx(1 - game.value, abs=1e-9)


@pytest.mark.parametrize("bits", VALUES)
def test_mixtures_played_out_give_the_value(bits: int) -> None:
    assert played_value(solved(bits)) == pytest.approx(solved(bits).value, abs=1e-12)


@pytest.mark.parametrize(("bits", "left"), [(1, 4), (2, 7), (3, 10), (4, 13)])
def test_all_pure_strategies_give_the_same_value(bits: int, left: int) -> None:
    assert matrix_value(bits, left) == pytest.approx(float(VALUES[bits]), abs=1e-9)


def every_turn(bits: int, horizon: int) -> Plan:
    plan: Plan = {}
    todo = [start(bits)]
    while todo:
        state = todo.pop()
        if state not in plan and state.turn <= horizon:
            plan[state] = set(range(1, bits + 1))
            for bit in plan[state]:
                todo += successors(state, toggled(bits, state.number, bit))
    return plan


@pytest.mark.parametrize(("bits", "horizon"), [(2, 8), (3, 10)])
def test_one_linear_programme_of_all_turns_gives_the_same_value(bits: int, horizon: int) -> None:
    plan = every_turn(bits, horizon)
    game = RestrictedGame(bits, horizon, (plan, plan))
    first, second = (game.hits(side, weights) for side, weights in enumerate(game.solve()))
    survival = 1 - np.vstack([np.zeros(1 << bits), second.cumsum(axis=0)[:-1]])
    assert (first * survival).sum() / (1 << bits) == pytest.approx(float(VALUES[bits]), abs=1e-9)


def test_without_proof_the_value_is_the_same() -> None:
    game = solve(3, exact=False)
    assert game.exact is None
    assert game.value == pytest.approx(43 / 56, abs=1e-12)


@pytest.mark.parametrize("bits", [0, 8, -1])
def test_bits_out_of_range(bits: int) -> None:
    with pytest.raises(ValueError, match="bits"):
        solve(bits)


def test_following_covers_every_outcome() -> None:
    state = InformationState(3, 4, 2, 6)
    assert successors(state, 5) == [InformationState(4, 5, 2, 4), InformationState(4, 5, 6, 6)]
    assert successors(state, 2) == [InformationState(4, 2, 3, 6)]
    assert successors(state, 0) == [InformationState(4, 0, 2, 6)]


@pytest.mark.slow
def test_six_bits() -> None:
    game = solved(6)
    assert game.exact == Fraction(480743739955900620941626617074238501, 730618013187258304549719240606906880)
    assert abs(game.certificate.gap) <= 1e-9
    assert played_value(game) == pytest.approx(game.value, abs=1e-12)
