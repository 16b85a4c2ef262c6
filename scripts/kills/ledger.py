"""A match as those who play it know it: what was sent, what was answered, and what a store may therefore hold."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from bitduel.core.match import Match
from bitduel.games.registry import make

PATIENCE = 30.0
"""Seconds after which something that must come has not come."""


class ViolationError(Exception):
    """A move was lost, doubled, made up or not seen."""


def long_race() -> Match:
    """Return a match of about thirty moves, with two legal moves nearly everywhere."""
    return Match(make("64", {"target": 100_000}), 1)


@dataclass
class Ledger:
    """The moves of one match in the order in which they were sent; all but the last are answered."""

    match: Match = field(default_factory=long_race)
    answered: int = 0
    seen: int = 0
    """The ply that somebody who watches was told of, which therefore stays."""

    def send(self, dice: Random) -> str:
        """Return a random legal move to send."""
        move = dice.choice(self.match.legal)
        self.match.play(move)
        return move

    def answer(self) -> None:
        """All that was sent has been acknowledged."""
        self.answered = self.match.ply

    def see(self, ply: int) -> None:
        """Somebody was told of so many moves."""
        if ply > self.match.ply:
            raise ViolationError(f"A viewer was told of {ply} moves, and only {self.match.ply} were sent.")
        self.seen = max(self.seen, ply)

    @property
    def due(self) -> int:
        """So many moves are there for good."""
        return max(self.answered, self.seen)

    def check(self, kept: Sequence[str], due: int) -> int:
        """How many moves are kept: all that were due before it was looked, each once, and nothing that was not sent."""
        sent = self.match.moves
        if len(kept) < due:
            raise ViolationError(f"{due} moves were acknowledged or shown, and only {len(kept)} are kept.")
        if list(kept) != list(sent[: len(kept)]):
            raise ViolationError(f"What is kept was not sent so: {' '.join(kept)}; sent: {' '.join(sent)}.")
        return len(kept)

    def settle(self, kept: Sequence[str]) -> None:
        """Go on from what is kept: what was sent and is not there will never be."""
        self.answered = self.check(kept, self.due)
        self.match = self.match.at(self.answered)
