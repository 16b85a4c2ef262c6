"""The score of several rounds between the same two players, and how it is told."""

from bitduel.core.endings import Outcome, counts
from bitduel.core.words import Names


class Score:
    """Wins of each seat and draws, round after round."""

    def __init__(self, rounds: int, names: Names) -> None:
        self.rounds = rounds
        self.names = names
        self.wins = {1: 0, 2: 0}
        self.draws = 0

    @property
    def played(self) -> int:
        """How many rounds are over."""
        return sum(self.wins.values()) + self.draws

    def add(self, outcome: Outcome) -> None:
        """Count a round that is over; one that was called off does not count."""
        if not counts(outcome):
            return
        if outcome.winner is None:
            self.draws += 1
        else:
            self.wins[outcome.winner] += 1

    def announce(self, starter: int) -> str:
        """What is said before a round."""
        return f"Round {self.played + 1} of {self.rounds}. {self.names[starter - 1]} starts."

    def standing(self) -> str:
        """The running score, after a round."""
        return f"Score after round {self.played} of {self.rounds}: {self.tally()}."

    def tally(self, mark: str = "") -> str:
        """The score alone: Ada 2, Alan 1, drawn 1; with a mark after each name, for names that end in a number."""
        wins = ", ".join(f"{self.names[seat - 1]}{mark} {won}" for seat, won in self.wins.items())
        return f"{wins}, drawn{mark} {self.draws}" if self.draws else wins

    def champion(self) -> str:
        """Who won the most rounds; a tie is a tie."""
        high, low = max(self.wins.values()), min(self.wins.values())
        if high == low:
            return f"It is a tie, {high} to {low}."
        winner = max(self.wins, key=lambda seat: self.wins[seat])
        return f"{self.names[winner - 1]} is the champion, {high} to {low}!"
