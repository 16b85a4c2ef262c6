"""The sentences of Binary Battle."""

from collections.abc import Mapping
from typing import Any

from bitduel.core.endings import Outcome
from bitduel.core.hints import Act
from bitduel.core.laws import Law
from bitduel.core.view import View
from bitduel.core.words import Names, Reading, Words

TABLE = {
    True: "You see your own number and your own feedback, and that the game goes on; nothing of your opponent's.",
    False: "Both numbers and all feedback are open; only the secret is not.",
}


class BinaryBattleWords(Words):
    """A secret and three kinds of feedback, in the rulebook's words."""

    fields = {"mine": "your number", "low": "the secret is at least", "high": "the secret is at most"}
    meanings = {"toggle": "switch one bit of your own number, at the place that follows"}
    nouns = ("bit", "secret")

    def __init__(self, bits: int, hidden: bool, chosen: bool = False) -> None:
        self.bits = bits
        self.hidden = hidden
        self.chosen = chosen
        self.readings = readings(bits)

    def turn(self, view: View, name: str) -> list[str]:
        """Nothing before the question."""
        return []

    def prompt(self, view: View, name: str) -> str:
        """The question."""
        return f"{name}, enter the bit position to toggle (1-{self.bits}): "

    def answers(self, view: View) -> Mapping[str, str]:
        """The position, alone or with the word."""
        return {move: move for move in view.legal} | {move.split()[1]: move for move in view.legal}

    def wrong(self, view: View) -> str:
        """The answer to anything else."""
        return f"Invalid bit position. Please enter a number from 1 to {self.bits}."

    def played(self, view: View, move: str, name: str) -> list[str]:
        """What was toggled, the new number, and the feedback."""
        return [
            f"You toggled Bit {move.split()[1]}.",
            f"Your new binary number is: {view.board.mine}",
            feedback(view),
        ]

    def reveal(self, view: View) -> list[str]:
        """The secret, once the match is over."""
        return [] if view.deal is None else [f"The secret was {view.deal}."]

    def reminder(self, view: View) -> str:
        """The feedback on one's own number."""
        return feedback(view)

    def ending(self, outcome: Outcome, names: Names) -> list[str]:
        """Who matched the secret."""
        return ["", f"{names[(outcome.winner or 1) - 1]} wins the game!"]

    def leads(self, view: View, move: str) -> str:
        """One's own number after the move."""
        row = toggled(view, move)
        return f"your number becomes {row} ({int(row, 2)})"

    def act(self, view: View, move: str) -> Act:
        """The bit and the number it makes."""
        made = f"bit {move.split()[1]} to {toggled(view, move)}"
        return Act(f"toggling {made}", f"toggle {made}")

    def remark(self, view: View, move: str) -> str:
        """Whether the toggle can hit, as far as the player knows."""
        row, low, high = toggled(view, move), view.board.low, view.board.high
        if not low <= int(row, 2) <= high:
            return f"{row} cannot be the secret: it prepares a number that can."
        if low == high:
            return f"{row} is the secret."
        return f"{row} is one of the {high - low + 1} numbers that the secret can still be."

    def hindsight(self, position: Any, mover: str, waiting: str) -> str:
        """How many toggles each player was away from the secret."""
        mine, theirs = ((number ^ position.secret).bit_count() for number in (position.mine, position.theirs))
        if theirs == 0:
            return f"{waiting} hit the secret, and {mover} was {toggles(mine)} away"
        return f"{mover} is {toggles(mine)} from the secret, {waiting} {toggles(theirs)}"

    def assumption(self) -> str:
        """Who plays on where the equilibrium would have ended the game."""
        return (
            "An opponent who plays the equilibrium would have won by now, so nothing is known of this one: the secret "
            "is taken as equally likely anywhere in the interval, the opponent as hitting in each turn by even chance."
        )

    def laws(self) -> tuple[Law, ...]:
        """What is proved of it."""
        from bitduel.games.binary_battle import laws

        return (laws.BOUNDS, laws.PARITY)

    def rules(self) -> list[str]:
        """The rules in our own words."""
        zero = "0" * self.bits
        likely = f"is dealt; every number from {zero} to {'1' * self.bits} is equally likely"
        return [
            f"A secret number of {self.bits} bits {'has been chosen' if self.chosen else likely}. Each player has a "
            f"number of their own that starts at {zero}.",
            "On your turn you toggle one bit of your own number: 0 becomes 1, or 1 becomes 0. Bit 1 is the leftmost "
            "and worth most. You cannot pass.",
            "Then you are told whether your number is less than the secret, greater, or equal to it.",
            "The first player whose number is the secret after their own turn wins.",
            TABLE[self.hidden],
        ]


def toggles(count: int) -> str:
    """So many toggles, in words."""
    return "1 toggle" if count == 1 else f"{count} toggles"


def toggled(view: View, move: str) -> str:
    """One's own number after a toggle."""
    at, row = int(move.split()[1]), view.board.mine
    return str(row[: at - 1] + ("0" if row[at - 1] == "1" else "1") + row[at:])


def feedback(view: View) -> str:
    """What a player is told after a turn, from what that player then knows."""
    number, low, high = int(view.board.mine, 2), view.board.low, view.board.high
    if number < low:
        return "Your number is less than the target."
    if number > high:
        return "Your number is greater than the target."
    return "Your number matches the target. You win!"


def readings(bits: int) -> tuple[Reading, ...]:
    """Every point that the rulebook leaves open, for numbers of so many bits."""
    zero = "0" * bits
    return (
        Reading(
            point="The secret",
            rulebook="A random 5-bit number.",
            default=f"Each of the {1 << bits} numbers is equally likely, {zero} too; from the operating system's "
            "randomness unless a seed is asked for.",
            choose="bits=N for another size, secret=01101 for puzzles and for two at one keyboard",
            option="secret",
        ),
        Reading(
            point="Starting on the secret",
            rulebook="Not said: both numbers start at 00000, and 00000 can be the secret.",
            default=f"{zero} before the first turn is no match; only a number reached by a turn wins.",
        ),
        Reading(
            point="What a player sees",
            rulebook="'No further clues about the target number or the opponent's number.'",
            default="Own number, own feedback, and that the game goes on.",
            choose="table=open (everything but the secret is public)",
            option="table",
        ),
        Reading(
            point="Simultaneous victory",
            rulebook="The player who achieved the match on their own turn wins.",
            default="It cannot happen: the first match ends the game.",
        ),
        Reading(
            point="Keeping notes",
            rulebook="Left to the player's own memory.",
            default="A bar shows what is still possible, and nothing that the player was not told.",
            choose="--no-notes, or the link beside the board; it is no option of the game",
        ),
    )
