"""How a match ends: by the rules of its game, or in one of the ways declared here, which hold for every game."""

from typing import NamedTuple


class Outcome(NamedTuple):
    """How a match ended: who won (None for a draw) and why."""

    winner: int | None
    reason: str


class Ending(NamedTuple):
    """A way to end a match that is in no rulebook, and how it is said."""

    reason: str
    won: str = ""
    """What is said where somebody wins by it; empty where nobody can."""
    drawn: str = ""
    """What is said where nobody does; empty where somebody must."""
    by_moves: bool = False
    """Whether it follows from the moves, so that nobody can claim it."""
    counts: bool = True
    """Whether it is a result; a match that was called off is none."""

    def fits(self, outcome: Outcome) -> bool:
        """Whether a match can end like this."""
        return outcome.reason == self.reason and bool(self.drawn if outcome.winner is None else self.won)

    def say(self, outcome: Outcome, names: tuple[str, str]) -> str:
        """The sentence for it."""
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

ENDINGS = {
    ending.reason: ending
    for ending in (
        Ending(RESIGNATION, "{loser} resigns. {winner} wins the game!"),
        Ending(REPETITION, drawn="The same position has come up three times. The game is a draw.", by_moves=True),
        Ending(AGREED_DRAW, drawn="The players agree on a draw."),
        Ending(TIME, "{loser} has run out of time. {winner} wins the game!"),
        Ending(ILLEGAL_MOVE, "{loser} has made an illegal move. {winner} wins the game!"),
        Ending(CRASH, "{loser} has crashed. {winner} wins the game!"),
        Ending(GARBLED, "{loser} has given no answer that makes sense. {winner} wins the game!"),
        Ending(ALLOWANCE, "{loser} has used up its answers or tokens. {winner} wins the game!"),
        Ending(ABANDONED, "{loser} has left. {winner} wins the game!", "The match was abandoned. Nobody wins."),
        Ending(CALLED_OFF, drawn="The match was called off before it had begun. It does not count.", counts=False),
    )
}
"""Every way a match can end that is not in the rules, by its reason."""


def counts(outcome: Outcome) -> bool:
    """Whether a match that ended like this is won, lost or drawn, and not as if it had never been."""
    ending = ENDINGS.get(outcome.reason)
    return ending is None or ending.counts


WON, LOST, DRAWN = "won", "lost", "drawn"


def result_for(seat: int, outcome: Outcome) -> str | None:
    """Return what a match is to the player on a seat: won, lost or drawn, or None where it does not count."""
    if not counts(outcome):
        return None
    return DRAWN if outcome.winner is None else WON if outcome.winner == seat else LOST


def can_be_claimed(outcome: Outcome) -> bool:
    """Whether a match that the moves leave open can have ended like this."""
    ending = ENDINGS.get(outcome.reason) if isinstance(outcome.reason, str) else None
    known = outcome.winner is None or (type(outcome.winner) is int and outcome.winner in (1, 2))
    return ending is not None and known and ending.fits(outcome) and not ending.by_moves
