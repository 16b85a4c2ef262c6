"""A lesson is data: what it claims can be found out, and it can be told to programs."""

import json

import pytest

from bitduel.core.evaluation import DRAW, LOSS, WIN, Evaluation
from bitduel.core.lesson import OPPONENT, YOU, EvaluationClaim, LessonPosition, game_lesson, seat_names
from bitduel.games.registry import GameClass, all_games, make
from bitduel.solver.evaluators import evaluator_for
from nim_lesson import MATCH, lost, step
from sixth_game.little_nim import LittleNim


def claim(worth: Evaluation, *stands: LessonPosition, move: str = "") -> bool:
    return EvaluationClaim("so it is said", stands, worth, move).holds(evaluator_for)


def test_a_claim_about_positions_holds_if_every_one_of_them_is_worth_that() -> None:
    assert lost(4, 8, 12).holds(evaluator_for)
    assert not lost(4, 8, 13).holds(evaluator_for)
    assert not EvaluationClaim("nothing at all", (), Evaluation(LOSS)).holds(evaluator_for)


def test_a_claim_can_be_about_plies_about_a_move_and_about_a_chance() -> None:
    seven = LessonPosition(LittleNim())
    assert claim(Evaluation(WIN, 3), seven)
    assert not claim(Evaluation(WIN, 1), seven)
    assert claim(Evaluation(LOSS), seven, move="1")
    assert not claim(Evaluation(WIN), seven, move="9")
    assert not claim(Evaluation(DRAW), seven)
    dark = LessonPosition(make("battle", bits=2), (), "01")
    assert claim(Evaluation(win_probability=0.875), dark)
    assert not claim(Evaluation(win_probability=0.885), dark)
    assert not claim(Evaluation(win_probability=0.5), seven)


def test_the_learner_is_called_so_on_either_seat() -> None:
    assert seat_names(step(3)) == (YOU, OPPONENT)
    assert seat_names(step(3, position=LessonPosition(LittleNim(), ("1",)))) == (OPPONENT, YOU)
    assert MATCH.seat == 1


def test_a_game_need_not_have_a_lesson() -> None:
    assert game_lesson(LittleNim) is None


@pytest.mark.parametrize("kind", all_games(), ids=lambda kind: kind.slug)
def test_a_lesson_can_be_told_to_programs(kind: GameClass) -> None:
    found = game_lesson(kind)
    assert found
    data = json.loads(json.dumps(found.as_data()))
    assert data["title"] == found.title
    assert [each["kind"] for each in data["steps"]] == [each.kind for each in found.steps]
    assert all(set(each["right"]) for each in data["steps"] if each["kind"] != "play")
    assert all(("deal" in each, "secret" in each["options"]) == (False, False) for each in data["steps"])
