"""A key never appears in a file, a log or an error, whatever a service does with it."""

import json
import logging
import os
import subprocess
import sys
import traceback
from base64 import b64encode
from pathlib import Path
from random import Random

import pytest

from bitduel.core.match import Match
from bitduel.games.registry import make
from bitduel.players import PlayerLimits, drive
from bitduel.players.llm.player import LlmPlayer
from bitduel.players.settings import LlmSettings
from players.llm_server import KEY, USAGE, Asked, Behaviour, Reply, fail, in_turn, say, serving


def spelled(text: str) -> str:
    """A text as JSON may also spell it."""
    return "".join(f"\\u{ord(letter):04x}" for letter in text)


def echo(asked: Asked) -> Reply:
    """Every header in every field, and as many forms of JSON."""
    key = asked.headers["Authorization"]
    choice = {
        "message": {"content": f"{key} MOVE: add\nMOVE: add", "reasoning": key, "name": key},
        "finish_reason": key,
    }
    body = json.dumps({"id": key, "model": key, "choices": [choice], "usage": {**USAGE, "key": key}})
    return Reply(body.replace(KEY, spelled(KEY), 2).encode(), headers={"X-Key": key})


def echo_error(asked: Asked) -> Reply:
    key = asked.headers["Authorization"]
    return Reply(json.dumps({"error": {"message": f"{'long ' * 35}{key}"}}).encode(), 401, {"Retry-After": key})


BEHAVIOURS: dict[str, Behaviour] = {
    "echo": echo,
    "refusal": lambda asked: say(None, refusal=asked.headers["Authorization"]),
    "nonsense": lambda asked: say(f"MOVE: {KEY}"),
    "error": echo_error,
    "plain error": lambda asked: Reply(f"no {KEY}".encode(), 403),
    "busy": in_turn(fail(429, f"Key {KEY} is busy")),
    "sent on": in_turn(Reply(b"", 302, {"Location": f"http://{KEY}.example/{KEY}"})),
    "not HTTP": in_turn(Reply(f"{KEY}\r\n".encode(), raw=True)),
    "not JSON": in_turn(Reply(f'{{"{KEY}'.encode())),
}


def everything(folder: Path) -> bytes:
    """All bytes of all files, names included."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return b"".join(str(path).encode() + path.read_bytes() for path in files)


@pytest.mark.parametrize("name", BEHAVIOURS)
def test_a_key_is_in_no_exchange_error_traceback_or_log(
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("BITDUEL_LLM_KEY", KEY)
    game = make("double", target=4)
    told = ""
    with serving(BEHAVIOURS[name]) as service:
        terms = PlayerLimits(folder=tmp_path, llm=LlmSettings(url=service.url, seconds=60, retries=1, attempts=2))
        player = LlmPlayer(game, Random(1), "a model", terms, wait=lambda seconds: None)
        try:
            drive(Match(game), {1: player, 2: player})
        except Exception as error:
            chain = traceback.TracebackException.from_exception(error, capture_locals=True)
            told = f"{error!r} {error} {''.join(chain.format())}"
        assert f"Bearer {KEY}" in service.asked[0].headers.values(), "it was sent, after all"
        assert len(service.asked) == 1 or KEY not in json.dumps(service.asked[-1].body)
    out, err = capfd.readouterr()
    seen = f"{told} {out} {err} {caplog.text} {player!r} {vars(player)} {vars(player.chat)} {terms}".encode()
    kept = everything(tmp_path)
    assert kept
    for text in (seen, kept):
        for form in (KEY, b64encode(KEY.encode()).decode(), KEY[:12]):
            assert form.encode() not in text


@pytest.mark.parametrize("name", ["echo", "error", "plain error"])
def test_a_key_is_nowhere_after_a_match_at_the_terminal(name: str, tmp_path: Path) -> None:
    places = {"XDG_DATA_HOME": "data", "XDG_CACHE_HOME": "cache", "XDG_CONFIG_HOME": "config", "HOME": "home"}
    environ = {**os.environ, **{name: str(tmp_path / place) for name, place in places.items()}, "OPENAI_API_KEY": KEY}
    with serving(BEHAVIOURS[name]) as service:
        command = ["play", "double", "--set", "target=4", "--p1", "llm:m", "--p2", "random", "--seed", "1"]
        more = ["--llm-url", service.url, "--llm-log", str(tmp_path / "log"), "--db", f"sqlite:///{tmp_path}/m.db"]
        ran = subprocess.run(
            [sys.executable, "-m", "bitduel", *command, *more],
            capture_output=True,
            env=environ,
            timeout=120,
            check=False,
            cwd=tmp_path,
        )
        assert f"Bearer {KEY}" in service.asked[0].headers.values()
    assert ran.returncode == (0 if name == "echo" else 1), ran.stdout + ran.stderr
    assert ran.stderr.count(b"\n") == ran.returncode
    assert KEY[:12].encode() not in ran.stdout + ran.stderr + everything(tmp_path)
    assert list((tmp_path / "log").iterdir())
