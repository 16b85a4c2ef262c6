"""Behind a proxy: what a trusted one says counts, and what anybody else says does not."""

import asyncio
from typing import Any

import pytest

from bitduel.core.errors import BitduelError
from bitduel.web.http.clients import IdentifyClients, Proxies
from helpers import bitduel


def seen(proxies: list[str], client: str, **said: str) -> dict[str, Any]:
    """What the site sees of a request with such headers."""
    found: dict[str, Any] = {}

    async def app(scope: Any, _receive: Any, _send: Any) -> None:
        found.update(scope)

    headers = [(b"host", b"inside:8000")]
    headers += [(name.replace("_", "-").encode(), value.encode()) for name, value in said.items()]
    scope = {"type": "http", "headers": headers, "client": (client, 1234), "scheme": "http", "path": "/"}
    asyncio.run(IdentifyClients(app, Proxies(proxies), lambda owner: False, lambda owner: False)(scope, None, None))  # type: ignore[arg-type]
    return {**found, "headers": dict(found["headers"])}


FULL = {"x_forwarded_for": "203.0.113.7", "x_forwarded_proto": "https", "x_forwarded_host": "games.example.org"}


@pytest.mark.parametrize("trusted", [["127.0.0.1"], ["10.0.0.0/8", "127.0.0.0/8"]])
def test_a_trusted_proxy_says_who_asks_by_which_name_and_how(trusted: list[str]) -> None:
    found = seen(trusted, "127.0.0.1", **FULL)
    assert found["client"][0] == "203.0.113.7"
    assert found["scheme"] == "https"
    assert found["headers"] == {b"host": b"games.example.org"}


@pytest.mark.parametrize(
    ("trusted", "client"), [([], "127.0.0.1"), (["127.0.0.1"], "127.0.0.2"), (["::1"], "127.0.0.1")]
)
def test_what_anybody_else_says_is_no_news(trusted: list[str], client: str) -> None:
    found = seen(trusted, client, **FULL, forwarded="for=1.2.3.4", x_real_ip="1.2.3.4")
    assert found["client"][0] == client
    assert found["scheme"] == "http"
    assert found["headers"] == {b"host": b"inside:8000"}


@pytest.mark.parametrize(
    ("chain", "client"),
    [
        ("6.6.6.6, 203.0.113.7", "203.0.113.7"),
        ("6.6.6.6, 203.0.113.7, 10.0.0.9", "203.0.113.7"),
        ("10.0.0.9", "10.0.0.1"),
        ("", "10.0.0.1"),
        ("made up", "10.0.0.1"),
        ("6.6.6.6, <script>", "10.0.0.1"),
        ("2001:db8::1", "2001:db8::1"),
    ],
)
def test_of_a_chain_the_last_who_is_no_proxy_counts(chain: str, client: str) -> None:
    assert seen(["10.0.0.0/8"], "10.0.0.1", x_forwarded_for=chain)["client"][0] == client


def test_a_scheme_that_is_none_changes_nothing() -> None:
    assert seen(["127.0.0.1"], "127.0.0.1", x_forwarded_proto="gopher")["scheme"] == "http"


@pytest.mark.parametrize("wrong", ["localhost", "300.1.1.1", "10.0.0.1/8", "", "127.0.0.1:80"])
def test_what_is_no_address_is_refused_in_a_sentence(wrong: str) -> None:
    with pytest.raises(BitduelError, match="is not the address of a proxy"):
        Proxies([wrong])
    ran = bitduel("serve", "--proxy", wrong)
    assert ran.status == 2
    assert ran.err.count("\n") == 1


def test_a_proxy_is_known_by_its_address_on_a_socket_for_both_kinds_too() -> None:
    assert Proxies(["127.0.0.1"]).trusts("::ffff:127.0.0.1")
    assert not Proxies(["127.0.0.1"]).trusts("::ffff:127.0.0.2")
