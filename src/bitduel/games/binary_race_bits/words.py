"""The sentences of Binary Race with bits."""

from collections.abc import Mapping

from bitduel.core.endings import Outcome
from bitduel.core.hints import Act
from bitduel.core.laws import Law
from bitduel.core.view import View
from bitduel.core.words import Names, Reading, Words, listed

EXCEPTION = {
    "turn": "On your own first turn you may flip any of your bits.",
    "game": "On the very first turn of the game the starting player may flip any bit.",
    "flip": "Until your first flip, whenever it comes, you may flip any of your bits.",
    "empty": "Whenever all your bits are 0 you may flip any of them.",
}
EDGE = {
    "open": "A bit with a 1 on both sides is safe; every other 1 can be reset, also one at the edge.",
    "strict": "A bit with a 1 on both sides is safe, and so is one at the edge while its only neighbour is 1.",
}
REPETITION = {
    3: "A position that comes up for the third time is a draw.",
    0: "A position may come up any number of times.",
}


STALEMATE = "stalemate"
"""A match that ends because neither player can move."""


class BinaryRaceBitsWords(Words):
    """Available actions, listed as the rulebook does."""

    fields = {
        "mine": "bits of the player to move",
        "theirs": "bits of the other player",
        "my_exception": "the player to move may still flip any bit",
        "their_exception": "the other player may still flip any bit",
    }
    meanings = {
        "flip": "switch your own bit at the place that follows from 0 to 1",
        "reset": "switch your opponent's bit at the place that follows from 1 to 0",
    }
    nouns = ("bit", "row")

    readings = (
        Reading(
            point="The first-move exception",
            rulebook="The sentence gives it to Player 1 on the very first turn of the game; the sample game and the "
            "sample interaction give it to Player 2 too.",
            default="Each player has it on their own first turn.",
            choose="first-move=game, first-move=flip or first-move=empty",
            option="first-move",
        ),
        Reading(
            point="What the sample calls possible",
            rulebook="At 0 1 1 0 the sample game names only bit 4 as possible to flip; by the rule bit 1 is too.",
            default="The rule stands: every 0 beside a 1 can be flipped.",
        ),
        Reading(
            point="A reset on Player 2's first turn",
            rulebook="'On each turn' allows it; the sample interaction does not list it.",
            default="It is allowed, and listed under the flip.",
        ),
        Reading(
            point="Resetting an edge bit whose neighbour is 1",
            rulebook="The example can; the bullet only if the neighbour is 0.",
            default="It can be reset: only a bit between two 1s is safe.",
            choose="edge=strict",
            option="edge",
        ),
        Reading(
            point="No move",
            rulebook="A player without a move passes; if neither can move it is a stalemate.",
            default="The pass happens by itself and is said; a stalemate is a draw, at once.",
        ),
        Reading(
            point="Endless play",
            rulebook="Not mentioned, and with good play nobody can force a win.",
            default="A position that comes up for the third time is a draw (same bits, same player to move, same "
            "exceptions left).",
            choose="repetition=0 for never",
            option="repetition",
        ),
    )

    def __init__(self, bits: int, first_move: str, edge: str, repetition: int) -> None:
        self.bits = bits
        self.parts = (EXCEPTION[first_move], EDGE[edge], REPETITION[repetition])

    def turn(self, view: View, name: str) -> list[str]:
        """One's own bits and what can be done."""
        return [
            f"{name}'s turn.",
            f"Your bits: {spaced(view.board.mine)}",
            "Available actions:",
            *actions(view),
        ]

    def prompt(self, view: View, name: str) -> str:
        """The question, for what is possible now."""
        flips, resets = places(view, "flip"), places(view, "reset")
        if flips and resets:
            return "Enter the bit position to flip, or 'reset' and a position: "
        return f"Enter the bit position to {'flip' if flips else 'reset'}: "

    def answers(self, view: View) -> Mapping[str, str]:
        """A bare position is a flip, or a reset where only resets are possible."""
        bare = "flip" if places(view, "flip") else "reset"
        return {move: move for move in view.legal} | {p: f"{bare} {p}" for p in places(view, bare)}

    def wrong(self, view: View) -> str:
        """The answer to anything else."""
        return "Invalid action. Please choose one of the available actions."

    def refusal(self, view: View, move: str) -> str:
        """What is already so, or what beside the bit stands against it."""
        kind, _, place = move.partition(" ")
        if not place:
            return "You have a move, so you cannot pass."
        row = view.board.mine if kind == "flip" else view.board.theirs
        at = int(place) - 1
        if kind == "flip":
            return f"Your bit {place} {'is 1 already' if row[at] == '1' else 'has no 1 beside it'}."
        if row[at] == "0":
            return f"Your opponent's bit {place} is 0 already."
        between = 0 < at < len(row) - 1
        return f"Your opponent's bit {place} is safe {'between two 1s' if between else 'at the edge'}."

    def played(self, view: View, move: str, name: str) -> list[str]:
        """What was switched."""
        kind, place = move.split()
        if kind == "flip":
            return [f"You flipped bit {place} to 1."]
        return [f"You reset your opponent's bit {place} to 0."]

    def ending(self, outcome: Outcome, names: Names) -> list[str]:
        """A full row, or a stalemate."""
        if outcome.winner is None:
            return ["", "Neither player can move. The game ends in a stalemate."]
        return ["", f"{names[outcome.winner - 1]} has {spaced('1' * self.bits)} and wins the game!"]

    def why(self, view: View) -> str:
        """A stalemate surprises whoever has forgotten that a row without a 1 cannot grow."""
        if not view.over or view.over.reason != STALEMATE:
            return ""
        return "Both rows are all 0, and a bit can be flipped only beside a 1."

    def leads(self, view: View, move: str) -> str:
        """The row after the move."""
        kind, place = move.split()
        whose, row = ("your", view.board.mine) if kind == "flip" else ("your opponent's", view.board.theirs)
        at = int(place)
        switched = row[: at - 1] + ("1" if kind == "flip" else "0") + row[at:]
        return f"{whose} bits become {spaced(switched)}"

    def act(self, view: View, move: str) -> Act:
        """The bit and whose it is."""
        kind, place = move.split()
        if kind == "flip":
            return Act(f"flipping bit {place}", f"flip bit {place}")
        return Act(f"resetting your opponent's bit {place}", f"reset your bit {place}", f"resetting your bit {place}")

    def stands(self, view: View) -> str:
        """Both rows."""
        return f"With your bits {spaced(view.board.mine)} and your opponent's {spaced(view.board.theirs)}"

    def reason(self, view: View) -> str:
        """How a row is kept from filling up; nothing where it is full with the next flip."""
        row = view.board.mine if view.to_move == view.seat else view.board.theirs
        if self.bits == 1 or row.count("0") == 1:
            return ""
        return "Whoever is one bit short can be reset at once, at the bit beside the missing one."

    def laws(self) -> tuple[Law, ...]:
        """What is proved of it."""
        from bitduel.games.binary_race_bits import laws

        return (laws.DRAWN,)

    def rules(self) -> list[str]:
        """The rules in our own words."""
        return [
            f"Each player has a row of {self.bits} bits, all 0 at the start.",
            "On your turn you either flip one of your own bits from 0 to 1, or reset one of your opponent's bits from "
            "1 to 0.",
            "You can flip a bit only if a bit beside it is already 1. " + self.parts[0],
            self.parts[1],
            "The first player whose bits are all 1 wins.",
            "You pass only if you can do nothing else, and then it happens by itself. If neither player can do "
            "anything, the game is a stalemate: a draw. " + self.parts[2],
        ]


def actions(view: View) -> list[str]:
    """The list of available actions, with the bits they can be done to."""
    flips, resets = places(view, "flip"), places(view, "reset")
    lines = []
    if flips:
        which = "First move: you can flip any bit." if view.board.exception else f"You can flip {bits(flips)}."
        lines += ["- Flip one of your bits from 0 to 1.", f"  ({which})"]
    if resets:
        which = f"Opponent's bits: {spaced(view.board.theirs)}. You can reset {bits(resets)}."
        lines += ["- Reset one of your opponent's bits from 1 to 0.", f"  ({which})"]
    return lines


def places(view: View, kind: str) -> list[str]:
    """The positions at which something can be done now."""
    return [move.split()[1] for move in view.legal if move.startswith(kind)]


def bits(positions: list[str]) -> str:
    """'bit 2', or 'bits 1 and 3'."""
    return f"{'bit' if len(positions) == 1 else 'bits'} {listed(positions)}"


def spaced(row: str) -> str:
    """A row as the rulebook prints it: 0 1 0 0."""
    return " ".join(row)
