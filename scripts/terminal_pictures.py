"""Photographs the program in a real terminal for the documentation; `make terminal-pictures` runs it. It needs tmux."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.style import Style
from rich.text import Text

IMAGES = Path(__file__).parents[1] / "docs" / "images"
COLUMNS, LINES = 80, 24
WIDE, TALL, EDGE = 8.4, 18, 18
PAPER, INK = "#1d232c", "#e6e9ee"
INKS = {2: "#7fd69c", 3: "#ffcb3d", 4: "#8cc4f5", 5: "#e49bd8", 6: "#6fc3df"}
"""Green, yellow, blue, magenta and cyan, by the numbers that terminals give them."""

PATIENCE = 60.0
CONSOLE = Console(width=2 * COLUMNS)

Scene = tuple[str, list[str], str, list[tuple[str, str]]]
"""A picture's name, the command, what to wait for last, and before that what to wait for and then type."""

SCENES: list[Scene] = [
    ("terminal-menu", [], "Your choice (1-7, Enter for 1):", []),
    (
        "terminal-bits",
        ["play", "bits", "--name1", "Ada", "--name2", "Alan", "--no-save"],
        "'reset' and a position:",
        [("to flip:", "2"), ("'reset' and a position:", "3"), ("'reset' and a position:", "1")],
    ),
    (
        "terminal-hint",
        ["play", "double", "--name1", "Ada", "--name2", "Alan", "--no-save"],
        "double it:",
        [("double it:", answer) for answer in ("double", "double", "add", "hint", "hint", "hint")],
    ),
    ("terminal-dark", ["play", "battle", "--vs", "hard", "--no-save", "--seed", "7"], "(1-5):", [("(1-5):", "2")]),
    (
        "terminal-end",
        ["play", "31", "--vs", "easy", "--seed", "3"],
        "Your choice",
        [("16):", "16"), ("):", "16")],
    ),
]


class Window:
    """The program in a window of tmux."""

    def __init__(self, name: str, home: str, arguments: list[str]) -> None:
        self.name = name
        settings = [word for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME") for word in ("-e", f"{name}={home}")]
        size = ["-x", str(COLUMNS), "-y", str(LINES)]
        self.tmux("new-session", "-d", *size, *settings, sys.executable, "-m", "bitduel", *arguments)

    def tmux(self, *arguments: str) -> str:
        """Tell tmux something, and what it says."""
        command = ["tmux", "-L", f"bitduel-pictures-{self.name}", "-f", "/dev/null", *arguments]
        utf8 = {**os.environ, "LC_ALL": "C.UTF-8"}
        return subprocess.run(command, capture_output=True, text=True, check=True, env=utf8).stdout

    def until(self, text: str, times: int) -> None:
        """Wait until a text has come up so often."""
        latest = time.monotonic() + PATIENCE
        while " ".join(self.tmux("capture-pane", "-p", "-S", "-").split()).count(text) < times:
            if time.monotonic() > latest:
                raise SystemExit(f"{text!r} never came:\n{self.tmux('capture-pane', '-p')}")
            time.sleep(0.05)

    def screen(self) -> list[Text]:
        """Return the text on the screen with its colours."""
        shown = self.tmux("capture-pane", "-p", "-e").rstrip("\n")
        return [Text.from_ansi(line) for line in shown.splitlines()]


def main() -> None:
    """Every picture, one file each."""
    for name, arguments, last, typing in SCENES:
        with TemporaryDirectory() as home:
            window = Window(name, home, arguments)
            try:
                counts: dict[str, int] = {}
                for words, answer in typing:
                    counts[words] = counts.get(words, 0) + 1
                    window.until(words, counts[words])
                    window.tmux("send-keys", "-l", answer)
                    window.tmux("send-keys", "Enter")
                window.until(last, counts.get(last, 0) + 1)
                (IMAGES / f"{name}.svg").write_text(picture(window.screen(), arguments), encoding="utf-8")
            finally:
                window.tmux("kill-server")
        print(name)


def picture(lines: list[Text], arguments: list[str]) -> str:
    """Return the screen as SVG, titled with the command that led to it."""
    wide, tall = COLUMNS * WIDE + 2 * EDGE, len(lines) * TALL + 2 * EDGE
    title = escape(" ".join(["bitduel", *arguments]))
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {tall:g}" width="{wide:g}" height="{tall:g}" '
        f'font-family="ui-monospace, DejaVu Sans Mono, monospace" font-size="14" role="img"><title>{title}</title>'
        f'<rect width="100%" height="100%" rx="12" fill="{PAPER}"/>'
    )
    rows = [row for number, line in enumerate(lines) for row in spans(line, EDGE + (number + 0.75) * TALL)]
    return "\n".join([head, *rows, "</svg>", ""])


def spans(line: Text, y: float) -> Iterator[str]:
    """Return the runs of a line that share a style, each with its column."""
    column = 0
    for piece in line.render(CONSOLE):
        if piece.text.strip():
            x = EDGE + column * WIDE
            yield f'<text xml:space="preserve" x="{x:.1f}" y="{y:.1f}"{look(piece.style)}>{escape(piece.text)}</text>'
        column += Text(piece.text).cell_len


def look(style: Style | None) -> str:
    """Colour and weight of a piece."""
    number = style.color.number if style and style.color else None
    fill = INKS.get(-1 if number is None else number, INK)
    bold = ' font-weight="700"' if style and style.bold else ""
    dim = ' opacity="0.6"' if style and style.dim else ""
    return f' fill="{fill}"{bold}{dim}'


if __name__ == "__main__":
    main()
