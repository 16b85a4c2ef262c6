"""OpenSpiel's counterfactual regret minimisation learns to play in the dark, and comes to our exact value.

    python examples/cfr.py --bits 3 --most 200

It walks through the whole tree again and again, and knows nothing of how we solve the game. Its value is that of
player 0: 1 for a win and -1 for a loss, so that a chance p of winning is worth 2p - 1.
"""

import argparse
from collections.abc import Iterator
from typing import NamedTuple

import pyspiel

from bitduel import make, solve
from bitduel.rl.spiel_algorithms import tree

HORIZON = {1: 2, 2: 6, 3: 11}
"""By then best play has hit the secret, so that nothing is lost by cutting matches short after so many plies."""


class Moment(NamedTuple):
    """After so many walks: what the average plan is worth to player 0, and what best replies to it would gain."""

    walks: int
    value: float
    gain: float


def exact(bits: int) -> float:
    """Return the value of the game for the first player, by the shipped equilibrium."""
    chance = solve(make("battle", bits=bits)).win_probability
    assert chance is not None
    return 2 * chance - 1


def walks_to_look_at(most: int) -> set[int]:
    """1, 2, 5, 10, 20, 50 and so on, and the last."""
    return {first * 10**power for first in (1, 2, 5) for power in range(6)} & set(range(most)) | {most}


def learn(bits: int, most: int) -> Iterator[Moment]:
    """So many walks by CFR+, with a look now and then."""
    game = tree(pyspiel.load_game(f"bitduel_binary_battle(bits={bits},horizon={HORIZON[bits]})"))
    solver = pyspiel.CFRPlusSolver(game)
    looks = walks_to_look_at(most)
    for walk in range(1, most + 1):
        solver.evaluate_and_update_policy()
        if walk in looks:
            plan = solver.average_policy()
            value, _ = pyspiel.expected_returns(game.new_initial_state(), plan, -1, True, 0.0)
            yield Moment(walk, value, pyspiel.nash_conv(game, plan, True))


def main() -> None:
    """Learn, and say how far it is from what is exact."""
    parser = argparse.ArgumentParser(description="CFR of OpenSpiel on Binary Battle.")
    parser.add_argument("--bits", type=int, choices=sorted(HORIZON), default=2)
    parser.add_argument("--most", type=int, default=200)
    asked = parser.parse_args()
    goal = exact(asked.bits)
    print(f"exactly {goal:.9f}")
    for moment in learn(asked.bits, asked.most):
        off = abs(moment.value - goal)
        print(f"{moment.walks:5} walks: {moment.value:.9f}, off by {off:.1e}; a reply gains {moment.gain:.1e}")


if __name__ == "__main__":
    main()
