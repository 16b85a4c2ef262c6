"""What is said of a puzzle and of the answers to it, the same in every way in."""

from collections.abc import Sequence
from typing import NamedTuple

from bitduel.core.evaluation import DRAW, LOSS, WIN, Evaluation
from bitduel.core.evaluator import MoveEvaluation
from bitduel.core.game import PASS
from bitduel.core.hints import moves, often, told
from bitduel.core.match import Match, other
from bitduel.core.move_plan import either
from bitduel.core.view import View
from bitduel.core.words import PLAYERS
from bitduel.solver.evaluators import evaluator_for
from bitduel.solver.exercises import Goal, Tried
from bitduel.solver.explain import plan
from bitduel.solver.puzzles import GRADES, Puzzle

RIGHT, WRONG, HINTED, SHOWN = "✓", "✗", "?", "-"
"""What becomes of a try in the line to share; it says nothing of the moves."""

PLAIN = {RIGHT: "+", WRONG: "x", "·": "|"}
"""The same where nothing but letters can be shown."""

MOST_SHOWN, SOME_OF_A_DRAW = 6, 4
"""So many plies of a refutation are shown, its first included; and so many replies where nobody wins."""

PRAISE = ("Yes! Right at the first try.", "Yes! Right at the second try.", "Yes! You have found it.")


def is_over(tries: str) -> bool:
    """Whether tries have come to the right move, or were given up."""
    return tries.endswith((RIGHT, SHOWN))


class RefutationStep(NamedTuple):
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
        return f"{_upper(doing)} {_praised(tried.worth, _wrong(puzzle))}{_so_good(puzzle, tried.worth)}."
    return f"No: {doing} {_blamed(tried.worth, _chances(puzzle, puzzle.right[:1]))}{BUT.get(puzzle.goal, '')}."


def why(puzzle: Puzzle, move: str) -> list[str]:
    """Why a right answer is right, as a hint in a match says it: by a plan and a law, in the dark by what is known."""
    if puzzle.game.chance:
        remark = puzzle.game.words.remark(puzzle.view, move)
        return [remark] if remark else []
    found = plan(evaluator_for(puzzle.game), puzzle.match, MoveEvaluation(move, puzzle.answer(move).worth))
    return found.told() if found else []


SO_GOOD = {
    Goal.WIN: ", whatever your opponent does",
    Goal.DRAW: "; nobody can force a win",
    Goal.DEFEND: ", and nothing holds out longer",
    Goal.CHANCE: ", and nothing else as often",
}
NOTHING_BETTER = ", and nothing wins more often"
BUT = {Goal.DEFEND: ", and another move holds out longer", Goal.CHANCE: ", and another move more often"}
"""What is to be said of the right move, of one of several that win as often, and of the others."""


def _so_good(puzzle: Puzzle, worth: Evaluation) -> str:
    if worth.value == WIN and worth.plies == 1:
        return ""
    return NOTHING_BETTER if puzzle.goal == Goal.CHANCE and len(puzzle.right) > 1 else SO_GOOD[puzzle.goal]


def _wrong(puzzle: Puzzle) -> list[float]:
    """How often wrong moves win, beside which a right one stands."""
    return _chances(puzzle, puzzle.wrong)


def _chances(puzzle: Puzzle, some: Sequence[str]) -> list[float]:
    """How often some moves win, where that is a matter of chance."""
    found = [puzzle.answer(move).worth.win_probability for move in (some if puzzle.goal == Goal.CHANCE else ())]
    return [chance for chance in found if chance is not None]


def _praised(worth: Evaluation, others: Sequence[float]) -> str:
    if worth.win_probability is not None:
        return f"wins {often(worth.win_probability, others)}"
    return "keeps the draw" if worth.value == DRAW else told(worth, "" if worth.plies == 1 else "your")


def _blamed(worth: Evaluation, others: Sequence[float] = ()) -> str:
    if worth.win_probability is not None:
        return f"wins {often(worth.win_probability, others)}"
    if worth.value == LOSS and worth.plies and worth.plies > 1:
        return f"lets your opponent win{moves(worth.plies - 1)}"
    return "only draws" if worth.value == DRAW else told(worth)


def refutation(puzzle: Puzzle, tried: Tried) -> list[RefutationStep]:
    """The board after a move and after every reply of best play; in the dark nothing is to be seen."""
    if puzzle.game.chance:
        return []
    line = puzzle.line(tried.move)
    line = line[: MOST_SHOWN - 1 if tried.worth.value == LOSS else SOME_OF_A_DRAW]
    match, steps = puzzle.match, list[RefutationStep]()
    for move in (tried.move, *line):
        said = _played(match, move, puzzle.seat) if steps else f"{_upper(_doing(match, move))}."
        match = match.after(move)
        ending = match.game.words.end(match.outcome, PLAYERS) if match.outcome else []
        told_of = [line for line in ending if line and not line.startswith("-")]
        steps.append(RefutationStep(" ".join([said, *told_of]), match.view(puzzle.seat)))
    if not match.outcome:
        steps[-1] = steps[-1]._replace(said=f"{steps[-1].said} And so on: {_ends(puzzle, tried, len(steps))}.")
    return steps


def _ends(puzzle: Puzzle, tried: Tried, shown: int) -> str:
    """How a refutation ends of which so many plies are shown."""
    if tried.worth.value == DRAW:
        return "nobody wins"
    left = tried.worth.plies and tried.worth.plies - shown
    return f"{PLAYERS[other(puzzle.seat) - 1]} wins{moves(left)}"


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
    """Help that gives away more and more: what comes of it, then moves that are no answer, but never the last one."""
    return [_aim(puzzle), *(f"It is not {_doing(puzzle.match, move)}." for move in puzzle.wrong[:-1])]


def _aim(puzzle: Puzzle) -> str:
    """What the right move comes to; where that has been said already, what another one does."""
    if puzzle.goal == Goal.DRAW:
        return f"A wrong move {_blamed(puzzle.answer(puzzle.wrong[0]).worth)}." if puzzle.wrong else "No move loses."
    worth = puzzle.answer(puzzle.right[0]).worth
    said = _praised(worth, _wrong(puzzle)) if worth.win_probability is not None else told(worth, "your")
    return f"The right move {said}."


def solution(puzzle: Puzzle) -> str:
    """The answer, for somebody who gives up; how soon is said where that is the same for all that are right."""
    acts = either([_doing(puzzle.match, move) for move in puzzle.right])
    worth, *others = (puzzle.answer(move).worth for move in puzzle.right)
    worth = worth if all(each == worth for each in others) else worth._replace(plies=None)
    return f"{_upper(acts)} {_praised(worth, _wrong(puzzle))}{_so_good(puzzle, worth)}."


def share_line(date: str, grade: int, tries: str, streak: int = 0, plain: bool = False) -> str:
    """A result to share: the day, how hard it was, and how many tries it took; nothing that helps anybody."""
    parts = [f"bitduel {date}", f"{grade}/{GRADES[-1]}", tries]
    line = " · ".join([*parts, f"streak {streak}"] if streak > 1 else parts)
    return shown(line, plain)


def shown(signs: str, plain: bool) -> str:
    """Signs as they are, or in letters where nothing else can be shown."""
    return "".join(PLAIN.get(sign, sign) for sign in signs) if plain else signs


def after_tries(puzzle: Puzzle, moves: Sequence[str]) -> str:
    """The signs of some answers in a row."""
    return "".join(RIGHT if move in puzzle.right else WRONG for move in moves)
