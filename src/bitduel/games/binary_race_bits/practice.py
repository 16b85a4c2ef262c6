"""Practice after the lesson of Binary Race with bits: eight items."""

from collections.abc import Sequence
from functools import cache

from bitduel.core.lesson import LessonPosition
from bitduel.core.practice import PracticeItem, choice, marks
from bitduel.core.puzzle import Question
from bitduel.games.binary_race_bits.puzzles import reachable
from bitduel.games.binary_race_bits.rules import BitsRules
from bitduel.games.binary_race_bits.words import spaced

OVER = "The first turns are over, so you can flip only next to a 1."


@cache
def bits_practice(game: type[BitsRules]) -> tuple[PracticeItem, ...]:
    """Return the items, in the order of the lesson as far as they follow it."""
    return (*_holding(game), *_counting(game()), _longer(game(bits=6)))


def _at(game: BitsRules, mine: str, theirs: str) -> LessonPosition:
    """Return a position after the first turns, with the shortest moves that lead there."""
    lines = reachable(game)
    wanted = int(mine, 2), int(theirs, 2), 0, 0
    return LessonPosition(game, next(line for (position, _), line in lines.items() if tuple(position) == wanted))


def _legal(position: LessonPosition) -> Sequence[str]:
    return position.match.legal


def _holding(game: type[BitsRules]) -> tuple[PracticeItem, ...]:
    usual, strict = game(), game(edge="strict")
    rows = f"You have {spaced('0110')}, your opponent has {spaced('0111')}."
    win = f"You have {spaced('1110')}, your opponent has {spaced('0111')}. {OVER} What do you play?"
    task = "Mark every move that you can make and that doesn't lose."
    holding = f"{rows} {OVER} {task}"
    at_edge = f"{rows} In this variant a bit at the edge is safe while its neighbour is 1. {task}"
    full, alarm, safe = _at(usual, "1110", "0111"), _at(usual, "0110", "0111"), _at(strict, "0110", "0111")
    return (
        PracticeItem(
            game=usual,
            number=1,
            step=1,
            asked=win,
            questions=(choice(win, ", ".join(_legal(full)), "flip 4", full),),
            hint="Which bit is missing in your row?",
            why="Only bit 4 was missing, and it is next to a 1.",
        ),
        PracticeItem(
            game=usual,
            number=2,
            step=2,
            asked=holding,
            questions=(_all(holding, alarm, "reset 2, reset 4"),),
            hint="Your opponent is one bit short. Which of their bits can you reset?",
            why="Your opponent is one bit short, so only a reset helps. The ends of their block are bits 2 and 4.",
        ),
        PracticeItem(
            game=strict,
            number=3,
            step=6,
            asked=at_edge,
            questions=(_all(at_edge, safe, "reset 2"),),
            hint="Bit 1 is missing. Which bit is next to it?",
            why="Bit 4 is at the edge and its neighbour is 1, so it is safe. Reset the bit next to the missing one.",
        ),
    )


def _all(prompt: str, position: LessonPosition, right: str) -> Question:
    """Return the question for all moves that hold, among flips and resets of all bits."""
    return marks(prompt, position.game.moves[: 2 * int(position.game.options["bits"])], right, position)


def _counting(game: BitsRules) -> tuple[PracticeItem, ...]:
    few = _at(game, "0100", "1100")
    lose = f"You have {spaced('0100')}, your opponent has {spaced('1100')}. You can make {len(_legal(few))} moves. How "
    lose += "many of them lose at once?"
    block = f"Can a row ever be {spaced('1011')}?"
    equal = "It's the second player's turn. The first player has three 1s. How many 1s has the second player?"
    empty = f"Both rows are {spaced('0000')}, and both first turns are over. What is the result?"
    return (
        PracticeItem(
            game=game,
            number=4,
            step=8,
            asked=lose,
            questions=(choice(lose, "none, one, two, all", "none", few),),
            hint="How many bits does your opponent still need?",
            why="Your opponent is two bits short. Nobody can fill two bits in one turn, so no move loses at once.",
        ),
        PracticeItem(
            game=game,
            number=5,
            step=3,
            asked=block,
            questions=(choice(block, "yes, no", "no"),),
            hint="Where may you flip, and which 1s can be reset?",
            why="A flip adds a 1 next to a 1, and a reset takes one from an end. So the 1s always stand side by side.",
        ),
        PracticeItem(
            game=game,
            number=6,
            step=4,
            asked=equal,
            questions=(choice(equal, "one, two, three, four", "two"),),
            hint="After the first player's turns, who is ahead, and by how much?",
            why="Every turn gains one. So after the first player's turns, the first player is one ahead.",
        ),
        PracticeItem(
            game=game,
            number=7,
            step=5,
            asked=empty,
            questions=(choice(empty, "a draw, the player to move wins, the player to move loses", "a draw"),),
            hint="Can anybody flip or reset a bit?",
            why="With no 1 to flip next to, and no 1 to reset, nobody can move. That's a draw.",
        ),
    )


def _longer(game: BitsRules) -> PracticeItem:
    position = _at(game, "001111", "111110")
    asked = f"Six bits a row. Your opponent has {spaced('111110')}. Which move stops them, even if bits at the edge "
    asked += "are safe?"
    return PracticeItem(
        game=game,
        number=8,
        step=7,
        asked=asked,
        questions=(choice(asked, "reset 1, reset 3, reset 5, flip 2", "reset 5", position),),
        hint="Bit 6 is missing. Which bit is next to it?",
        why="Reset the bit next to the missing one. That works even if bit 1, at the edge, is safe.",
    )
