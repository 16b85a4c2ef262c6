"""Starting the site, also where it cannot listen, and what is left of it when it is killed."""

import re
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from queue import SimpleQueue
from threading import Event

import httpx
import pytest
from click.testing import CliRunner

from bitduel.web.command import command
from bitduel.web.serve import ServeOptions
from helpers import bitduel
from web.sites import PATIENT, free_port, inheriting


def test_a_port_that_is_taken_is_one_line_and_status_1(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ran = bitduel("serve", "--port", str(port), "--db", f"sqlite:///{tmp_path}/matches.db")
    assert (ran.out, ran.status) == ("", 1)
    assert ran.err == f"bitduel: The site cannot listen on 127.0.0.1 port {port}: Address already in use.\n"


def test_a_port_that_the_system_chose_is_announced(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bitduel", "serve", "--port", "0", "--db", f"sqlite:///{tmp_path}/matches.db"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout
        try:
            found = re.search(r"http://127\.0\.0\.1:(\d+)/", process.stdout.readline())
            assert found
            assert int(found[1]) > 0
            with httpx.Client(timeout=30, transport=httpx.HTTPTransport(retries=5)) as client:
                assert client.get(found[0]).status_code == 200
        finally:
            process.terminate()
    assert process.returncode in (0, -signal.SIGTERM)


def test_on_all_interfaces_addresses_for_others_are_announced_and_answered(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "bitduel",
        "serve",
        "--host",
        "0.0.0.0",
        "--name",
        "school.lan:8080",
        "--port",
        "0",
    ]
    with subprocess.Popen(
        [*command, "--db", f"sqlite:///{tmp_path}/matches.db"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout
        try:
            assert process.stdout.readline() == "bitduel is at http://school.lan:8080/  (Ctrl-C stops it)\n"
            lines = [process.stdout.readline()]
            while not lines[-1].startswith("To show"):
                lines.append(process.stdout.readline())
            (port,) = re.findall(r"On this computer: http://localhost:(\d+)/", "".join(lines))
            assert "0.0.0.0" not in "".join(lines)
            with httpx.Client(timeout=30, transport=httpx.HTTPTransport(retries=5)) as client:
                for host in ("school.lan:8080", "198.51.100.7:8000", f"localhost:{port}", socket.gethostname()):
                    answer = client.get(f"http://127.0.0.1:{port}/", headers={"host": host})
                    assert answer.status_code == 200, host
                assert client.get(f"http://127.0.0.1:{port}/", headers={"host": "evil.example"}).status_code == 400
        finally:
            process.terminate()


@pytest.mark.parametrize("name", ["school.lan:", "a b", "ftp://school.lan"])
def test_a_name_that_could_never_be_typed_is_refused_at_once(tmp_path: Path, name: str) -> None:
    ran = bitduel("serve", "--name", name, "--db", f"sqlite:///{tmp_path}/matches.db")
    assert (ran.out, ran.status) == ("", 2)
    assert ran.err.startswith("bitduel: --name takes a host such as school.lan")
    assert not (tmp_path / "matches.db").exists()


@pytest.mark.thorough
def test_when_the_supervisor_is_killed_its_workers_end_and_the_address_is_free(shared_url: str) -> None:
    port = free_port()
    command = [sys.executable, "-m", "bitduel", "serve", "--port", str(port), "--workers", "2", "--db", shared_url]
    supervisor = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while not _answers(port):
            assert supervisor.poll() is None
            time.sleep(0.02)
    finally:
        supervisor.kill()
        supervisor.wait()
    deadline = time.monotonic() + PATIENT
    while _answers(port):
        assert time.monotonic() < deadline, "workers have outlived their supervisor"


def _answers(port: int) -> bool:
    try:
        with closing(HTTPConnection("127.0.0.1", port, timeout=5)) as connection:
            connection.request("GET", "/offline")
            return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False


def test_who_has_just_come_in_when_the_site_ends_is_still_answered(tmp_path: Path) -> None:
    port = free_port()
    command = [sys.executable, "-m", "bitduel", "serve", "--port", str(port), "--db", f"sqlite:///{tmp_path}/x.db"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as site:
        try:
            while not _answers(port):
                assert site.poll() is None
                time.sleep(0.02)
            with socket.create_connection(("127.0.0.1", port), timeout=PATIENT) as early:
                assert _answers(port)  # whoever came before is let in by now
                site.terminate()
                while _answers(port):
                    pass
                early.sendall(b"GET /offline HTTP/1.1\r\nHost: localhost\r\n\r\n")
                answer = b""
                while more := early.recv(65536):
                    answer += more
        finally:
            site.terminate()
    assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"\r\nconnection: close\r\n" in answer


@pytest.mark.thorough
def test_while_the_site_restarts_nobody_is_refused(tmp_path: Path) -> None:
    answers: SimpleQueue[int | Exception] = SimpleQueue()
    stopped = Event()

    def visit(url: str) -> None:
        wish = {"game": "64", "opponent": "easy"}
        while not stopped.is_set():
            try:
                answers.put(httpx.post(f"{url}/api/v1/matches", json=wish, timeout=PATIENT).status_code)
            except httpx.HTTPError as error:
                answers.put(error)

    with socket.create_server(("127.0.0.1", 0), backlog=512) as place, ThreadPoolExecutor(2) as pool:
        db = f"sqlite:///{tmp_path}/x.db"
        site, found = inheriting(place, db), []
        try:
            for _ in range(2):
                pool.submit(visit, f"http://127.0.0.1:{place.getsockname()[1]}")
            for restart in (True, True, False):
                found += [answers.get(timeout=2 * PATIENT) for _ in range(4)]
                if restart:
                    site.terminate()
                    after = inheriting(place, db)
                    site.communicate()
                    site = after
        finally:
            stopped.set()
            pool.shutdown()
            site.terminate()
            site.communicate()
    assert found == [201] * 12


@pytest.mark.parametrize(("options", "expected"), [([], True), (["--no-lobby"], False)])
def test_visitors_are_paired_unless_that_is_switched_off(
    options: list[str], expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[ServeOptions] = []
    monkeypatch.setattr("bitduel.web.serve.serve", asked.append)
    assert CliRunner().invoke(command, options).exit_code == 0
    assert [each.lobby for each in asked] == [expected]
