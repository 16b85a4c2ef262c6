"""A service over real HTTP that answers right, wrong, late, never, too much, or something else."""

import json
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from threading import Thread
from time import sleep
from typing import Any

import pytest

from bitduel.core.errors import BitduelError
from bitduel.core.match import Match
from bitduel.games.registry import make
from bitduel.players.llm import client
from bitduel.players.llm.client import DEFAULT_MAX_TOKENS, MAX_WAIT, Chat, ExchangeLog
from bitduel.players.llm.service import ModelResponse, Tokens, find_service, parse_retry_after
from bitduel.players.player import HaltError
from bitduel.players.settings import Budget, LlmSettings
from players.llm_server import KEY, Asked, Behaviour, Reply, Service, fail, in_turn, say, serving

PATIENCE = 60.0
GOOD = say("MOVE: add")


class Asking:
    """A chat that notes how long it would have waited."""

    def __init__(self, url: str, key: str = "", **switches: Any) -> None:
        environ = {"BITDUEL_LLM_KEY": key} if key else {}
        talk = LlmSettings(**{"seconds": PATIENCE, "retries": 3, **switches})
        self.waits: list[float] = []
        self.chat = Chat(find_service(url, environ), "a model", talk, Random(1), self.waits.append)

    def ask(self, text: str = "hello") -> ModelResponse:
        return self.chat.ask([{"role": "user", "content": text}], ExchangeLog(None, Match(make("64")).view(1)))

    def fails(self) -> str:
        with pytest.raises(HaltError) as raised:
            self.ask()
        assert raised.value.__context__ is None, "what went wrong below could hold the key"
        assert str(raised.value).isprintable()
        return str(raised.value)


@contextmanager
def asking(behaviour: Behaviour | Reply, **switches: Any) -> Iterator[tuple[Asking, Service]]:
    with serving(behaviour) as service:
        yield Asking(service.url, **switches), service


def test_a_right_answer_comes_with_what_it_took() -> None:
    with asking(say("MOVE: add", reasoning_content="hm"), key=KEY) as (asked, service):
        assert asked.ask() == ModelResponse("MOVE: add", "stop", "", "hm", Tokens(100, 7, 107))
        asked.ask()
        assert (asked.chat.calls, asked.chat.tokens, asked.waits) == (2, Tokens(200, 14, 214), [])
        question = service.asked[0]
        assert question.path == "/v1/chat/completions"
        assert question.body == {"model": "a model", "messages": [{"role": "user", "content": "hello"}]}
        assert question.headers["Authorization"] == f"Bearer {KEY}"


def test_one_connection_serves_many_questions() -> None:
    with asking(in_turn(GOOD, fail(503), GOOD)) as (asked, service):
        for _ in range(5):
            asked.ask()
        assert (len(service.asked), service.connections) == (6, 1)


def test_a_kept_connection_that_the_service_drops_is_opened_again_at_once() -> None:
    with asking(in_turn(GOOD, Reply(b"", raw=True), GOOD), retries=0) as (asked, service):
        assert [asked.ask().text for _ in range(2)] == ["MOVE: add"] * 2
        assert (len(service.asked), service.connections, asked.waits) == (3, 2, [])


def test_a_question_that_hangs_does_not_hold_up_another() -> None:
    with asking(in_turn(Reply(b"", hangs="at once"), GOOD), retries=0) as (asked, service):
        hanging = Thread(target=asked.fails)
        hanging.start()
        while not service.asked:
            sleep(0.01)
        assert asked.ask().text == "MOVE: add"
        asked.chat.close()
        service.closing.set()
        hanging.join(PATIENCE)
        assert not hanging.is_alive()


def test_a_proxy_of_the_environment_is_used_but_not_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(GOOD) as proxy, serving(GOOD) as service:
        for name in ("NO_PROXY", "no_proxy", "http_proxy"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("HTTP_PROXY", proxy.url.removesuffix("/v1"))
        assert Asking("http://model.example/v1").ask().text == "MOVE: add"
        assert [question.path for question in proxy.asked] == ["http://model.example/v1/chat/completions"]
        assert Asking(service.url, key=KEY).ask().text == "MOVE: add"
        assert (len(proxy.asked), len(service.asked)) == (1, 1)


@pytest.mark.parametrize(
    ("name", "value"),
    [("HTTPS_PROXY", f"nothing://{KEY}"), ("HTTPS_PROXY", "http://x:port"), ("NO_PROXY", "localhost,[::1]")],
)
def test_a_proxy_that_cannot_be_used_is_one_sentence(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example")
    monkeypatch.setenv(name, value)
    with pytest.raises(BitduelError, match=r"^Can't use the proxy set in the environment\.$"):
        Asking("https://model.example/v1")


def test_without_a_key_none_is_sent_and_what_was_chosen_is() -> None:
    with asking(GOOD, temperature=0.0, seed=0, max_tokens=50) as (asked, service):
        asked.ask()
        assert "Authorization" not in service.asked[0].headers
        chosen = {name: value for name, value in service.asked[0].body.items() if name not in ("model", "messages")}
        assert chosen == {"temperature": 0.0, "seed": 0, "max_tokens": 50}


@pytest.mark.parametrize("usage", [None, {}, [], "many", {"total_tokens": -5}, {"prompt_tokens": True}])
def test_a_service_need_not_count(usage: Any) -> None:
    with asking(say("MOVE: add", usage=usage)) as (asked, _):
        assert asked.ask().tokens is None


def test_who_says_less_than_the_parts_is_not_believed() -> None:
    with asking(say("x", usage={"prompt_tokens": 5, "completion_tokens": 6, "total_tokens": 1})) as (asked, _):
        assert asked.ask().tokens == Tokens(5, 6, 11)
    with asking(say("x", usage={"prompt_tokens": 1, "completion_tokens": 1})) as (asked, _):
        assert asked.ask().tokens == Tokens(1, 1, 2)


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 529])
def test_a_busy_service_is_asked_again_each_time_later(status: int) -> None:
    with asking(in_turn(fail(status), fail(status), fail(status), GOOD)) as (asked, service):
        assert asked.ask().text == "MOVE: add"
        assert len(service.asked) == 4
    assert all(0.5 * 2**n <= wait <= 2**n for n, wait in enumerate(asked.waits))
    assert len(asked.waits) == 3


def test_a_service_that_stays_busy_halts_the_match_in_its_own_words() -> None:
    with asking(fail(429, "Slow down,\n  please")) as (asked, service):
        said = asked.fails()
        who = f"The service for 'a model' at {service.url}"
        assert said == f"{who} answered with status 429: Slow down, please (tried 4 times)."
        assert len(service.asked) == 4


@pytest.mark.parametrize(
    ("wanted", "least", "most"), [("7", 7, 7.5), ("0", 0, 0.5), ("86400", MAX_WAIT, MAX_WAIT), ("soon", 0.5, 1)]
)
def test_it_waits_as_long_as_the_service_wants_within_reason(wanted: str, least: float, most: float) -> None:
    with asking(in_turn(fail(429, Retry_After=wanted), GOOD)) as (asked, _):
        asked.ask()
    assert len(asked.waits) == 1
    assert least <= asked.waits[0] <= most


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("Fri, 31 Dec 1999 23:59:59 GMT", 0.0),
        ("Sat, 01 Jan 2000 00:00:30 GMT", 30.0),
        ("Sat, 01 Jan 2000 00:00:30 -0000", 30.0),
        ("12", 12.0),
        ("-3", None),
        ("", None),
        ("tomorrow", None),
        ("9" * 5000, 999999999.0),
    ],
)
def test_when_to_come_again_is_seconds_or_a_date(header: str, seconds: float | None) -> None:
    assert parse_retry_after(header, datetime(2000, 1, 1, tzinfo=UTC)) == seconds


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 422])
def test_what_asking_again_does_not_mend_halts_at_once(status: int) -> None:
    with asking(fail(status, f"Wrong\x1b[31m {KEY} {'x' * 1000}"), key=KEY) as (asked, service):
        said = asked.fails()
        assert len(service.asked) == 1
    assert f"answered with status {status}: Wrong\N{REPLACEMENT CHARACTER}[31m [key] xxx" in said
    assert len(said) < 400
    assert not asked.waits


@pytest.mark.parametrize(
    "body", [b'{"error": "plain"}', b'{"message": "plain"}', b'{"detail": "plain"}', b"plain", b'{"error": {}}', b"[]"]
)
def test_a_service_may_say_what_is_wrong_in_any_way(body: bytes) -> None:
    with asking(Reply(body, 404)) as (asked, _):
        said = asked.fails()
    assert said.endswith(("status 404: plain.", "status 404."))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"text"',
        b"<html>",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"choices": []}',
        b'{"choices": [7]}',
        b'{"choices": [{"message": null}]}',
        b'{"choices": [{"message": {"content": 5}}]}',
        b'{"choices": {"0": 1}}',
        b'{"error": {"message": "but with status 200"}}',
    ],
)
def test_an_answer_that_cannot_be_read_is_the_services_fault(body: bytes) -> None:
    with asking(in_turn(Reply(body), GOOD)) as (asked, _):
        assert asked.ask().text == "MOVE: add"
    with asking(Reply(body), retries=0) as (asked, _):
        assert asked.fails().endswith("sent an answer we couldn't read.")


@pytest.mark.parametrize("raw", [b"SSH-2.0-Nothing\r\n", b"\x00\x01\x02\n" * 9, b"HTTP/1.1 abc\r\n\r\n", b""])
def test_what_is_not_http_is_said_so(raw: bytes) -> None:
    with asking(Reply(raw, raw=True), retries=1) as (asked, service):
        said = asked.fails()
        assert len(service.asked) == 2
    assert "sent an invalid HTTP response" in said or "can't be reached" in said


@pytest.mark.parametrize("hangs", ["at once", "byte by byte"])
def test_a_slow_service_is_given_up_and_tried_again(hangs: str) -> None:
    with asking(Reply(b"", hangs=hangs), retries=1, seconds=0.3) as (asked, _):
        assert "didn't answer within 0.3 seconds (tried 2 times)" in asked.fails()


def test_a_huge_answer_is_read_no_further(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "MAX_BYTES", 1 << 20)
    with asking(Reply(b" " * 65536, times=2000)) as (asked, service):
        assert "sent more than 1 MB" in asked.fails()
        assert len(service.asked) == 1
        assert service.sent < 64 << 20


def test_an_answer_that_breaks_off_is_tried_again() -> None:
    broken = Reply(b"HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n{", raw=True)
    with asking(in_turn(broken, GOOD)) as (asked, _):
        assert asked.ask().text == "MOVE: add"


def test_nobody_is_sent_on_with_the_key() -> None:
    with serving(GOOD) as other:
        for status in (301, 302, 307, 308):
            with asking(Reply(b"", status, {"Location": f"{other.url}/{KEY}"}), key=KEY) as (asked, service):
                assert "redirects to 127.0.0.1. Keys aren't sent there" in asked.fails()
                assert len(service.asked) == 1
        assert not other.asked


def test_a_key_in_the_name_of_another_host_is_not_shown() -> None:
    with asking(Reply(b"", 302, {"Location": f"https://{KEY}.example/"}), key=KEY) as (asked, _):
        message = asked.fails()
        assert "redirects to" in message
        assert KEY.lower() not in message.lower()


def test_nobody_at_home_is_one_sentence() -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        asked = Asking(f"http://127.0.0.1:{held.getsockname()[1]}/v1", key=KEY)
        assert "can't be reached: connection refused (tried 4 times)" in asked.fails()


def certificate(folder: Path) -> Path:
    """A certificate that nobody has signed but itself, with its own key."""
    path = folder / "own.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
    names = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(path), "-out", str(folder / "only.pem")]
    subprocess.run([*made, *names], check=True, capture_output=True)
    path.write_text(path.read_text() + (folder / "only.pem").read_text())
    return path


def test_a_certificate_is_verified_before_the_key_is_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = certificate(tmp_path)
    with serving(GOOD, own) as service:
        asked = Asking(service.url, key=KEY)
        assert "has a certificate that can't be trusted" in asked.fails()
        assert not service.asked
        assert not asked.waits
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "only.pem"))
        assert Asking(service.url, key=KEY).ask().text == "MOVE: add"


def test_https_where_there_is_none_is_one_sentence() -> None:
    with serving(GOOD) as service:
        assert "can't make an encrypted connection" in Asking(service.url.replace("http", "https"), retries=0).fails()


def test_a_service_with_another_name_for_the_longest_answer_is_asked_by_that() -> None:
    def picky(asked: Asked) -> Reply:
        if "max_tokens" in asked.body:
            return fail(400, "Unsupported parameter: use 'max_completion_tokens' instead.")
        return GOOD

    with asking(picky, max_tokens=9) as (asked, service):
        asked.ask()
        asked.ask()
        assert [question.body.get("max_completion_tokens") for question in service.asked] == [None, 9, 9]


def test_a_budget_is_held_before_asking_and_settled_by_what_was_used() -> None:
    budget = Budget(DEFAULT_MAX_TOKENS + 5 + 32 + 2 * 107)
    with asking(GOOD, budget=budget) as (asked, service):
        for used in (107, 214, 321):
            asked.ask()
            assert budget.spent == used
        assert service.asked[0].body["max_tokens"] == DEFAULT_MAX_TOKENS
        assert f"The budget of {budget.most} tokens is used up" in asked.fails()
        assert len(service.asked) == 3
        assert budget.spent == 321


def test_what_may_have_been_used_stays_held_and_what_was_not_is_given_back() -> None:
    held = 5 + 32 + 10
    with asking(fail(429), budget=(free := Budget(1000)), max_tokens=10) as (asked, _):
        asked.fails()
    assert free.spent == 0
    with asking(say("x", usage=None), budget=(uncounted := Budget(1000)), max_tokens=10) as (asked, _):
        asked.ask()
    assert uncounted.spent == held
    with asking(Reply(b"?"), budget=(unread := Budget(1000)), max_tokens=10, retries=1) as (asked, _):
        asked.fails()
    assert unread.spent == 2 * held


def test_who_is_let_go_asks_no_more() -> None:
    with asking(GOOD) as (asked, service):
        asked.chat.close()
        assert "over for this player" in asked.fails()
        assert not service.asked


def test_text_that_is_no_text_can_be_kept() -> None:
    with asking(Reply(json.dumps({"choices": [{"message": {"content": "\ud800 MOVE: add"}}]}).encode())) as (asked, _):
        asked.ask().text.encode()
