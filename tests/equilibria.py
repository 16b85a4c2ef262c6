"""Looking into an equilibrium: what is likely, and who may still be without a hit."""

import numpy as np

from bitduel.games.binary_battle.equilibrium import Equilibrium, State
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
    return game._mass(seat, State(turn, number, low, high)) > VISIBLE


def survival_of_opponent(game: Equilibrium, seat: int, turn: int) -> list[float]:
    """By secret, the chance that the opponent has not hit it when this turn begins."""
    rewards = game._rewards[seat - 1]
    return [float(alive) for alive in rewards[turn - 1]] if turn <= len(rewards) else [0.0] * (1 << game.bits)
