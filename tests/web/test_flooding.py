"""Malformed and refused requests cannot fill the log of a server."""

import json
import re
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from web.sites import PATIENT, free_port

BROKEN = [
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    b"GET /\x1b[2J\nERROR forged HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
    b"GET /nothing-here/ERROR%0aforged HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: evil\x7fforged\r\nConnection: close\r\n\r\n",
]
TIMES = 120
Flood = Callable[..., list[str]]


@pytest.fixture
def flood(tmp_path: Path) -> Flood:
    """The log of a server that many broken requests were sent to."""

    def run(*options: str) -> list[str]:
        port, log = free_port(), tmp_path / "log"
        command = [sys.executable, "-m", "bitduel", "serve", "--port", str(port), "--people", "0", *options]
        with log.open("wb") as err:
            server = subprocess.Popen(
                [*command, "--db", f"sqlite:///{tmp_path}/x.db"], stdout=subprocess.DEVNULL, stderr=err
            )
        try:
            while not listens(port):
                assert server.poll() is None
            for request in BROKEN:
                for _ in range(TIMES):
                    send(port, request)
        finally:
            server.terminate()
            server.wait(PATIENT)
        return log.read_text().splitlines()[1:]

    return run


def listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


def send(port: int, request: bytes) -> None:
    with socket.create_connection(("127.0.0.1", port), PATIENT) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(65536):
            pass


def left_out(lines: list[str], kind: str) -> int:
    return sum(int(found[1]) for line in lines if (found := re.search(rf"(\d+) more like this in .*{kind}", line)))


def test_broken_requests_are_counted_and_not_written_one_by_one(flood: Flood) -> None:
    lines = flood()
    broken = [line for line in lines if line == "Invalid HTTP request received."]
    assert 0 < len(broken) <= 20
    assert len(broken) + left_out(lines, "Invalid HTTP request") >= 2 * TIMES
    assert len(lines) < 100
    assert not [line for line in lines if "forged" in line or not line.isprintable()]


@pytest.mark.thorough
def test_refused_requests_in_json_are_counted_too(flood: Flood) -> None:
    lines = flood("--log-json")
    told = [json.loads(line) for line in lines]
    refused = [line for line in told if line.get("status") == 404]
    assert 0 < len(refused) <= 20
    assert len(refused) + left_out(lines, "requests answered 404") == TIMES
    assert len(lines) < 300
    assert not [line for line in lines if "forged" in line]
