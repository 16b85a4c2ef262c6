"""The server as clients start it: nothing but the protocol on standard output, and every way of ending is quiet."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from agents import PATIENT
from helpers import bitduel, hear_signals

RUDE = """
import os, sys, warnings, logging
from bitduel.mcp import tools, transports
transports.all_games = lambda: print("rude while games are loaded")
polite = tools.TOOLS["list_games"]
def rude(service, wish):
    print("rude in print")
    sys.__stdout__.write("rude to the last")
    os.write(1, b"rude in bytes")
    os.system("echo rude in a child")
    warnings.warn("rude in a warning")
    logging.getLogger("rude").error("rude in a log")
    return polite.call(service, wish)
tools.TOOLS["list_games"] = polite._replace(call=rude)
"""
START = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


class Spoken:
    """A server process, spoken to in raw lines."""

    def __init__(self, db: str, prelude: str = "") -> None:
        code = f"import sys\nfrom bitduel.cli import main\n{prelude}\nmain(['mcp', '--db', {db!r}])"
        self.process = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=hear_signals,
            env={name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
        )

    def say(self, line: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def ask(self, number: int, method: str, params: dict[str, Any]) -> None:
        self.say(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode())

    def hear(self) -> dict[str, Any]:
        assert self.process.stdout
        told: dict[str, Any] = json.loads(self.process.stdout.readline())
        return told

    def begin(self) -> "Spoken":
        self.ask(0, "initialize", START)
        assert self.hear()["result"]["serverInfo"]["name"] == "bitduel"
        self.say(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}')
        return self

    def end(self) -> tuple[bytes, bytes, int]:
        """What is left on both outputs, and the exit status."""
        out, err = self.process.communicate(timeout=PATIENT)
        return out, err, self.process.returncode

    def wait(self) -> tuple[bytes, int]:
        """What was said on standard error by a process that ends although its input does not."""
        status = self.process.wait(PATIENT)
        assert self.process.stderr
        return self.process.stderr.read(), status


@pytest.fixture(scope="module")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Spoken]]:
    """A process for each test, started together."""
    names = {"rude": RUDE, "interrupted": "", "left": ""}
    folder = tmp_path_factory.mktemp("stdio")
    made = {name: Spoken(f"sqlite:///{folder}/{name}.db", prelude) for name, prelude in names.items()}
    yield made
    for each in made.values():
        each.process.kill()
        each.process.communicate()


def test_no_byte_on_standard_output_is_anything_but_the_protocol(spoken: dict[str, Spoken]) -> None:
    it = spoken["rude"].begin()
    for line in (b"garbage", b"{}", b"\xff\xfe\x00", b"[" * 10_000, b"x" * 3_000_000, b""):
        it.say(line)
    it.ask(1, "tools/call", {"name": "list_games", "arguments": {}})
    it.ask(2, "no/such/method", {})
    it.ask(3, "tools/call", {"name": "move", "arguments": [1]})
    answers = {told["id"]: told for told in (it.hear(), it.hear(), it.hear())}
    assert len(answers[1]["result"]["structuredContent"]["games"]) >= 5
    assert "error" in answers[2]
    assert "error" in answers[3]
    out, err, status = it.end()
    assert (out, status) == (b"", 0)
    for rude in (
        "while games are loaded",
        "in print",
        "in bytes",
        "in a child",
        "in a warning",
        "in a log",
        "to the last",
    ):
        assert f"rude {rude}".encode() in err
    assert b"Traceback" not in err


def test_an_interrupt_ends_it_at_once_with_one_line(spoken: dict[str, Spoken]) -> None:
    it = spoken["interrupted"].begin()
    it.process.send_signal(signal.SIGINT)
    err, status = it.wait()
    assert (err.strip(), status) == (b"bitduel: Interrupted.", 130)


def test_a_client_that_is_gone_ends_it_without_a_word(spoken: dict[str, Spoken]) -> None:
    it = spoken["left"].begin()
    assert it.process.stdout
    it.process.stdout.close()
    it.ask(1, "ping", {})
    assert it.wait() == (b"", 1)


@pytest.mark.parametrize(
    ("arguments", "said", "status"),
    [
        (["--port", "9000"], "--port needs --http.", 2),
        (["--http", "--port", "70000"], "70000", 2),
        (["--http", "--host", "0.0.0.0"], "There is no option '--host'.", 2),
        (["--db", "nonsense"], "This is not the URL of a database.", 1),
    ],
)
def test_what_cannot_be_served_is_said_in_one_line(arguments: list[str], said: str, status: int) -> None:
    ran = bitduel("mcp", *arguments)
    assert said in ran.err
    assert ran.err.count("\n") == 1
    assert (ran.out, ran.status) == ("", status)


def test_help_loads_nothing_of_the_protocol() -> None:
    run = "try: main(['mcp', '--help'])\nexcept SystemExit: pass"
    code = f"import sys\nfrom bitduel.cli import main\n{run}\nprint('mcp' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.endswith("False\n")
    assert "--http" in ran.stdout
