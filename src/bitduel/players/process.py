"""The process of a bot in its sandbox: a line in, a line out, each within its time."""

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

from bitduel.core.errors import printable
from bitduel.core.outcomes import CRASH, GARBLED, TIME
from bitduel.players.player import FaultError, HaltError, format_seconds

MAX_LINE = 64 << 10
MAX_ERRORS = 8 << 10
"""The most bytes of standard error that are stored, from its end."""
MAX_REASON, REASON_START = 120, 30
"""The most characters of the last line that are shown, and how many of them are from its beginning."""
GRACE = 0.5
"""Seconds in which a bot may exit by itself, or write why it exited."""
SANDBOX_TIMEOUT = 10
"""Seconds after which a sandbox that does not end its bot is killed."""
SWEEPS = 20
"""The number of searches for processes that a bot has left behind after its sandbox was killed."""
PR_SET_DUMPABLE = 4
MARK = "BITDUEL_BOT"
"""The environment variable that every process of a bot has, unless it hides it."""
USE_NAMESPACES = True
"""Whether a bot gets a process namespace, where the system has such: everything in one ends at once."""
SANDBOX = Path(__file__).with_name("sandbox.py")
READABLE = select.POLLIN if hasattr(select, "poll") else 0


class BotProcess:
    """A running bot; `end` must be called, and is when nothing refers to the object any more."""

    def __init__(self, command: list[str], megabytes: int, hidden: Iterable[Path] = (), sealed: bool = False) -> None:
        if os.name != "posix":
            raise HaltError("Bots need Linux, macOS or another POSIX system.")
        self.token = secrets.token_hex(4)
        self._inbox = bytearray()
        self._outbox = b""
        self.errors = bytearray()
        """The end of its standard error."""
        try:
            protect_memory()
            self._start(command, megabytes, list(hidden), sealed)
        except OSError as error:
            raise HaltError(f"Can't start a bot: {error.strerror or error}.") from error

    def _start(self, command: list[str], megabytes: int, hidden: list[Path], sealed: bool) -> None:
        folder = os.path.realpath(tempfile.mkdtemp(prefix="bitduel-bot-"))
        covered = hideable_folders([*command, folder], hidden)
        self._hides_all = len(covered) == len(set(map(os.path.realpath, hidden)))
        launch_reader, launch_writer = os.pipe()
        control, self._control = os.pipe()
        self._status, status = os.pipe()
        environment = {"PYTHONUNBUFFERED": "1", MARK: self.token}
        user = (1 << 30) + int(self.token, 16) % (1 << 30)
        launch = [command, environment, folder, megabytes, USE_NAMESPACES, user, control, status, covered, sealed]
        try:
            sandbox = subprocess.Popen(
                [sys.executable, "-I", "-S", str(SANDBOX), str(launch_reader)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                env={},
                pass_fds=(control, status, launch_reader),
                start_new_session=True,
            )
        except BaseException:
            for pipe in (self._control, self._status, launch_writer):
                os.close(pipe)
            rmtree(folder, ignore_errors=True)
            raise
        finally:
            for pipe in (control, status, launch_reader):
                os.close(pipe)
        self.sandbox_pid = sandbox.pid
        with suppress(BrokenPipeError), os.fdopen(launch_writer, "wb") as file:
            # By a pipe and not as an argument: a bot may be able to read the arguments of the process that started it.
            file.write(json.dumps(launch).encode())
        self._open_streams(sandbox)
        self.stop = weakref.finalize(self, os.close, self._control)
        """Have it ended, without waiting for it; a thread that waits for its answer gets none."""
        self._finish = weakref.finalize(self, _finish, sandbox, self.stop, self._status, folder, self.token)

    def _open_streams(self, sandbox: "subprocess.Popen[bytes]") -> None:
        assert sandbox.stdin
        assert sandbox.stdout
        assert sandbox.stderr
        self._in, self._out, self._err = (s.fileno() for s in (sandbox.stdin, sandbox.stdout, sandbox.stderr))
        for pipe in (self._in, self._out, self._err):
            os.set_blocking(pipe, False)
        self._poll = select.poll()
        self._poll.register(self._out, READABLE)
        self._poll.register(self._err, READABLE)

    @cached_property
    def is_sealed(self) -> bool:
        """Whether nothing that it learns or writes can outlive it, and all folders are hidden that should be."""
        return os.read(self._status, 1) == b"1" and self._hides_all

    def ask(self, line: bytes, seconds: float) -> bytes:
        """Send a line and return the line that answers it; raise FaultError."""
        if self._inbox or self._read():
            raise FaultError(GARBLED, f"it sent a line when it wasn't its turn: '{printable_line(self._inbox)}'")
        until = monotonic() + seconds
        self._send(line)
        while b"\n" not in self._inbox:
            if self._exchange(until):
                raise FaultError(CRASH, self._describe_exit())
            if len(self._inbox.partition(b"\n")[0]) > MAX_LINE:
                raise FaultError(GARBLED, f"it sent a line longer than {MAX_LINE >> 10} KiB")
            if monotonic() >= until and b"\n" not in self._inbox:
                raise self._late(seconds)
        answer, _, self._inbox = self._inbox.partition(b"\n")
        return bytes(answer)

    def send_last(self, line: bytes) -> None:
        """Send a line that needs no answer, give the bot a moment to exit by itself, and end it."""
        until = monotonic() + GRACE
        self._send(line)
        self._poll.unregister(self._out)
        while self._outbox and monotonic() < until:
            self._exchange(until)
        self._close_input()
        self._exit_status(until)
        self.end()

    def end(self) -> None:
        """End the bot and everything that it has started."""
        if self._finish.alive:
            self._read_errors()
        self._finish()

    def _send(self, line: bytes) -> None:
        self._outbox += line
        self._poll.register(self._in, select.POLLOUT)

    def _exchange(self, until: float) -> bool:
        """Write and read what is possible, or wait for either; return whether its standard output has ended."""
        ready = dict(self._poll.poll(max(0.0, until - monotonic()) * 1000))
        if self._in in ready:
            self._write()
        if self._err in ready and not self._read_errors():
            self._poll.unregister(self._err)
        return self._out in ready and self._read() == 0

    def _write(self) -> None:
        try:
            self._outbox = self._outbox[os.write(self._in, self._outbox) :]
        except BlockingIOError:
            return
        except BrokenPipeError:  # a bot that reads no more may still answer
            self._outbox = b""
        if not self._outbox:
            self._poll.unregister(self._in)

    def _read(self) -> int | None:
        """Read standard output and return how much there was; 0 at its end, None if there is nothing yet."""
        with suppress(BlockingIOError):
            data = os.read(self._out, MAX_LINE)
            self._inbox += data
            return len(data)
        return None

    def _read_errors(self) -> bool:
        """Read standard error and keep its last part; return False at its end."""
        with suppress(BlockingIOError):
            data = os.read(self._err, MAX_LINE)
            self.errors = (self.errors + data)[-MAX_ERRORS:]
            return bool(data)
        return True

    def _close_input(self) -> None:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, self._in, inheritable=False)
        os.close(null)

    def _late(self, seconds: float) -> FaultError:
        if self._inbox:
            return FaultError(GARBLED, f"it sent an unfinished line: '{printable_line(self._inbox)}'")
        return FaultError(TIME, f"it didn't answer within {format_seconds(seconds)}")

    def _exit_status(self, until: float) -> int | None:
        """Return its exit status, or the negative number of a signal; None if it has not exited in time."""
        _ = self.is_sealed  # which the sandbox writes before anything else
        if not _is_readable(self._status, until - monotonic()):
            return None
        status = os.read(self._status, 16)
        return int(status) if status else None

    def _describe_exit(self) -> str:
        """Return how it exited, and the last line of its standard error."""
        status = self._exit_status(monotonic() + GRACE)
        while status is not None and self._read_errors() and _is_readable(self._err):
            pass
        lines = [line for line in self.errors.splitlines() if line.strip()]
        reason = f": {_shorten(lines[-1])}" if lines else ""
        if status is None:
            return f"it closed its standard output{reason}"
        return (f"it ended with status {status}" if status >= 0 else f"it was ended by signal {-status}") + reason


def _is_readable(pipe: int, seconds: float = 0.0) -> bool:
    """Wait until a pipe has something to read or has ended."""
    poll = select.poll()
    poll.register(pipe, READABLE)
    return bool(poll.poll(max(0.0, seconds) * 1000))


def hideable_folders(words: Iterable[str], hidden: Iterable[Path]) -> list[str]:
    """Return the folders that can be hidden from a program: those with nothing in them that its command names."""
    needed = {path for word in words if word.startswith("/") for path in (Path(word), Path(os.path.realpath(word)))}
    folders = {Path(os.path.realpath(each)): each for each in hidden}
    named = {real for real, each in folders.items() for path in needed if {each, real} & {path, *path.parents}}
    return [str(real) for real in folders if real not in named]


@cache
def protect_memory() -> None:
    """Let no other process of the same user read the memory of this one: the deal is there."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(*map(ctypes.c_ulong, (PR_SET_DUMPABLE, 0, 0, 0, 0)))


def printable_line(raw: bytes | bytearray) -> str:
    """Return a bot's line, safe to show in a sentence."""
    return printable(bytes(raw[:200]).decode("utf-8", "replace").strip(), 80)


def _shorten(line: bytes | bytearray) -> str:
    """Return a line of standard error; a long one is cut in the middle, because its end has the reason."""
    text = line.decode("utf-8", "replace").strip()
    if len(text) > MAX_REASON:
        text = f"{text[:REASON_START]}...{text[REASON_START + 3 - MAX_REASON :]}"
    return printable(text, MAX_REASON)


def _finish(sandbox: subprocess.Popen[bytes], stop: Callable[[], object], status: int, folder: str, token: str) -> None:
    stop()
    try:
        sandbox.wait(SANDBOX_TIMEOUT)
    except subprocess.TimeoutExpired:
        sandbox.kill()
        sandbox.wait()
    if sandbox.returncode:
        kill_marked(token)
    for pipe in (sandbox.stdin, sandbox.stdout, sandbox.stderr):
        if pipe:
            pipe.close()
    os.close(status)
    rmtree(folder, ignore_errors=True)


def kill_marked(token: str) -> None:
    """Kill every process with the mark of a bot, after its sandbox was killed; none are found without /proc."""
    mark = f"{MARK}={token}".encode()
    for _ in range(SWEEPS):
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if mark in (folder / "environ").read_bytes().split(b"\0"):
                    os.kill(int(folder.name), 9)
