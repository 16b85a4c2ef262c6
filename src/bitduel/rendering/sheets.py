"""Printed sheets as HTML: questions, answers and pieces to cut out, each with the height that it takes on paper."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from math import ceil
from string import ascii_lowercase
from typing import NamedTuple

from markupsafe import Markup

from bitduel.core.picture import Picture
from bitduel.core.worksheet import PaperCard, PaperCards, PaperStrip, WorksheetItem, WorksheetQuestion
from bitduel.rendering.board import picture_svg
from bitduel.rendering.svg import join, rounded, style_sheet, tag, text_at, translate

WIDTH = 180
"""The width of a page between its margins, in millimetres, on either paper."""
LINE, GAP, CUT_GAP = 5.6, 5.0, 4.0
"""The height of a line of text, and of the gaps below a block and below pieces to cut out."""
LETTER = 2.02
"""The width of a letter in such a font."""
CELL, BLANK = 10.0, 10.0
"""The height of a row of cells to circle, and of a line to write on."""
LONG_BLANKS = 2
"""The lines for an answer in sentences."""
BOARDS = 3
"""The boards side by side."""
SIZES = {"large": 84, "medium": 66, "small": 50}
"""The widths of pictures in a row of two."""
MOST_DOTS, LARGEST_DOT = 32, 2.2


class SheetBlock(NamedTuple):
    """A part of a sheet that is not split between pages, and its height in millimetres."""

    html: Markup
    height: float


@cache
def sheet_style() -> str:
    """Return the style sheet of printed sheets, on a page that has that of the pictures."""
    return files(__package__).joinpath("sheets.css").read_text("utf-8")


@cache
def complete_style() -> str:
    """Return all styles of a page that holds nothing but sheets."""
    return f"{style_sheet()}\n{sheet_style()}"


def lines_of(text: str, width: float = WIDTH, letter: float = LETTER) -> int:
    """Return the number of lines that a text takes in a font with letters of some width."""
    return max(1, ceil(len(text) * letter / width))


def text_block(title: str, paragraphs: Sequence[str], is_list: bool = False) -> SheetBlock:
    """Return paragraphs, or a numbered list, below a title."""
    heading = tag("h3", title) if title else Markup("")
    if is_list:
        body = tag("ol", *(tag("li", each) for each in paragraphs))
    else:
        body = join(tag("p", each) for each in paragraphs)
    height = sum(lines_of(each, WIDTH - (8 if is_list else 0)) * LINE + 1.2 for each in paragraphs)
    return SheetBlock(tag("section", heading, body, class_="sheet-text"), height + (9 if title else 0) + GAP)


def pictures_block(pictures: Sequence[tuple[Picture, str]], size: str) -> SheetBlock:
    """Return pictures side by side in one of the sizes, each with its caption."""
    figures = [tag("figure", picture_svg(picture), tag("figcaption", caption)) for picture, caption in pictures]
    heights = [_height(picture, SIZES[size]) + lines_of(caption, SIZES[size]) * LINE for picture, caption in pictures]
    return SheetBlock(tag("div", *figures, class_=f"sheet-figures sheet-{size}"), max(heights) + GAP)


def _height(picture: Picture, width: float) -> float:
    box = re.search(r'viewBox="0 0 (\S+) (\S+)"', picture_svg(picture))
    assert box, "every picture has a size"
    return width * float(box[2]) / float(box[1])


def question_block(number: int, question: WorksheetQuestion) -> SheetBlock:
    """Return a question with room for its answer."""
    star = tag("span", "\u2605 ", class_="sheet-star", title="Star question") if question.is_star else Markup("")
    prompt = tag("p", tag("b", f"{number}. "), star, question.prompt, class_="sheet-prompt")
    if any(item.is_drawn for item in question.items):
        body, height = _boards(question.items)
    elif question.is_long:
        body, height = _long_items(question.items)
    elif any(item.cells for item in question.items):
        body, height = _cell_items(question.items)
    else:
        body, height = _short_items(question.items)
    height += (lines_of(f"1. {question.prompt}")) * LINE + 2 + GAP
    return SheetBlock(tag("section", prompt, body, class_="sheet-question"), height)


def _cells(item: WorksheetItem) -> Markup:
    return tag("span", *(tag("span", cell.text, class_="sheet-cell") for cell in item.cells), class_="sheet-cells")


def _cells_height(item: WorksheetItem, width: float, is_small: bool = False) -> float:
    taken, rows = 0.0, 1
    for cell in item.cells:
        needed = max(7.5, 1.8 * len(cell.text) + 2.6) + 1 if is_small else max(9.0, LETTER * len(cell.text) + 4) + 1.6
        if taken + needed > width:
            taken, rows = 0.0, rows + 1
        taken += needed
    return rows * CELL


def _boards(items: Sequence[WorksheetItem]) -> tuple[Markup, float]:
    """Return the boards side by side, each with its cells or its blank."""
    count = BOARDS
    width = WIDTH / count - 5
    figures, heights = [], []
    for letter, item in zip(ascii_lowercase, items, strict=False):
        picture = item.picture
        drawn = picture_svg(picture) if picture else Markup("")
        label = tag("b", f"{letter}) ", class_="sheet-letter") if len(items) > 1 else Markup("")
        answer = (
            _cells(item) if item.cells else tag("span", f"{item.text} ", tag("span", class_="sheet-blank sheet-short"))
        )
        figures.append(tag("figure", drawn, tag("figcaption", label, answer)))
        height = _cells_height(item, width - 7, is_small=True) if item.cells else BLANK
        heights.append((_height(picture, width) if picture else 0.0) + height + 3)
    rows = [max(heights[at : at + count]) for at in range(0, len(heights), count)]
    return tag("div", *figures, class_=f"sheet-figures sheet-per-{count}"), sum(rows)


def _long_items(items: Iterable[WorksheetItem]) -> tuple[Markup, float]:
    """Return one line for each item, or more for an answer in sentences."""
    rows, height = [], 0.0
    for item in items:
        if item.cells:
            rows.append(tag("p", _cells(item)))
            height += _cells_height(item, WIDTH)
            continue
        count = 1 if item.text else LONG_BLANKS
        first = tag("p", f"{item.text} " if item.text else "", tag("span", class_="sheet-blank"), class_="sheet-write")
        rows += [first, *[tag("p", tag("span", class_="sheet-blank"), class_="sheet-write")] * (count - 1)]
        height += count * BLANK
    return join(rows), height


def _cell_items(items: Sequence[WorksheetItem]) -> tuple[Markup, float]:
    """Return rows of cells, each after its text; a blank may stand among them."""
    rows, height = [], 0.0
    for item in items:
        text = tag("span", item.text, class_="sheet-lead") if item.text else Markup("")
        rows.append(
            tag(
                "p",
                text,
                _cells(item) if item.cells else tag("span", class_="sheet-blank sheet-short"),
                class_="sheet-row",
            )
        )
        height += _cells_height(item, WIDTH - (LETTER * len(item.text) + 4 if item.text else 0))
    return join(rows), height


def _short_items(items: Sequence[WorksheetItem]) -> tuple[Markup, float]:
    """Return blanks side by side, as many in a row as their texts allow."""
    longest = max(len(item.text) for item in items)
    count = 3 if longest <= 14 else 2 if longest <= 32 else 1
    blanks = [
        tag("span", tag("span", f"{item.text} "), tag("span", class_="sheet-blank"), class_="sheet-write")
        for item in items
    ]
    return tag("p", *blanks, class_=f"sheet-blanks sheet-per-{count}"), ceil(len(items) / count) * BLANK


def answer_block(number: int, question: WorksheetQuestion) -> SheetBlock:
    """Return the answers to a question, and the reason."""
    has_letters = any(item.is_drawn for item in question.items) and len(question.items) > 1
    parts = []
    for letter, item in zip(ascii_lowercase, question.items, strict=False):
        before = f"{letter}) " if has_letters else f"{item.text}{':' if item.cells else ''} " if item.text else ""
        parts.append((before, item.solution))
    whole = "; ".join(before + solution for before, solution in parts) + " " + question.why
    shown = Markup("; ").join(Markup("{}<b>{}</b>").format(before, solution) for before, solution in parts)
    why = tag("span", f" {question.why}", class_="sheet-why") if question.why else Markup("")
    text = tag("p", tag("b", f"{number}. ", class_="sheet-number"), shown, "." if question.why else "", why)
    return SheetBlock(tag("section", text, class_="sheet-answer"), lines_of(whole, WIDTH - 8) * LINE + 3)


def part_blocks(part: PaperStrip | PaperCards) -> list[SheetBlock]:
    """Return a part to cut out, row by row."""
    return _strip_blocks(part) if isinstance(part, PaperStrip) else _card_blocks(part)


def _with_title(title: str, rows: Sequence[tuple[Markup, float]]) -> list[SheetBlock]:
    """Return rows as blocks, the first below a title; what follows it on the same page needs none."""
    heading = tag("h3", title)
    ends = [0.0] * (len(rows) - 1) + [CUT_GAP]
    drawn = [(tag("div", row, class_="sheet-cut"), height + end) for (row, height), end in zip(rows, ends, strict=True)]
    (first, height), *others = drawn
    return [SheetBlock(heading + first, height + 8), *(SheetBlock(*each) for each in others)]


def _strip_blocks(strip: PaperStrip) -> list[SheetBlock]:
    size, rows = strip.size, []
    for start in range(0, len(strip.squares), strip.per_row):
        squares = strip.squares[start : start + strip.per_row]
        drawn = [
            tag("rect", class_="sheet-square", x=at * size, y=0, width=size, height=size)
            + text_at(at * size + size / 2, size * 0.62, text, "sheet-square-text", font_size=rounded(size * 0.34))
            for at, text in enumerate(squares)
        ]
        rows.append(
            (_millimetres(strip.per_row * size, size, join(drawn), f"Squares {squares[0]} to {squares[-1]}"), size)
        )
    return _with_title(strip.title, rows)


def _card_blocks(cards: PaperCards) -> list[SheetBlock]:
    per_row = WIDTH // cards.width
    height = cards.height * (2 if any(card.back is not None for card in cards.cards) else 1)
    rows = []
    for start in range(0, len(cards.cards), per_row):
        row = cards.cards[start : start + per_row]
        drawn = join(
            tag("g", _card(card, cards.width, cards.height), transform=translate(at * cards.width, 0))
            for at, card in enumerate(row)
        )
        words = ", ".join(f"{card.front} {card.note}".strip() for card in row)
        rows.append((_millimetres(per_row * cards.width, height, drawn, f"Cards: {words}"), float(height)))
    return _with_title(cards.title, rows)


def _card(card: PaperCard, width: int, height: int) -> Markup:
    """Draw a card; the back of a folded one is above the front, upside down."""
    folds = card.back is not None
    top = height if folds else 0
    frame = tag("rect", class_="sheet-cut-line", x=0, y=0, width=width, height=height * (2 if folds else 1))
    front = tag("g", _face(card.front, card.note, card.dots, width, height), transform=translate(0, top))
    if card.back is None:
        return frame + front
    fold = tag("path", class_="sheet-fold-line", d=f"M0 {height}H{width}")
    turned = f"rotate(180 {rounded(width / 2)} {rounded(height / 2)})"
    return frame + fold + tag("g", _face(card.back, "", 0, width, height), transform=turned) + front


def _face(text: str, note: str, dots: int, width: int, height: int) -> Markup:
    size = min(height * 0.5, width * 0.42, 14.0)
    has_dots = 0 < dots <= MOST_DOTS
    y = height * 0.3 if has_dots else height * (0.5 if note else 0.58)
    drawn = text_at(width / 2, y + size * 0.16, text, "sheet-card-text", font_size=rounded(size))
    if has_dots:
        drawn += _dots(dots, width, height)
    if note:
        drawn += text_at(width / 2, height - 2.6, note, "sheet-card-note", font_size=3.2)
    return drawn


def _dots(count: int, width: int, height: int) -> Markup:
    """Draw dots in rows of four below the number, or of eight where there are many."""
    per_row = min(count, 8 if count > 16 else 4)
    step = min(width / (per_row + 1), height * 0.55 / ceil(count / per_row))
    left = width / 2 - (per_row - 1) * step / 2
    places = [(left + at % per_row * step, height * 0.5 + at // per_row * step) for at in range(count)]
    return join(
        tag("circle", class_="sheet-dot", cx=rounded(x), cy=rounded(y), r=rounded(min(step * 0.28, LARGEST_DOT)))
        for x, y in places
    )


def _millimetres(width: float, height: float, content: Markup, title: str) -> Markup:
    """Return a drawing whose units are millimetres on paper."""
    return tag(
        "svg",
        tag("title", title),
        content,
        class_="sheet-to-scale",
        width=f"{rounded(width)}mm",
        height=f"{rounded(height)}mm",
        viewBox=f"0 0 {rounded(width)} {rounded(height)}",
        role="img",
    )
