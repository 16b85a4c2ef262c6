"""Clients of the official SDK, to be used without waiting: in this process, over stdio and over HTTP."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from anyio.from_thread import BlockingPortal, start_blocking_portal
from jsonschema import Draft202012Validator
from mcp import Client, StdioServerParameters, stdio_client, types
from mcp.server import Server

from bitduel.mcp.server import make_server
from bitduel.mcp.transports import make_service
from bitduel.service.match_service import MatchService
from bitduel.storage import Store
from helpers import hear_signals

PATIENT = 60.0
"""Seconds after which something that must come has not come."""

Json = dict[str, Any]
Choose = Callable[[Json], str]
Reached = Server[Any] | AbstractAsyncContextManager[Any] | str
"""A server in this process, one that a command starts, or its address."""


class LocalServer(NamedTuple):
    """A server in this process, and what it stands on."""

    store: Store
    service: MatchService
    server: Server[Any]


def local_server(store: Store) -> LocalServer:
    """A server over a store."""
    service = make_service(store)
    return LocalServer(store, service, make_server(service))


def program(db: str) -> AbstractAsyncContextManager[Any]:
    """The server as clients start it."""
    command = ["-m", "bitduel", "mcp", "--db", db]
    return stdio_client(StdioServerParameters(command=sys.executable, args=command, env=dict(os.environ)))


class Agent:
    """A client that keeps what it was told of schemas, and checks every result against them."""

    def __init__(self, portal: BlockingPortal, client: Client) -> None:
        self.portal = portal
        self.client = client
        self.tools: dict[str, types.Tool] = {tool.name: tool for tool in self.get("list_tools").tools}

    def get(self, method: str, *arguments: Any) -> Any:
        """What a method of the client gives."""
        return self.portal.call(getattr(self.client, method), *arguments)

    def call(self, tool: str, arguments: Json) -> types.CallToolResult:
        """The whole answer of a tool."""
        found: types.CallToolResult = self.get("call_tool", tool, arguments)
        return found

    def ask(self, tool: str, **arguments: Any) -> Any:
        """What a tool gives, which must fit its schema and be the same as text."""
        answer = self.call(tool, arguments)
        assert not answer.is_error, answer.content
        assert isinstance(answer.content[0], types.TextContent)
        assert json.loads(answer.content[0].text) == answer.structured_content
        Draft202012Validator(self.tools[tool].output_schema or {}).validate(answer.structured_content)
        return answer.structured_content

    def refused(self, tool: str, **arguments: Any) -> str:
        """The one line that says what is wrong with a call."""
        answer = self.call(tool, arguments)
        assert answer.is_error
        assert answer.structured_content is None
        assert isinstance(answer.content[0], types.TextContent)
        said = answer.content[0].text
        assert len(said) < 700
        assert "\n" not in said
        assert said.endswith((".", "!", "?"))
        assert not re.search(r"Traceback|Error\b|pydantic", said)
        return said


@contextmanager
def agents(*reached: Reached, mode: str = "auto") -> Iterator[list[Agent]]:
    """A client of each of these."""
    with start_blocking_portal() as portal:
        clients = [portal.wrap_async_context_manager(Client(each, mode=mode)) for each in reached]
        made: list[Agent] = []

        def enter() -> Iterator[list[Agent]]:
            if len(made) == len(clients):
                yield made
                return
            with clients[len(made)] as client:
                made.append(Agent(portal, client))
                yield from enter()

        yield from enter()


@contextmanager
def agent(reached: Reached, mode: str = "auto") -> Iterator[Agent]:
    """One client."""
    with agents(reached, mode=mode) as (one,):
        yield one


def at_random(rng: Random) -> Choose:
    """Any legal move."""
    return lambda match: rng.choice(match["legal"])


def play(who: Agent, seat: Json, choose: Choose) -> Json:
    """Play a match against a program to its end."""
    match: Json = seat["match"]
    while not match["over"]:
        assert match["your_turn"]
        made = {"ply": match["ply"], "move": choose(match)}
        match = who.ask("move", match_id=seat["match_id"], token=seat["token"], **made)
    return match


@contextmanager
def listening(db: str, log: Path) -> Iterator[str]:
    """The address of a server process on HTTP, which Ctrl-C must end without a word."""
    command = [sys.executable, "-m", "bitduel", "mcp", "--http", "--port", "0", "--db", db]
    with log.open("wb") as err:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=err, text=True, preexec_fn=hear_signals)
    assert process.stdout
    try:
        line = process.stdout.readline()
        found = re.fullmatch(r"bitduel is at (http://127\.0\.0\.1:\d+/mcp)  \(Ctrl-C stops it\)\n", line)
        assert found, log.read_text()
        yield found[1]
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=PATIENT)
        assert (out, process.returncode) == ("", 0)
        assert not re.search(r"Traceback|Interrupted", log.read_text())
    finally:
        process.kill()
        process.communicate()
