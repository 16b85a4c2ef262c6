"""The puzzles of Binary Battle, against searches written a second time and the values of the evaluator."""

from fractions import Fraction
from itertools import pairwise
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


def test_a_corner_that_leaves_one_number_says_so() -> None:
    puzzle = CornerIt(game=BinaryBattle(), parameters=parameters(number=5, low=0, high=3))
    first, second, end = puzzle.explanation
    assert "the secret is 0 and 1 more turn is enough" in first
    assert "the secret is a number from 2 to 3 and 2 more turns are enough" in first
    assert "the secret is 2 and 1 more turn is enough" in second
    assert end == "In the end 2 is left, and 1 more turn is enough."


def test_the_hints_of_a_corner_name_what_can_be_hit_now() -> None:
    near = {
        (3, 4, 17): "7 and 11 can be hit now. You have 7 turns for 14 numbers",
        (0, 10, 31): "16 can be hit now. You have 8 turns for 22 numbers",
    }
    for (number, low, high), idea in near.items():
        puzzle = CornerIt(game=BinaryBattle(), parameters=parameters(number=number, low=low, high=high))
        assert puzzle.hints[0] == f"Which numbers from {low} to {high} are one toggle from {number}?"
        assert puzzle.hints[1].startswith(idea)
        ((right,), *_) = (answer for _, answer in puzzle.solution())
        assert puzzle.hints[2].startswith(f"Begin with {right}")


def test_a_wrong_toggle_is_refuted_by_the_answer_after_which_the_turns_are_too_few() -> None:
    puzzle = CornerIt(game=BinaryBattle(), parameters=parameters(number=0, low=10, high=31))
    outside = puzzle.refute((), ("toggle 3",))
    assert outside.moves == ("toggle 3",)
    assert outside.sentences[0].startswith("4 can't be the secret")
    assert "8 more turns may be needed, but you have only 7" in outside.sentences[0]
    inside = puzzle.refute((("toggle 1",),), ("toggle 3",)).sentences[0]
    assert inside.startswith("You make 20. If it is less, the secret is a number from 21 to 31.")
    assert "7 more turns may be needed, but you have only 6" in inside


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


def test_notes_that_are_taken_toggle_every_bit_none_twice_in_a_row_and_leave_several_numbers() -> None:
    toggles = set[str]()
    for seed in range(50):
        taken, known = _take_notes(4, Random(seed), 3 + seed % 3)
        assert len(taken) == 3 + seed % 3
        assert 2 < known.low < known.high < 16
        assert not any(one[:-1] == two[:-1] for one, two in pairwise(taken[1:]))
        toggles |= {note[:-1] for note in taken}
    assert toggles == {"1", "2", "3", "4"}


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


@pytest.mark.parametrize(
    ("secret", "turns", "reason"),
    [
        (0, 2, "00000 takes 2 turns"),
        (1, 9, "00001 takes 1 + 8 = 9 turns."),
        (5, 8, "00101 takes 2 + 6 = 8 turns."),
        (8, 3, "01000 takes 1 + 2 = 3 turns."),
        (16, 1, "10000 takes 1 turn."),
        (24, 2, "11000 takes 2 turns."),
    ],
)
def test_a_wrong_secret_is_refuted_by_the_turns_of_its_digits(secret: int, turns: int, reason: str) -> None:
    for when, turn in (("by", 4), ("in", 3)):
        values = parameters(when=when, turn=turn, first=1, last=31)
        sheet = Costs(game=BinaryBattle(), parameters=values)
        is_marked = turns == turn or (when == "by" and turns < turn)
        said = sheet.why(secret)
        assert reason in said
        assert ("is missing" in said) == is_marked
        assert (f"not hit {when} turn {turn}" in said) == (not is_marked)


def test_secrets_are_explained_by_their_digits_and_the_first_is_the_example() -> None:
    sheet = Costs(game=BinaryBattle(), parameters=parameters(when="by", turn=4, first=1, last=16))
    assert sheet.explanation[1].endswith("by turn 4: 8 (01000: 3), 12 (01100: 4), 16 (10000: 1).")
    assert sheet.hints[1].endswith("01000 takes 3.")
    assert "from 1 to 16" in sheet.task


@pytest.mark.parametrize("bits", SIZES)
def test_notes_mark_exactly_the_secrets_that_would_have_been_answered_so(bits: int) -> None:
    puzzles = list(notes(BinaryBattle(bits=bits)))
    assert len(puzzles) >= 20
    for puzzle in puzzles:
        check_notes(puzzle)


def test_a_sheet_of_notes_has_ten_to_twenty_numbers_with_two_or_more_to_mark_and_two_or_more_to_leave() -> None:
    sheets = list(notes(BinaryBattle()))
    lengths = [len(sheet.numbers) for sheet in sheets]
    marks = [len(sheet.marks) for sheet in sheets]
    assert (min(lengths), max(lengths)) == (10, 20)
    assert min(marks) == min(length - count for length, count in zip(lengths, marks, strict=True)) == 2


@pytest.mark.parametrize("bits", SIZES)
def test_costs_are_the_turns_of_a_search_that_is_played_out(bits: int) -> None:
    puzzles = list(costs(BinaryBattle(bits=bits)))
    assert puzzles
    for puzzle in puzzles:
        check_costs(puzzle)


def test_costs_are_asked_for_all_secrets_for_each_half_and_for_the_middle() -> None:
    sheets = list(costs(BinaryBattle()))
    assert {(sheet.numbers[0], sheet.numbers[-1]) for sheet in sheets} == {(1, 31), (1, 16), (16, 31), (8, 23)}
    turns = {when: {sheet.turn for sheet in sheets if sheet.when.startswith(when)} for when in ("by", "in")}
    assert turns == {"by": {3, 4, 5, 6, 7}, "in": {3, 4, 5, 6, 7, 8}}


def test_the_deal_of_a_corner_follows_from_the_range() -> None:
    puzzle = CornerIt(game=BinaryBattle(), parameters=parameters(number=0, low=10, high=31))
    assert "deal" not in puzzle.position.as_data()
    assert set(puzzle.parameters) == set(Knowledge._fields)
