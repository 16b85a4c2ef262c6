"""What a page shows of puzzles of every game, hidden ones too."""

import pytest

from bitduel.core.puzzle import Puzzle
from bitduel.games.registry import find
from bitduel.learning.puzzle_deck import DeckPuzzle, rebuild
from bitduel.learning.puzzle_session import PuzzleSession
from bitduel.web.puzzle_view import PuzzlePage

LINE = ("64", "line", {"number": "5", "defence": "add double"})
CORNER = ("battle", "corner-it", {"number": "0", "low": "2", "high": "14"})
TREE = ("battle", "toggle-tree", {"seat": "1", "turn": "2", "number": "4", "low": "0", "high": "3"})
HABIT = ("bits", "beat-the-habit", {"mine": "1000", "theirs": "1000", "habit": "flip"})
HOLDS = ("bits", "what-holds", {"mine": "1000", "theirs": "1000"})
NOTES = ("battle", "notes", {"notes": "2< 5< 4<", "first": "9", "last": "21"})


def rebuilt(game: str, kind: str, parameters: dict[str, str]) -> Puzzle:
    return rebuild(find(game)(), kind, parameters)


def page_of(session: PuzzleSession, at: str = "") -> PuzzlePage:
    return PuzzlePage(DeckPuzzle("abcdef", session.puzzle), session, "/puzzles", {"id": "abcdef"}, at)


@pytest.mark.parametrize("made", [LINE, CORNER, TREE, HABIT], ids=lambda made: made[1])
def test_moves_are_made_on_the_board(made: tuple[str, str, dict[str, str]]) -> None:
    session = PuzzleSession(puzzle=rebuilt(*made))
    while question := session.question:
        board = page_of(session).board
        assert board is not None
        assert all(f'name="move" value="{name}"' in board for name in question.right)
        session.answer(question.right[:1])
    assert [mark.word for mark in page_of(session).marks] == ["at once"] * session.puzzle.decisions


@pytest.mark.parametrize("made", [CORNER, TREE], ids=lambda made: made[1])
def test_with_hidden_information_no_board_shows_an_answer_that_only_the_deal_decides(
    made: tuple[str, str, dict[str, str]],
) -> None:
    session = PuzzleSession(puzzle=rebuilt(*made))
    while question := session.question:
        last = page_of(session)
        wrong = [each.name for each in question.candidates if each.name not in question.right]
        session.answer(wrong[:1] if not session.has_clicked_twice else question.right[:1])
        assert page_of(session).refutation == ()
    end = session.puzzle.end
    assert page_of(session).board == (last._drawn(end.match) if end else None)


def test_the_board_at_the_end_of_corner_it_shows_the_last_toggle() -> None:
    session = PuzzleSession(puzzle=rebuilt(*CORNER))
    numbers = list[str]()
    while question := session.question:
        assert session.position
        numbers.append(session.position.match.view(1).board.mine)
        session.answer(question.right[:1])
    assert session.position == session.puzzle.end
    assert session.position
    assert not session.position.match.outcome
    assert session.position.match.view(1).board.mine != numbers[-1]
    last = session.puzzle.steps[-1].after  # type: ignore[attr-defined]
    board = session.position.match.view(1).board
    assert (int(board.mine, 2), board.low, board.high) == last
    assert page_of(session).board


def test_a_sheet_that_asks_which_moves_are_legal_does_not_say_which_bits_are_safe() -> None:
    session = PuzzleSession(puzzle=rebuilt("bits", "what-holds", {"mine": "1110", "theirs": "0111"}))
    question = session.question
    assert question is not None
    match = question.position.match  # type: ignore[union-attr]
    assert any(cell.is_safe for row in match.game.picture(match.view(1), ("A", "B")).rows for cell in row.cells)
    assert "safe" not in str(page_of(session).board)


def test_a_refutation_hides_the_right_move_until_it_has_been_seen() -> None:
    session = PuzzleSession(puzzle=rebuilt(*LINE))
    session.answer(["double"])
    page = page_of(session)
    assert (page.at, page.line) == (1, [])
    assert [move.is_own for move in page.refuted_line] == [True, False, True, False]
    assert page_of(session, "end").line[0].text == "add 2 to make 7"
    assert page_of(session, "99").at == len(page.refutation)
    assert page_of(session, "x").at == 1


def test_a_tried_move_stays_on_the_board_and_cannot_be_made_again() -> None:
    session = PuzzleSession(puzzle=rebuilt(*CORNER))
    session.answer(["toggle 1"])
    page = page_of(session)
    assert page.verdict.endswith("Try once more.")
    assert 'value="toggle 1"' not in str(page.board)
    assert 'value="toggle 2"' in str(page.board)


def test_a_sheet_of_moves_has_a_row_for_each_verb_and_keeps_its_marks_for_a_second_try() -> None:
    session = PuzzleSession(puzzle=rebuilt(*HOLDS))
    assert [len(row) for row in page_of(session).rows] == [4, 4]
    session.answer(["flip 1", "flip 2"])
    marked = [cell.label for row in page_of(session).rows for cell in row if cell.is_marked]
    assert marked == ["flip 1", "flip 2"]
    session.answer(["flip 1", "flip 2"])
    states = {cell.label: cell.state for row in page_of(session).rows for cell in row if cell.state}
    assert states == {"flip 1": "wrong", "flip 2": "right", "reset 1": "missed"}


def test_a_sheet_of_numbers_is_one_row_with_its_picture() -> None:
    page = page_of(PuzzleSession(puzzle=rebuilt(*NOTES)))
    assert [len(row) for row in page.rows] == [13]
    assert page.board is not None
