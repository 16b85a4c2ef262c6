"""The sentences of Binary Race with bits."""

from collections.abc import Mapping

from bitduel.core.outcomes import Outcome
from bitduel.core.phrases import MovePhrase, join_with_and
from bitduel.core.view import View
from bitduel.core.words import Law, Names, Reading, Words

EXCEPTION = {
    "turn": "On your own first turn, you may flip any of your bits.",
    "game": "On the very first turn of the game, the first player may flip any bit.",
    "flip": "Your first flip, whenever you make it, may be any of your bits.",
    "empty": "Whenever all your bits are 0, you may flip any of them.",
}
EDGE = {
    "open": "A 1 between two 1s is safe. Any other 1 can be reset, even at the edge.",
    "strict": "A 1 between two 1s is safe. So is a 1 at the edge, as long as its only neighbour is 1.",
}
SAFE = {
    "open": "A 1 between two 1s can't be reset.",
    "strict": "A 1 between two 1s, or at an end next to a 1, can't be reset.",
}
"""The same in short."""
REPETITION = {
    3: "If the same position occurs for the third time, the game is a draw.",
    0: "A position can occur any number of times.",
}

STALEMATE = "stalemate"
"""The reason of a match that ends because neither player can move."""

ONLY_HOLD = (
    "You went second, so you can draw but not win: after each of your turns, both rows have the same number of 1s."
)

DRAWN = Law(
    name="a-draw",
    title="Nobody can force a win",
    statement="With two bits or more the game is a draw, in every variant of the rules. If the player to move is one "
    "bit short, they flip it and win. From every other position both players can hold the draw. With one bit, the "
    "first player flips it and wins.",
    why="If a row is one bit short, the opponent can reset the bit next to the missing one, so a careful player never "
    "lets the opponent fill a row.",
    proof=(
        "The 1s in a row always form one block: a flip starts an empty row or adds a 1 next to a 1, and a reset takes "
        "away a 1 at an end of the block.",
        "So if a row is one bit short, its block touches one end of the row, and the missing bit is at the other end. "
        "The bit next to the missing one has a 0 beside it, so it can be reset in every variant. If it is the owner's "
        "turn, the owner can fill the row instead.",
        "Suppose a player always resets that bit, and otherwise plays any move. Then the opponent never starts a turn "
        "with one bit missing: they were at least two bits short, gained one, and lost one again. So the opponent "
        "never fills their row. Both players can do this, so nobody can force a win.",
    ),
    source="docs/theorems.md",
)


class BinaryRaceBitsWords(Words):
    """Sentences that list the available actions, as the rulebook does."""

    fields = {
        "mine": "bits of the player to move",
        "theirs": "bits of the other player",
        "my_exception": "player to move may still flip any bit",
        "their_exception": "other player may still flip any bit",
    }
    meanings = {
        "flip": "switch your own bit at the given place from 0 to 1",
        "reset": "switch your opponent's bit at the given place from 1 to 0",
    }
    nouns = ("bit", "row")

    readings = (
        Reading(
            point="When you may flip any bit",
            rulebook="The rule allows it only to Player 1, on the very first turn. The sample game and the sample "
            "interaction allow it to Player 2 as well.",
            default="Each player may do it on their own first turn.",
            choose="Only on the very first turn of the game, until a player's first flip, or whenever all their bits "
            "are 0.",
            option="first-move",
        ),
        Reading(
            point="What the sample calls possible",
            rulebook="At 0 1 1 0 the sample game lists only bit 4 as possible, but the rule allows bit 1 as well.",
            default="We follow the rule: you can flip any 0 next to a 1.",
        ),
        Reading(
            point="A reset on Player 2's first turn",
            rulebook="'On each turn' allows it. The sample interaction does not list it.",
            default="It is allowed, and listed below the flips.",
        ),
        Reading(
            point="Resetting an edge bit whose neighbour is 1",
            rulebook="The example allows it. The bullet point allows it only if the neighbour is 0.",
            default="It can be reset. Only a bit between two 1s is safe.",
            choose="Strict edges: a bit at the edge can be reset only while its neighbour is 0.",
            option="edge",
        ),
        Reading(
            point="No move",
            rulebook="A player who cannot move passes. If neither can move, it is a stalemate.",
            default="You pass automatically, and the game says so. A stalemate ends the game as a draw.",
        ),
        Reading(
            point="Endless play",
            rulebook="The rulebook does not mention it, and with perfect play nobody can force a win.",
            default="If the same position occurs for the third time, the game is a draw. (The same position means the "
            "same bits, the same player to move, and the same right to flip any bit.)",
            choose="No draw by repetition.",
            option="repetition",
        ),
    )

    def __init__(self, bits: int, first_move: str, edge: str, repetition: int) -> None:
        self.bits = bits
        self.edge = edge
        self.parts = (EXCEPTION[first_move], EDGE[edge], REPETITION[repetition])

    def turn(self, view: View, name: str) -> list[str]:
        """Say one's own bits and the available actions."""
        return [
            f"{name}'s turn.",
            f"Your bits: {spaced(view.board.mine)}",
            "Available actions:",
            *_actions(view),
        ]

    def prompt(self, view: View, name: str) -> str:
        """Ask for what is possible now."""
        flips, resets = places(view, "flip"), places(view, "reset")
        if flips and resets:
            return "Enter the bit position to flip, or 'reset' and a position: "
        return f"Enter the bit position to {'flip' if flips else 'reset'}: "

    def answers(self, view: View) -> Mapping[str, str]:
        """Accept moves; a bare position is a flip, or a reset where only resets are possible."""
        bare = "flip" if places(view, "flip") else "reset"
        return {move: move for move in view.legal} | {p: f"{bare} {p}" for p in places(view, bare)}

    def invalid_answer(self, view: View) -> str:
        """Refuse anything else."""
        return "Invalid action. Please choose one of the available actions."

    def why_illegal(self, view: View, move: str) -> str:
        """Say what is already so, or which neighbour of the bit forbids it."""
        kind, _, place = move.partition(" ")
        if not place:
            return "You have a move, so you cannot pass."
        row = view.board.mine if kind == "flip" else view.board.theirs
        at = int(place) - 1
        if kind == "flip":
            return f"Your bit {place} {'is already 1' if row[at] == '1' else 'has no 1 next to it'}."
        if row[at] == "0":
            return f"Your opponent's bit {place} is already 0."
        between = 0 < at < len(row) - 1
        return f"Your opponent's bit {place} is safe {'between two 1s' if between else 'at the edge'}."

    def played(self, view: View, move: str, name: str) -> list[str]:
        """Say what was switched."""
        kind, place = move.split()
        if kind == "flip":
            return [f"You flipped bit {place} to 1."]
        return [f"You reset your opponent's bit {place} to 0."]

    def ending(self, outcome: Outcome, names: Names) -> list[str]:
        """Say who has a full row, or that it is a stalemate."""
        if outcome.winner is None:
            return ["", "Neither player can move. The game ends in a stalemate."]
        return ["", f"{names[outcome.winner - 1]} has {spaced('1' * self.bits)} and wins the game!"]

    def own_ending(self, outcome: Outcome, is_winner: bool) -> str:
        """Say whose row is full."""
        return "All your bits are 1." if is_winner else "All your opponent's bits are 1."

    def why_ended(self, view: View) -> str:
        """Explain a stalemate: not everybody remembers that a row without a 1 cannot grow."""
        if not view.over or view.over.reason != STALEMATE:
            return ""
        return "Both rows are all 0, and you can only flip a bit next to a 1."

    def leads_to(self, view: View, move: str) -> str:
        """Say the row after the move."""
        kind, place = move.split()
        whose, row = ("your", view.board.mine) if kind == "flip" else ("your opponent's", view.board.theirs)
        at = int(place)
        switched = row[: at - 1] + ("1" if kind == "flip" else "0") + row[at:]
        return f"{whose} bits become {spaced(switched)}"

    def move_phrase(self, view: View, move: str) -> MovePhrase:
        """Name the bit and whose it is."""
        kind, place = move.split()
        if kind == "flip":
            return MovePhrase(f"flipping bit {place}", f"flip bit {place}")
        return MovePhrase(
            f"resetting your opponent's bit {place}",
            f"reset your bit {place}",
            f"resetting your bit {place}",
            f"reset your opponent's bit {place}",
        )

    def position_phrase(self, view: View) -> str:
        """Name both rows."""
        return f"With your bits {spaced(view.board.mine)} and your opponent's {spaced(view.board.theirs)}"

    def reason(self, view: View) -> str:
        """Say how to stop a row from filling up; nothing where the next flip fills it."""
        row = view.board.mine if view.to_move == view.seat else view.board.theirs
        if self.bits == 1 or row.count("0") == 1:
            return ""
        return "If your opponent is one bit short, reset the bit next to the missing one."

    def question(self, view: View) -> str:
        """Ask who is one bit short; tell the second player what there is to hope for."""
        if view.board.mine.count("0") == 1:
            return "You are one bit short. Can you flip it?"
        if view.board.theirs.count("0") == 1:
            return "Your opponent is one bit short. Which of their bits can you reset, and which reset helps?"
        short = "How many bits is each of you short?"
        return f"{short} {'After your move, can you be stopped?' if view.seat == view.first else ONLY_HOLD}"

    def laws(self) -> tuple[Law, ...]:
        """Return the law of the bits."""
        return (DRAWN,)

    def short_rules(self) -> list[str]:
        """Return the rules in three lines."""
        return [
            f"You each have {self.bits} bits, all 0. {self.parts[0]}",
            f"Otherwise, flip one of your 0s next to a 1, or reset one of your opponent's 1s to 0. {SAFE[self.edge]}",
            "The first player whose bits are all 1 wins.",
        ]

    def rules(self) -> list[str]:
        """Explain the rules."""
        return [
            f"Each player has a row of {self.bits} bits, all 0 at the start.",
            "On your turn, flip one of your own bits from 0 to 1, or reset one of your opponent's bits from 1 to 0.",
            "You can flip a bit only if a bit next to it is already 1. " + self.parts[0],
            self.parts[1],
            "The first player whose bits are all 1 wins.",
            "If you cannot move, you pass automatically. If neither player can move, the game is a stalemate, which is "
            "a draw. " + self.parts[2],
        ]


def _actions(view: View) -> list[str]:
    """List the available actions, with their bits."""
    flips, resets = places(view, "flip"), places(view, "reset")
    lines = []
    if flips:
        which = "First move: you can flip any bit." if view.board.exception else f"You can flip {_bits(flips)}."
        lines += ["- Flip one of your bits from 0 to 1.", f"  ({which})"]
    if resets:
        which = f"Opponent's bits: {spaced(view.board.theirs)}. You can reset {_bits(resets)}."
        lines += ["- Reset one of your opponent's bits from 1 to 0.", f"  ({which})"]
    return lines


def places(view: View, kind: str) -> list[str]:
    """Return the positions at which a kind of move is legal."""
    return [move.split()[1] for move in view.legal if move.startswith(kind)]


def _bits(positions: list[str]) -> str:
    return f"{'bit' if len(positions) == 1 else 'bits'} {join_with_and(positions)}"


def spaced(row: str) -> str:
    """Return a row as the rulebook prints it: 0 1 0 0."""
    return " ".join(row)
