"""One key at a time, where a terminal can tell them; a line otherwise."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

ARROWS = {"\x1b[C": "next", "\x1b[B": "next", "\x1b[D": "back", "\x1b[A": "back", "\x1bOC": "next", "\x1bOD": "back"}
KEYS = {"\r": "next", "\n": "next", " ": "next", "n": "next", "b": "back", "\x7f": "back", "q": "quit", "\x04": "quit"}
ENDS = {"\x1b[H": "start", "\x1b[F": "end", "\x1b[1~": "start", "\x1b[4~": "end"}


@contextmanager
def keys() -> Iterator[Callable[[], str]]:
    """A function that tells what the next key means: next, back, start, end, quit, or the key itself."""
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal, termios.TCSADRAIN)
        yield lambda: _meaning(_pressed(terminal))
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def can_read_keys() -> bool:
    """Whether this system has terminals whose keys can be read."""
    try:
        import termios  # noqa: F401
    except ImportError:
        return False
    return sys.stdin.isatty()


def _pressed(terminal: int) -> str:
    """The characters that one key sends; none at the end of the input."""
    import os
    import select

    pressed = os.read(terminal, 1)
    while pressed.startswith(b"\x1b") and len(pressed) < 6 and select.select([terminal], [], [], 0.05)[0]:
        pressed += os.read(terminal, 1)
        if (pressed[-1:].isalpha() and len(pressed) > 2) or pressed.endswith(b"~"):
            break
    return pressed.decode(errors="replace")


def _meaning(pressed: str) -> str:
    known = {**ARROWS, **KEYS, **ENDS}
    return known.get(pressed, pressed) if pressed else "quit"
