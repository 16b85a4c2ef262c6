"""The server on HTTP: on this machine only, for names of this machine only, with bounds."""

from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from agents import PATIENT, Agent, agent
from helpers import bitduel

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
USUAL = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
NEWEST = {"mcp-protocol-version": "2026-07-28", "mcp-method": "ping"}
FOREIGN = ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "0.0.0.0", "localhost.evil:80", ""]


def post(address: str, **headers: str) -> httpx.Response:
    given = {**USUAL, **{name.replace("_", "-"): value for name, value in headers.items()}}
    return httpx.post(address, json=PING, headers=given, timeout=PATIENT)


@pytest.mark.parametrize("more", [{}, NEWEST], ids=["old", "new"])
@pytest.mark.parametrize("host", FOREIGN)
def test_another_name_in_host_is_refused(address: str, host: str, more: dict[str, str]) -> None:
    answer = post(address, host=host, **more)
    assert answer.status_code in (400, 421)
    assert "result" not in answer.text


@pytest.mark.parametrize("more", [{}, NEWEST], ids=["old", "new"])
@pytest.mark.parametrize(
    "origin", ["https://evil.example", "http://127.0.0.1.evil.example", "null", "http://localhost.evil:1"]
)
def test_a_page_of_another_site_is_refused(address: str, origin: str, more: dict[str, str]) -> None:
    assert post(address, origin=origin, **more).status_code == 403


def test_names_of_this_machine_are_answered(address: str) -> None:
    port = urlsplit(address).port
    for host in (f"127.0.0.1:{port}", f"localhost:{port}", f"[::1]:{port}", "localhost", "127.0.0.1"):
        answer = post(address, host=host)
        assert answer.status_code == 200, host
        assert answer.json()["result"] == {}


def test_no_page_can_read_or_prepare_a_request(address: str) -> None:
    asked = {"origin": "http://localhost:3000", "access-control-request-method": "POST"}
    for answer in (httpx.options(address, headers=asked), post(address, origin="http://localhost:3000")):
        assert not [name for name in answer.headers if name.startswith("access-control")]
    form = {**USUAL, "content-type": "text/plain"}
    assert httpx.post(address, content=b"{}", headers=form).status_code == 400


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="asks Linux who listens where")
def test_only_this_machine_is_listened_to(address: str) -> None:
    port = urlsplit(address).port
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    rows += [line.split() for line in Path("/proc/net/tcp6").read_text().splitlines()[1:]]
    listening = {row[1].partition(":")[0] for row in rows if row[1].endswith(f":{port:04X}") and row[3] == "0A"}
    assert listening == {"0100007F"}


def test_too_much_is_not_read(address: str) -> None:
    body = b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"x": "' + b"x" * 70_000 + b'"}}'
    assert httpx.post(address, content=body, headers=USUAL, timeout=PATIENT).status_code == 413
    for wrong in (b"", b"{", b"[]", b"\xff", b"null"):
        assert 400 <= httpx.post(address, content=wrong, headers=USUAL, timeout=PATIENT).status_code < 500


def test_a_client_of_the_old_protocol_is_answered_too(address: str) -> None:
    with agent(address, mode="legacy") as who:
        assert who.ask("start_match", game="double", opponent="easy")["seat"] == 1


def test_another_address_than_that_of_the_server_has_nothing(address: str, by_http: Agent) -> None:
    assert httpx.get(address.removesuffix("/mcp") + "/").status_code == 404


def test_a_port_that_is_taken_is_not_taken_again(address: str, url: str) -> None:
    port = urlsplit(address).port
    ran = bitduel("mcp", "--http", "--port", str(port), "--db", url)
    assert ran.err.startswith(f"bitduel: The MCP server cannot listen on 127.0.0.1 port {port}: ")
    assert (ran.out, ran.err.count("\n"), ran.status) == ("", 1, 1)
