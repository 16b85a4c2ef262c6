"""Pages served and moves made over the API, beside a bare page and bare commits."""

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

from benchmarks.figure import Figure
from benchmarks.storage import bare_database, open_ended_game

REQUESTS = 3000
CONNECTIONS = 16
START_TIMEOUT = 60
ROOT = str(Path(__file__).parents[1])
MATCHES = 8
MOVES = 50
COMMITS = 400
BURSTS = 5
Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def bare(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Serve a page of the same size with the least that an ASGI application can do."""
    if scope["type"] == "http":
        headers = [(b"content-type", b"text/html"), (b"content-length", str(len(PAGE)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": PAGE})


PAGE = b"x" * 15_000


def figures() -> Iterator[Figure]:
    """Yield the rates of a game's page and of moves, one worker each, both servers measured in turn."""
    with TemporaryDirectory() as folder:
        site = ["-m", "bitduel", "serve", "--people", "0", "--db", f"sqlite:///{folder}/matches.db", "--port"]
        plain = [
            "-m",
            "uvicorn",
            "benchmarks.web:bare",
            "--log-level",
            "critical",
            "--no-access-log",
            "--app-dir",
            ROOT,
            "--port",
        ]
        with _serving(site) as ours, _serving(plain) as theirs:
            rates = [
                (_page_rate(ours, f"/games/{open_ended_game().slug}"), _page_rate(theirs, "/")) for _ in range(BURSTS)
            ]
            moves = [(_move_rate(ours), _commit_rate(f"{folder}/bare{burst}.db")) for burst in range(BURSTS)]
    best = [max(column) for column in zip(*rates, strict=True)]
    yield Figure("pages served", best[0], "bare ASGI page", best[1], "per second")
    best = [max(column) for column in zip(*moves, strict=True)]
    yield Figure("moves over the API, durable", best[0], "bare SQLite commits", best[1], "per second")


def _move_rate(port: int) -> float:
    """Return the moves a second in some matches at once, each on disk before it is answered."""
    return asyncio.run(_play_matches(port))


async def _play_matches(port: int) -> float:
    connections = [await asyncio.open_connection("127.0.0.1", port) for _ in range(MATCHES)]
    matches = [await _start_match(connection) for connection in connections]
    start = perf_counter()
    await asyncio.gather(*(_play(connection, *match) for connection, match in zip(connections, matches, strict=True)))
    elapsed = perf_counter() - start
    for _, writer in connections:
        writer.close()
    return MATCHES * MOVES / elapsed


async def _start_match(connection: Connection) -> tuple[str, list[str]]:
    """Start a match between two; return its path and the tokens of both."""
    request = {"game": open_ended_game().slug, "options": {"target": 100_000}, "first": "1"}
    created = await _post(connection, "/api/v1/matches", request)
    path = f"/api/v1/matches/{created['match']['id']}"
    joined = await _post(connection, f"{path}/seat", {"invitation": created["invitation"]})
    return path, [created["token"], joined["token"]]


async def _play(connection: Connection, path: str, tokens: list[str]) -> None:
    move = open_ended_game()().moves[0]
    for ply in range(MOVES):
        await _post(connection, f"{path}/moves", {"ply": ply, "move": move}, tokens[ply % 2])


async def _post(connection: Connection, path: str, request: object, token: str = "") -> Any:
    reader, writer = connection
    body = json.dumps(request).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    writer.write(f"{head}Authorization: Bearer {token}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
    answer = await reader.readuntil(b"\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 20"), answer
    return json.loads(await reader.readexactly(_length(answer)))


def _length(head: bytes) -> int:
    return int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])


def _commit_rate(path: str) -> float:
    """Return bare commits a second, each waited for."""
    connection = bare_database(Path(path))
    start = perf_counter()
    for _ in range(COMMITS):
        connection.execute("INSERT INTO moves (move) VALUES ('add')")
    elapsed = perf_counter() - start
    connection.close()
    return COMMITS / elapsed


@contextmanager
def _serving(command: list[str]) -> Iterator[int]:
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
    deadline = monotonic() + START_TIMEOUT
    while monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            continue
        return
    raise TimeoutError("The server did not start.")


def _page_rate(port: int, path: str) -> float:
    start = perf_counter()
    asyncio.run(_request_pages(port, path))
    return REQUESTS / (perf_counter() - start)


async def _request_pages(port: int, path: str) -> None:
    await asyncio.gather(*(_request(port, path, REQUESTS // CONNECTIONS) for _ in range(CONNECTIONS)))


async def _request(port: int, path: str, count: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    for _ in range(count):
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), head
        await reader.readexactly(_length(head))
    writer.close()
