"""Where lines are shown and answers read: plainly, or on a terminal with colour."""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from bitduel.core.errors import EndOfInputError
from bitduel.core.picture import Picture

STYLES = {"quiet": "dim", "wrong": "yellow", "ending": "bold green", "turn": "bold"}


class Screen:
    """Plain lines, as in a pipe: no colour and no screen control."""

    fancy = False
    commands_announced = False

    def say(self, lines: Iterable[str], style: str = "") -> None:
        """Show lines."""
        for line in lines:
            print(line)

    def echo(self, prompt: str, answer: str) -> None:
        """Show a question together with its answer."""
        print(f"{prompt}{_shown(answer)}")

    def ask(self, prompt: str) -> str:
        """Ask for one line; raises EndOfInputError where there is none."""
        print(prompt, end="", flush=True)
        with _left_on_a_line_of_its_own():
            line = sys.stdin.readline()
            if not line:
                raise EndOfInputError
        answer = line.rstrip("\r\n")
        if not sys.stdin.isatty():
            print(_shown(answer), flush=True)
        return answer

    def draw(self, picture: Picture) -> None:
        """Pictures are for terminals."""

    def hand_over(self, name: str) -> None:
        """Nothing can be hidden on paper."""

    @contextmanager
    def busy(self, sentence: str) -> Iterator[None]:
        """Long work needs no sign on paper."""
        yield

    @contextmanager
    def private(self) -> Iterator[None]:
        """Nothing to keep from the scrollback."""
        yield


class Terminal(Screen):
    """The same lines with colour, the position drawn, and a screen that can be handed over."""

    fancy = True

    def __init__(self) -> None:
        from rich.console import Console

        self.console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
        _edit_lines_without_history()

    def say(self, lines: Iterable[str], style: str = "") -> None:
        """Show lines in a style."""
        for line in lines:
            self.console.print(line, style=STYLES.get(style))

    def ask(self, prompt: str) -> str:
        """Ask for one line, with the usual editing keys."""
        with _left_on_a_line_of_its_own():
            try:
                return input(prompt)
            except EOFError:
                raise EndOfInputError from None

    def draw(self, picture: Picture) -> None:
        """Draw the position."""
        from bitduel.terminal.paint import paint

        self.console.print()
        for line in paint(picture, self.console.width, has_unicode()):
            self.console.print(line)
        self.console.print()

    def hand_over(self, name: str) -> None:
        """Clear what was seen, scrollback too, and wait until the next player is alone."""
        self.ask("Press Enter to clear the screen and hand over. ")
        self._clear()
        self.ask(f"{name}, press Enter when only you can see the screen. ")
        self._clear()

    @contextmanager
    def busy(self, sentence: str) -> Iterator[None]:
        """Show that long work is going on."""
        with self.console.status(sentence):
            yield

    @contextmanager
    def private(self) -> Iterator[None]:
        """Play on a screen of its own that leaves nothing behind in the scrollback."""
        self._control("\x1b[?1049h")
        self._clear()
        try:
            yield
        finally:
            self._clear()
            self._control("\x1b[?1049l")

    def _clear(self) -> None:
        self._control("\x1b[H\x1b[2J\x1b[3J")

    def _control(self, sequence: str) -> None:
        print(sequence, end="", flush=True)


def open_screen(plain: bool) -> Screen:
    """The terminal if there is one on both ends and it is wanted."""
    fancy = not plain and sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    return Terminal() if fancy else Screen()


@contextmanager
def _left_on_a_line_of_its_own() -> Iterator[None]:
    """Ctrl-C and Ctrl-D leave the cursor behind the prompt; what is said next belongs below it."""
    try:
        yield
    except (EndOfInputError, KeyboardInterrupt):
        if sys.stdout.isatty():
            print()
        raise


def _edit_lines_without_history() -> None:
    """An arrow key must edit the line, and must not bring back what the other player typed."""
    try:
        import readline
    except ImportError:
        return
    readline.set_auto_history(False)


def has_unicode() -> bool:
    """Whether the output can show more than letters."""
    return (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")


def _shown(answer: str) -> str:
    """An answer without control characters, which could do things to a terminal."""
    return "".join(c if c.isprintable() or c == "\t" else "\N{REPLACEMENT CHARACTER}" for c in answer)
