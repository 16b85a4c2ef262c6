"""How fast pages are served, beside a bare page from the same kind of server."""

import asyncio
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from time import monotonic, perf_counter
from typing import Any

from bitduel.core.figures import Figure

REQUESTS = 3000
CONNECTIONS = 16
PATIENCE = 60


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
        site = ["-m", "bitduel", "serve", "--db", f"sqlite:///{folder}/matches.db", "--port"]
        plain = ["-m", "uvicorn", "bitduel.web.bench:bare", "--log-level", "critical", "--no-access-log", "--port"]
        with _server(site) as ours, _server(plain) as theirs:
            rates = [(_rate(ours, "/games/64"), _rate(theirs, "/")) for _ in range(5)]
    best = [max(column) for column in zip(*rates, strict=True)]
    yield Figure("pages served", best[0], "bare ASGI page", best[1], "per second")


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
        length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
        await reader.readexactly(length)
    writer.close()
