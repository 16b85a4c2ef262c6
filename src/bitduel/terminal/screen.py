"""Where lines are shown and answers read: plainly, or on a terminal with colour."""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from bitduel.core.errors import EndOfInputError
from bitduel.core.picture import Picture
from bitduel.terminal.text import PAPER, columns, fold, folded

STYLES = {"quiet": "dim", "wrong": "yellow", "ending": "bold green", "turn": "bold"}


PATIENCE = 0.3
"""Seconds of work that need no sign."""


ROOM_TO_TYPE, SHORTLY = 12, 3
"""Columns that are left for an answer, and for one of a letter or a number."""


BLANKS = 2
"""The one before an answer and the one that the cursor stands on after it."""


class ResumedError(Exception):
    """The program was stopped at a question and goes on; the screen has to be shown again."""


class Screen:
    """Plain lines, as in a pipe: no colour and no screen control."""

    fancy = False
    commands_announced = False

    @property
    def width(self) -> int:
        """How many columns there are."""
        return PAPER

    def say(self, lines: Iterable[str], style: str = "") -> None:
        """Show lines."""
        for line in lines:
            print(line)

    def echo(self, prompt: str, answer: str) -> None:
        """Show a question together with its answer."""
        print(f"{prompt}{_shown(answer)}")

    def ask(self, prompt: str, room: int = ROOM_TO_TYPE) -> str:
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

    def pause(self, sentence: str) -> None:
        """Paper waits for nobody."""

    def draw(self, picture: Picture) -> None:
        """Pictures are for terminals."""

    def hand_over(self, name: str, cleared: bool = False) -> None:
        """Nothing can be hidden on paper."""

    def clear(self) -> None:
        """Paper stays as it is."""

    @contextmanager
    def busy(self, sentence: str) -> Iterator[None]:
        """Long work needs no sign on paper."""
        yield

    @contextmanager
    def private(self) -> Iterator[None]:
        """Nothing to keep from the scrollback."""
        yield


class Terminal(Screen):
    """The same lines with colour, folded at words, the position drawn, and a screen that can be handed over."""

    fancy = True

    def __init__(self) -> None:
        from rich.console import Console

        self.console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
        self.asking = False
        _edit_lines_without_history()

    @property
    def width(self) -> int:
        """How many columns the terminal has now."""
        return columns()

    def say(self, lines: Iterable[str], style: str = "") -> None:
        """Show lines in a style."""
        for line in folded(lines, self.width, hang=2):
            self.console.print(line, style=STYLES.get(style))

    def ask(self, prompt: str, room: int = ROOM_TO_TYPE) -> str:
        """Ask for one line, with the usual editing keys; a long question is folded, the last part is the prompt."""
        *above, last = fold(prompt.rstrip(" "), self.width - BLANKS)
        *more, last = fold(last, self.width - room - BLANKS)
        self.say(above + more)
        self.asking = True
        with _left_on_a_line_of_its_own():
            try:
                return input(f"{last} ")
            except EOFError:
                raise EndOfInputError from None
            finally:
                self.asking = False

    def pause(self, sentence: str) -> None:
        """Wait until somebody has read what is there."""
        self.ask(sentence, 0)

    def draw(self, picture: Picture) -> None:
        """Draw the position."""
        from bitduel.terminal.paint import paint

        self.console.print()
        for line in paint(picture, self.width, has_unicode()):
            self.console.print(line)
        self.console.print()

    def hand_over(self, name: str, cleared: bool = False) -> None:
        """Clear what was seen, if anything is, and wait until the next player is alone."""
        if not cleared:
            self.ask("Press Enter to clear the screen and hand over. ", 0)
            self.clear()
        self.ask(f"{name}, press Enter when only you can see the screen. ", 0)
        self.clear()

    @contextmanager
    def busy(self, sentence: str) -> Iterator[None]:
        """Show that long work is going on, once it has taken a moment."""
        from threading import Timer

        status = self.console.status(sentence)
        sign = Timer(PATIENCE, status.start)
        sign.daemon = True
        sign.start()
        try:
            yield
        finally:
            sign.cancel()
            sign.join()
            status.stop()

    @contextmanager
    def private(self) -> Iterator[None]:
        """Play on a screen of its own that leaves nothing behind, however it is left: the user's own survives."""
        from bitduel.terminal.signals import leaving_by_signal

        self._open()
        try:
            with leaving_by_signal(self._close, self._open, lambda: self.asking):
                yield
        finally:
            self._close()

    def _open(self) -> None:
        self._control("\x1b[?1049h")
        self.clear()

    def _close(self) -> None:
        self.clear()
        self._control("\x1b[?1049l")

    def clear(self) -> None:
        """Take everything off the screen; what was above it stays."""
        self._control("\x1b[H\x1b[2J")

    def _control(self, sequence: str) -> None:
        print(sequence, end="", flush=True)


def open_screen(plain: bool, asks: bool = True) -> Screen:
    """The terminal if there is one on both ends and it is wanted; to show something, one end is enough."""
    there = sys.stdout.isatty() and (sys.stdin.isatty() or not asks) and os.environ.get("TERM") != "dumb"
    return Terminal() if there and not plain else Screen()


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
