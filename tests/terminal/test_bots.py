"""Bots at a screen: whole matches, faults in words, and nothing left however the program ends."""

import os
import pty
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bitduel.games.registry import make
from bitduel.players.spec import Spec
from bitduel.terminal.series import Setup
from bots import GREETING, Script, wait_until
from helpers import bitduel, hear_signals

HONEST = (
    GREETING
    + 'while asked["type"] == "move?": say(type="move", id=asked["id"], move=asked["legal"][-1]); asked = hear()'
)
HANGING = GREETING + "time.sleep(1000)"


def test_a_bot_plays_all_rounds_from_the_folder_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = Script(tmp_path, HONEST)
    monkeypatch.chdir(script.path.parent)
    command = f"bot:{shlex.quote(sys.executable)} {script.path.name} {script.mark}"
    ran = bitduel("play", "31", "--vs", command, "--p1", "random", "--rounds", "2", "--no-save", "--seconds", "60")
    assert (ran.err, ran.status) == ("", 0)
    assert "Player 2" in ran.out
    assert "crashed" not in ran.out
    assert script.left() == []


def test_a_fault_is_told_in_words(tmp_path: Path) -> None:
    script = Script(tmp_path, GREETING + "print('\\x1b[2Jhello', flush=True); hear()")
    ran = bitduel("play", "31", "--p1", script.spec, "--vs", "random", "--no-save", "--seconds", "60")
    assert "Player 1: this isn't JSON: '\N{REPLACEMENT CHARACTER}[2Jhello'\n" in ran.out
    assert "Player 1 sent an answer we couldn't read. Player 2 wins the game!\n" in ran.out
    assert script.left() == []


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "x"])
def test_a_time_that_is_none_is_refused_in_one_line(seconds: str) -> None:
    ran = bitduel("play", "31", "--vs", "bot:sh", "--no-save", "--seconds", seconds)
    assert (ran.status, ran.err.count("\n")) == (2, 1)


def test_a_program_that_is_not_there_is_named_in_one_line() -> None:
    ran = bitduel("play", "31", "--vs", "bot:no-such-program x")
    assert (ran.out, ran.status) == ("", 2)
    assert ran.err == "bitduel: Can't find a program called 'no-such-program' to run as a bot.\n"


def test_help_shows_an_example() -> None:
    assert '--vs "bot:python my_bot.py"' in bitduel("play", "--help").out
    assert "bot:COMMAND" in bitduel("play", "--help").out


def test_a_bot_is_called_shortly() -> None:
    assert Setup(make("31"), (Spec("human"), Spec("bot", "sh a b c"))).with_program_names().names[1] == "Computer (bot)"


def started(script: Script, place: Path, stdin: int) -> subprocess.Popen[bytes]:
    """The program with a bot that is thinking, for ever."""
    command = [sys.executable, "-m", "bitduel", "play", "31", "--p1", script.spec, "--no-save", "--seconds", "600"]
    program = subprocess.Popen(
        command,
        stdin=stdin,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "TMPDIR": str(place)},
        preexec_fn=hear_signals,
    )
    script.comes()
    return program


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL], ids=lambda n: n.name)
def test_however_the_program_ends_nothing_of_a_bot_is_left(number: int, tmp_path: Path) -> None:
    place = tmp_path / "tmp"
    place.mkdir()
    script = Script(tmp_path, HANGING)
    program = started(script, place, subprocess.DEVNULL)
    program.send_signal(number)
    program.wait(60)
    script.goes()
    wait_until(lambda: not list(place.iterdir()))


def test_ctrl_d_at_a_prompt_lets_the_bot_go(tmp_path: Path) -> None:
    script = Script(tmp_path, HONEST)
    ran = bitduel("play", "31", "--p1", script.spec, "--no-save", "--seconds", "60")
    assert ran.status == 1
    assert script.left() == []


def test_a_bot_plays_on_a_real_screen(tmp_path: Path) -> None:
    script = Script(tmp_path, HONEST)
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "bitduel", "play", "31", "--p1", "random", "--vs", script.spec, "--no-save"]
    program = subprocess.Popen([*command, "--seconds", "60"], stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    seen = b""
    while b"What next?" not in seen:
        seen += os.read(ours, 4096)
    left = script.left()
    os.write(ours, b"q\n")
    program.wait(60)
    os.close(ours)
    assert b"Computer (bot)" in seen
    assert [command for command in left if "-m bitduel" not in command] == []
