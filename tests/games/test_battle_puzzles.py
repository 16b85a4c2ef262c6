"""The puzzles of Binary Battle, against searches written a second time and the values of the evaluator."""

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from bitduel.core.picture import Mark
from bitduel.games.binary_battle import BinaryBattle
from bitduel.games.binary_battle.puzzles.corner_it import CornerIt, corner_it, most_awkward_line
from bitduel.games.binary_battle.puzzles.knowledge import Knowledge, shortest_lines
from bitduel.games.binary_battle.puzzles.marks import Costs, Notes, _take_notes, costs, notes
from bitduel.games.binary_battle.puzzles.toggle_tree import ToggleTree, toggle_tree
from learning.battle_proofs import check_corner_it, check_costs, check_notes, check_toggle_tree

SIZES = [4, pytest.param(5, marks=pytest.mark.thorough), pytest.param(6, marks=pytest.mark.thorough)]


def parameters(**values: Any) -> dict[str, str]:
    return {name: str(value) for name, value in values.items()}


def test_corner_it_gives_the_worked_examples() -> None:
    examples = [
        (5, 0, 3, 3, "toggle 3 less, toggle 4 greater", 3),
        (11, 2, 8, 6, "toggle 2 less, toggle 3 less", 3),
        (0, 10, 31, 8, "toggle 1 less, toggle 2 greater", 4),
        (3, 4, 17, 7, "toggle 3 less, toggle 2 greater, toggle 3 less", 5),
    ]
    for number, low, high, turns, line, grade in examples:
        puzzle = CornerIt(game=BinaryBattle(), parameters=parameters(number=number, low=low, high=high))
        answers, played = [], []
        for _, answer in puzzle.solution():
            answers.append(answer)
            played.append(f"{answer[0]} {puzzle.replies(answers)[0]}")
        assert puzzle.turns == turns
        assert ", ".join(played) == line
        for count, step in enumerate(puzzle.steps):
            known, (look, idea) = step.known, puzzle.look_and_idea(answers[:count])
            assert look == f"Which numbers from {known.low} to {known.high} are one toggle from {known.number}?"
            assert f"You have {step.turns} turns for {known.left} numbers" in idea
        assert puzzle.odds == Fraction(1, 5 ** len(played))
        assert puzzle.grade == grade


def test_a_corner_is_explained_toggle_by_toggle_to_the_numbers_that_are_left() -> None:
    puzzle = CornerIt(game=BinaryBattle(), parameters=parameters(number=3, low=4, high=17))
    *toggles, end = puzzle.explanation
    for sentence, bit, made, after in zip(
        toggles, (3, 2, 3), (7, 15, 11), ("8 to 17 and 6", "8 to 14 and 5", "12 to 14 and 4"), strict=True
    ):
        assert sentence.startswith(f"Toggle {bit} makes {made}.")
        assert after in sentence
    assert "12 to 14" in end
    assert "4 more turns" in end


@pytest.mark.parametrize("bits", SIZES)
def test_every_decision_of_corner_it_has_one_right_toggle_and_the_answer_is_the_most_awkward(bits: int) -> None:
    for puzzle in corner_it(BinaryBattle(bits=bits)):
        check_corner_it(puzzle)
        assert puzzle.odds <= Fraction(1, 5 if bits == 5 else 8)
        question = puzzle.question()
        assert question
        wrong = next(each.name for each in question.candidates if each.name not in question.right)
        assert "but you have" in puzzle.refute((), (wrong,)).sentences[0]


def test_the_standard_game_has_302_corners_up_to_mirror_images_and_32_of_three_decisions() -> None:
    lengths = [len(most_awkward_line(5, known)) for known in shortest_lines(5)]
    assert sum(known.left > 1 for known in shortest_lines(5)) == 8440
    assert [sum(length >= least for length in lengths) for least in (1, 2, 3)] == [2407, 572, 32]
    assert len(list(corner_it(BinaryBattle()))) == 302


@pytest.mark.thorough
def test_six_bits_have_4310_corners_and_384_of_three_decisions() -> None:
    lengths = [len(most_awkward_line(6, known)) for known in shortest_lines(6)]
    assert [sum(length >= least for length in lengths) for least in (2, 3)] == [4310, 384]


def test_toggle_tree_gives_the_worked_examples() -> None:
    examples = [
        (1, 4, 13, 0, 7, (2, 3, 4), (79, 50), 3),
        (2, 4, 14, 7, 13, (3, 4, 5), (48, 44), 3),
        (1, 3, 5, 6, 31, (2, 3, 1), (61, 58), 4),
        (2, 5, 5, 9, 31, (2, 3, 4), (19, 15), 5),
    ]
    for seat, turn, number, low, high, bits, chances, grade in examples:
        values = parameters(seat=seat, turn=turn, number=number, low=low, high=high)
        puzzle = ToggleTree(game=BinaryBattle(), parameters=values)
        assert tuple(int(answer[0].split()[1]) for _, answer in puzzle.solution()) == bits
        assert tuple(round(100 * win) for win, _ in puzzle.branches[0].wins[:2]) == chances
        assert puzzle.odds == Fraction(1, 125)
        assert puzzle.grade == grade


@pytest.mark.parametrize("bits", SIZES)
def test_every_toggle_of_a_tree_wins_more_often_than_any_other_by_two_in_a_hundred(bits: int) -> None:
    for puzzle in toggle_tree(BinaryBattle(bits=bits)):
        check_toggle_tree(puzzle)
        assert puzzle.odds <= Fraction(1, 5 if bits == 5 else 8)
        _, wrong = puzzle.branches[0].wins[-1]
        assert "the best toggle" in puzzle.refute((), (f"toggle {wrong}",)).sentences[0]


def test_the_standard_game_has_308_trees_and_87_with_three_decisions() -> None:
    trees = list(toggle_tree(BinaryBattle()))
    assert len(trees) == 308
    assert sum(tree.decisions == 3 for tree in trees) == 87


def test_notes_give_the_worked_examples() -> None:
    examples = [
        ("1> 1< 3<", 1, 19, (*range(5, 16),), 2),
        ("2< 1> 3> 2< 5<", 18, 27, (22, 23), 2),
    ]
    for text, first, last, right, grade in examples:
        puzzle = Notes(game=BinaryBattle(), parameters=parameters(notes=text, first=first, last=last))
        assert puzzle.marks == right
        assert puzzle.odds == Fraction(1, 2 ** (last - first + 1))
        assert puzzle.grade == grade


def sheet_of_notes(text: str, first: int, last: int) -> Notes:
    return Notes(game=BinaryBattle(), parameters=parameters(notes=text, first=first, last=last))


@pytest.mark.parametrize(
    ("text", "bounds", "low", "high"),
    [
        ("1> 1< 3<", '4, and the smallest with "greater" is 16', 5, 15),
        ("2< 1> 3> 2< 5<", '21, and the smallest with "greater" is 24', 22, 23),
        ("2< 5<", '9, and none got "greater"', 10, 31),
        ("1> 2>", 'No number got the answer "less", and the smallest with "greater" is 16', 0, 15),
    ],
)
def test_notes_are_explained_by_the_two_that_count_and_the_range_they_leave(
    text: str, bounds: str, low: int, high: int
) -> None:
    sheet = sheet_of_notes(text, 0, 31)
    assert sheet.marks == tuple(range(low, high + 1))
    said, so = sheet.explanation
    assert bounds in said
    assert f"from {low} to {high}." in so
    assert sheet.hints[1] == said


def test_a_wrong_mark_of_notes_is_refuted_by_the_note_that_rules_it_out() -> None:
    sheet = sheet_of_notes("2< 1> 3> 2< 5<", 18, 27)
    for number, reason in {
        21: "larger than 21",
        20: "larger than 21",
        22: "22 is missing",
        23: "23 is missing",
        24: "smaller than 24",
        25: "smaller than 24",
    }.items():
        assert reason in sheet.why(number)


def test_a_sheet_of_notes_shows_the_number_after_the_last_toggle_bit_by_bit() -> None:
    picture = sheet_of_notes("2< 1> 3> 2< 5<", 18, 27).picture
    (row,) = picture.rows
    assert "10101" in picture.caption
    assert [(cell.label, cell.text) for cell in row.cells] == [*zip("12345", "10101", strict=True)]
    assert all((cell.mark == Mark.ON) == (cell.text == "1") for cell in row.cells)


def test_notes_that_are_taken_leave_more_than_one_number_and_none_that_there_is_not() -> None:
    for seed in range(50):
        taken, known = _take_notes(4, Random(seed), 3 + seed % 3)
        assert len(taken) == 3 + seed % 3
        assert 2 < known.low < known.high < 16


def test_costs_give_the_worked_examples() -> None:
    examples = [
        ("by", 4, 1, 16, (8, 12, 16), 3),
        ("in", 6, 1, 31, (6, 10, 15, 18, 23, 27, 29), 4),
    ]
    for when, turn, first, last, right, grade in examples:
        values = parameters(when=when, turn=turn, first=first, last=last)
        puzzle = Costs(game=BinaryBattle(), parameters=values)
        assert puzzle.marks == right
        assert puzzle.odds == Fraction(1, 2 ** (last - first + 1))
        assert puzzle.grade == grade


@pytest.mark.parametrize("bits", SIZES)
def test_notes_mark_exactly_the_secrets_that_would_have_been_answered_so(bits: int) -> None:
    puzzles = list(notes(BinaryBattle(bits=bits)))
    assert len(puzzles) >= 20
    for puzzle in puzzles:
        check_notes(puzzle)


@pytest.mark.parametrize("bits", SIZES)
def test_costs_are_the_turns_of_a_search_that_is_played_out(bits: int) -> None:
    puzzles = list(costs(BinaryBattle(bits=bits)))
    assert puzzles
    for puzzle in puzzles:
        check_costs(puzzle)


def test_the_deal_of_a_corner_follows_from_the_range() -> None:
    puzzle = CornerIt(game=BinaryBattle(), parameters=parameters(number=0, low=10, high=31))
    assert "deal" not in puzzle.position.as_data()
    assert set(puzzle.parameters) == set(Knowledge._fields)
