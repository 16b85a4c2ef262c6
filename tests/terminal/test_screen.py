"""A real terminal at the other end: colour, pictures, handing over, Ctrl-C and Ctrl-D."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bitduel.core.match import Match
from bitduel.games.registry import make
from bitduel.storage import open_store
from helpers import hear_signals

CLEAR = "\x1b[H\x1b[2J"


class Console:
    """A program in a pseudo-terminal: wait for a text, type an answer."""

    def __init__(self, *arguments: str, columns: int = 0, without: tuple[str, ...] = (), **environment: str) -> None:
        self.master, slave = pty.openpty()
        if columns:
            fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 20, columns, 0, 0))
        settings = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "90", "PYTHONUTF8": "1", **environment}
        for name in without:
            settings.pop(name, None)
        command = [sys.executable, "-m", "bitduel", *arguments]
        self.process = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=settings,
            start_new_session=True,
            preexec_fn=hear_signals,
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

    def interrupt(self, number: int = signal.SIGINT) -> int:
        """Send a signal until it is noticed: one that comes while the prompt is being set up can get lost."""
        for _ in range(100):
            self.process.send_signal(number)
            if select.select([self.master], [], [], 0.2)[0]:
                return self.end()
        raise AssertionError("the signal was never noticed")

    def stop_and_continue(self) -> None:
        """Stop the program and let it continue until it notices: a signal between two waits for a key can get lost."""
        for _ in range(100):
            self.process.send_signal(signal.SIGSTOP)
            os.waitid(os.P_PID, self.process.pid, os.WSTOPPED)
            self.process.send_signal(signal.SIGCONT)
            if select.select([self.master], [], [], 0.2)[0]:
                return
        raise AssertionError("the program never noticed that it continues")

    def _read(self, final: bool = False) -> str:
        ready, _, _ = select.select([self.master], [], [], 60)
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

    def start(*arguments: str, **settings: Any) -> Console:
        opened.append(Console(*arguments, **settings))
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
    assert "You can also type: help, rules, moves, hint, undo, resign, quit." in first
    game.type("2")
    second = game.until("position: ")
    assert "●" in second
    assert "You can also type" not in second
    game.type("quit")
    assert game.end() == 0
    assert re.search(r"To continue it: bitduel resume [a-z0-9]{7}\b", plain(game.screen))


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


def test_the_screen_is_cleared_when_it_is_handed_over_and_the_scrollback_is_left_alone(
    console: Callable[..., Console],
) -> None:
    game = console("play", "battle", "--set", "secret=01101")
    game.until("see the screen. ")
    game.type("")
    game.until("(1-5): ")
    game.type("4")
    game.until("pass it on. ")
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
    assert "\x1b[3J" not in game.screen


def test_an_arrow_key_does_not_bring_back_what_the_other_player_typed(console: Callable[..., Console]) -> None:
    game = console("play", "battle", "--set", "secret=01101")
    game.until("see the screen. ")
    game.type("")
    game.until("(1-5): ")
    game.type("4")
    game.until("pass it on. ")
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
    assert game.screen.rstrip().endswith("bitduel: There is no more input, so the game ends here.")


@pytest.mark.parametrize(
    "arguments",
    [("play", "64"), *(pytest.param(each, marks=pytest.mark.thorough) for each in (("play", "64", "--plain"), ()))],
)
def test_ctrl_c_is_one_line_and_status_130(console: Callable[..., Console], arguments: tuple[str, ...]) -> None:
    game = console(*arguments)
    game.until("): ")
    assert game.interrupt() == 130
    assert game.screen.rstrip().endswith("bitduel: Interrupted.")
    assert "Traceback" not in game.screen


def test_a_whole_match_against_the_computer_from_the_menu(console: Callable[..., Console], tmp_path: Path) -> None:
    game = console(XDG_DATA_HOME=str(tmp_path))
    game.until("(1-7, Enter for 1): ")
    game.type("31 name=Ada length=1 first=me")
    game.until("(1-6, Enter for 1): ")
    game.type("easy")
    game.until("(1): ")
    game.type("1")
    ending = plain(game.until("for 1): "))
    assert "Ada has reached or surpassed Position 1" in ending
    assert "You win!" in ending
    assert "Saved as match" in ending
    game.type("review")
    assert "Ada has won" in plain(game.until("for 1): "))
    game.type("leave")
    assert game.end() == 0
    assert "Goodbye." in game.screen


def test_what_was_left_is_offered_and_resumed_from_the_menu(console: Callable[..., Console], tmp_path: Path) -> None:
    left = console("play", "double", XDG_DATA_HOME=str(tmp_path))
    left.until("double it: ")
    left.type("add")
    left.until("double it: ")
    left.press(b"\x04")
    assert left.end() == 1
    assert "To continue it: bitduel resume" in plain(left.screen)
    menu = console(XDG_DATA_HOME=str(tmp_path))
    menu.until("for 1): ")
    menu.type("resume")
    assert re.search(r"Double or Nothing +Player 1 - Player 2, 1 move, \d\d:\d\d", plain(menu.until("for 1): ")))
    menu.type("")
    assert "Current Number: 2" in plain(menu.until("double it: "))


def test_the_computer_is_called_by_its_level_and_speaks_of_itself(console: Callable[..., Console]) -> None:
    game = console("play", "31", "--vs", "perfect", "--set", "length=17")
    game.until("8, 16): ")
    game.type("1")
    said = plain(game.until("16): "))
    assert re.search(r"Computer \(perfect\) moves (\d+) steps?, to \1\.", said)
    assert said.count("Choose your move") == 1
    game.type("1")
    assert "You lose." in plain(game.until("for 1): "))


def test_a_wrong_answer_is_followed_by_what_is_possible_and_short_ones_are_understood(
    console: Callable[..., Console],
) -> None:
    game = console("play", "bits")
    game.until("to flip: ")
    game.type("9")
    assert "You can type: 1, 2, 3, 4." in plain(game.until("to flip: "))
    game.type("f2")
    game.until("position: ")
    game.type("reset2")
    assert "stalemate" in plain(game.until("for 1): "))


def test_giving_up_is_asked_once_and_undo_takes_back_whoever_moved(console: Callable[..., Console]) -> None:
    game = console("play", "double")
    game.until("double it: ")
    game.type("add")
    game.until("double it: ")
    game.type("u")
    assert "Undone. Back to Player 1's last turn." in plain(game.until("double it: "))
    game.type("resign")
    game.until("(y/N): ")
    game.type("n")
    game.until("double it: ")
    game.type("resign")
    game.until("(y/N): ")
    game.type("y")
    assert "Player 1 resigns. Player 2 wins the game!" in plain(game.until("for 1): "))


def test_undo_against_the_computer_speaks_to_the_one_person(console: Callable[..., Console]) -> None:
    game = console("play", "double", "--vs", "easy")
    game.until("double it: ")
    game.type("add")
    game.until("double it: ")
    game.type("undo")
    assert "Undone. It's your turn again." in plain(game.until("double it: "))


def test_a_plain_screen_says_that_it_hides_nothing_and_asks_first(console: Callable[..., Console]) -> None:
    game = console("play", "battle", "--plain")
    assert "you'll both see everything" in game.until("(y/N): ")
    game.type("")
    assert game.end() == 0
    assert "You left the game." in game.screen
    again = console("play", "battle", TERM="dumb")
    again.until("(y/N): ")
    again.type("yes")
    again.until("(1-5): ")


def test_the_winning_sentence_can_be_read_before_the_dark_screen_closes(console: Callable[..., Console]) -> None:
    game = console("play", "battle", "--set", "bits=1", "--set", "secret=1")
    game.until("see the screen. ")
    game.type("")
    game.until("(1-1): ")
    game.type("1")
    inside = game.until("close this screen. ")
    assert "Player 1 wins the game!" in plain(inside)
    assert "\x1b[?1049l" not in inside
    game.type("")
    after = game.until("for 1): ")
    assert "Player 1 wins the game!" in plain(after.split("\x1b[?1049l")[1])


@pytest.mark.parametrize(
    "number",
    [signal.SIGTERM, *(pytest.param(n, marks=pytest.mark.thorough) for n in (signal.SIGHUP, signal.SIGQUIT))],
    ids=lambda n: n.name,
)
def test_a_signal_leaves_the_dark_screen(console: Callable[..., Console], number: int) -> None:
    game = console("play", "battle", "--set", "secret=01101")
    game.until("see the screen. ")
    game.type("")
    game.until("(1-5): ")
    assert game.interrupt(number) == -number
    assert game.screen.rstrip().endswith(f"{CLEAR}\x1b[?1049l")


def test_bits_are_labelled_by_position_with_their_worth_below(console: Callable[..., Console]) -> None:
    shown = plain(console("play", "battle", "--vs", "easy").until("(1-5): "))
    assert " 1  2  3  4  5" in shown
    assert "16  8  4  2  1" in shown
    assert "⚑" not in shown
    assert "possible" in shown
    without = plain(console("play", "battle", "--vs", "easy", "--no-notes").until("(1-5): "))
    assert "possible" not in without
    assert "16  8  4  2  1" in without


def test_a_replay_is_stepped_through_by_keys(console: Callable[..., Console], tmp_path: Path) -> None:
    db = f"sqlite:///{tmp_path}/matches.db"
    with open_store(db) as store:
        store.begin(Match(make("double"), moves=["add", "double", "add"]), ("human", "human"), ("Ada", "Alan"))
    replay = console("replay", "--db", db)
    replay.until("q: quit.")
    replay.press(b"\x1b[C")
    replay.until("1. Ada: add")
    replay.press(b"\x1b[C")
    replay.until("2. Alan: double")
    replay.press(b"\x1b[D")
    replay.until("1. Ada: add")
    replay.press(b"3\n")
    replay.until("3. Ada: add")
    replay.press(b"q")
    assert replay.end() == 0


def test_ctrl_c_in_a_replay_is_one_line_and_leaves_the_terminal_as_it_was(
    console: Callable[..., Console], tmp_path: Path
) -> None:
    db = f"sqlite:///{tmp_path}/matches.db"
    with open_store(db) as store:
        store.begin(Match(make("double"), moves=["add"]), ("human", "human"), ("Ada", "Alan"))
    replay = console("replay", "--db", db)
    replay.until("q: quit.")
    assert replay.interrupt() == 130
    assert "Traceback" not in replay.screen


def test_what_was_to_be_read_before_a_private_screen_can_be_read(console: Callable[..., Console]) -> None:
    game = console("play", "battle", "--first", "toss", "--no-save")
    before = game.until("only you can see the screen. ")
    assert "Coin toss: Player" in plain(before)
    assert "\x1b[?1049h" not in before
    game.type("")
    assert "\x1b[?1049h" in game.until("(1-5): ")


def test_a_stopped_program_asks_again_when_it_continues_and_keeps_what_was_typed(
    console: Callable[..., Console],
) -> None:
    for arguments, typed in [((), "do"), (("--plain",), "")]:
        game = console("play", "double", "--no-save", *arguments)
        game.until("double it: ")
        game.press(typed.encode())
        game.until(typed)
        game.stop_and_continue()
        assert f"double it: {typed}" in game.until(f"double it: {typed}")
        game.type("double".removeprefix(typed))
        assert "New number is 2." in plain(game.until("New number is 2."))


@pytest.mark.parametrize("locale", ["C", "POSIX"])
def test_the_c_locale_gets_nothing_but_ascii(console: Callable[..., Console], locale: str) -> None:
    environment = {"LC_ALL": locale}
    game = console("play", "bits", "--name1", "Žofie", "--no-save", without=("PYTHONUTF8",), **environment)
    shown = game.until("flip: ")
    assert shown.isascii()
    assert "Zofie" in plain(shown)
    assert ". . . ." in plain(shown)


@pytest.mark.parametrize(("arguments", "environment"), [(("--plain",), {}), ((), {"TERM": "dumb"})], ids=str)
def test_a_plain_terminal_names_the_computer_and_folds_at_words(
    console: Callable[..., Console], arguments: tuple[str, ...], environment: dict[str, str]
) -> None:
    game = console("play", "double", "--vs", "perfect", "--no-save", *arguments, columns=40, **environment)
    first = game.until("double it: ")
    assert "\x1b" not in first
    assert "Player 1, choose 'add' to add one or\r\n'double' to double it: " in first
    game.type("a")
    second = game.until("Computer (perfect), choose")
    assert "You chose to add one. New number is 2." in second
