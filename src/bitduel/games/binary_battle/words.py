"""The sentences of Binary Battle."""

from collections.abc import Mapping
from typing import Any

from bitduel.core.outcomes import Outcome
from bitduel.core.phrases import MovePhrase
from bitduel.core.view import View
from bitduel.core.words import Law, Names, Reading, Words

TABLE = {
    True: "You see your own number and feedback, and whether the game is still going. You see nothing of your "
    "opponent's.",
    False: "Both players see both numbers and all feedback. Only the secret is hidden.",
}

SOURCE = "docs/theorems.md"

BOUNDS = Law(
    name="bounds",
    title="Going first helps, a little",
    statement="With hidden numbers of n bits (n at least 2) and perfect play, the first player's chance of winning is "
    "at least 1/2 + 3/(16(2n - 1)) and at most 1 - (1 - 1/n)/2^n. The exact value is known for up to 7 bits.",
    why="If both players would hit on the same turn number, the first player gets there first. That must happen "
    "sometimes, because a good search is short.",
    proof=(
        "Plain binary search, from the highest bit down, hits any secret by turn B = 2n - 1. Let p be the probability "
        "that player 2, playing perfectly, has not hit before turn B. Player 1 can use plain binary search, which wins "
        "with probability at least p. Or player 1 can search in the same way as player 2. Then the two are equal, "
        "except that player 1 wins every tie. So player 1 wins half of the matches, plus half of the ties.",
        "With probability 1 - p, player 2 hits before turn B. Whether that turn is odd or even depends only on the "
        "secret, so at most B/2 turns are possible. So two players who search in the same way hit on the same turn "
        "number with probability at least (1 - p)^2 / (B/2). Either p or 1/2 + (1 - p)^2 / B reaches the lower bound.",
        "Player 2 can choose the first bit at random, with equal chances. With probability 1 - 1/n it is not the "
        "bit that player 1 toggled first, and with probability 1/2^n it hits the secret.",
    ),
    source=SOURCE,
)

PARITY = Law(
    name="odd-and-even",
    title="An odd number of 1s takes an odd number of turns",
    statement="A player hits a secret with an odd number of 1s on an odd turn of their own (the first, the third and "
    "so on), and a secret with an even number of 1s on an even turn.",
    why="Every turn changes the number of 1s by one, and it starts at zero.",
    proof=(
        "A toggle changes the number of 1s by one, up or down. It starts at 0. So after an odd number of turns it is "
        "odd, and after an even number of turns it is even. When the player hits the secret, both have the same "
        "number of 1s.",
    ),
    source=SOURCE,
)


class BinaryBattleWords(Words):
    """Sentences about a secret and three kinds of feedback, as the rulebook has them."""

    fields = {"mine": "your number", "low": "the secret is at least", "high": "the secret is at most"}
    meanings = {"toggle": "switch the bit at the given place of your own number"}
    nouns = ("bit", "secret")

    def __init__(self, bits: int, hidden: bool, chosen: bool = False) -> None:
        self.bits = bits
        self.hidden = hidden
        self.chosen = chosen
        self.readings = _readings(bits)

    def turn(self, view: View, name: str) -> list[str]:
        """Say nothing before the question."""
        return []

    def prompt(self, view: View, name: str) -> str:
        """Ask for a bit position."""
        return f"{name}, enter the bit position to toggle (1-{self.bits}): "

    def answers(self, view: View) -> Mapping[str, str]:
        """Accept the position, alone or with the word."""
        return {move: move for move in view.legal} | {move.split()[1]: move for move in view.legal}

    def invalid_answer(self, view: View) -> str:
        """Refuse anything else."""
        return f"Invalid bit position. Please enter a number from 1 to {self.bits}."

    def played(self, view: View, move: str, name: str) -> list[str]:
        """Say what was toggled, the new number, and the feedback."""
        return [
            f"You toggled Bit {move.split()[1]}.",
            f"Your new binary number is: {view.board.mine}",
            _feedback(view),
        ]

    def reveal(self, view: View) -> list[str]:
        """Tell the secret, once the match is over."""
        return [] if view.deal is None else [f"The secret was {view.deal}."]

    def reminder(self, view: View) -> str:
        """Repeat the feedback on one's own number, in short."""
        number = int(view.board.mine, 2)
        return f"{number} is too {'low' if number < view.board.low else 'high'}."

    def ending(self, outcome: Outcome, names: Names) -> list[str]:
        """Say who matched the secret."""
        return ["", f"{names[(outcome.winner or 1) - 1]} wins the game!"]

    def own_ending(self, outcome: Outcome, is_winner: bool) -> str:
        """Say who matched the secret."""
        return "Your number matches the secret." if is_winner else "Your opponent hit the secret number."

    def leads_to(self, view: View, move: str) -> str:
        """Say one's own number after the move."""
        row = _toggled(view, move)
        return f"your number becomes {row} ({int(row, 2)})"

    def move_phrase(self, view: View, move: str) -> MovePhrase:
        """Name the bit."""
        bit = f"bit {move.split()[1]}"
        return MovePhrase(f"toggling {bit}", f"toggle {bit}")

    def remark(self, view: View, move: str) -> str:
        """Say whether the toggle can hit, as far as the player knows."""
        row, low, high = _toggled(view, move), view.board.low, view.board.high
        made = f"Bit {move.split()[1]} makes {row}"
        if not low <= int(row, 2) <= high:
            return f"{made}. It can't be the secret, but it sets up a number that can."
        if low == high:
            return f"{made}, the secret."
        return f"{made}, one of {high - low + 1} possible numbers."

    def question(self, view: View) -> str:
        """Ask which numbers can be hit now, from what the player knows."""
        low, high = view.board.low, view.board.high
        if low == high:
            return f"The secret is {low}. Which bits of your number are still different?"
        return f"Which numbers from {low} to {high} are one toggle away?"

    def hindsight(self, position: Any, mover: str, waiting: str) -> str:
        """Say how many toggles each player was away from the secret."""
        mine, theirs = ((number ^ position.secret).bit_count() for number in (position.mine, position.theirs))
        if theirs == 0:
            return f"{waiting} hit the secret, and {mover} was {_toggles(mine)} away"
        return f"{mover} was {_toggles(mine)} away from the secret, and {waiting} was {theirs}"

    def assumption(self) -> str:
        """Say which opponent is assumed where the equilibrium would have ended the game."""
        return (
            "A perfect opponent would have won by now, so we have to guess about this one. We assume that all possible "
            "numbers are equally likely and that the opponent has a 50% chance of hitting the secret on each turn."
        )

    def laws(self) -> tuple[Law, ...]:
        """Return the laws of the hidden game."""
        return (BOUNDS, PARITY)

    def short_rules(self) -> list[str]:
        """Return the rules in three lines."""
        seen = "you can't see your opponent's number" if self.hidden else "you can see each other's numbers"
        return [
            f"There is a secret {self.bits}-bit number. You each start at {'0' * self.bits}, and {seen}.",
            "On your turn, toggle one of your bits. You find out whether your number is less than or greater than the "
            "secret.",
            "The first player to match the secret wins.",
        ]

    def rules(self) -> list[str]:
        """Explain the rules."""
        zero = "0" * self.bits
        likely = f"is chosen at random. Every number from {zero} to {'1' * self.bits} is equally likely"
        return [
            f"A secret {self.bits}-bit number {'has been chosen' if self.chosen else likely}. Each player has their "
            f"own number, which starts at {zero}.",
            "On your turn, toggle one bit of your own number: 0 becomes 1, or 1 becomes 0. Bit 1 is on the left and is "
            "worth the most. You cannot pass.",
            "Then you learn whether your number is less than, greater than or equal to the secret.",
            "The first player to turn their number into the secret wins.",
            TABLE[self.hidden],
        ]


def _toggles(count: int) -> str:
    return "1 toggle" if count == 1 else f"{count} toggles"


def _toggled(view: View, move: str) -> str:
    at, row = int(move.split()[1]), view.board.mine
    return str(row[: at - 1] + ("0" if row[at - 1] == "1" else "1") + row[at:])


def _feedback(view: View) -> str:
    """Return the feedback after a turn, from what the player then knows."""
    number, low, high = int(view.board.mine, 2), view.board.low, view.board.high
    if number < low:
        return "Your number is less than the target."
    if number > high:
        return "Your number is greater than the target."
    return "Your number matches the target. You win!"


def _readings(bits: int) -> tuple[Reading, ...]:
    """Return every point that the rulebook leaves open, for numbers of this many bits."""
    zero = "0" * bits
    return (
        Reading(
            point="The secret",
            rulebook="A random 5-bit number.",
            default=f"All {1 << bits} numbers are equally likely, including {zero}. The choice is random, unless you "
            "set a seed.",
            choose="Numbers with more or fewer bits, or a secret of your choice if two people share a keyboard.",
            option="secret",
        ),
        Reading(
            point="Starting on the secret",
            rulebook="Both numbers start at 00000, and 00000 can be the secret. The rulebook does not say what happens "
            "then.",
            default=f"Starting on {zero} does not count as hitting the secret. You win only with a number you make on "
            "your turn.",
        ),
        Reading(
            point="What a player sees",
            rulebook="'No further clues about the target number or the opponent's number.'",
            default="Your own number, your own feedback, and whether the game is still going.",
            choose="Open table: both players see everything except the secret.",
            option="table",
        ),
        Reading(
            point="Simultaneous victory",
            rulebook="The player who achieved the match on their own turn wins.",
            default="It cannot happen: the first match ends the game.",
        ),
        Reading(
            point="Keeping notes",
            rulebook="Players have to remember what they have learned.",
            default="A bar shows the possible numbers. It uses only what you have been told.",
            choose="Hide the bar and keep track yourself.",
        ),
    )
