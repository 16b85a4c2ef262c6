"""Programs to kill: a site, the workers of a site, a terminal. Each is the real program, by its own command line."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from multiprocessing import get_context
from multiprocessing.context import ForkServerProcess
from pathlib import Path

ROOT = Path(__file__).parents[2]
FORKS = get_context("forkserver")


def make_ready() -> None:
    """From now on sites and terminals are forked from a process that has loaded everything."""
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    FORKS.set_forkserver_preload(["scripts.kills.preload"])


def run(arguments: list[str], channel: socket.socket | None, log: str) -> None:
    """Run the program with its input and output on the given channel."""
    errors = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(errors, 2)
    os.dup2(channel.fileno() if channel else errors, 1)
    if channel:
        os.dup2(channel.fileno(), 0)
        channel.close()
    sys.stdin, sys.stdout, sys.stderr = os.fdopen(0), os.fdopen(1, "w"), os.fdopen(2, "w")
    from bitduel.cli import main

    main(arguments)


def forked(arguments: list[str], log: Path, channel: socket.socket | None = None) -> ForkServerProcess:
    """Start a program and return its process."""
    process = FORKS.Process(target=run, args=(arguments, channel, str(log)), daemon=True)
    process.start()
    return process


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


async def listening(port: int, patience: float) -> None:
    """Until the site accepts connections."""
    async with asyncio.timeout(patience):
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                await asyncio.sleep(0.01)
            else:
                writer.close()
                return


class Site:
    """One process that serves a SQLite file."""

    def __init__(self, db: str, log: Path) -> None:
        self.port = free_port()
        self.arguments = ["serve", "--port", str(self.port), "--db", db, "--people", "0"]
        self.log = log
        self.start()

    def start(self) -> None:
        """Begin, at the same address as before."""
        self.process = forked(self.arguments, self.log)

    def kill(self) -> None:
        """SIGKILL: nothing is put in order."""
        self.process.kill()
        self.process.join()


class Workers:
    """Two workers over one PostgreSQL; who started them starts another for each that dies."""

    def __init__(self, db: str, log: Path) -> None:
        self.port = free_port()
        serve = ["serve", "--port", str(self.port), "--db", db, "--people", "0", "--workers", "2"]
        with log.open("ab") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "bitduel", *serve], stdin=subprocess.DEVNULL, stdout=errors, stderr=errors
            )

    def at_work(self) -> list[int]:
        """Return the workers that have a connection."""
        pid = self.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        busy = self._connections()
        return [int(child) for child in children if busy & _sockets(int(child))]

    def _connections(self) -> set[str]:
        """Return the accepted connections to this site, by their inode."""
        rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        return {row[9] for row in rows if row[1].endswith(f":{self.port:04X}") and row[3] == "01"}

    def end(self) -> None:
        """Stop, workers included."""
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def _sockets(pid: int) -> set[str]:
    found = set()
    try:
        for link in Path(f"/proc/{pid}/fd").iterdir():
            try:
                name = str(link.readlink())
            except OSError:
                continue
            if name.startswith("socket:["):
                found.add(name[8:-1])
    except OSError:
        return set()
    return found


class Terminal:
    """Somebody plays at a plain screen, through a pipe."""

    def __init__(self, arguments: list[str], log: Path) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self.process = forked(arguments, log, theirs)
        self._ours = ours
        self.shown = 0
        """So many moves have been shown as made."""

    async def open(self) -> "Terminal":
        """Begin to read the screen."""
        self.reader, self.writer = await asyncio.open_connection(sock=self._ours)
        return self

    def type(self, lines: list[str]) -> None:
        """Type ahead."""
        self.writer.write("".join(f"{line}\n" for line in lines).encode())

    async def until(self, moves: int) -> bool:
        """Read until so many moves are shown as made; False where the screen closes before."""
        while self.shown < moves:
            try:
                line = await self.reader.readline()
            except OSError:
                line = b""
            if not line:
                return False
            self.shown += line.startswith(b"New total is")
        return True

    async def kill(self) -> bool:
        """SIGKILL, and read what was still shown; whether there was somebody to kill."""
        alive = self.process.is_alive()
        self.process.kill()
        self.process.join()
        await self.until(sys.maxsize)
        self.writer.close()
        return alive and self.process.exitcode == -signal.SIGKILL
