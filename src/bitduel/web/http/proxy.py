"""Behind a proxy: who asks, by which name and how, as a proxy says that is trusted; from anybody else it is no news."""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_network

from starlette.types import ASGIApp, Receive, Scope, Send

from bitduel.core.errors import BitduelError
from bitduel.service.match_service import hashed
from bitduel.web.http.addresses import as_ip
from bitduel.web.quotas import MOST_ADDRESSES, Asker, household
from bitduel.web.worker_pools import ASKER

SAID = frozenset({b"x-forwarded-for", b"x-forwarded-proto", b"x-forwarded-host", b"forwarded", b"x-real-ip"})


BEARER = re.compile(rb"bearer +([\w-]{43}) *", re.IGNORECASE)
COOKIE = "bitduel"
IN_COOKIE = re.compile(rb"(?:^|; *)" + COOKIE.encode() + rb"=([\w-]{43})(?=;|$)")
"""Secrets as 256 bits are written; nothing shorter can hold a seat."""
SECRETS = frozenset({b"authorization", b"cookie"})
"""The headers in which a secret can come."""


def token_in(scope: Scope) -> str | None:
    """Return the secret of an API client or of a browser."""
    return bearer_in(scope) or _first(scope, b"cookie", IN_COOKIE.search)


def owner_in(scope: Scope) -> str:
    """Return what is kept of that secret; nothing where none is sent."""
    return _owner(tuple([(name, value) for name, value in scope["headers"] if name in SECRETS]))


@lru_cache(maxsize=MOST_ADDRESSES)
def _owner(headers: tuple[tuple[bytes, bytes], ...]) -> str:
    token = token_in({"headers": headers})
    return hashed(token) if token else ""


def bearer_in(scope: Scope) -> str | None:
    """Return the secret that a program sends; a browser's own is never told to a script."""
    return _first(scope, b"authorization", BEARER.fullmatch)


def _first(scope: Scope, header: bytes, match: Callable[[bytes], re.Match[bytes] | None]) -> str | None:
    for name, value in scope["headers"]:
        if name == header and (found := match(value)):
            return found[1].decode("ascii")
    return None


class Proxies:
    """The addresses of proxies that are trusted."""

    def __init__(self, addresses: Iterable[str] = ()) -> None:
        self.networks = [_network(address) for address in addresses]

    def trusts(self, address: str) -> bool:
        """Whether a connection from there is a proxy's."""
        found = as_ip(address)
        return found is not None and any(
            found in network for network in self.networks if network.version == found.version
        )


def _network(address: str) -> IPv4Network | IPv6Network:
    try:
        return ip_network(address)
    except ValueError:
        raise BitduelError(
            f"'{address}' is not the address of a proxy: give an IP address or a network such as 10.0.0.0/8."
        ) from None


class BehindProxy:
    """Puts what a trusted proxy says into the request, takes it out of every other, and finds out who asks."""

    def __init__(
        self, app: ASGIApp, proxies: Proxies, is_playing: Callable[[str], bool], find_playing: Callable[[str], bool]
    ) -> None:
        self.app = app
        self.proxies = proxies
        self.is_playing = is_playing
        self.find_playing = find_playing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Go on with who really asks."""
        if scope["type"] == "http":
            scope = self._seen(scope)
            client, owner = scope.get("client"), owner_in(scope)
            asker = Asker(household(client[0]) if client else "", owner, bool(owner) and self.is_playing(owner))
            scope["bitduel.asker"] = asker
            ASKER.set(asker)
        await self.app(scope, receive, send)

    def finds_playing(self, scope: Scope) -> bool:
        """Return the same, and look up a visitor who is not known, at most so often."""
        return self.plays(scope) or (bool(owner := owner_in(scope)) and self.find_playing(owner))

    def plays(self, scope: Scope) -> bool:
        """Return whether whoever sends these headers is known to play."""
        owner = owner_in(scope)
        return bool(owner) and self.is_playing(owner)

    def _seen(self, scope: Scope) -> Scope:
        said = {}
        for name, value in scope["headers"]:
            if name in SAID:
                said[name] = value.decode("latin-1")
        if not said:
            return scope
        headers = [(name, value) for name, value in scope["headers"] if name not in SAID]
        client = scope.get("client")
        if client is None or not self.proxies.trusts(client[0]):
            return {**scope, "headers": headers}
        if host := said.get(b"x-forwarded-host", "").strip():
            headers = [(name, value) for name, value in headers if name != b"host"]
            headers.append((b"host", host.encode("latin-1")))
        scheme = said.get(b"x-forwarded-proto", "").strip().lower()
        return {
            **scope,
            "headers": headers,
            "client": (self._asker(said.get(b"x-forwarded-for", ""), client[0]), 0),
            "scheme": scheme if scheme in ("http", "https") else scope["scheme"],
        }

    def _asker(self, chain: str, proxy: str) -> str:
        """The last in the chain who is no proxy of ours; whoever stands before may be made up."""
        for each in reversed([part.strip() for part in chain.split(",") if part.strip()]):
            if as_ip(each) is None:
                return proxy
            if not self.proxies.trusts(each):
                return each
        return proxy
