"""A position to be answered: its goal, its right moves, and what follows a wrong one."""

import pytest

from bitduel.core.errors import MoveError
from bitduel.core.evaluation import DRAW, LOSS, WIN
from bitduel.games import find
from bitduel.solver.exercises import Exercise, Goal


def at(game: str, *moves: str, **options: object) -> Exercise:
    return Exercise(find(game)(**options), moves)


def test_where_a_win_can_be_had_every_winning_move_is_right() -> None:
    exercise = at("double", start=5, target=10)
    assert exercise.goal == Goal.WIN
    assert exercise.right == tuple(c.move for c in exercise.choices if c.worth.value == WIN)


def test_a_wrong_answer_is_refuted_by_best_play_to_the_end() -> None:
    exercise = at("double", start=9, target=20)
    assert (exercise.goal, exercise.right) == (Goal.WIN, ("double",))
    tried = exercise.answer("add")
    assert (tried.right, tried.worth.value) == (False, LOSS)
    assert tried.line[0] == "double"
    match = exercise.match.after("add")
    for move in tried.line:
        match = match.after(move)
    assert match.outcome
    assert match.outcome.winner == 2


def test_where_all_is_lost_only_the_longest_defence_is_right() -> None:
    exercise = at("double", start=3, target=20)
    assert exercise.goal == Goal.DEFEND
    latest = max(choice.worth.plies or 0 for choice in exercise.choices)
    assert all(exercise.answer(move).worth.plies == latest for move in exercise.right)


def test_where_nobody_can_force_a_win_every_draw_is_right() -> None:
    exercise = at("bits")
    assert exercise.goal == Goal.DRAW
    assert all(exercise.answer(move).worth.value == DRAW for move in exercise.right)


def test_in_the_dark_the_likeliest_is_asked_for_and_nothing_is_told_of_what_follows() -> None:
    exercise = Exercise(find("battle")(), ("toggle 5",), "00111")
    assert exercise.goal == Goal.CHANCE
    assert exercise.answer(exercise.right[0]).line == ()


def test_a_line_is_bounded() -> None:
    assert len(at("31", length=1000).answer("16").line) == 12


def test_what_is_no_move_is_refused() -> None:
    with pytest.raises(MoveError):
        at("double").answer("halve")
