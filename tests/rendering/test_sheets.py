"""Parts of printed sheets: every cell, blank and piece is there, and each part knows its height."""

import re

from bitduel.core.worksheet import PaperCard, PaperCards, PaperStrip, WorksheetItem, WorksheetQuestion, blanks, cells
from bitduel.rendering.sheets import answer_block, lines_of, part_blocks, question_block, text_block

CIRCLES = WorksheetQuestion(
    topic="odd",
    prompt="Circle the odd numbers & nothing else.",
    items=(WorksheetItem(cells=cells(range(1, 31), lambda number: number % 2)),),
    why="They are odd.",
    is_star=True,
)
BLANKS = WorksheetQuestion(topic="sums", prompt="Add.", items=blanks([("1 + 1 =", 2), ("2 + 2 =", 4), ("3 + 3 =", 6)]))


def test_a_longer_text_takes_more_lines() -> None:
    assert lines_of("short") == 1
    assert lines_of("long " * 40) > lines_of("long " * 20) > 1
    assert text_block("Title", ["one", "two"]).height > text_block("", ["one"]).height


def test_a_question_shows_its_cells_and_hides_its_answer() -> None:
    block = question_block(3, CIRCLES)
    assert block.html.count('class="sheet-cell"') == 30
    assert "odd numbers &amp; nothing" in block.html
    assert "Star question" in block.html
    assert "They are odd" not in block.html
    assert block.height > question_block(3, BLANKS).height > 15


def test_blanks_are_as_many_as_answers() -> None:
    assert question_block(1, BLANKS).html.count('class="sheet-blank"') == 3
    assert "= 2" not in question_block(1, BLANKS).html


def test_the_answers_name_what_is_right_and_why() -> None:
    html = answer_block(1, BLANKS).html
    assert re.findall(r"([^>;]*) <b>(\d)</b>", html) == [("1 + 1 =", "2"), (" 2 + 2 =", "4"), (" 3 + 3 =", "6")]
    assert "They are odd." in answer_block(3, CIRCLES).html
    assert "<b>1, 3, 5, 7" in answer_block(3, CIRCLES).html


def test_a_row_and_what_is_circled_in_it_are_kept_apart() -> None:
    rows = WorksheetQuestion(topic="", prompt="", items=(WorksheetItem("0 1 1 0", cells=cells((2, 3), bool)),))
    assert "0 1 1 0: <b>2, 3</b>" in answer_block(1, rows).html


def test_a_strip_has_its_size_in_millimetres() -> None:
    first, second = part_blocks(PaperStrip("Strip", tuple(map(str, range(1, 13))), per_row=10, size=17))
    assert 'width="170mm" height="17mm"' in first.html
    assert first.html.count("sheet-square-text") == 10
    assert second.html.count("sheet-square-text") == 2
    assert "<h3>Strip</h3>" in first.html
    assert "<h3>" not in second.html


def test_a_folded_card_is_twice_as_high_with_its_back_upside_down() -> None:
    flat = part_blocks(PaperCards("Cards", (PaperCard("1", dots=4),), width=30, height=40))[0]
    folded = part_blocks(PaperCards("Cards", (PaperCard("1", back="0", dots=4),), width=30, height=40))[0]
    assert folded.height == flat.height + 40
    assert flat.html.count("sheet-dot") == folded.html.count("sheet-dot") == 4
    assert "rotate(180 15 20)" in folded.html
    assert "rotate" not in flat.html
