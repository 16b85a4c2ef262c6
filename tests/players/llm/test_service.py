"""Where a service is, and who gets the key."""

import pickle

import pytest

from bitduel.core.errors import BitduelError
from bitduel.players.llm.service import Key, find_service
from players.llm_server import KEY

HERE = "http://localhost:11434/v1"


def test_the_switch_comes_before_the_environment_and_ours_before_others() -> None:
    environ = {"BITDUEL_LLM_URL": "https://a.example/v1/", "OPENAI_BASE_URL": "https://b.example/x"}
    assert find_service(HERE, environ)[:4] == ("http", "localhost", 11434, "/v1")
    assert find_service("", environ)[:4] == ("https", "a.example", None, "/v1")
    assert find_service("", {"OPENAI_BASE_URL": "https://b.example/x"}).host == "b.example"


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("HTTPS://Api.Example:443/v1/", "https://api.example/v1"),
        ("http://localhost:80/v1", "http://localhost/v1"),
        ("http://[::1]:8080/v1", "http://[::1]:8080/v1"),
        ("https://a.example:80/v1", "https://a.example:80/v1"),
    ],
)
def test_a_service_has_one_address_however_it_is_written(url: str, address: str) -> None:
    assert find_service(url, {}).address == address
    assert find_service(address, {}).address == address


def test_our_key_comes_first_and_an_empty_one_is_none() -> None:
    other = {"OPENAI_API_KEY": "other-key-123"}
    assert find_service(HERE, {"BITDUEL_LLM_KEY": f" {KEY}\n", **other}).key.header() == f"Bearer {KEY}"
    assert find_service(HERE, other).key.header() == "Bearer other-key-123"
    assert not find_service(HERE, {"BITDUEL_LLM_KEY": "", **other}).key
    assert not find_service(HERE, {}).key


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("", "There is no address for the language model"),
        ("localhost:11434", "must be http:// or https://"),
        ("ftp://localhost/v1", "must be http:// or https://"),
        ("http://", "must be http:// or https://"),
        ("http://localhost:99999/", "must be http:// or https://"),
        ("http://[::1/", "must be http:// or https://"),
        ("http://local host/", "must be http:// or https://"),
        ("http://localhost/\x1b[31m", "must be http:// or https://"),
        (f"nowhere:{KEY}", "not 'nowhere"),
        (f"https://{KEY}@example.org/v1", "can't contain a key"),
        (f"https://u:{KEY}@example.org/v1", "can't contain a key"),
        (f"https://example.org/v1?key={KEY}", "can't contain a key"),
        (f"https://example.org/{KEY}/v1", "can't contain a key"),
        ("http://example.org/v1", "Keys are not sent over http to another machine"),
        ("http://192.168.1.7:8000/v1", "Keys are not sent over http to another machine"),
    ],
)
def test_an_address_that_cannot_be_asked_is_one_sentence_without_the_key(url: str, said: str) -> None:
    with pytest.raises(BitduelError, match=said) as raised:
        find_service(url, {"BITDUEL_LLM_KEY": KEY})
    assert KEY[:12] not in str(raised.value)
    assert str(raised.value).isprintable()


@pytest.mark.parametrize("host", ["http://127.0.0.1:1", "http://[::1]:1", "http://localhost", "https://example.org"])
def test_a_key_goes_to_this_machine_or_over_https(host: str) -> None:
    assert find_service(f"{host}/v1", {"BITDUEL_LLM_KEY": KEY}).key


def test_without_a_key_any_machine_may_be_asked() -> None:
    assert find_service("http://192.168.1.7:8000/v1", {}).host == "192.168.1.7"


def test_a_key_with_line_ends_is_refused_and_not_told() -> None:
    with pytest.raises(
        BitduelError, match="The key in BITDUEL_LLM_KEY contains characters that can't be in a key"
    ) as raised:
        find_service(HERE, {"BITDUEL_LLM_KEY": f"{KEY}\r\nX-Other: 1"})
    assert KEY not in str(raised.value)


def test_a_key_shows_itself_to_nobody() -> None:
    service = find_service(HERE, {"BITDUEL_LLM_KEY": KEY})
    assert KEY not in f"{service} {service!r} {service._asdict()} {service.label}"
    with pytest.raises(TypeError):
        pickle.dumps(service)
    assert Key(KEY).scrub(f"a {KEY} b{KEY}") == "a [key] b[key]"


def test_a_placeholder_for_a_key_spoils_no_text() -> None:
    assert Key("add").scrub("MOVE: add") == "MOVE: add"
    assert Key().scrub("MOVE: add") == "MOVE: add"
