"""The puzzles of Binary Battle, against searches written a second time and the values of the evaluator."""

from fractions import Fraction
from typing import Any

import pytest

from bitduel.games.binary_battle import BinaryBattle
from bitduel.games.binary_battle.puzzles.corner_it import CornerIt, corner_it, most_awkward_line
from bitduel.games.binary_battle.puzzles.knowledge import Knowledge, shortest_lines
from bitduel.games.binary_battle.puzzles.marks import Costs, Notes, costs, notes
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
