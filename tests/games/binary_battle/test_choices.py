"""Advice for the player to move."""

import numpy as np
import pytest

from battle_by_hand import solved
from bitduel.games.binary_battle.equilibrium import Equilibrium, InformationState
from bitduel.games.binary_battle.equilibrium.solution import VISIBLE


def posterior(game: Equilibrium, seat: int, turn: int, number: int, low: int, high: int) -> list[float]:
    """The probability of every secret given that the game still goes on."""
    weights = np.zeros(1 << game.bits)
    weights[low : high + 1] = 1.0
    if possible(game, seat, turn, number, low, high):
        weights *= game._rewards[seat - 1][turn - 1]
    return [float(weight) for weight in weights / weights.sum()]


def possible(game: Equilibrium, seat: int, turn: int, number: int, low: int, high: int) -> bool:
    """Whether the equilibrium opponent may still be without a hit in this situation."""
    return game._mass(seat, InformationState(turn, number, low, high)) > VISIBLE


def survival_of_opponent(game: Equilibrium, seat: int, turn: int) -> list[float]:
    """By secret, the chance that the opponent has not hit it when this turn begins."""
    rewards = game._rewards[seat - 1]
    return [float(alive) for alive in rewards[turn - 1]] if turn <= len(rewards) else [0.0] * (1 << game.bits)


@pytest.mark.parametrize("bits", [1, 2, 3, 4, 5])
def test_choices_at_the_start_agree_with_the_value(bits: int) -> None:
    game, top = solved(bits), (1 << bits) - 1
    first = max(win for _, win in game.choices(1, 1, 0, 0, top))
    second = max(win for _, win in game.choices(2, 1, 0, 0, top))
    assert first == pytest.approx(game.value, abs=1e-9)
    # Player 2 moves only if player 1's first turn missed, which one secret in 2^bits prevents.
    assert second * top / (top + 1) == pytest.approx(1 - game.value, abs=1e-9)


def expectation(game: Equilibrium, seat: int, turn: int, bit: int, low: int, high: int, number: int) -> float:
    """Compute a win probability from the posterior and the choices one turn later."""
    likely = posterior(game, seat, turn, number, low, high)
    target = number ^ (1 << (game.bits - bit))
    if not low <= target <= high:
        parts, won = [(low, high)], 0.0
    else:
        parts, won = [(low, target - 1), (target + 1, high)], likely[target]
    for left, right in parts:
        if left > right:
            continue
        alive = survival_of_opponent(game, seat, turn + 1)
        now = survival_of_opponent(game, seat, turn)
        weight = sum(likely[s] * alive[s] / now[s] for s in range(left, right + 1) if now[s] > 0)
        if weight > 1e-12:
            won += weight * max(win for _, win in game.choices(seat, turn + 1, target, left, right))
    return won


@pytest.mark.parametrize("bits", [2, 3, 4, 5])
@pytest.mark.parametrize("seat", [1, 2])
def test_used_turns_are_best_and_worths_follow_from_the_next_turn(bits: int, seat: int) -> None:
    game = solved(bits)
    mixture = game.strategies[seat - 1]
    for state in mixture.rows:
        if not possible(game, seat, *state):
            continue
        choices = game.choices(seat, *state)
        top = max(win for _, win in choices)
        for (bit, win), chance in zip(choices, game.behaviour(seat, *state), strict=True):
            assert -1e-12 <= win <= 1
            if chance > 0:
                assert win == pytest.approx(top, abs=1e-9)
            later = expectation(game, seat, state.turn, bit, state.low, state.high, state.number)
            assert win == pytest.approx(later, abs=1e-9)


def test_behaviour_off_the_path_is_a_best_reply() -> None:
    game = solved(4)
    state = InformationState(3, 5, 3, 12)
    assert game.strategies[0].at(state) is None
    chances = game.behaviour(1, *state)
    choices = game.choices(1, *state)
    assert sum(chances) == 1.0
    assert choices[chances.index(1.0)][1] == max(win for _, win in choices)


@pytest.mark.parametrize("turn", [20, 1000, 10**9])
def test_someone_may_dither(turn: int) -> None:
    game = solved(5)
    assert not possible(game, 1, turn, 7, 0, 31)
    assert game.choices(1, turn, 1, 0, 0) == [(1, 0.25), (2, 0.25), (3, 0.25), (4, 0.25), (5, 1.0)]
    assert sum(posterior(game, 1, turn, 7, 8, 11)) == pytest.approx(1)


@pytest.mark.parametrize(
    "question",
    [(0, 1, 0, 0, 7), (3, 1, 0, 0, 7), (1, 0, 0, 0, 7), (1, 1, 8, 0, 7), (1, 1, 0, 5, 4), (1, 1, 0, 0, 8)],
)
def test_nonsense_is_refused(question: tuple[int, int, int, int, int]) -> None:
    with pytest.raises(ValueError, match=r"position|know this|seat must"):
        solved(3).choices(*question)
