"""What docs/mcp.md says is so: configurations that are read, calls that are answered, a client that plays."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from agents import PATIENT, Agent
from bitduel.mcp.command import command
from bitduel.mcp.serve import HOST, PATH, PORT

PAGE = (Path(__file__).parents[2] / "docs" / "mcp.md").read_text(encoding="utf-8")
SNIPPETS = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, flags=re.DOTALL)]
CONFIGURATIONS = [
    each for snippet in SNIPPETS if "tool" not in snippet for each in next(iter(snippet.values())).values()
]
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
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| .* \|$", PAGE, flags=re.MULTILINE)
    listed = {name: set(re.findall(r"`(\w+)`", takes)) for name, takes in rows}
    assert listed == {name: set(tool.input_schema["properties"]) for name, tool in ada.tools.items()}
    for parameter in command.params:
        assert f"`{parameter.opts[0]}" in PAGE


@pytest.mark.usefixtures("own_folders")
def test_the_client_in_a_few_lines_plays(tmp_path: Path) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    ours = f"command={sys.executable!r}, args=['-m', 'bitduel', 'mcp'], env={dict(os.environ)!r}"
    program = tmp_path / "client.py"
    program.write_text(code.replace('command="bitduel", args=["mcp"]', ours))
    ran = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=PATIENT, check=True)
    assert ran.stdout.strip() in ("You win!", "You lose.", "It is a draw.")
