"""The puzzles of Binary Race with bits, against the rules written a second time."""

from fractions import Fraction
from typing import Any

import pytest

from bitduel.core.puzzle import Refutation
from bitduel.games.binary_race_bits import BinaryRaceBits
from bitduel.games.binary_race_bits.habit_puzzles import BeatTheHabit, beat_the_habit
from bitduel.games.binary_race_bits.puzzles import CanItHappen, WhatHolds, can_it_happen, what_holds
from bitduel.learning.puzzle_deck import deck, puzzle_by_id
from bitduel.learning.puzzle_session import PuzzleSession
from learning.bits_proofs import check_beat_the_habit, check_can_it_happen, check_what_holds

LARGER = [pytest.param(bits, marks=pytest.mark.thorough) for bits in (5, 6)]
SETTINGS = [
    pytest.param({}, id="standard"),
    pytest.param({"edge": "strict"}, id="strict"),
    *(
        pytest.param({"bits": bits, "edge": edge}, id=f"{bits}-{edge}", marks=pytest.mark.thorough)
        for bits in (5, 6)
        for edge in ("open", "strict")
    ),
    pytest.param({"first_move": "empty"}, id="empty"),
]


def test_what_holds_gives_the_worked_examples() -> None:
    examples: list[tuple[dict[str, Any], str, str, int, str]] = [
        ({}, "0100", "0110", 1, "flip 1, flip 3, reset 2, reset 3"),
        ({"edge": "strict"}, "0100", "1100", 1, "flip 1, flip 3, reset 2"),
        ({"edge": "strict"}, "0110", "1110", 2, "reset 3"),
        ({"edge": "strict", "bits": 6}, "001111", "011111", 3, "reset 2"),
        ({"bits": 6}, "000010", "100000", 1, "flip 4, flip 6, reset 1"),
    ]
    for options, mine, theirs, grade, right in examples:
        puzzle = WhatHolds(game=BinaryRaceBits(**options), parameters={"mine": mine, "theirs": theirs})
        question = puzzle.question()
        assert question
        assert ", ".join(question.right) == right
        assert puzzle.odds == Fraction(1, 2 ** (2 * len(mine)))
        assert puzzle.grade == grade


@pytest.mark.parametrize("options", SETTINGS)
def test_exactly_the_marked_moves_are_legal_and_do_not_lose(options: dict[str, Any]) -> None:
    puzzles = list(what_holds(BinaryRaceBits(**options)))
    assert puzzles
    for puzzle in puzzles:
        check_what_holds(puzzle)


def test_six_holds_of_the_standard_game_can_go_wrong() -> None:
    puzzles = list(what_holds(BinaryRaceBits()))
    assert len(puzzles) == len({str(puzzle.parameters) for puzzle in puzzles})
    assert sum(puzzle.is_alarm for puzzle in puzzles) == 6
    assert all(bool(puzzle.losing) == puzzle.is_alarm for puzzle in puzzles)


def test_a_wrong_mark_is_refuted_by_what_is_wrong_with_it() -> None:
    puzzle = WhatHolds(game=BinaryRaceBits(), parameters={"mine": "0110", "theirs": "1110"})
    lost = puzzle.refute((), ("reset 3", "flip 1"))
    assert lost == Refutation(("After flip 1, your opponent plays flip 4 and fills the row.",), ("flip 1", "flip 4"))
    illegal = puzzle.refute((), ("reset 1", "reset 2", "reset 3"))
    assert illegal.sentences == ("You can't play reset 2. Your opponent's bit 2 is safe between two 1s.",)
    missing = puzzle.refute((), ("reset 1",))
    assert missing.sentences == ("A mark is missing: reset 3 is legal and doesn't lose.",)


def test_can_it_happen_gives_the_worked_examples() -> None:
    examples = [
        (4, 1, "0110/0011 0101/0110 0111/0110 1000/0001 0111/1110 0010/0110", 2, "ADE"),
        (4, 2, "0110/0010 0110/1100 1110/0110 0111/0011 1011/0110 0100/0000", 2, "ACDF"),
        (5, 2, "01110/00110 01100/01100 11100/10001 00111/11000 00010/00000 01110/01110", 2, "ADE"),
        (
            6,
            1,
            "011100/111000 011000/000011 011110/011100 101000/110000 111110/011111 000001/100000 001100/011100 "
            "000111/010110",
            4,
            "ABEF",
        ),
    ]
    for bits, seat, boards, grade, right in examples:
        puzzle = CanItHappen(game=BinaryRaceBits(bits=bits), parameters={"to-move": str(seat), "boards": boards})
        assert "".join(puzzle.right) == right
        assert puzzle.odds == Fraction(1, 2 ** len(boards.split()))
        assert puzzle.grade == grade


@pytest.mark.parametrize("bits", [4, *LARGER])
@pytest.mark.parametrize("seat", [1, 2])
def test_exactly_the_marked_boards_come_up_and_each_other_one_has_its_reason(bits: int, seat: int) -> None:
    puzzles = list(can_it_happen(BinaryRaceBits(bits=bits), seat))
    assert len({puzzle.parameters["boards"] for puzzle in puzzles}) == len(puzzles)
    for puzzle in puzzles:
        check_can_it_happen(puzzle)


def test_beat_the_habit_gives_the_worked_examples() -> None:
    examples: list[tuple[dict[str, Any], tuple[str, str, str, str], int, str, int]] = [
        ({}, ("0001", "0100", "flip", ""), 18, "flip 3, flip 2, flip 1", 2),
        ({}, ("0010", "0100", "last", ""), 36, "flip 2, flip 1, flip 4", 3),
        (
            {"edge": "strict"},
            ("0001", "0010", "turns", "reset"),
            72,
            "flip 3, flip 3, flip 2, flip 2, flip 1",
            4,
        ),
        ({"bits": 5}, ("00011", "00110", "last", ""), 144, "flip 3, flip 2, flip 1, flip 5", 4),
    ]
    for options, values, odds, plan, grade in examples:
        parameters = dict(zip(("mine", "theirs", "habit", "next"), values, strict=True))
        puzzle = BeatTheHabit(game=BinaryRaceBits(**options), parameters=parameters)
        assert ", ".join(puzzle.plan) == plan
        assert puzzle.odds == Fraction(1, odds)
        assert puzzle.grade == grade


def test_the_standard_game_has_73_pairs_of_a_position_and_a_habit_with_19_plans() -> None:
    puzzles = list(beat_the_habit(BinaryRaceBits()))
    assert len(puzzles) == 73
    # A plan counts once for each habit, the one that alternates having two beginnings.
    assert len({(puzzle.habit, puzzle.start.next_kind, puzzle.plan) for puzzle in puzzles}) == 19


@pytest.mark.thorough
@pytest.mark.parametrize("options", [each for each in SETTINGS if each.id != "empty"])
def test_every_plan_is_the_only_shortest_one_and_cannot_be_guessed(options: dict[str, Any]) -> None:
    for puzzle in beat_the_habit(BinaryRaceBits(**options)):
        check_beat_the_habit(puzzle)
        assert puzzle.odds <= Fraction(1, 8)
        answers = list[tuple[str, ...]]()
        for question, answer in puzzle.solution():
            for wrong in {candidate.name for candidate in question.candidates} - {*question.right}:
                refuted = puzzle.refute(answers, (wrong,))
                assert refuted.moves[0] == wrong
                assert len(refuted.sentences) == 1
            answers.append(answer)


def test_every_wrong_move_against_a_habit_is_refuted_by_moves_that_can_be_played() -> None:
    endings = set[str]()
    for entry in deck().entries.values():
        puzzle = puzzle_by_id(entry.id).puzzle if entry.kind == BeatTheHabit.kind else None
        answers = list[tuple[str, ...]]()
        for question, answer in puzzle.solution() if puzzle else ():
            assert puzzle
            assert question.position
            for wrong in {candidate.name for candidate in question.candidates} - {*question.right}:
                refuted, match = puzzle.refute(answers, (wrong,)), question.position.match
                for move in refuted.moves:
                    match = match.after(move)
                assert ("the match is a draw." in refuted.sentences[0]) == bool(
                    match.outcome and not match.outcome.winner
                )
                endings.add(match.outcome.reason if match.outcome else "")
            answers.append(answer)
    assert endings == {"", "repetition", "stalemate"}


def test_a_move_that_repeats_a_position_for_the_third_time_draws() -> None:
    puzzle = puzzle_by_id("s7fldw").puzzle
    session = PuzzleSession.parse(puzzle, "1.1.2")
    assert session.feedback
    assert session.feedback.refutation
    assert "the same position has come up three times" in session.feedback.refutation.sentences[0]


@pytest.mark.parametrize("options", [{}, pytest.param({"edge": "strict"}, marks=pytest.mark.thorough)])
def test_the_idea_of_every_habit_is_true_of_its_plan(options: dict[str, Any]) -> None:
    for puzzle in beat_the_habit(BinaryRaceBits(**options)):
        idea = puzzle.hints[1]
        answers = [(move,) for move in puzzle.plan]
        replies = [reply for at in range(1, puzzle.turns) for reply in puzzle.replies(answers[:at])]
        bits = puzzle.rules.bits
        if "you have to flip on every turn" in idea:
            assert all(move.startswith("flip") for move in puzzle.plan)
        elif "on their turn" in idea:
            assert replies[-1].startswith("flip")
        elif "flip it last" in idea:
            assert puzzle.plan[-1] == f"flip {bits if puzzle.habit == 'last' else 1}"
        else:
            assert options["edge"] == "strict"
            assert f"reset {bits if puzzle.habit == 'last' else 1}" not in replies


def test_hints_are_three_sentences_without_the_names_of_settings() -> None:
    for kind in BinaryRaceBits.puzzle_kinds():
        assert kind.title
    puzzle = next(what_holds(BinaryRaceBits(edge="strict", bits=5)))
    assert "=" not in puzzle.task
    assert "An end bit may be reset only while the bit beside it is 0." in puzzle.task


@pytest.mark.parametrize(("first_move", "are_over"), [("turn", True), ("game", True), ("flip", True), ("empty", False)])
def test_a_task_says_that_the_first_turns_are_over_where_they_matter(first_move: str, are_over: bool) -> None:
    puzzle = next(what_holds(BinaryRaceBits(**{"first-move": first_move})))
    assert ("The first turns are over." in puzzle.task) == are_over
    assert ("Whenever all your bits are 0" in puzzle.task) != are_over
