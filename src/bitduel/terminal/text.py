"""Text that fits a screen: its width in columns, truncation, folding at words, and listings."""

import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import TextIO
from unicodedata import category, east_asian_width, normalize

from bitduel.core.names import graphemes, is_pictograph

MIN_WIDTH = 40
PLAIN_WIDTH = 88
"""The width of text if there is no terminal."""
LOOKALIKES = {"·": "-", "✓": "+", "✗": "x"}
"""ASCII characters for some that have no decomposition."""


def terminal_width(stream: TextIO | None = None) -> int:
    """Return the columns of the terminal behind a stream, or the plain width if there is none."""
    stream = stream or sys.stdout
    if not (stream and stream.isatty()):
        return PLAIN_WIDTH
    return max(MIN_WIDTH, _terminal_size(stream).columns)


def terminal_height() -> int:
    """Return the lines of the terminal behind standard output."""
    return _terminal_size(sys.stdout).lines


def _terminal_size(stream: TextIO) -> os.terminal_size:
    try:
        size = os.get_terminal_size(stream.fileno())
    except (OSError, ValueError):
        size = os.terminal_size((0, 0))
    return size if size.columns and size.lines else shutil.get_terminal_size((80, 24))


def line_width() -> int:
    """Return the columns of the terminal; in a pipe or file lines may have any width."""
    return terminal_width() if sys.stdout.isatty() else sys.maxsize


def print_error(line: str) -> None:
    """Print a line to standard error, folded at words on a terminal."""
    is_terminal = sys.stderr is not None and sys.stderr.isatty()
    print("\n".join(fold(line, terminal_width(sys.stderr))) if is_terminal else line, file=sys.stderr, flush=True)


def replace_unencodable(error: UnicodeError) -> tuple[str, int]:
    """Return ASCII characters that resemble those which the output cannot show: an error handler for codecs."""
    assert isinstance(error, UnicodeEncodeError)
    replaced = "".join(map(_ascii_form, error.object[error.start : error.end]))
    return replaced, error.end


def _ascii_form(character: str) -> str:
    """Return an ASCII character like this one: the letter without its accents, or a question mark."""
    if category(character) in ("Mn", "Me", "Cf"):
        return ""
    plain = LOOKALIKES.get(character) or normalize("NFKD", character)[0]
    return plain if plain.isascii() else "?"


def display_width(text: str) -> int:
    """Return the columns of a text: two for wide characters and joined emoji, none for accents."""
    return len(text) if text.isascii() else sum(map(_cluster_width, graphemes(text)))


def _cluster_width(cluster: str) -> int:
    if is_pictograph(cluster[0]) and len(cluster) > 1:
        return 2
    return sum(map(_character_width, cluster))


def _character_width(character: str) -> int:
    if category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def pad(text: str, width: int) -> str:
    """Return a text with blanks after it up to a width."""
    return text + " " * (width - display_width(text))


def truncate(text: str, width: int) -> str:
    """Return a text of at most a width, with an ellipsis in place of the rest."""
    return text if display_width(text) <= width else f"{_take_width(text, width - 1)}…"


def truncate_apart(one: str, two: str, width: int) -> tuple[str, str]:
    """Truncate two texts so that they still differ: in the middle if they begin alike."""
    short = truncate(one, width), truncate(two, width)
    return short if short[0] != short[1] else (_truncate_middle(one, two, width), _truncate_middle(two, one, width))


def _truncate_middle(text: str, other: str, width: int) -> str:
    """Truncate a text in its middle, up to where it differs from another."""
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(graphemes(text), graphemes(other), strict=False))
    rest = text[sum(len(character) for character, _ in alike) :].lstrip(" ")
    end = _take_width(graphemes(rest), width - 1 - (width > 2))
    return f"{_take_width(graphemes(text), width - 1 - display_width(end))}…{end}" if end else truncate(text, width)


def _take_width(parts: Iterable[str], width: int) -> str:
    """Return the parts that fit."""
    taken = ""
    for part in parts:
        if display_width(taken + part) > width:
            break
        taken += part
    return taken


def fold(line: str, width: int, hang: int = 0) -> list[str]:
    """Fold a line at words; later lines are indented like the first, and by the hang."""
    if display_width(line) <= width:
        return [line]
    indent = " " * (len(line) - len(line.lstrip(" ")))
    after = indent + " " * hang if len(indent) + hang < width // 2 else indent[: width // 2]
    lines = [indent]
    for word in _words(line.strip(" "), width - len(after)):
        if display_width(lines[-1] + word) > width:
            lines = [*lines, after] if lines[-1].strip() else [after]
        lines[-1] += word if lines[-1].strip() else word.lstrip(" ")
    return [each.rstrip() for each in lines]


def _words(text: str, width: int) -> Iterator[str]:
    """Yield words, each with the blanks before it; a word that is wider than the screen in parts."""
    blanks = ""
    for word in text.split(" "):
        if not word:
            blanks += " "
            continue
        piece = blanks
        for character in word:
            if display_width(piece.lstrip(" ") + character) > width:
                yield piece
                piece = ""
            piece += character
        yield piece
        blanks = " "


def fold_lines(lines: Iterable[str], width: int, hang: int = 0) -> list[str]:
    """Fold every line."""
    return [part for line in lines for part in fold(line, width, hang)]


def listing(rows: Sequence[Sequence[str]], width: int, indent: int = 2) -> list[str]:
    """Return rows of aligned cells; where they do not fit, the last cell goes below the others, folded."""
    if not rows:
        return []
    last = max(map(len, rows)) - 1
    sizes = [max(display_width(row[i]) for row in rows if i < len(row)) for i in range(last)]
    start = indent + sum(sizes) + 2 * last
    beside = start + max(display_width(row[-1]) for row in rows) <= width or width - start >= width // 2
    lines = []
    for row in rows:
        head = " " * indent + "".join(pad(cell, size) + "  " for cell, size in zip(row, sizes, strict=False))
        if beside:
            first, *rest = fold(" " * display_width(head) + row[-1], width)
            lines += [(head + first.lstrip(" ")).rstrip(), *rest]
        else:
            lines += fold(head.rstrip(), width, 4)
            lines += fold(" " * (indent + 4) + row[-1], width) if row[-1] else []
    return lines
