"""What is said of a puzzle and of the answers to it, the same in every way in."""

from collections.abc import Sequence
from typing import NamedTuple

from bitduel.core.advice import either, moves, often, told
from bitduel.core.game import PASS
from bitduel.core.match import Match
from bitduel.core.view import View
from bitduel.core.words import PLAYERS
from bitduel.core.worth import DRAW, LOSS, Worth
from bitduel.solve.exercise import Goal, Tried
from bitduel.solve.puzzles import GRADES, Puzzle

RIGHT, WRONG, HINTED, SHOWN = "✓", "✗", "?", "–"
"""What becomes of a try in the line to share; it says nothing of the moves."""

PLAIN = {RIGHT: "+", WRONG: "x", SHOWN: "-", "·": "|"}
"""The same where nothing but letters can be shown."""

SOME_OF_A_DRAW = 4
"""So many plies are shown of a play in which nobody wins."""

PRAISE = ("Yes! Right at the first try.", "Yes! Right at the second try.", "Yes! You have found it.")


class Step(NamedTuple):
    """One position of a refutation: what was played to come there, and what is then to be seen."""

    said: str
    view: View


def grade_text(grade: int) -> str:
    """A grade among all grades."""
    return f"grade {grade} of {GRADES[-1]}"


def role(puzzle: Puzzle) -> str:
    """Who one is, and that it is one's move."""
    return f"You are {PLAYERS[puzzle.seat - 1]}, and it is your move."


def praise(tries: str) -> str:
    """What is said to a right answer after these tries, itself included."""
    if HINTED in tries:
        return PRAISE[-1]
    return PRAISE[min(tries.count(WRONG), len(PRAISE) - 1)]


def verdict(puzzle: Puzzle, tried: Tried) -> str:
    """What is wrong with an answer, or what is so good about it."""
    worth = _told(tried.worth, puzzle.match.after(tried.move))
    doing = _upper(_doing(puzzle.match, tried.move))
    if tried.right:
        return f"{doing} {worth}{_why(puzzle)}."
    return f"No: {doing[0].lower()}{doing[1:]} {worth}{_but(puzzle, tried)}."


def _told(worth: Worth, after: Match) -> str:
    if worth.win_probability is not None:
        return f"wins {often(worth.win_probability)}"
    return told(worth, "" if after.outcome else "your")


def _why(puzzle: Puzzle) -> str:
    return {
        Goal.WIN: ", whatever your opponent does",
        Goal.DRAW: ", and nobody can force a win",
        Goal.DEFEND: ", and nothing holds out longer",
        Goal.CHANCE: ", and nothing more often",
    }[puzzle.goal]


def _but(puzzle: Puzzle, tried: Tried) -> str:
    """What another move would do."""
    if puzzle.goal == Goal.CHANCE:
        return ", and another move more often"
    if puzzle.goal == Goal.DEFEND:
        return ", and another move holds out longer"
    return f", where {'a win' if puzzle.goal == Goal.WIN else 'a draw'} can be had" if tried.worth.value else ""


def refutation(puzzle: Puzzle, tried: Tried) -> list[Step]:
    """The board after a move and after every reply of best play; in the dark nothing is to be seen."""
    if puzzle.game.chance:
        return []
    line = tried.line if tried.worth.value == LOSS else tried.line[:SOME_OF_A_DRAW]
    match, steps = puzzle.match, []
    for move in (tried.move, *line):
        said, match = _played(match, move, puzzle.seat), match.after(move)
        ending = match.game.words.end(match.outcome, PLAYERS) if match.outcome else []
        steps.append(Step(" ".join([said, *filter(None, ending)]), match.view(puzzle.seat)))
    if not match.outcome:
        last = "And so on: nobody wins." if tried.worth.value == DRAW else "And so on."
        steps[-1] = steps[-1]._replace(said=f"{steps[-1].said} {last}")
    return steps


def _played(match: Match, move: str, you: int) -> str:
    """A move of either side, told to one of them."""
    own = match.next_seat == you
    if move == PASS:
        return match.game.words.passed(PLAYERS[match.next_seat - 1])
    if own:
        return f"You go on by {_doing(match, move)}."
    act = match.game.words.act(match.view(match.next_seat), move)
    return f"Your opponent can {act.theirs}."


def _doing(match: Match, move: str) -> str:
    return match.game.words.act(match.view(match.next_seat), move).doing


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def hints(puzzle: Puzzle) -> list[str]:
    """Help that gives away more and more: how far the end is, then moves that are no answer."""
    far = [] if puzzle.goal in (Goal.CHANCE, Goal.DRAW) else [_far(puzzle)]
    return [*far, *(f"It is not {_doing(puzzle.match, move)}." for move in puzzle.wrong)]


def _far(puzzle: Puzzle) -> str:
    worth = puzzle.answer(puzzle.right[0]).worth
    kind = "The right move wins" if puzzle.goal == Goal.WIN else "The right move loses"
    return f"{kind}{moves(worth.plies, 'your')}."


def solution(puzzle: Puzzle) -> str:
    """The answer, for somebody who gives up."""
    acts = either([_doing(puzzle.match, move) for move in puzzle.right])
    return f"It is {acts}: it {_told(puzzle.answer(puzzle.right[0]).worth, puzzle.match)}{_why(puzzle)}."


def share_line(date: str, grade: int, tries: str, streak: int = 0, plain: bool = False) -> str:
    """A result to share: the day, how hard it was, and how many tries it took; nothing that helps anybody."""
    parts = [f"bitduel {date}", f"{grade}/{GRADES[-1]}", tries]
    line = " · ".join([*parts, f"streak {streak}"] if streak > 1 else parts)
    return "".join(PLAIN.get(sign, sign) for sign in line) if plain else line


def after_tries(puzzle: Puzzle, moves: Sequence[str]) -> str:
    """The signs of some answers in a row."""
    return "".join(RIGHT if move in puzzle.right else WRONG for move in moves)
