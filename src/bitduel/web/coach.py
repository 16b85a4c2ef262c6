"""The coach beside a match: a question, then a clue, then the move and its reasons."""

from typing import NamedTuple

from bitduel.core.errors import BitduelError
from bitduel.core.evaluation import MoveEvaluation
from bitduel.core.match import Match
from bitduel.core.phrases import choice_phrases
from bitduel.core.view import View
from bitduel.learning.hints import explain_moves, graded_hint, recommended
from bitduel.service.new_match import check_size
from bitduel.solver.evaluators import evaluator_for
from bitduel.web import boards


class CoachHint(NamedTuple):
    """One of the hints of the coach, which tell more and more."""

    title: str
    lines: list[str]


def coach(match: Match, view: View) -> tuple[list[boards.MoveRow], list[CoachHint]]:
    """Return every move's evaluation and the hints, for the player to move; no evaluation if the game is too large."""
    if not view.legal:
        return [], []
    try:
        check_size(match.game)
        advice = explain_moves(evaluator_for(match.game), match)
    except BitduelError as error:
        return [], [CoachHint("Coach", [str(error)])]
    choices = [each.choice for each in advice]
    good = recommended(advice)
    rows = [
        boards.MoveRow(c.move, boards.label(c.move), phrase, c.move in good, sign=sign(c))
        for c, phrase in zip(choices, choice_phrases(choices), strict=True)
    ]
    hint = graded_hint(match, advice, [row.label for row in rows])
    return rows, [
        CoachHint("Question", [hint.question]),
        CoachHint("Clue", [hint.clue]),
        CoachHint("Move", hint.answer),
    ]


def sign(choice: MoveEvaluation) -> str:
    """Return an evaluation short enough for a sign on the board."""
    chance = choice.evaluation.win_probability
    return f"{chance:.0%}" if chance is not None else choice.evaluation.value or ""
