"""The MCP server on standard input and output, and on a port of this machine."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, contextmanager, redirect_stdout, suppress
from threading import Thread
from typing import Any, TextIO

import anyio
import uvicorn
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings

from bitduel.core.signals import ended_by_signals, stop_raising
from bitduel.games.registry import all_games
from bitduel.mcp.server import make_server
from bitduel.service.hub import Hub, MatchUpdate
from bitduel.service.logs import write_log
from bitduel.service.match_service import MatchService
from bitduel.service.sockets import BusyError, listen
from bitduel.storage import Store, open_store

HOST, PORT, PATH = "127.0.0.1", 8765, "/mcp"
LOCAL = (HOST, "localhost", "[::1]")
LARGEST_BODY = 64 * 1024
CHUNK = 1 << 16
LONGEST_LINE = 1 << 20
"""The most bytes of a line; a longer one is replaced entirely."""
TOO_LONG = "a line that was too long"


class PublishingHub(Hub):
    """A hub without watchers: it tells processes that share the database which match has changed."""

    def payload(self, match_id: str, update: MatchUpdate) -> str:
        """Return the id alone: the update of a page is composed by the site."""
        return match_id


def make_service(store: Store) -> MatchService:
    """Return the service over a store; with SQLite the site watches the file by itself."""
    return MatchService(store, PublishingHub(store.notifications))


@contextmanager
def open_server(db: str | None) -> Iterator[Server[Any]]:
    """Open a server over the store at a URL."""
    with open_store(db) as store:
        all_games()
        yield make_server(make_service(store))


def run_stdio(db: str | None) -> None:
    """Serve the parent process until the input ends; only the protocol is written to standard output."""
    output = sys.stdout
    with redirect_stdout(sys.stderr), open_server(db) as server:
        try:
            anyio.run(_serve_stdio, server, output)
        finally:
            # What a game has left in the buffer of standard output is not part of the protocol either.
            with suppress(OSError):
                os.dup2(sys.stderr.fileno(), output.fileno())


async def _serve_stdio(server: Server[Any], output: TextIO) -> None:
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task
    # An exception that a signal raises anywhere in the event loop would be reported as an error of some task.
    with ended_by_signals(lambda: loop.call_soon_threadsafe(task.cancel)):
        try:
            async with AsyncExitStack() as stack:
                with redirect_stdout(output):
                    lines: Any = StdioLines(sys.stdin.fileno())
                    read, write = await stack.enter_async_context(stdio_server(lines))
                await server.run(read, write, server.create_initialization_options())
        except Exception as error:
            if task.cancelling():  # by a signal: other errors on the way do not matter
                raise asyncio.CancelledError from None
            raise _first(error) from None


def _first(error: Exception) -> Exception:
    return _first(error.exceptions[0]) if isinstance(error, ExceptionGroup) else error


class StdioLines:
    """The lines of a file descriptor, read by threads that need not end when the reader stops."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    async def __aiter__(self) -> AsyncIterator[str]:
        rest, is_too_long = b"", False
        while chunk := await self._chunk():
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                yield _decode(line, is_too_long)
                is_too_long = False
            if len(rest) > LONGEST_LINE:
                rest, is_too_long = b"", True
        if rest or is_too_long:
            yield _decode(rest, is_too_long)

    async def _chunk(self) -> bytes:
        """Return the next bytes, or none at the end of the input."""
        loop = asyncio.get_running_loop()
        received: asyncio.Future[bytes] = loop.create_future()

        def set_result(chunk: bytes) -> None:
            if not received.done():
                received.set_result(chunk)

        def read() -> None:
            try:
                chunk = os.read(self._descriptor, CHUNK)
            except OSError:
                chunk = b""  # the descriptor was closed
            with suppress(RuntimeError):  # the loop has ended meanwhile
                loop.call_soon_threadsafe(set_result, chunk)

        Thread(target=read, daemon=True).start()
        return await received


def _decode(line: bytes, is_too_long: bool) -> str:
    return TOO_LONG if is_too_long or len(line) > LONGEST_LINE else line.decode("utf-8", "replace")


def run_http(port: int, db: str | None) -> None:
    """Listen on this machine until interrupted."""
    with open_server(db) as server, listen("The MCP server", HOST, port) as place:
        app = server.streamable_http_app(
            streamable_http_path=PATH,
            json_response=True,
            stateless_http=True,
            max_request_body_size=LARGEST_BODY,
            transport_security=_local_names_only(),
        )
        config = uvicorn.Config(
            app,
            ws="none",
            access_log=False,
            log_level="warning",
            log_config=None,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=3,
        )
        running = uvicorn.Server(config)
        write_log()
        print(f"bitduel is at http://{HOST}:{place.getsockname()[1]}{PATH}  (Ctrl-C stops it)", flush=True)
        try:
            running.run(sockets=[place])
        except KeyboardInterrupt:
            stop_raising()
            return
        if not running.started:
            raise BusyError("The MCP server could not start.")


def _local_names_only() -> TransportSecuritySettings:
    """Return settings that keep pages of other sites from using this server through somebody's browser."""
    return TransportSecuritySettings(
        allowed_hosts=[name for host in LOCAL for name in (host, f"{host}:*")],
        allowed_origins=[name for host in LOCAL for name in (f"http://{host}", f"http://{host}:*")],
    )
