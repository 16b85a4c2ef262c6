"""A real terminal at the other end: colour, pictures, handing over, Ctrl-C and Ctrl-D."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

CLEAR = "\x1b[H\x1b[2J\x1b[3J"


def _hear_interrupts() -> None:
    """Tests that run in the background are started with Ctrl-C ignored; what they start must not be."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Console:
    """A program in a pseudo-terminal: wait for a text, type an answer."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self.master, slave = pty.openpty()
        settings = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "90", "PYTHONUTF8": "1", **environment}
        command = [sys.executable, "-m", "bitduel", *arguments]
        self.process = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=settings,
            start_new_session=True,
            preexec_fn=_hear_interrupts,
        )
        os.close(slave)
        self.screen = ""

    def until(self, text: str) -> str:
        """Read until the text stands at the end of what was newly shown; returns what was read."""
        seen = ""
        while text not in seen:
            seen += self._read()
        self.screen += seen
        return seen

    def type(self, answer: str) -> None:
        """Type a line."""
        os.write(self.master, answer.encode() + b"\n")

    def press(self, key: bytes) -> None:
        """Press a key."""
        os.write(self.master, key)

    def end(self) -> int:
        """Read to the end; the exit status."""
        while data := self._read(final=True):
            self.screen += data
        return self.process.wait()

    def interrupt(self) -> int:
        """Press Ctrl-C until it is noticed: one that comes while the prompt is being set up can get lost."""
        for _ in range(100):
            self.process.send_signal(signal.SIGINT)
            if select.select([self.master], [], [], 0.2)[0]:
                return self.end()
        raise AssertionError("Ctrl-C was never noticed")

    def _read(self, final: bool = False) -> str:
        ready, _, _ = select.select([self.master], [], [], 30)
        assert ready, f"nothing more came after {self.screen[-500:]!r}"
        try:
            data = os.read(self.master, 65536).decode(errors="replace")
        except OSError:
            data = ""
        assert data or final, f"the program ended after {self.screen[-500:]!r}"
        return data


@pytest.fixture
def console() -> Iterator[Callable[..., Console]]:
    opened: list[Console] = []

    def start(*arguments: str, **environment: str) -> Console:
        opened.append(Console(*arguments, **environment))
        return opened[-1]

    yield start
    for each in opened:
        each.process.kill()
        each.process.wait()
        os.close(each.master)


def plain(text: str) -> str:
    """What a person reads: the text without its control sequences."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)


def test_the_position_is_drawn_and_commands_are_announced_once(console: Callable[..., Console]) -> None:
    game = console("play", "bits")
    first = game.until("flip: ")
    assert "○ ○ ○ ○" in plain(first)
    assert "You can also say: help, rules, moves, hint, undo, resign, quit." in first
    game.type("2")
    second = game.until("position: ")
    assert "●" in second
    assert "You can also say" not in second
    game.type("quit")
    assert game.end() == 0
    assert re.search(r"'bitduel resume [a-z0-9]{7}' goes on with it\.", plain(game.screen))


def test_no_color_is_honoured_and_signs_remain(console: Callable[..., Console]) -> None:
    game = console("play", "bits", NO_COLOR="1")
    shown = game.until("flip: ")
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]m", shown)
    assert "○" in shown


def test_a_terminal_without_unicode_gets_letters(console: Callable[..., Console]) -> None:
    game = console("play", "bits", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    shown = game.until("flip: ")
    assert shown.isascii()
    assert ". . . ." in plain(shown)


def test_the_screen_is_cleared_with_its_scrollback_when_it_is_handed_over(console: Callable[..., Console]) -> None:
    game = console("play", "battle", "--set", "secret=01101")
    game.until("(1-5): ")
    game.type("4")
    game.until("hand over. ")
    game.type("")
    handed = game.until("only you can see the screen. ")
    assert CLEAR in handed
    game.type("")
    shown = plain(game.until("(1-5): ").split(CLEAR)[-1])
    assert "Player 2" in shown
    assert "00010" not in shown
    assert "Player 1" not in shown
    game.press(b"\x04")
    assert game.end() == 1
    assert "\x1b[?1049l" in game.screen


def test_an_arrow_key_does_not_bring_back_what_the_other_player_typed(console: Callable[..., Console]) -> None:
    game = console("play", "battle", "--set", "secret=01101")
    game.until("(1-5): ")
    game.type("4")
    game.until("hand over. ")
    game.type("")
    game.until("see the screen. ")
    game.type("")
    game.until("(1-5): ")
    game.press(b"\x1b[A\n")
    assert "Invalid bit position" in game.until("(1-5): ")


def test_ctrl_d_is_one_line_and_status_1(console: Callable[..., Console]) -> None:
    game = console("play", "64")
    game.until("(1 or 2): ")
    game.press(b"\x04")
    assert game.end() == 1
    assert game.screen.rstrip().endswith("bitduel: The input ended, so the game stops here.")


@pytest.mark.parametrize("arguments", [("play", "64"), ("play", "64", "--plain"), ()])
def test_ctrl_c_is_one_line_and_status_130(console: Callable[..., Console], arguments: tuple[str, ...]) -> None:
    game = console(*arguments)
    game.until("): ")
    assert game.interrupt() == 130
    assert game.screen.rstrip().endswith("bitduel: Interrupted.")
    assert "Traceback" not in game.screen


def test_a_whole_match_against_the_computer_from_the_menu(console: Callable[..., Console]) -> None:
    game = console()
    for prompt, answer in [("(1-5): ", "5"), ("for 1): ", "2"), ("for 1): ", "2"), ("for 1): ", "1")]:
        game.until(prompt)
        game.type(answer)
    game.until("NAME=VALUE: ")
    game.type("length=1")
    game.until("(1): ")
    game.type("1")
    ending = game.until("for 1): ")
    assert "Player 1 has reached or surpassed Position 1" in ending
    game.type("4")
    assert game.end() == 0
    assert "Goodbye." in game.screen
