"""The lesson of Binary Race with bits: why nobody can force a full row, and how people lose it all the same."""

from dataclasses import dataclass
from functools import cache

from bitduel.core.evaluation import DRAW, LOSS, WIN, Evaluation, Value
from bitduel.core.game import WON
from bitduel.core.lesson import Answer, Choose, JudgeOf, Lesson, Play, Stand, Step, Try, Worthy
from bitduel.core.match import other
from bitduel.core.view import View
from bitduel.games.binary_race_bits.rules import BinaryRaceBits
from bitduel.games.binary_race_bits.words import places, spaced

SIZE = BinaryRaceBits().bits
FULL = ("flip 4", "flip 2", "flip 3", "flip 3", "flip 2", "flip 1")
"""0 1 1 1 against 1 1 1 0."""
THREAT = ("flip 2", "flip 3", "flip 3", "flip 2", "flip 1")
"""0 1 1 0 against 1 1 1 0, the other's move."""
EMPTY = ("flip 2", "flip 2", "reset 2")
"""0 0 0 0 against 0 1 0 0, the other's move."""
WIDE = ("flip 2", "flip 4", "flip 3", "flip 3", "flip 4", "flip 5", "flip 5", "flip 2", "flip 6")
"""0 1 1 1 1 0 against 0 1 1 1 1 1, the other's move."""
TURNS = 8


def method(view: View) -> str:
    """Fill the row if you can; if the other is about to, reset the bit beside the missing one; else flip."""
    mine, theirs = view.board.mine, view.board.theirs
    flips = places(view, "flip")
    if mine.count("0") == 1 and flips:
        return f"flip {flips[0]}"
    if theirs.count("0") == 1:
        missing = theirs.index("0") + 1
        return f"reset {2 if missing == 1 else missing - 1}"
    return f"flip {flips[0]}" if flips else view.legal[0]


@cache
def lesson() -> Lesson:
    """Eight steps: the win, the defence, why it always works, and a match to hold."""
    return Lesson("Nobody can force it", (*three_of_four(), *nobody(), *readings(), holding()), method)


def three_of_four() -> tuple[Step, ...]:
    """The only win and the only defence there are."""
    return (
        Try(
            title="Fill your row",
            text=(
                f"Each player has a row of {SIZE} bits. You flip one of your own to 1, or you reset one of your "
                "opponent's to 0. You can flip only beside a 1, but on your first turn anywhere.",
                "All your bits 1, and you have won.",
            ),
            question=f"You have {spaced('0111')}. Win now.",
            stand=Stand(BinaryRaceBits(), FULL),
            right=("flip 1",),
            praise=f"{spaced('1111')}. You have won.",
            wrong="You could have won at once. Now your opponent takes one of your bits away.",
            hint="One bit is missing, and it stands beside a 1.",
        ),
        Try(
            title="All but one",
            text=(
                f"Now your opponent has {spaced('1110')} and will flip the last bit next turn. You have "
                f"{spaced('0110')}.",
                "A bit between two 1s is safe. The bits at the ends of the block are not.",
            ),
            question="What do you do? There are two good ones.",
            stand=Stand(BinaryRaceBits(), THREAT),
            right=("reset 1", "reset 3"),
            praise="Two 1s are left. Your opponent needs two turns again.",
            wrong="You built on, and your opponent fills the row. That is how this game is lost.",
            hint="Reset an end of the block.",
            claims=(drawn(Stand(BinaryRaceBits(), THREAT)),),
        ),
    )


def drawn(*stands: Stand) -> Worthy:
    """The claim that nobody can force anything."""
    return Worthy("With best play nobody wins.", stands, Evaluation(DRAW))


@dataclass(frozen=True)
class Fills:
    """That these seats, and no others, can ever fill their row, whatever both do; Player 1 starts."""

    says: str
    seats: frozenset[int]

    def holds(self, judge_of: JudgeOf) -> bool:
        """Whether it is so, by all that can be played."""
        game = BinaryRaceBits()
        found, queue = set(), [(game.start(), 1)]
        seen = set(queue)
        for position, seat in queue:
            found |= {other(seat)} if game.verdict(position) == WON else set()
            legal = [move for move in game.moves if game.legal(position, move)]
            fresh = {(game.play(position, move), other(seat)) for move in legal} - seen
            seen |= fresh
            queue += fresh
        return found == self.seats


def nobody() -> tuple[Step, ...]:
    """The proof in three sentences, who can win at all, and the row that is empty."""
    start, empty = Stand(BinaryRaceBits()), Stand(BinaryRaceBits(), EMPTY)
    sizes = tuple(Stand(BinaryRaceBits(bits=bits)) for bits in range(2, 9))
    return (
        Choose(
            title="Can anybody force it?",
            text=(
                "A flip puts a 1 beside a 1, and a reset takes one from an end. So the 1s of a row always stand side "
                "by side, in one block.",
                "A row with one bit missing is a block with a free end, and that end can be reset. The other is back "
                "to two missing.",
            ),
            question="Both play as well as can be. Who fills the row?",
            stand=start,
            answers=(
                Answer(
                    "The one who starts",
                    "As soon as one bit is missing, the other resets an end.",
                    Worthy("Who starts wins.", (start,), Evaluation(WIN)),
                ),
                Answer(
                    "The one who goes second",
                    "As soon as one bit is missing, the other resets an end.",
                    Worthy("Who goes second wins.", (start,), Evaluation(LOSS)),
                ),
                Answer(
                    "Nobody",
                    "Each can always take the other back to two missing, whatever the number of bits, from 2 on.",
                    drawn(start, *sizes),
                    right=True,
                ),
            ),
            hint="What does the other do when one bit is missing?",
        ),
        Choose(
            title="Who can win at all?",
            text=(
                "Count the 1s of both rows. A flip gives you one more, a reset takes one from your opponent: "
                "either way "
                "you gain one on the other.",
                "So after each turn of the second player both rows have equally many 1s, and after each turn of the "
                "first player that one is ahead by one.",
            ),
            question="If somebody makes a mistake, who can fill the row?",
            stand=start,
            answers=(
                Answer(
                    "Either of them",
                    "After a turn of the second player both have equally many. Both rows would have to be full.",
                    Fills("Either.", frozenset({1, 2})),
                ),
                Answer(
                    "Only the one who starts",
                    "The second player can only draw level, so never has a full row before the other.",
                    Fills("Only who starts.", frozenset({1})),
                    right=True,
                ),
                Answer(
                    "Only the one who goes second",
                    "After a turn of the second player both have equally many. Both rows would have to be full.",
                    Fills("Only who goes second.", frozenset({2})),
                ),
            ),
            hint="How many 1s has the first player when the second has four?",
        ),
        Choose(
            title="An empty row",
            text=(
                "Your opponent has reset your only bit. Your first turn is over, so you cannot flip any more: there is "
                "no 1 to flip beside.",
                f"But your opponent has only {spaced('0100')}, and you can reset that.",
            ),
            question="What is the most you can get out of it?",
            stand=empty,
            answers=tuple(
                Answer(text, said, Worthy(f"It is a {value}.", (empty,), Evaluation(value)), right=value == DRAW)
                for text, said, value in (
                    ("A win", "Your row is empty and stays empty.", WIN),
                    ("A draw", "You reset it, and neither can move: a stalemate, which is a draw.", DRAW),
                    ("Nothing, it is lost", "Not while you can reset what your opponent has.", Value.LOSS),
                )
            ),
            hint="Neither player has a 1 then.",
        ),
    )


def readings() -> tuple[Step, ...]:
    """The same rule with another edge and with longer rows."""
    strict = Stand(BinaryRaceBits(edge="strict"), THREAT)
    wide = Stand(BinaryRaceBits(bits=6), WIDE)
    return (
        Try(
            title="The bit beside the missing one",
            text=(
                "Some play that a bit at the edge is safe while its neighbour is 1 (edge=strict). Then one end of the "
                "block may be out of reach.",
                "The other end never is: the bit beside the missing one has a 0 for a neighbour.",
            ),
            question=f"Your opponent has {spaced('1110')}. What do you do?",
            stand=strict,
            right=("reset 3",),
            praise="Reset the bit beside the missing one: that works in every reading.",
            wrong="Your opponent flips bit 4 and has a full row.",
            hint="Bit 4 is missing. Which bit stands beside it?",
            claims=(drawn(strict),),
        ),
        Try(
            title="Longer rows",
            text=(
                "With six bits it takes longer, but nothing changes: look at how many bits your opponent is short of.",
                f"You have {spaced('011110')}, which is four. It is tempting to make it five.",
            ),
            question=f"Your opponent has {spaced('011111')}. What do you do?",
            stand=wide,
            right=("reset 2", "reset 6"),
            praise="One missing is the alarm, at every size. Before that you may do as you like.",
            wrong="Five of six is worth nothing if the other has six.",
            hint="How many bits is your opponent short of?",
            claims=(drawn(wide),),
        ),
    )


def holding() -> Step:
    """A whole match against somebody who never errs."""
    return Play(
        title="Hold it",
        text=(
            "You are second, so all you can do is hold. Your opponent makes no mistakes. Do not lose for "
            f"{TURNS} turns.",
            "Where you start yourself, go on making three of four: if the other does not look, you fill your row.",
        ),
        question="What do you do?",
        stand=Stand(BinaryRaceBits()),
        side=2,
        value=DRAW,
        turns=TURNS,
        praise="You held the draw against best play. That is all that anybody can.",
        wrong="Your opponent is one bit short, and you let it happen.",
        hint="If your opponent is one bit short, reset the bit beside the missing one. Else do as you like.",
    )
