"""What docs/mcp.md says is so: configurations that are read, calls that are answered, a client that plays."""

import json
import re
from pathlib import Path

import pytest
from mcp import StdioServerParameters

from agents import Agent, LocalServer
from bitduel.mcp.command import command
from bitduel.mcp.transports import HOST, PATH, PORT

PAGE = (Path(__file__).parents[2] / "docs" / "mcp.md").read_text(encoding="utf-8")
SNIPPETS = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, flags=re.DOTALL)]
NAMED = [next(iter(snippet.values())) for snippet in SNIPPETS if "tool" not in snippet]
CONFIGURATIONS = [server for servers in NAMED for server in servers.values()]
CALLS = [snippet for snippet in SNIPPETS if "tool" in snippet]


def test_every_configuration_names_a_server_that_there_is() -> None:
    assert len(CONFIGURATIONS) >= 3
    for each in CONFIGURATIONS:
        if "url" in each:
            assert each["url"] == f"http://{HOST}:{PORT}{PATH}"
        else:
            assert (each["command"], each["args"]) == ("bitduel", ["mcp"])


def test_the_examples_are_answered(ada: Agent) -> None:
    start, move = CALLS
    seat = ada.ask(start["tool"], **start["arguments"])
    own = {"match_id": seat["match_id"], "token": seat["token"]}
    assert ada.ask(move["tool"], **{**move["arguments"], **own})["ply"] >= 1
    assert seat["match"]["next"] in PAGE


def test_every_tool_argument_and_option_is_in_the_page(ada: Agent) -> None:
    rows = re.findall(r"^\| `(\w+)` \|(.*?)\| .* \|$", PAGE, flags=re.MULTILINE)
    listed = {name: set(re.findall(r"`(\w+)`", takes)) for name, takes in rows}
    assert listed == {name: set(tool.input_schema["properties"]) for name, tool in ada.tools.items()}
    for parameter in command.params:
        assert f"`{parameter.opts[0]}" in PAGE


def test_the_client_in_a_few_lines_plays(here: LocalServer, capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    server = re.search(r"^SERVER = (.*)$", code, flags=re.MULTILINE)
    assert server
    told = eval(server[1], {"StdioServerParameters": StdioServerParameters, "stdio_client": lambda told: told})
    assert (told.command, told.args) == ("bitduel", ["mcp"])
    exec(code.replace(server[1], "here"), {"here": here.server})
    assert capsys.readouterr().out.strip() in ("You win!", "You lose.", "It is a draw.")
