"""Outcomes of matches, the endings that no rulebook has, and the score of several rounds."""

from typing import NamedTuple


class Outcome(NamedTuple):
    """The winner of a match (None for a draw), and the reason."""

    winner: int | None
    reason: str


class Ending(NamedTuple):
    """A way to end a match that is in no rulebook, with its sentences."""

    reason: str
    won: str = ""
    """The sentence for a win; empty if nobody can win by it."""
    drawn: str = ""
    """The sentence for a draw; empty if somebody must win."""
    by_moves: bool = False
    """Whether it follows from the moves, so that it cannot be claimed."""
    is_counted: bool = True
    """Whether the match has a result; one that was called off or stopped has none."""

    def fits(self, outcome: Outcome) -> bool:
        """Return whether the ending can have this outcome."""
        return outcome.reason == self.reason and bool(self.drawn if outcome.winner is None else self.won)

    def sentence(self, outcome: Outcome, names: tuple[str, str]) -> str:
        """Return the sentence for an outcome."""
        if outcome.winner is None:
            return self.drawn
        return self.won.format(winner=names[outcome.winner - 1], loser=names[2 - outcome.winner])


RESIGNATION = "resignation"
REPETITION = "repetition"
AGREED_DRAW = "agreed draw"
TIME = "time"
ILLEGAL_MOVE = "illegal move"
CRASH = "crash"
GARBLED = "garbled answer"
ALLOWANCE = "allowance"
ABANDONED = "abandoned"
CALLED_OFF = "called off"
STOPPED = "ended by the teacher"

ENDINGS = {
    ending.reason: ending
    for ending in (
        Ending(RESIGNATION, "{loser} resigns. {winner} wins the game!"),
        Ending(REPETITION, drawn="The same position has come up three times. The game is a draw.", by_moves=True),
        Ending(AGREED_DRAW, drawn="The players agreed to a draw."),
        Ending(TIME, "{loser} has run out of time. {winner} wins the game!"),
        Ending(ILLEGAL_MOVE, "{loser} has made an illegal move. {winner} wins the game!"),
        Ending(CRASH, "{loser} has crashed. {winner} wins the game!"),
        Ending(GARBLED, "{loser} sent an answer we couldn't read. {winner} wins the game!"),
        Ending(ALLOWANCE, "{loser} has used up its answers or tokens. {winner} wins the game!"),
        Ending(ABANDONED, "{loser} has left. {winner} wins the game!", "The match was abandoned. Nobody wins."),
        Ending(CALLED_OFF, drawn="The match was cancelled at the start. It doesn't count.", is_counted=False),
        Ending(STOPPED, drawn="The match was ended by the teacher. It doesn't count.", is_counted=False),
    )
}
"""Every ending that is not in the rules of a game, by its reason."""


def is_counted(outcome: Outcome) -> bool:
    """Return whether an outcome counts as won, lost or drawn; that of a cancelled match does not."""
    ending = ENDINGS.get(outcome.reason)
    return ending is None or ending.is_counted


WON, LOST, DRAWN = "won", "lost", "drawn"


def result_for(seat: int, outcome: Outcome) -> str | None:
    """Return the result for a seat: won, lost or drawn, or None if it does not count."""
    if not is_counted(outcome):
        return None
    return DRAWN if outcome.winner is None else WON if outcome.winner == seat else LOST


def can_be_claimed(outcome: Outcome) -> bool:
    """Return whether a match that its moves leave open can have ended with this outcome."""
    ending = ENDINGS.get(outcome.reason) if isinstance(outcome.reason, str) else None
    known = outcome.winner is None or (type(outcome.winner) is int and outcome.winner in (1, 2))
    return ending is not None and known and ending.fits(outcome) and not ending.by_moves


class SeriesScore:
    """The score of several rounds between the same two players."""

    def __init__(self, rounds: int, names: tuple[str, str]) -> None:
        self.rounds = rounds
        self.names = names
        self.wins = {1: 0, 2: 0}
        self.draws = 0

    @property
    def played(self) -> int:
        """The number of rounds that are over."""
        return sum(self.wins.values()) + self.draws

    def add(self, outcome: Outcome) -> None:
        """Count a round, unless it was called off."""
        if not is_counted(outcome):
            return
        if outcome.winner is None:
            self.draws += 1
        else:
            self.wins[outcome.winner] += 1

    def announce(self, starter: int) -> str:
        """Return the line before a round."""
        return f"Round {self.played + 1} of {self.rounds}. {self.names[starter - 1]} starts."

    def standing(self) -> str:
        """Return the line after a round."""
        return f"Score after round {self.played} of {self.rounds}: {self.tally()}."

    def tally(self, mark: str = "") -> str:
        """Return the score alone: Ada 2, Alan 1, drawn 1; a mark after the names helps where one ends in a number."""
        wins = ", ".join(f"{self.names[seat - 1]}{mark} {won}" for seat, won in self.wins.items())
        return f"{wins}, drawn{mark} {self.draws}" if self.draws else wins

    def champion(self) -> str:
        """Return the line after the last round."""
        high, low = max(self.wins.values()), min(self.wins.values())
        if high == low:
            return f"It's a tie, {high} to {low}."
        winner = max(self.wins, key=lambda seat: self.wins[seat])
        return f"{self.names[winner - 1]} is the champion, {high} to {low}!"
