"""Many visitors of one site from one program: plain sockets, so that the visitors cost less than what they measure."""

import asyncio
import itertools
import json
import os
import resource
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Any
from urllib.parse import urlencode

ADDRESSES = itertools.count(2)


class Visitor:
    """One connection from an address of its own, and the cookie or token that goes with it."""

    def __init__(self, port: int, address: str | None = None) -> None:
        number = next(ADDRESSES)
        self.port = port
        self.address = address or f"127.0.{number // 250}.{number % 250 + 2}"
        self.headers: dict[str, str] = {}

    async def open(self) -> "Visitor":
        """Connect."""
        where = (self.address, 0)
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=where)
        return self

    async def send(self, method: str, path: str, body: bytes = b"", kind: str = "application/json") -> tuple[int, str]:
        """Ask, and read the head of the answer: its status and its headers."""
        if self.reader.at_eof():  # the server hangs up on those who say nothing for long
            await self.open()
        headers = {"host": f"127.0.0.1:{self.port}", "content-length": str(len(body)), **self.headers}
        if body:
            headers["content-type"] = kind
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.writer.write(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + body)
        answer = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        return int(answer.split(" ", 2)[1]), answer

    async def ask(
        self, method: str, path: str, body: bytes = b"", kind: str = "application/json"
    ) -> tuple[int, str, bytes]:
        """Ask, and read the whole answer."""
        status, head = await self.send(method, path, body, kind)
        return status, head, await self.body(head)

    async def body(self, head: str) -> bytes:
        """Read the body that a response head announces."""
        length = next(line for line in head.lower().splitlines() if line.startswith("content-length:"))
        return await self.reader.readexactly(int(length.split(":")[1]))

    async def json(self, method: str, path: str, wish: object = None) -> Any:
        """Ask the API; anything but a good answer is an error."""
        status, _, body = await self.ask(method, path, b"" if wish is None else json.dumps(wish).encode())
        if status >= 300:
            raise RuntimeError(f"{method} {path}: {status} {body[:200].decode()}")
        return json.loads(body)

    async def form(self, path: str, **fields: object) -> bytes:
        """Send a form as the script of a page does; the part of the page that it leads to."""
        status, head = await self.send(
            "POST", path, urlencode(fields).encode(), "application/x-www-form-urlencoded\r\nbitduel-part: main"
        )
        if status != 200:
            raise RuntimeError(f"POST {path}: {status}")
        return await self.body(head)

    def close(self) -> None:
        """Hang up."""
        self.writer.close()


@dataclass
class Ears:
    """Who hears a stream: when each ply was first heard of."""

    seen: dict[int, float] = field(default_factory=dict)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    async def listen(self, visitor: Visitor, path: str) -> None:
        """Read events until the connection ends."""
        status, head = await visitor.send("GET", path)
        if status != 200:
            raise RuntimeError(f"GET {path}: {status} {head}")
        while line := await visitor.reader.readline():
            if line.startswith(b"data: "):
                self.seen.setdefault(int(line.split()[1]), perf_counter())
                self.news.set()

    async def until(self, ply: int) -> float:
        """When a ply was heard of, however long that takes."""
        while ply not in self.seen:
            self.news.clear()
            await asyncio.wait_for(self.news.wait(), 60)
        return self.seen[ply]


@dataclass
class Table:
    """A match between two visitors, each with a stream."""

    match: str
    players: list[Visitor]
    ears: list[Ears]
    ply: int = 0

    @property
    def path(self) -> str:
        """Where the match is in the API."""
        return f"/api/v1/matches/{self.match}"

    async def move(self) -> float:
        """One move by the API; seconds until the other player hears of it."""
        mover, began, self.ply = self.ply % 2, perf_counter(), self.ply + 1
        await self.players[mover].json("POST", f"{self.path}/moves", {"ply": self.ply - 1, "move": "add"})
        return await self.ears[1 - mover].until(self.ply) - began

    async def calmly(self) -> float:
        """One move by the API, a little after the last."""
        await asyncio.sleep(0.02)
        return await self.move()

    async def browse(self) -> float:
        """One move by a browser: the form, answered by the page after it, and the other's page once it hears of it."""
        mover, began, self.ply = self.ply % 2, perf_counter(), self.ply + 1
        await self.players[mover].form(f"/matches/{self.match}/move", ply=self.ply - 1, move="add")
        await self.ears[1 - mover].until(self.ply)
        await self.players[1 - mover].ask("GET", f"/matches/{self.match}/fragment")
        return perf_counter() - began


async def seat_two(port: int, address: str | None = None) -> tuple[Table, list["asyncio.Task[None]"]]:
    """Start a match between two visitors who both listen, from one address or two."""
    one, two = await Visitor(port, address).open(), await Visitor(port, address).open()
    wish = {"game": "64", "options": {"target": 100000}, "opponent": "friend", "first": "1"}
    made = await one.json("POST", "/api/v1/matches", wish)
    match = made["match"]["id"]
    joined = await two.json("POST", f"/api/v1/matches/{match}/seat", {"invitation": made["invitation"]})
    table = Table(match, [one, two], [Ears(), Ears()])
    listening = []
    for visitor, token, ears in zip(table.players, (made["token"], joined["token"]), table.ears, strict=True):
        visitor.headers = {"authorization": f"Bearer {token}", "cookie": f"bitduel={token}"}
        stream = await Visitor(port, visitor.address).open()
        stream.headers = visitor.headers
        listening.append(asyncio.create_task(ears.listen(stream, f"{table.path}/events")))
    for ears in table.ears:
        await ears.until(0)
    return table, listening


@contextmanager
def serving(db: str, workers: int = 1) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """Run a site in a process of its own and yield its port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "bitduel", "serve", "--port", str(port), "--db", db, "--workers", str(workers)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait(port)
        yield port, server
    finally:
        server.terminate()
        server.wait()


def wait(port: int, seconds: float = 60) -> None:
    """Until the server answers."""
    for _ in range(int(seconds / 0.05)):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            sleep(0.05)
            continue
        return
    raise TimeoutError("The server did not start.")


def family(pid: int) -> list[int]:
    """Return the ids of a process and its children."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(each for child in children for each in family(int(child)))]


def memory(pid: int) -> float:
    """Resident memory of a process and its children in MB."""
    lines = [line for each in family(pid) for line in Path(f"/proc/{each}/status").read_text().splitlines()]
    return sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


def processor(pid: int) -> float:
    """Seconds that a process and its children have computed."""
    fields = [Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split() for each in family(pid)]
    return sum(int(each[11]) + int(each[12]) for each in fields) / os.sysconf("SC_CLK_TCK")


def late(times: list[float]) -> float:
    """Return the 99th percentile."""
    return sorted(times)[min(len(times) - 1, int(len(times) * 0.99))]


def told(name: str, times: list[float]) -> str:
    """One line of figures."""
    return f"{name:<44} p50 {median(times) * 1e3:7.1f} ms   p99 {late(times) * 1e3:7.1f} ms"


def make_room() -> None:
    """As many connections as the system allows."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def postgres(around: ExitStack) -> str | None:
    """Run a temporary PostgreSQL, where it is installed, with durable commits."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from postgres_server import Cluster, _programs

    programs = _programs()
    if programs is None:
        print("PostgreSQL is not installed here.")
        return None
    folder = Path(around.enter_context(TemporaryDirectory()))
    folder.chmod(0o755)
    cluster = Cluster(programs, folder, durable=True)
    cluster.make()
    cluster.start()
    around.callback(cluster.stop)
    return cluster.fresh()
