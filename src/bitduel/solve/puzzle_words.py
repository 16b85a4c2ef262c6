"""What is said of a puzzle and of the answers to it, the same in every way in."""

from collections.abc import Sequence
from typing import NamedTuple

from bitduel.core.advice import moves, often, told
from bitduel.core.game import PASS
from bitduel.core.match import Match
from bitduel.core.plan import either
from bitduel.core.view import View
from bitduel.core.words import PLAYERS
from bitduel.core.worth import DRAW, LOSS, Worth
from bitduel.solve.exercise import Goal, Tried
from bitduel.solve.puzzles import GRADES, Puzzle

RIGHT, WRONG, HINTED, SHOWN = "✓", "✗", "?", "-"
"""What becomes of a try in the line to share; it says nothing of the moves."""

PLAIN = {RIGHT: "+", WRONG: "x", "·": "|"}
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
    doing = _doing(puzzle.match, tried.move)
    if tried.right:
        return f"{_upper(doing)} {_praised(tried.worth)}{WHY[puzzle.goal]}."
    return f"No: {doing} {_blamed(tried.worth)}{BUT.get(puzzle.goal, '')}."


WHY = {
    Goal.WIN: ", whatever your opponent does",
    Goal.DRAW: "; nobody can force a win",
    Goal.DEFEND: ", and nothing holds out longer",
    Goal.CHANCE: ", and nothing else as often",
}
BUT = {Goal.DEFEND: ", and another move holds out longer", Goal.CHANCE: ", and another move more often"}
"""What is to be said of the right move, and of the others."""


def _praised(worth: Worth) -> str:
    if worth.win_probability is not None:
        return f"wins {often(worth.win_probability)}"
    return "keeps the draw" if worth.value == DRAW else told(worth, "" if worth.plies == 1 else "your")


def _blamed(worth: Worth) -> str:
    if worth.win_probability is not None:
        return f"wins {often(worth.win_probability)}"
    if worth.value == LOSS and worth.plies and worth.plies > 1:
        return f"lets your opponent win{moves(worth.plies - 1)}"
    return "only draws" if worth.value == DRAW else told(worth)


def refutation(puzzle: Puzzle, tried: Tried) -> list[Step]:
    """The board after a move and after every reply of best play; in the dark nothing is to be seen."""
    if puzzle.game.chance:
        return []
    line = puzzle.line(tried.move)
    line = line if tried.worth.value == LOSS else line[:SOME_OF_A_DRAW]
    match, steps = puzzle.match, list[Step]()
    for move in (tried.move, *line):
        said = _played(match, move, puzzle.seat) if steps else f"{_upper(_doing(match, move))}."
        match = match.after(move)
        ending = match.game.words.end(match.outcome, PLAYERS) if match.outcome else []
        told_of = [line for line in ending if line and not line.startswith("-")]
        steps.append(Step(" ".join([said, *told_of]), match.view(puzzle.seat)))
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
        return f"You play on by {_doing(match, move)}."
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
    return f"{_upper(acts)} {_praised(puzzle.answer(puzzle.right[0]).worth)}{WHY[puzzle.goal]}."


def share_line(date: str, grade: int, tries: str, streak: int = 0, plain: bool = False) -> str:
    """A result to share: the day, how hard it was, and how many tries it took; nothing that helps anybody."""
    parts = [f"bitduel {date}", f"{grade}/{GRADES[-1]}", tries]
    line = " · ".join([*parts, f"streak {streak}"] if streak > 1 else parts)
    return "".join(PLAIN.get(sign, sign) for sign in line) if plain else line


def after_tries(puzzle: Puzzle, moves: Sequence[str]) -> str:
    """The signs of some answers in a row."""
    return "".join(RIGHT if move in puzzle.right else WRONG for move in moves)
