"""A playing of a puzzle: marks, second tries, refutations, hints, the text of a session, and what is shared."""

from fractions import Fraction

import pytest

from bitduel.core.errors import BitduelError
from bitduel.core.puzzle import Pick
from bitduel.games.binary_race_31 import BinaryRace31
from bitduel.games.binary_race_31.puzzles import Route, Thrift
from bitduel.games.double_or_nothing import DoubleOrNothing
from bitduel.games.number_race.puzzles import GoodToLeave, NumberLine
from bitduel.learning.puzzle_deck import deck
from bitduel.learning.puzzle_session import (
    EventKind,
    PuzzleMark,
    PuzzleSession,
    in_ascii,
    introduction,
    odds_phrase,
    right_answer,
    share_text,
)

LINE = NumberLine(game=DoubleOrNothing(target=22), parameters={"number": "2", "defence": "add double"})
SHEET = GoodToLeave(game=DoubleOrNothing(), parameters={"from": "11", "to": "20"})
THRIFT = Thrift(game=BinaryRace31(), parameters={"mine": "11", "theirs": "9"})
ROUTE = Route(game=BinaryRace31(finish="exact"), parameters={"mine": "21", "theirs": "14"})


def test_a_line_played_right_is_clean_and_the_defence_answers_each_move() -> None:
    session = PuzzleSession(puzzle=LINE)
    replies = []
    for move in ("add", "add", "double"):
        session.answer([move])
        assert session.feedback is not None
        assert session.feedback.kind == EventKind.RIGHT
        replies.append(session.feedback.replies)
    assert replies == [("add",), ("double",), ()]
    assert (session.row, session.is_solved, session.is_clean) == ("✓✓✓", True, True)
    assert session.explanation
    position = session.position
    assert position is not None
    assert position.match.position.number == 20, "the board shows the end of the line"


def test_a_wrong_move_of_two_is_refuted_then_the_right_one_is_played_and_the_line_goes_on() -> None:
    session = PuzzleSession(puzzle=LINE)
    session.answer(["double"])
    feedback = session.feedback
    assert feedback is not None
    assert (feedback.kind, feedback.right, feedback.replies) == (EventKind.WRONG, ("add",), ("add",))
    assert feedback.refutation is not None
    assert feedback.refutation.moves[0] == "double"
    session.answer(["add"])
    session.answer(["double"])
    assert (session.row, session.is_finished, session.is_solved, session.is_clean) == ("✗✓✓", True, False, False)
    with pytest.raises(BitduelError, match="over"):
        session.answer(["add"])


def test_a_second_click_is_allowed_where_there_are_three_options_but_only_once() -> None:
    session = PuzzleSession(puzzle=THRIFT)
    session.answer(["16"])
    assert session.feedback is not None
    assert session.feedback.kind == EventKind.AGAIN
    session.answer(["4"])
    assert session.marks == [PuzzleMark.SECOND]
    session.answer(["8"])
    assert session.row == "~✗"
    assert session.is_finished


def test_a_sheet_says_how_many_cells_are_wrong_before_it_says_which() -> None:
    session = PuzzleSession(puzzle=SHEET)
    session.answer(["12", "14", "16", "17", "20"])
    assert session.feedback is not None
    assert session.feedback.sentences == ("2 cells are wrong.",)
    assert session.feedback.refutation is None
    session.answer(["20", "18", "16", "14", "12"])
    assert (session.row, session.is_solved, session.is_clean) == ("~", True, False)


def test_a_sheet_that_is_wrong_twice_is_shown() -> None:
    session = PuzzleSession(puzzle=SHEET)
    session.answer([])
    session.answer([])
    assert (session.row, session.is_solved) == ("✗", False)
    assert session.feedback is not None
    assert session.feedback.right == ("12", "14", "16", "18", "20")


def test_cards_count_in_any_order() -> None:
    session = PuzzleSession(puzzle=ROUTE)
    session.answer(["2", "8"])
    assert session.is_clean


def test_a_hint_is_marked_and_each_says_more() -> None:
    session = PuzzleSession(puzzle=LINE)
    for _ in range(5):
        session.hint()
    assert session.hints == list(LINE.hints)
    session.answer(["add"])
    assert session.row == "?"
    for _ in range(3):
        session.hint()
    assert session.hints == [*LINE.look_and_idea(session.answers), "Add 1, to 5."]
    session.answer(["add"])
    session.answer(["double"])
    assert (session.row, session.is_solved, session.is_clean) == ("??✓", True, False)


def test_what_is_no_answer_is_refused() -> None:
    session = PuzzleSession(puzzle=LINE)
    for answer in (["fly"], [], ["add", "double"]):
        with pytest.raises(BitduelError, match="isn't one of the answers"):
            session.answer(answer)
    assert not session.events


def test_every_puzzle_can_be_finished_and_its_session_is_short_text() -> None:
    for entry in list(deck().entries.values())[::40]:
        session = PuzzleSession(puzzle=entry.puzzle)
        session.hint()
        while question := session.question:
            wrong = [candidate.name for candidate in question.candidates if not question.is_right([candidate.name])]
            session.answer(wrong[:1] if wrong else question.right[:1])
            if session.question == question:
                session.answer(question.right[:1] if question.pick == Pick.ONE else question.right)
        text = str(session)
        again = PuzzleSession.parse(entry.puzzle, text)
        assert (str(again), again.row, again.is_finished) == (text, session.row, True)


@pytest.mark.parametrize("text", ["3", "x", "1-", "-", "1" * 600, "\u0661", "1.9", "9999"])
def test_a_text_that_no_session_has_is_refused(text: str) -> None:
    with pytest.raises(BitduelError):
        PuzzleSession.parse(LINE, text)


def test_what_comes_after_the_end_is_left_out() -> None:
    assert str(PuzzleSession.parse(LINE, "1.1.2.1.1.1")) == "1.1.2"


def test_the_introduction_says_decisions_grade_and_odds() -> None:
    assert introduction(LINE) == "3 decisions, grade 3 of 7. A guess is right 1 time in 8."
    assert introduction(SHEET) == "1 decision, grade 1 of 7. A guess is right 1 time in 1,024."
    assert odds_phrase(Fraction(2, 9)) == "2 times in 9"
    assert odds_phrase(Fraction(1)) == "every time"


def test_the_right_answer_is_said_in_words() -> None:
    question = SHEET.question()
    assert question is not None
    assert right_answer(question) == "12, 14, 16, 18 and 20"
    move = LINE.question()
    assert move is not None
    assert right_answer(move) == "add 1, to 3"


def test_what_is_shared_gives_nothing_away() -> None:
    rows = ["✓✓✗", "✓✓✓"]
    assert share_text(214, LINE, rows, 12) == "bitduel 214 · Double or Nothing · grade 3\n✓✓✗\n✓✓✓ · streak 12"
    assert share_text(1, LINE, rows[1:], 1) == "bitduel 1 · Double or Nothing · grade 3\n✓✓✓"
    assert share_text(1, LINE, rows[:1], is_plain=True) == "bitduel 1 | Double or Nothing | grade 3\n++x"
    assert in_ascii("✓~?✗") == "+~?x"
