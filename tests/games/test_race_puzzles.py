"""The puzzles of the number races and of the track: the worked examples, hints, refutations and odds."""

from collections.abc import Iterator
from fractions import Fraction
from math import prod

import pytest

from bitduel.core.puzzle import Puzzle
from bitduel.games.binary_race_31 import BinaryRace31
from bitduel.games.binary_race_31.puzzles import Route, Thrift, WinningSquares
from bitduel.games.binary_race_64 import BinaryRace64
from bitduel.games.double_or_nothing import DoubleOrNothing
from bitduel.games.number_race.puzzle_generator import generate_lines
from bitduel.games.number_race.puzzle_reasons import even_rule
from bitduel.games.number_race.puzzles import GoodToLeave, NumberLine
from bitduel.games.number_race.rules import NumberRace
from bitduel.games.number_race.target_puzzles import Crossroads, FindTheTarget

Race = type[NumberRace]
D: Race = DoubleOrNothing
R: Race = BinaryRace64


def line(kind: Race, target: int, number: int, defence: str) -> NumberLine:
    return NumberLine(game=kind(target=target), parameters={"number": str(number), "defence": defence})


def window(kind: Race, target: int, low: int, high: int) -> GoodToLeave:
    return GoodToLeave(game=kind(target=target), parameters={"from": str(low), "to": str(high)})


def hidden_target(targets: str, clues: str) -> FindTheTarget:
    return FindTheTarget(game=D(), parameters={"targets": targets, "clues": clues})


def boards(text: str) -> Crossroads:
    return Crossroads(game=R(), parameters={"boards": text})


def thrift(length: int, finish: str, mine: int, theirs: int) -> Thrift:
    return Thrift(
        game=BinaryRace31(length=length, finish=finish), parameters={"mine": str(mine), "theirs": str(theirs)}
    )


def route(length: int, mine: int, theirs: int) -> Route:
    return Route(
        game=BinaryRace31(length=length, finish="exact"), parameters={"mine": str(mine), "theirs": str(theirs)}
    )


def squares(length: int, finish: str, theirs: int, low: int, high: int) -> WinningSquares:
    parameters = {"theirs": str(theirs), "from": str(low), "to": str(high)}
    return WinningSquares(game=BinaryRace31(length=length, finish=finish), parameters=parameters)


def path(puzzle: Puzzle) -> list[str]:
    """Return a line with the replies in between."""
    moves: list[str] = []
    answers: list[tuple[str, ...]] = []
    for _, answer in puzzle.solution():
        answers.append(answer)
        moves += [*answer, *puzzle.replies(answers)]
    return moves


def numbers(puzzle: NumberLine) -> list[int]:
    number, made = puzzle.number, []
    for move in path(puzzle):
        number = number + puzzle.game.step if move == "add" else 2 * number
        made.append(number)
    return made


@pytest.mark.parametrize(
    ("puzzle", "made", "grade"),
    [
        (line(D, 22, 2, "add double"), [3, 4, 5, 10, 20], 3),
        (line(D, 20, 2, "add add"), [3, 4, 5, 6, 12], 4),
        (line(D, 40, 3, "add add add"), [6, 7, 8, 9, 10, 11, 22], 5),
        (line(D, 50, 2, "add add add add"), [3, 4, 8, 9, 10, 11, 12, 13, 26], 7),
        (line(R, 28, 1, "add double"), [2, 4, 6, 12, 24], 3),
        (line(R, 64, 9, "add double"), [11, 13, 15, 30, 60], 4),
        (line(R, 64, 1, "double add add"), [3, 6, 12, 14, 16, 18, 36], 5),
        (line(R, 88, 1, "add add add double"), [2, 4, 6, 8, 10, 12, 14, 28, 56], 7),
    ],
)
def test_the_worked_lines_have_their_moves_odds_and_grade(puzzle: NumberLine, made: list[int], grade: int) -> None:
    assert (numbers(puzzle), puzzle.grade) == (made, grade)
    assert puzzle.odds == Fraction(1, 2 ** (len(made) // 2 + 1))


@pytest.mark.parametrize(
    ("puzzle", "marks", "grade"),
    [
        (window(D, 20, 11, 20), "12 14 16 18 20", 1),
        (window(D, 20, 1, 16), "1 3 5 12 14 16", 3),
        (window(D, 40, 1, 20), "2 6 8 10", 5),
        (window(D, 34, 2, 20), "2 6 8 18 20", 5),
        (window(R, 64, 49, 58), "51 52 55 56", 2),
        (window(R, 64, 15, 29), "15 16 19 23 27", 3),
        (window(R, 64, 1, 20), "3 4 7 11 12 15 16 19", 6),
        (window(R, 44, 1, 24), "2 6 7 10 11 15 19 23 24", 6),
        (squares(31, "sample", 16, 8, 19), "15 16 17 18 19", 1),
        (squares(31, "exact", 14, 8, 19), "11 13 14 15 19", 3),
        (squares(31, "exact", 12, 0, 15), "3 5 6 7 9 10 11 12 13 14 15", 3),
        (squares(63, "exact", 20, 0, 23), "3 5 6 7 9 10 11 12 13 14 15 17 18 19 20 21 22 23", 4),
    ],
)
def test_the_worked_sheets_have_their_marks_odds_and_grade(puzzle: Puzzle, marks: str, grade: int) -> None:
    ((question, answer),) = puzzle.solution()
    assert (" ".join(answer), puzzle.grade) == (marks, grade)
    assert puzzle.odds == Fraction(1, 2 ** len(question.candidates))


@pytest.mark.parametrize(
    ("puzzle", "target", "grade"),
    [
        (hidden_target("12 13 16 18 20 24 28 32", "5+ 7-"), "20", 3),
        (hidden_target("16 20 24 28 32 36 40 44", "9+ 11-"), "36", 3),
        (hidden_target("20 21 24 28 32 36 40 44 48 52", "1- 10+"), "40", 3),
        (hidden_target("24 25 28 32 36 40 44 48 52 56 60 64", "4- 14+"), "56", 4),
    ],
)
def test_the_worked_targets_are_found(puzzle: FindTheTarget, target: str, grade: int) -> None:
    ((question, _),) = puzzle.solution()
    assert (question.right, puzzle.grade) == ((target,), grade)
    assert puzzle.odds == Fraction(1, len(question.candidates))
    assert puzzle.shown_options == {"start": 1, "step": 1}, "the target is what is asked"


@pytest.mark.parametrize(
    ("puzzle", "moves", "grade"),
    [
        (boards("1:20 1:28 5:20 5:30"), "add double add double", 3),
        (boards("5:46 5:48 5:60 5:64"), "double add double add", 3),
        (boards("1:64 5:64 5:62 9:64 9:74"), "add add double add double", 4),
        (boards("9:92 9:96 13:96 13:124 13:112 13:122"), "double add add double add double", 5),
    ],
)
def test_the_worked_crossroads_have_their_moves_odds_and_grade(puzzle: Crossroads, moves: str, grade: int) -> None:
    assert (" ".join(path(puzzle)), puzzle.grade) == (moves, grade)
    assert puzzle.odds == Fraction(1, 2 ** len(moves.split()))


@pytest.mark.parametrize(
    ("puzzle", "turns", "odds", "grade"),
    [
        (thrift(31, "sample", 11, 9), "4 16 16", 25, 3),
        (thrift(31, "exact", 20, 12), "1 16 2 2 8", 64, 4),
        (thrift(63, "sample", 26, 10), "1 16 4 16 16 16 16", 625, 7),
        (thrift(31, "exact", 9, 0), "1 16 1 8 2 4 2 2 16", 3125, 7),
    ],
)
def test_the_worked_thrifty_wins_have_their_moves_odds_and_grade(
    puzzle: Thrift, turns: str, odds: int, grade: int
) -> None:
    # No match comes to 9 against 0, so the kind works this one out, but no deck has it.
    assert " ".join(move for turn in puzzle.moves for move in turn if move) == turns
    assert (puzzle.odds, puzzle.grade) == (Fraction(1, odds), grade)


def test_a_thrifty_win_is_explained_by_what_each_move_leaves() -> None:
    puzzle = thrift(31, "exact", 20, 12)
    first, second, last = puzzle.explanation
    assert first.startswith("1 leaves 10 steps, which is 2 moves;")
    assert second.startswith("2 leaves 8 steps, which is 1 move;")
    assert last.startswith("8 takes you to the end")
    assert "You have 11 steps left" in puzzle.hints[1]
    assert puzzle.hints[2] == "Begin with 1. That leaves 10."
    assert path(puzzle) == ["1", "16", "2", "2", "8"]


def test_a_square_to_win_from_is_told_from_one_where_the_opponent_gets_there_first() -> None:
    sheet = squares(31, "exact", 14, 8, 19)
    for number in sheet.numbers:
        assert ("you win" in sheet.why(number)) == (number in sheet.marks)
        assert ("Your opponent gets there first" in sheet.why(number)) != (number in sheet.marks)


def test_the_odds_of_a_thrifty_win_are_those_of_its_questions() -> None:
    puzzle = thrift(31, "exact", 20, 12)
    assert puzzle.odds == prod((question.odds for question, _ in puzzle.solution()), start=Fraction(1))


def test_a_longer_move_of_a_thrifty_win_wins_too_and_a_shorter_one_loses_the_race() -> None:
    puzzle = thrift(31, "exact", 20, 12)
    answers = list[tuple[str, ...]]()
    for question, answer in puzzle.solution():
        (right,) = answer
        for move in (candidate.name for candidate in question.candidates if candidate.name != right):
            refutation = puzzle.refute(answers, (move,))
            assert refutation.moves[0] == move
            if int(move) > int(right):
                assert refutation == ((f"{move} wins too, but {right} is enough.",), (move,))
            else:
                assert "they get there first" in refutation.sentences[0]
        answers.append(answer)
    first, second = puzzle.refute([], ("8",)), puzzle.refute(answers[:1], ("1",))
    assert first.sentences == ("8 wins too, but 1 is enough.",)
    assert second.moves == ("1", "2", "8", "1")
    assert second.sentences[0].startswith("1 leaves 9 steps, which is 2 moves. Your opponent needs 2 and")


@pytest.mark.parametrize(
    ("puzzle", "cards", "odds", "grade"),
    [
        (route(31, 21, 14), "8 2", 15, 1),
        (route(31, 18, 9), "8 4 1", 35, 2),
        (route(31, 2, 8), "16 8 4 1", 70, 3),
        (route(63, 18, 20), "16 16 8 4 1", 126, 3),
    ],
)
def test_the_worked_routes_have_their_cards_odds_and_grade(puzzle: Route, cards: str, odds: int, grade: int) -> None:
    ((question, answer),) = puzzle.solution()
    assert (" ".join(answer), puzzle.odds, puzzle.grade) == (cards, Fraction(1, odds), grade)
    assert question.is_right(sorted(answer)), "the order of the cards does not matter"


def usual_lines(kind: Race, target: int) -> Iterator[NumberLine]:
    for puzzle in generate_lines(kind, [target]):
        assert isinstance(puzzle, NumberLine)
        yield puzzle


def test_the_standard_races_have_the_starts_of_lines_that_were_counted() -> None:
    lines = [puzzle for puzzle in usual_lines(R, 64) if puzzle.decisions >= 3]
    assert {puzzle.number for puzzle in lines} == {1, 5, 6, 9, 10}
    assert {puzzle.number for puzzle in usual_lines(D, 20) if puzzle.decisions >= 3} == {2}


def test_a_wrong_move_is_refuted_to_where_nobody_can_double_any_more() -> None:
    refutation = line(D, 22, 2, "add double").refute([], ["double"])
    assert refutation.moves == ("double", "add", "double", "double")
    assert "From 20, doubling goes past 22." in refutation.sentences[0]


def test_a_move_past_the_target_loses_at_sight_and_does_not_count() -> None:
    puzzle = line(R, 64, 33, "")
    question = puzzle.question()
    assert question is not None
    assert not question.is_decision
    assert puzzle.refute([], ["double"]).sentences == ("66 is past 64. You lose at once.",)


def test_a_refutation_ends_where_the_target_must_be_overshot() -> None:
    assert line(D, 22, 20, "").refute([], ["add"]).sentences[0].endswith("and wins.")
    sentence = line(R, 13, 9, "").refute([], ["add"]).sentences[0]
    assert sentence == "That leaves 11. Your opponent makes 13, the target, and wins."


def test_equal_moves_are_one_option() -> None:
    question = line(R, 64, 2, "").question()
    assert question is not None
    assert (question.counted, question.right, question.odds) == (("add",), ("add", "double"), Fraction(1))


def test_three_hints_lead_from_the_place_to_the_move() -> None:
    assert line(D, 22, 2, "add double").hints == (
        "Where is 2: up to 5, up to 11, or above? Look at what you leave.",
        "Good to leave: 1, 3, 5; none from 6 to 11; above 11 the even numbers.",
        "Add: that leaves 3.",
    )


def test_what_is_said_of_even_totals_is_so_for_every_target() -> None:
    for target in range(8, 200, 2):
        half, quarter, said = target // 2, 2 * (target // 8), even_rule(target)
        for total in range(2, target + 1, 2):
            good = R(target=target).law.is_lost(total)
            if half % 2:
                assert said == "Even totals: 2, 6, 10 and so on, in steps of 4."
                assert good == (total % 4 == 2)
            elif total > half:
                assert f"above {half}: the multiples of 4." in said
                assert good == (total % 4 == 0)
            elif total > quarter:
                assert f"From {quarter + 2} to {half}, doubling wins, so none is." in said
                assert not good
            else:
                assert said.endswith(f" Up to {quarter}, it's like a race to {quarter}.")
                assert good == R(target=quarter).law.is_lost(total)


def test_the_hints_of_a_later_decision_speak_of_its_own_numbers() -> None:
    crossroads = boards("1:80 13:32")
    assert crossroads.look_and_idea([["double"]])[1].startswith("32 gives 16, 4, 1, so the fence is 1.")
    thrifty = thrift(31, "sample", 22, 3)
    assert thrifty.hints[1] == "They need 2 moves. After your move at most 16 steps may be left, and you have 9."
    assert thrifty.look_and_idea([thrifty.moves[0]])[1].startswith("They need 1 move. So you must finish now, and ")
    race = line(R, 64, 9, "add double")
    assert race.look_and_idea([["add"]])[0].startswith("13 is odd.")
