"""How fast pages are served and moves made over the API, beside a bare page and bare commits."""

import asyncio
import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, perf_counter
from typing import Any

from bitduel.core.figures import Figure
from bitduel.storage.bench import bare_database, far

REQUESTS = 3000
CONNECTIONS = 16
PATIENCE = 60
MATCHES = 8
MOVES = 50
COMMITS = 400
Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def bare(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """The least an ASGI application can do for a page of the same size."""
    if scope["type"] == "http":
        headers = [(b"content-type", b"text/html"), (b"content-length", str(len(PAGE)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": PAGE})


PAGE = b"x" * 15_000


def figures() -> Iterator[Figure]:
    """A game's page, one worker each, both servers measured by turns."""
    with TemporaryDirectory() as folder:
        site = ["-m", "bitduel", "serve", "--people", "0", "--db", f"sqlite:///{folder}/matches.db", "--port"]
        plain = ["-m", "uvicorn", "bitduel.web.bench:bare", "--log-level", "critical", "--no-access-log", "--port"]
        with _server(site) as ours, _server(plain) as theirs:
            rates = [(_rate(ours, f"/games/{far().slug}"), _rate(theirs, "/")) for _ in range(5)]
            moves = [(_moves(ours), _commits(f"{folder}/bare{turn}.db")) for turn in range(5)]
    best = [max(column) for column in zip(*rates, strict=True)]
    yield Figure("pages served", best[0], "bare ASGI page", best[1], "per second")
    best = [max(column) for column in zip(*moves, strict=True)]
    yield Figure("moves over the API, durable", best[0], "bare SQLite commits", best[1], "per second")


def _moves(port: int) -> float:
    """Moves a second in some matches at once, each on disk before it is answered."""
    return asyncio.run(_matches(port))


async def _matches(port: int) -> float:
    lines = [await asyncio.open_connection("127.0.0.1", port) for _ in range(MATCHES)]
    seated = [await _sit(line) for line in lines]
    began = perf_counter()
    await asyncio.gather(*(_play(line, *each) for line, each in zip(lines, seated, strict=True)))
    spent = perf_counter() - began
    for _, writer in lines:
        writer.close()
    return MATCHES * MOVES / spent


async def _sit(line: Line) -> tuple[str, list[str]]:
    """A match between two; where it is, and the secrets of both."""
    wish = {"game": far().slug, "options": {"target": 100_000}, "first": "1"}
    made = await _post(line, "/api/v1/matches", wish)
    path = f"/api/v1/matches/{made['match']['id']}"
    joined = await _post(line, f"{path}/seat", {"invitation": made["invitation"]})
    return path, [made["token"], joined["token"]]


async def _play(line: Line, path: str, secrets: list[str]) -> None:
    move = far()().moves[0]
    for ply in range(MOVES):
        await _post(line, f"{path}/moves", {"ply": ply, "move": move}, secrets[ply % 2])


async def _post(line: Line, path: str, wish: object, token: str = "") -> Any:
    reader, writer = line
    body = json.dumps(wish).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    writer.write(f"{head}Authorization: Bearer {token}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
    answer = await reader.readuntil(b"\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 20"), answer
    return json.loads(await reader.readexactly(_length(answer)))


def _length(head: bytes) -> int:
    return int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])


def _commits(path: str) -> float:
    """Bare commits a second, each waited for."""
    connection = bare_database(Path(path))
    began = perf_counter()
    for _ in range(COMMITS):
        connection.execute("INSERT INTO moves (move) VALUES ('add')")
    spent = perf_counter() - began
    connection.close()
    return COMMITS / spent


@contextmanager
def _server(command: list[str]) -> Iterator[int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    quiet = subprocess.DEVNULL
    process = subprocess.Popen([sys.executable, *command, str(port)], stdout=quiet, stderr=quiet)
    try:
        _wait(port)
        yield port
    finally:
        process.terminate()
        process.wait()


def _wait(port: int) -> None:
    deadline = monotonic() + PATIENCE
    while monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            continue
        return
    raise TimeoutError("The server did not start.")


def _rate(port: int, path: str) -> float:
    began = perf_counter()
    asyncio.run(_all(port, path))
    return REQUESTS / (perf_counter() - began)


async def _all(port: int, path: str) -> None:
    await asyncio.gather(*(_some(port, path, REQUESTS // CONNECTIONS) for _ in range(CONNECTIONS)))


async def _some(port: int, path: str, count: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    for _ in range(count):
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), head
        await reader.readexactly(_length(head))
    writer.close()
