"""Text that fits: how wide it is on a screen, and how it is folded at words."""

import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import TextIO
from unicodedata import category, east_asian_width

from bitduel.core.names import clusters, is_pictograph

NARROWEST = 40
PAPER = 88
"""How wide text is where there is no screen."""


def columns(stream: TextIO | None = None) -> int:
    """How many columns there are to write in: those of the terminal, or of a sheet of paper."""
    stream = stream or sys.stdout
    if not (stream and stream.isatty()):
        return PAPER
    try:
        there = os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        there = 0
    return max(NARROWEST, there or shutil.get_terminal_size((80, 24)).columns)


def aside(line: str) -> None:
    """A line beside the output: folded at words where somebody looks at it, whole in a file."""
    seen = sys.stderr is not None and sys.stderr.isatty()
    print("\n".join(fold(line, columns(sys.stderr))) if seen else line, file=sys.stderr, flush=True)


def wide(text: str) -> int:
    """How many columns a text takes: most characters one, those of wide scripts two, accents none, joined emoji two."""
    return len(text) if text.isascii() else sum(map(_cells, clusters(text)))


def _cells(cluster: str) -> int:
    if is_pictograph(cluster[0]) and len(cluster) > 1:
        return 2
    return sum(map(_cell, cluster))


def _cell(character: str) -> int:
    if category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def padded(text: str, width: int) -> str:
    """A text with blanks after it up to a width."""
    return text + " " * (width - wide(text))


def cut(text: str, width: int) -> str:
    """A text of at most a width, the rest dropped for a sign that there was more."""
    if wide(text) <= width:
        return text
    kept = ""
    for character in text:
        if wide(kept + character) >= width:
            break
        kept += character
    return f"{kept}…"


def cut_apart(one: str, two: str, width: int) -> tuple[str, str]:
    """Two texts cut so that they still differ: if their beginnings are alike, what differs is kept before that."""
    short = cut(one, width), cut(two, width)
    return short if short[0] != short[1] else (_cut_before(one, two, width), _cut_before(two, one, width))


def _cut_before(text: str, other: str, width: int) -> str:
    """A text cut in its middle, up to where it differs from another."""
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(clusters(text), clusters(other), strict=False))
    rest = text[sum(len(character) for character, _ in alike) :].lstrip(" ")
    own = _fitting(clusters(rest), width - 1 - (width > 2))
    return f"{_fitting(clusters(text), width - 1 - wide(own))}…{own}" if own else cut(text, width)


def _fitting(parts: Iterable[str], width: int) -> str:
    """As many characters as fit."""
    kept = ""
    for part in parts:
        if wide(kept + part) > width:
            break
        kept += part
    return kept


def fold(line: str, width: int, hang: int = 0) -> list[str]:
    """A line folded at words; what follows is indented as the line is, and by so much more."""
    if wide(line) <= width:
        return [line]
    indent = " " * (len(line) - len(line.lstrip(" ")))
    after = indent + " " * hang if len(indent) + hang < width // 2 else indent[: width // 2]
    folded = [indent]
    for word in _pieces(line.strip(" "), width - len(after)):
        fits = wide(folded[-1] + word) <= width
        if not fits and folded[-1].strip():
            folded.append(after)
        folded[-1] += word if folded[-1].strip() else word.lstrip(" ")
    return [each.rstrip() for each in folded]


def _pieces(text: str, width: int) -> Iterator[str]:
    """Words, each with the blanks before it; one that is wider than the screen in parts."""
    blanks = ""
    for word in text.split(" "):
        if not word:
            blanks += " "
            continue
        piece = blanks
        for character in word:
            if wide(piece.lstrip(" ") + character) > width:
                yield piece
                piece = ""
            piece += character
        yield piece
        blanks = " "


def folded(lines: Iterable[str], width: int, hang: int = 0) -> list[str]:
    """Every line folded."""
    return [part for line in lines for part in fold(line, width, hang)]


def listing(rows: Sequence[Sequence[str]], width: int, indent: int = 2) -> list[str]:
    """Rows of cells side by side; where they do not fit, the last cell goes below the others, folded."""
    if not rows:
        return []
    last = max(map(len, rows)) - 1
    sizes = [max(wide(row[i]) for row in rows if i < len(row)) for i in range(last)]
    start = indent + sum(sizes) + 2 * last
    roomy = start + max(wide(row[-1]) for row in rows) <= width or width - start >= width // 2
    return [line for row in rows for line in _row(row, sizes, width, indent, roomy)]


def _row(row: Sequence[str], sizes: list[int], width: int, indent: int, roomy: bool) -> list[str]:
    head = " " * indent + "".join(padded(cell, size) + "  " for cell, size in zip(row, sizes, strict=False))
    if roomy:
        return fold_beside(head, row[-1], width)
    below = " " * (indent + 4)
    return [*fold(head.rstrip(), width, 4), *(fold(below + row[-1], width) if row[-1] else [])]


def fold_beside(head: str, text: str, width: int) -> list[str]:
    """A text that begins after a head and stays to the right of it."""
    first, *rest = fold(" " * wide(head) + text, width)
    return [(head + first.lstrip(" ")).rstrip(), *rest]
