"""A program from outside behind its fences: a line in, a line out, each within its time."""

import ctypes
import json
import os
import secrets
import select
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path
from shutil import rmtree
from time import monotonic

from bitduel.core.endings import CRASH, GARBLED, TIME
from bitduel.core.errors import shown
from bitduel.players.player import FaultError, HaltError, time_in_words

LONGEST_LINE = 64 << 10
KEPT_ERRORS = 8 << 10
"""So much of what was said last on standard error is kept, in bytes."""
LONGEST_REASON, BEGINNING = 120, 30
"""So much of its last line is told, and so much of that from where it begins, in characters."""
GRACE = 0.5
"""Seconds in which a bot may leave by itself, or say why it left."""
PATIENCE = 10
"""Seconds after which whoever should end a bot is ended."""
SWEEPS = 20
"""So often is looked for what a bot has left behind where its warden was ended."""
NOT_DUMPABLE = 4
"""What the kernel is asked for, with 0, so that a process is its own."""
MARK = "BITDUEL_BOT"
"""The variable that every process of a bot has, unless it hides it."""
APART = True
"""Whether a bot gets a space of processes of its own, where the system has such; what is in one ends at once."""
WARDEN = Path(__file__).with_name("sandbox.py")
READABLE = select.POLLIN if hasattr(select, "poll") else 0


class Process:
    """One bot, running; `end` must be called, and is when nobody holds it any more."""

    def __init__(self, command: list[str], megabytes: int, hidden: Iterable[Path] = (), sealed: bool = False) -> None:
        if os.name != "posix":
            raise HaltError("Bots need a system with POSIX processes.")
        self.token = secrets.token_hex(4)
        self._inbox = bytearray()
        self._outbox = b""
        self.errors = bytearray()
        """The last that was said on standard error."""
        try:
            keep_to_oneself()
            self._start(command, megabytes, list(hidden), sealed)
        except OSError as error:
            raise HaltError(f"No bot can be started: {error.strerror or error}.") from error

    def _start(self, command: list[str], megabytes: int, hidden: list[Path], sealed: bool) -> None:
        folder = os.path.realpath(tempfile.mkdtemp(prefix="bitduel-bot-"))
        covered = covered_folders([*command, folder], hidden)
        self._hides_all = len(covered) == len(set(map(os.path.realpath, hidden)))
        asked, ask = os.pipe()
        control, self._control = os.pipe()
        self._status, status = os.pipe()
        environment = {"PYTHONUNBUFFERED": "1", MARK: self.token}
        user = (1 << 30) + int(self.token, 16) % (1 << 30)
        order = [command, environment, folder, megabytes, APART, user, control, status, covered, sealed]
        try:
            warden = subprocess.Popen(
                [sys.executable, "-I", "-S", str(WARDEN), str(asked)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                env={},
                pass_fds=(control, status, asked),
                start_new_session=True,
            )
        except BaseException:
            for pipe in (self._control, self._status, ask):
                os.close(pipe)
            rmtree(folder, ignore_errors=True)
            raise
        finally:
            for pipe in (control, status, asked):
                os.close(pipe)
        self.warden = warden.pid
        with suppress(BrokenPipeError), os.fdopen(ask, "wb") as file:
            # By a pipe and not as an argument: a bot may be able to read the arguments of whoever started it.
            file.write(json.dumps(order).encode())
        self._take_streams(warden)
        self.stop = weakref.finalize(self, os.close, self._control)
        """Have it ended, without waiting for it; whoever reads its answer learns that there is none."""
        self._finish = weakref.finalize(self, _finish, warden, self.stop, self._status, folder, self.token)

    def _take_streams(self, warden: "subprocess.Popen[bytes]") -> None:
        assert warden.stdin
        assert warden.stdout
        assert warden.stderr
        self._in, self._out, self._err = (s.fileno() for s in (warden.stdin, warden.stdout, warden.stderr))
        for pipe in (self._in, self._out, self._err):
            os.set_blocking(pipe, False)
        self._poll = select.poll()
        self._poll.register(self._out, READABLE)
        self._poll.register(self._err, READABLE)

    @cached_property
    def is_sealed(self) -> bool:
        """Whether nothing that it learns or writes can outlive it, and nothing is open to it that was to be hidden."""
        return os.read(self._status, 1) == b"1" and self._hides_all

    def ask(self, line: bytes, seconds: float) -> bytes:
        """The line with which it answers a line; raises FaultError."""
        if self._inbox or self._read():
            raise FaultError(GARBLED, f"it spoke without being asked: '{cleaned(self._inbox)}'")
        until = monotonic() + seconds
        self._send(line)
        while b"\n" not in self._inbox:
            if self._attend(until):
                raise FaultError(CRASH, self._last_words())
            if len(self._inbox.partition(b"\n")[0]) > LONGEST_LINE:
                raise FaultError(GARBLED, f"its line is longer than {LONGEST_LINE >> 10} KiB")
            if monotonic() >= until and b"\n" not in self._inbox:
                raise self._late(seconds)
        answer, _, self._inbox = self._inbox.partition(b"\n")
        return bytes(answer)

    def bid_farewell(self, line: bytes) -> None:
        """Say something that needs no answer, and give it a moment to leave by itself; then it is ended."""
        until = monotonic() + GRACE
        self._send(line)
        self._poll.unregister(self._out)
        while self._outbox and monotonic() < until:
            self._attend(until)
        self._say_no_more()
        self._ended_by_itself(until)
        self.end()

    def end(self) -> None:
        """Nothing of it is left when this returns."""
        if self._finish.alive:
            self._hear_errors()
        self._finish()

    def _send(self, line: bytes) -> None:
        self._outbox += line
        self._poll.register(self._in, select.POLLOUT)

    def _attend(self, until: float) -> bool:
        """Write what it takes and read what there is, or wait for either; whether its standard output has ended."""
        ready = dict(self._poll.poll(max(0.0, until - monotonic()) * 1000))
        if self._in in ready:
            self._write()
        if self._err in ready and not self._hear_errors():
            self._poll.unregister(self._err)
        return self._out in ready and self._read() == 0

    def _write(self) -> None:
        """What is not wanted is not written: who reads no more may still answer."""
        try:
            self._outbox = self._outbox[os.write(self._in, self._outbox) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._outbox = b""
        if not self._outbox:
            self._poll.unregister(self._in)

    def _read(self) -> int | None:
        """How much of an answer there was; 0 at its end, None where there is nothing yet."""
        with suppress(BlockingIOError):
            data = os.read(self._out, LONGEST_LINE)
            self._inbox += data
            return len(data)
        return None

    def _hear_errors(self) -> bool:
        """Keep the last of what is said on standard error; False at its end."""
        with suppress(BlockingIOError):
            data = os.read(self._err, LONGEST_LINE)
            self.errors = (self.errors + data)[-KEPT_ERRORS:]
            return bool(data)
        return True

    def _say_no_more(self) -> None:
        """End its standard input, which is how it knows that nothing more will come."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self._in, inheritable=False)
        os.close(nowhere)

    def _late(self, seconds: float) -> FaultError:
        if self._inbox:
            return FaultError(GARBLED, f"its line has no end: '{cleaned(self._inbox)}'")
        return FaultError(TIME, f"no answer came within {time_in_words(seconds)}")

    def _ended_by_itself(self, until: float) -> int | None:
        """Its exit status, or the negative number of the signal that ended it; None where it has not ended in time."""
        _ = self.is_sealed  # which is said before anything else
        while True:
            poll = select.poll()
            poll.register(self._status, READABLE)
            if dict(poll.poll(max(0.0, until - monotonic()) * 1000)):
                said = os.read(self._status, 16)
                return int(said) if said else None
            if monotonic() >= until:
                return None

    def _last_words(self) -> str:
        """How it ended, and the last line that it said on standard error."""
        status = self._ended_by_itself(monotonic() + GRACE)
        while status is not None and self._hear_errors() and self._has_more_errors():
            pass
        lines = [line for line in self.errors.splitlines() if line.strip()]
        said = f": {last_word(lines[-1])}" if lines else ""
        if status is None:
            return f"it closed its standard output{said}"
        return (f"it ended with status {status}" if status >= 0 else f"it was ended by signal {-status}") + said

    def _has_more_errors(self) -> bool:
        poll = select.poll()
        poll.register(self._err, READABLE)
        return bool(poll.poll(0))


def covered_folders(words: Iterable[str], hidden: Iterable[Path]) -> list[str]:
    """The folders that can be hidden from a program: those in which nothing is that its command names."""
    needed = {path for word in words if word.startswith("/") for path in (Path(word), Path(os.path.realpath(word)))}
    folders = {Path(os.path.realpath(each)): each for each in hidden}
    named = {real for real, each in folders.items() for path in needed if {each, real} & {path, *path.parents}}
    return [str(real) for real in folders if real not in named]


@cache
def keep_to_oneself() -> None:
    """Let no other process of the same user look into this one: what is hidden from a bot is in its memory."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(*map(ctypes.c_ulong, (NOT_DUMPABLE, 0, 0, 0, 0)))


def cleaned(raw: bytes | bytearray) -> str:
    """What a bot said, safe to show in a sentence."""
    return shown(bytes(raw[:200]).decode("utf-8", "replace").strip(), 80)


def last_word(line: bytes | bytearray) -> str:
    """A line of standard error, safe to show; what is too long is cut in its middle, for its end says what is wrong."""
    said = line.decode("utf-8", "replace").strip()
    if len(said) > LONGEST_REASON:
        said = f"{said[:BEGINNING]}...{said[BEGINNING + 3 - LONGEST_REASON :]}"
    return shown(said, LONGEST_REASON)


def _finish(warden: subprocess.Popen[bytes], stop: Callable[[], object], status: int, folder: str, token: str) -> None:
    stop()
    try:
        warden.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        warden.kill()
        warden.wait()
    if warden.returncode:
        sweep(token)
    for pipe in (warden.stdin, warden.stdout, warden.stderr):
        if pipe:
            pipe.close()
    os.close(status)
    rmtree(folder, ignore_errors=True)


def sweep(token: str) -> None:
    """Kill whatever carries the mark of a bot; its warden did not, because somebody ended it."""
    for _ in range(SWEEPS):
        for process in marked(token):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, 9)


def marked(token: str) -> list[int]:
    """The processes with the mark of a bot; none are known where there is no /proc."""
    mark, found = f"{MARK}={token}".encode(), []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if mark in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
    return found
