"""A learner that knows no rules plays an open game against itself until it makes no mistake any more.

    python examples/learn.py double --set target=50

It has a table of what each action is worth at each observation, and after every step moves the entry towards what came
of it: the reward where the match ended, else the opposite of what the other player can reach from there. The oracle,
which the learner never sees, says how much its best guesses would give away.
"""

import argparse
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from bitduel import Match, make
from bitduel.arena.regret import stakes_of
from bitduel.core.game import Game
from bitduel.rl import Batch
from bitduel.solver.evaluators import evaluator_for

LANES, CURIOUS, RATE = 256, 0.3, 0.5
"""Matches side by side, how often an action is tried at random, and how far an entry moves towards what came of it."""


class Moment(NamedTuple):
    """How far the learner has come: matches played, and what it gives away at a decision, a win being 1."""

    matches: int
    regret: float


class Learner:
    """A table of worths: a row for each observation, a column for each action."""

    def __init__(self, game: Game[Any], seed: int = 0) -> None:
        self.game = game
        self.low = np.array([feature.low for feature in game.features])
        self.sizes = [feature.high - feature.low + 1 for feature in game.features]
        self.worth = np.zeros((int(np.prod(self.sizes)), len(game.moves)))
        self.batch = Batch(game, LANES, seed)
        self.rng = np.random.default_rng(seed)
        self.matches = 0

    def place(self, rows: np.ndarray) -> np.ndarray:
        """Return the rows of the table that belong to observations."""
        return np.asarray(np.ravel_multi_index(tuple((rows - self.low).T), self.sizes))

    def step(self) -> None:
        """One move in every match, and what it teaches."""
        batch, here = self.batch, self.place(self.batch.observation)
        guesses = np.where(batch.mask, self.worth[here], -np.inf)
        guesses += 1e-6 * self.rng.random(guesses.shape)
        tries = self.rng.random(LANES) < CURIOUS
        actions = np.where(tries, batch.sample(self.rng), guesses.argmax(axis=1))
        batch.step(actions)
        theirs = np.where(batch.mask, self.worth[self.place(batch.observation)], -np.inf).max(axis=1)
        came = np.where(batch.done, batch.reward, -theirs)
        self.worth[here, actions] += RATE * (came - self.worth[here, actions])
        self.matches += int(batch.done.sum())

    def best(self, match: Match) -> str:
        """Return the legal move with the highest estimate."""
        row = np.array([self.game.encode_view(match.view(match.to_move))])
        worth = self.worth[self.place(row)[0]]
        return max(match.legal, key=lambda move: worth[self.game.moves.index(move)])


def positions(game: Game[Any]) -> Iterator[Match]:
    """Return a match at every position of an open game."""
    queue = [Match(game)]
    met = {queue[0].position}
    for match in queue:
        yield match
        for after in map(match.after, match.legal):
            if not after.outcome and after.position not in met:
                met.add(after.position)
                queue.append(after)


def regret(learner: Learner) -> float:
    """Return the learner's mean regret over the positions where a mistake is possible."""
    judge, losses = evaluator_for(learner.game), []
    for match in positions(learner.game):
        stakes = stakes_of(judge.choices(match.view(match.to_move)))
        if stakes.is_decision:
            losses.append(stakes.losses[learner.best(match)])
    return float(np.mean(losses)) if losses else 0.0


def learn(game: Game[Any], most: int = 2000, every: int = 20, seed: int = 0) -> Iterator[Moment]:
    """Learn until nothing is given away any more, or for so many steps; look every so many."""
    learner = Learner(game, seed)
    for number in range(most + 1):
        if number % every == 0:
            moment = Moment(learner.matches, regret(learner))
            yield moment
            if not moment.regret:
                return
        learner.step()


def main() -> None:
    """Learn a game and say how it goes."""
    parser = argparse.ArgumentParser(description="Learn an open game by playing against oneself.")
    parser.add_argument("game", nargs="?", default="double")
    parser.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE")
    asked = parser.parse_args()
    game = make(asked.game, dict(text.split("=", 1) for text in asked.set))
    for moment in learn(game):
        print(f"{moment.matches:7,} matches: gives away {moment.regret:.4f} points a decision")


if __name__ == "__main__":
    main()
