"""Printed material as data: answers in words, evaluations for questions, and sizes that do not suit a sheet."""

import pytest

from bitduel.core.evaluation import LOSS, WIN
from bitduel.core.lesson import LessonPosition
from bitduel.core.worksheet import (
    NONE,
    SheetError,
    SheetEvaluator,
    WorksheetItem,
    blanks,
    cells,
    check_size,
    game_worksheet,
    spread,
    unplugged_game,
)
from bitduel.games.registry import make
from bitduel.solver.evaluators import evaluator_for
from sixth_game.little_nim import LittleNim


def test_numbers_are_spread_evenly_with_both_ends() -> None:
    assert spread(range(1, 11), 4) == [1, 4, 7, 10]
    assert spread([1, 2], 5) == [1, 2]


def test_the_solution_is_what_is_circled_or_filled_in() -> None:
    assert WorksheetItem(cells=cells(range(1, 6), lambda number: number % 2)).solution == "1, 3, 5"
    assert WorksheetItem(cells=cells(range(1, 6), lambda _number: False)).solution == NONE
    assert [(item.text, item.solution) for item in blanks([("6 =", 6)])] == [("6 =", "6")]


def test_an_item_is_drawn_only_where_it_says_so_and_without_help() -> None:
    position = LessonPosition(make("bits"), ("flip 2", "flip 2", "flip 1", "flip 1", "flip 3"))
    assert WorksheetItem(position=position).picture is None
    picture = WorksheetItem(position=position, is_drawn=True).picture
    assert picture
    assert {row.title for row in picture.rows} == {"You", "Opponent"}
    assert all(cell.is_safe is None for row in picture.rows for cell in row.cells)


def test_positions_are_evaluated_for_the_player_to_move() -> None:
    solver = SheetEvaluator(evaluator_for)
    start = LessonPosition(make("double"))
    assert solver.value(start) == LOSS
    assert solver.moves(start, WIN) == []
    assert solver.moves(LessonPosition(make("double", start=4)), WIN) == ["add"]
    assert solver.evaluation(start).plies == 14


def test_a_size_outside_a_range_gets_one_sentence() -> None:
    check_size("bits", 3, 3, 6)
    with pytest.raises(SheetError, match=r"^To print sheets, bits must be from 3 to 6, not 7\.$"):
        check_size("bits", 7, 3, 6)


def test_a_game_without_sheets_gets_one_sentence() -> None:
    with pytest.raises(SheetError, match=r"^There is no worksheet for Little Nim yet\.$"):
        game_worksheet(LittleNim(), evaluator_for)
    with pytest.raises(SheetError, match=r"^There is no unplugged version of Little Nim yet\.$"):
        unplugged_game(LittleNim())
