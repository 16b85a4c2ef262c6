"""Running the server: on standard input and output, or on a port of this machine."""

import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager, redirect_stdout, suppress
from typing import Any, TextIO

import anyio
import uvicorn
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings

from bitduel.core.logs import write_log
from bitduel.core.sockets import BusyError, listening
from bitduel.games import shelf
from bitduel.mcp.notifications import Herald
from bitduel.mcp.server import make_server
from bitduel.mcp.stdio_framing import StdioLines
from bitduel.service.match_service import MatchService
from bitduel.storage import open_store

HOST, PORT, PATH = "127.0.0.1", 8765, "/mcp"
LOCAL = (HOST, "localhost", "[::1]")
LARGEST_BODY = 64 * 1024


@contextmanager
def serving(db: str | None) -> Iterator[Server[Any]]:
    """A server over the store at a URL."""
    with open_store(db) as store:
        shelf()
        yield make_server(MatchService(store, Herald(store)))


def on_stdio(db: str | None) -> None:
    """Serve whoever started this program, until the input ends; nothing but the protocol comes on standard output."""
    wire = sys.stdout
    with redirect_stdout(sys.stderr), serving(db) as server:
        try:
            anyio.run(_speak, server, wire)
        finally:
            _divert(wire)


async def _speak(server: Server[Any], wire: TextIO) -> None:
    task = asyncio.current_task()
    try:
        async with AsyncExitStack() as stack:
            with redirect_stdout(wire):
                lines: Any = StdioLines(sys.stdin.fileno())
                read, write = await stack.enter_async_context(stdio_server(lines))
            await server.run(read, write, server.create_initialization_options())
    except Exception as error:
        if task and task.cancelling():  # by Ctrl-C; whatever else broke on the way does not matter
            raise asyncio.CancelledError from None
        raise _first(error) from None


def _divert(wire: TextIO) -> None:
    """What somebody has left in the buffer of standard output is no protocol either, so it does not go there."""
    with suppress(OSError):
        os.dup2(sys.stderr.fileno(), wire.fileno())


def _first(error: Exception) -> Exception:
    """What went wrong first, of all that went wrong together."""
    return _first(error.exceptions[0]) if isinstance(error, ExceptionGroup) else error


def on_http(port: int, db: str | None) -> None:
    """Listen on this machine until interrupted."""
    with serving(db) as server, listening("The MCP server", HOST, port) as place:
        app = server.streamable_http_app(
            streamable_http_path=PATH,
            json_response=True,
            stateless_http=True,
            max_request_body_size=LARGEST_BODY,
            transport_security=only_local(),
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
            return
        if not running.started:
            raise BusyError("The MCP server could not start.")


def only_local() -> TransportSecuritySettings:
    """Answer only to names of this machine, so that no page of another site can speak through somebody's browser."""
    return TransportSecuritySettings(
        allowed_hosts=[name for host in LOCAL for name in (host, f"{host}:*")],
        allowed_origins=[name for host in LOCAL for name in (f"http://{host}", f"http://{host}:*")],
    )
