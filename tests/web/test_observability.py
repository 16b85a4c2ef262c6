"""What the site tells whoever runs it: that it is alive, a line for every request, figures; and nothing else."""

import json
import logging
import re
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from bitduel.storage import StoreError
from bitduel.web.observability import JsonLogFormatter, method_of, route_of
from web.sites import PATIENT, LocalApp, free_port


def test_alive_and_ready_by_any_name(app: LocalApp, monkeypatch: pytest.MonkeyPatch) -> None:
    who = app.browser()
    for path in ("/healthz", "/readyz"):
        assert who.get(path, headers={"host": "10.1.2.3"}).text == "ok\n"

    def broken(_match_id: str) -> None:
        raise StoreError("sqlite:////secret/place cannot be reached.")

    monkeypatch.setattr(app.store, "fingerprint", broken)
    assert who.get("/healthz").status_code == 200
    answer = who.get("/matches/abcdefg")
    assert answer.status_code == 503
    assert "secret" not in answer.text
    assert answer.headers["retry-after"] == "5"


def test_a_line_tells_the_pattern_of_an_address_and_never_what_stands_in_it() -> None:
    assert route_of({"type": "http"}, {}) == "other"
    assert method_of({"method": "GET"}) == "GET"
    assert method_of({"method": "BREW"}) == "other"
    record = logging.LogRecord("bitduel.web", logging.ERROR, "", 0, "it %s", ("broke",), None)
    told = json.loads(JsonLogFormatter().format(record))
    assert (told["level"], told["from"], told["said"]) == ("error", "bitduel.web", "it broke")


def test_a_server_tells_lines_and_figures_without_names_ids_and_secrets(tmp_path: Path) -> None:
    port, figures = free_port(), free_port()
    command = [sys.executable, "-m", "bitduel", "serve", "--port", str(port), "--db", f"sqlite:///{tmp_path}/x.db"]
    command += ["--metrics-port", str(figures), "--log-json"]
    log = tmp_path / "log"
    with log.open("wb") as err:
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=err)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENT) as client:
            while True:
                try:
                    client.get("/healthz")
                    break
                except httpx.TransportError:
                    assert server.poll() is None
                    time.sleep(0.02)
            made = client.post("/api/v1/matches", json={"game": "battle", "name": "Grace"}).json()
            match_id, secrets = made["match"]["id"], [made["token"], made["invitation"], "Grace"]
            client.get(f"/invite/{match_id}/{made['invitation']}")
            client.get(f"/matches/{match_id}")
            client.get(f"/{made['token']}")
            told = client.get(f"http://127.0.0.1:{figures}/metrics").text
    finally:
        server.terminate()
        server.wait()
    assert re.search(r'bitduel_requests_total\{method="POST",route="/api/v1/matches",status="201"\} 1\.0', told)
    assert 'bitduel_request_seconds_count{route="/matches/{id}"} 1.0' in told
    lines = [json.loads(line) for line in log.read_text().splitlines() if line.startswith("{")]
    routes = {line.get("route") for line in lines}
    assert {"/api/v1/matches", "/invite/{id}/{token}", "/matches/{id}", "other"} <= routes
    for secret in (*secrets, match_id):
        assert secret not in told
        assert secret not in log.read_text()
