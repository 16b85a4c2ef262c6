"""However a terminal command ends, its database is whole in one file."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bitduel.core.errors import SignalError
from bitduel.core.match import Match
from bitduel.core.signals import signals_as_errors, uninterrupted
from bitduel.games.registry import make
from bitduel.storage import open_store
from helpers import hear_signals

QUICK = [[signal.SIGTERM], [signal.SIGINT] * 2]
REST = [[signal.SIGINT], [signal.SIGHUP], [signal.SIGTERM, signal.SIGINT]]
INITIALIZE = (
    b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},'
    b'"clientInfo":{"name":"test","version":"1"}}}\n'
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "matches.db"
    with open_store(f"sqlite:///{found}") as store:
        store.begin(Match(make("64"), moves=["add"]), ("human", "human"), ("Ada", "Ben"))
    return found


def started(path: Path, *command: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", "bitduel", *command, "--db", f"sqlite:///{path}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=hear_signals,
    )


def moves_in_a_plain_copy(path: Path) -> int:
    copy = path.with_name("copy.db")
    shutil.copyfile(path, copy)
    with closing(sqlite3.connect(copy)) as connection:
        (found,) = connection.execute("SELECT count(*) FROM moves").fetchone()
    return int(found)


def expected(numbers: list[int]) -> int:
    """A program that handles Ctrl-C says 130; by another signal it ends as any program."""
    return 130 if numbers[0] == signal.SIGINT else -numbers[0]


@pytest.mark.parametrize(
    "numbers", [*QUICK, *(pytest.param(each, marks=pytest.mark.thorough) for each in REST)], ids=str
)
@pytest.mark.parametrize("command", [["play", "64"], pytest.param(["resume"], marks=pytest.mark.thorough)], ids=str)
def test_a_match_that_is_interrupted_is_whole_in_one_file(path: Path, command: list[str], numbers: list[int]) -> None:
    game = started(path, *command)
    assert game.stdin
    assert game.stdout
    game.stdin.write(b"1\n1\n")
    game.stdin.flush()
    seen = 0
    for line in game.stdout:
        seen += line.startswith(b"New total is")
        if seen == 2:
            break
    assert path.with_name("matches.db-wal").exists()
    for number in numbers:
        game.send_signal(number)
    err = game.communicate(timeout=60)[1].decode()
    assert game.returncode == expected(numbers)
    interrupted = [""] * (numbers[0] != signal.SIGINT) + ["bitduel: Interrupted."] * (signal.SIGINT in numbers)
    assert err.strip() in interrupted, "signals that come together are handled in any order"
    assert sorted(file.name for file in path.parent.iterdir()) == ["matches.db"]
    assert moves_in_a_plain_copy(path) == 3


@pytest.mark.parametrize(
    "numbers", [[signal.SIGTERM], *(pytest.param(each, marks=pytest.mark.thorough) for each in REST[:2])], ids=str
)
def test_a_server_for_models_that_is_ended_leaves_one_file(path: Path, numbers: list[int]) -> None:
    server = started(path, "mcp")
    assert server.stdin
    assert server.stdout
    server.stdin.write(INITIALIZE)
    server.stdin.flush()
    assert b"serverInfo" in server.stdout.readline()
    for number in numbers:
        server.send_signal(number)
    err = server.communicate(timeout=60)[1].decode()
    assert "Traceback" not in err
    assert server.returncode == expected(numbers)
    assert sorted(file.name for file in path.parent.iterdir()) == ["matches.db"]


@pytest.fixture
def usual() -> Iterator[None]:
    """The test's own process as any program is started."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)}
    for number in before:
        signal.signal(number, signal.SIG_DFL if number != signal.SIGINT else signal.default_int_handler)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("usual")
def test_closing_is_not_interrupted_and_what_came_meanwhile_comes_after() -> None:
    done = []

    def close() -> None:
        with uninterrupted():
            os.kill(os.getpid(), signal.SIGINT)
            os.kill(os.getpid(), signal.SIGINT)
            done.append(True)

    with pytest.raises(KeyboardInterrupt):
        close()
    assert done
    with uninterrupted():
        pass
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


FREED = """
class SignalledWhenFreed:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)
        signal.sigpending()

SignalledWhenFreed()
"""
LOOKED_UP = """
import numpy

class SignalledWhenLookedUp(type):
    def __getattr__(cls, name):
        os.kill(os.getpid(), signal.SIGTERM)
        signal.sigpending()
        raise AttributeError(name)

class Operand(metaclass=SignalledWhenLookedUp): ...

numpy.arange(2) == Operand()
"""
LOST = """
import os, signal, sys
from bitduel.core.signals import signals_as_errors

with signals_as_errors():
    exec(sys.argv[1])
    print("lost", flush=True)
    while True:
        signal.pause()
"""


@pytest.mark.parametrize("place", [FREED, LOOKED_UP], ids=["finalizer", "NumPy"])
def test_a_signal_where_exceptions_are_ignored_ends_the_program_too(place: str) -> None:
    command = [sys.executable, "-c", LOST, place]
    program = subprocess.run(command, capture_output=True, timeout=60, preexec_fn=hear_signals)
    assert program.returncode == -signal.SIGTERM
    assert program.stdout == b"lost\n"
    assert b"ignored" not in program.stderr


CLOSING = """
import os, signal
from bitduel.core import signals

signals.RETRY_SECONDS = 0.001

with signals.signals_as_errors():
    try:
        os.kill(os.getpid(), signal.SIGTERM)
    finally:
        for _ in range(3_000_000):
            pass
        try:
            raise OSError
        except OSError:
            for _ in range(3_000_000):
                pass
        print("closed", flush=True)
"""


def test_closing_takes_its_time_after_a_signal() -> None:
    program = subprocess.run([sys.executable, "-c", CLOSING], capture_output=True, timeout=60, preexec_fn=hear_signals)
    assert program.stdout == b"closed\n"
    assert program.returncode == -signal.SIGTERM


@pytest.mark.usefixtures("usual")
def test_after_a_command_signals_do_what_they_did_before() -> None:
    with signals_as_errors():
        assert signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with signals_as_errors():
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN, "as under nohup"


def test_a_signal_is_no_fault_of_a_program_that_thinks() -> None:
    assert issubclass(SignalError, KeyboardInterrupt), "which the driver lets through, and nothing else"
