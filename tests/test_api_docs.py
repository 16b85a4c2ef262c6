"""The bots that the API's page shows play whole matches against a real server."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[1] / "docs" / "api.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    db = f"sqlite:///{tmp_path_factory.mktemp('site')}/matches.db"
    command = [sys.executable, "-m", "bitduel", "serve", "--port", str(port), "--db", db]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while server.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.02)
            continue
        break
    yield f"http://localhost:{port}"
    server.terminate()
    server.wait()


def block(language: str) -> str:
    return str(re.findall(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL)[0])


def run(command: list[str], program: str, site: str) -> str:
    environment = {**os.environ, "SITE": site}
    ran = subprocess.run(
        command, input=program, capture_output=True, text=True, check=True, env=environment, timeout=60
    )
    return ran.stdout


@pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed")
def test_the_bot_in_curl_plays_a_whole_match(site: str) -> None:
    assert re.fullmatch(r'\{"winner":[12],"reason":"(exact|exceeded)"\}\n', run(["sh"], block("sh"), site))


def test_the_bot_in_python_plays_a_whole_match_and_does_not_lose(site: str) -> None:
    bot = block("python")
    assert len(bot.splitlines()) <= 25
    out = run([sys.executable, "-"], bot, site)
    assert re.fullmatch(r"\{'winner': (1|None), 'reason': '\w+'\}\n", out)
