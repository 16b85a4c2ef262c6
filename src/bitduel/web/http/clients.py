"""The sender of a request: an address, behind trusted proxies too, and the visitor there by its secret."""

import re
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Network, ip_address, ip_network
from typing import NamedTuple

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from bitduel.core.errors import BitduelError
from bitduel.service.credentials import hashed
from bitduel.web.http.addresses import as_ip

MOST_ADDRESSES = 10_000
"""The largest number of addresses, and of visitors, that are remembered."""
FORWARDED = frozenset({b"x-forwarded-for", b"x-forwarded-proto", b"x-forwarded-host", b"forwarded", b"x-real-ip"})
"""The headers by which a proxy names its client; from anybody else they are dropped."""
BEARER = re.compile(rb"bearer +([\w-]{43}) *", re.IGNORECASE)
COOKIE = "bitduel"
IN_COOKIE = re.compile(rb"(?:^|; *)" + COOKIE.encode() + rb"=([\w-]{43})(?=;|$)")
"""Secrets as 256 bits are written; nothing shorter can hold a seat."""
SECRETS = frozenset({b"authorization", b"cookie"})
"""The headers in which a secret can come."""
SECRET_LINK = re.compile(
    r"/(?:invite|seat|teacher)/|/api/v1/matches/[^/]+/(?:device/)?seat$|/api/v1/classes/[^/]+/(?:return|seat)$"
)
"""Links with a secret are throttled apart: a valid one must not wait for those who ask for other things."""


class Client(NamedTuple):
    """The sender of a request."""

    address: str = ""
    visitor: str = ""
    """The hash of the secret that it sends, if it sends one."""
    is_playing: bool = False
    """Whether that visitor has a seat in a running match."""

    @property
    def key(self) -> str:
        """The key to count by: the visitor, or the address for everybody there who sends no secret."""
        return self.visitor or self.address


NOBODY = Client()
CLIENT: ContextVar[Client] = ContextVar("client", default=NOBODY)
"""The sender of the request that is being answered."""


def client_of(request: Request) -> Client:
    """Return the sender of a request."""
    client: Client = request.scope["bitduel.client"]
    return client


def owner_of(request: Request) -> str | None:
    """Return the hash of the secret that a request carries, by which seats are held."""
    return request.scope["bitduel.client"].visitor or None


def token_of(request: Request) -> str | None:
    """Return the secret of an API client or of a browser."""
    return token_in(request.scope)


def bearer_of(request: Request) -> str | None:
    """Return the secret that a program sends; a browser's own is never given to a script."""
    return bearer_in(request.scope)


@lru_cache(maxsize=MOST_ADDRESSES)
def network_of(address: str) -> str:
    """Return the unit that limits count: for an IPv6 address, the network in which its owner can choose addresses."""
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(ip, IPv4Address):
        return address
    return str(ip.ipv4_mapped or ip_network((ip, 64), strict=False))


def token_in(scope: Scope) -> str | None:
    """Return the secret of an API client or of a browser."""
    return bearer_in(scope) or _first(scope, b"cookie", IN_COOKIE.search)


def bearer_in(scope: Scope) -> str | None:
    """Return the secret that a program sends; a browser's own is never given to a script."""
    return _first(scope, b"authorization", BEARER.fullmatch)


def _first(scope: Scope, header: bytes, match: Callable[[bytes], re.Match[bytes] | None]) -> str | None:
    for name, value in scope["headers"]:
        if name == header and (found := match(value)):
            return found[1].decode("ascii")
    return None


def owner_in(scope: Scope) -> str:
    """Return the hash of the secret in the headers; empty if none is sent."""
    return _owner(tuple([(name, value) for name, value in scope["headers"] if name in SECRETS]))


@lru_cache(maxsize=MOST_ADDRESSES)
def _owner(headers: tuple[tuple[bytes, bytes], ...]) -> str:
    token = token_in({"headers": headers})
    return hashed(token) if token else ""


class Proxies:
    """The addresses of proxies that are trusted."""

    def __init__(self, addresses: Iterable[str] = ()) -> None:
        self.networks = [_network(address) for address in addresses]

    def trusts(self, address: str) -> bool:
        """Return whether a connection from there is a proxy's."""
        ip = as_ip(address)
        return ip is not None and any(ip in network for network in self.networks if network.version == ip.version)


def _network(address: str) -> IPv4Network | IPv6Network:
    try:
        return ip_network(address)
    except ValueError:
        raise BitduelError(
            f"'{address}' is not the address of a proxy: give an IP address or a network such as 10.0.0.0/8."
        ) from None


class IdentifyClients:
    """Middleware that finds out who sends a request, from a trusted proxy's headers where it came by one."""

    def __init__(
        self, app: ASGIApp, proxies: Proxies, is_playing: Callable[[str], bool], find_playing: Callable[[str], bool]
    ) -> None:
        self.app = app
        self.proxies = proxies
        self.is_playing = is_playing
        self.find_playing = find_playing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Add the client to the request."""
        if scope["type"] == "http":
            secrets, is_forwarded = [], False
            for header in scope["headers"]:
                if header[0] in SECRETS:
                    secrets.append(header)
                elif header[0] in FORWARDED:
                    is_forwarded = True
            if is_forwarded:
                scope = self._resolve(scope)
            peer, owner = scope.get("client"), _owner(tuple(secrets))
            client = Client(network_of(peer[0]) if peer else "", owner, bool(owner) and self.is_playing(owner))
            scope["bitduel.client"] = client
            CLIENT.set(client)
        await self.app(scope, receive, send)

    def finds_playing(self, scope: Scope) -> bool:
        """Return whether the sender of these headers plays, and look up a visitor who is not known."""
        return self.plays(scope) or (bool(owner := owner_in(scope)) and self.find_playing(owner))

    def plays(self, scope: Scope) -> bool:
        """Return whether the sender of these headers is known to play."""
        owner = owner_in(scope)
        return bool(owner) and self.is_playing(owner)

    def _resolve(self, scope: Scope) -> Scope:
        """Return the request with what a trusted proxy says of it, and without what anybody else says."""
        forwarded = {name: value.decode("latin-1") for name, value in scope["headers"] if name in FORWARDED}
        headers = [(name, value) for name, value in scope["headers"] if name not in FORWARDED]
        peer = scope.get("client")
        if peer is None or not self.proxies.trusts(peer[0]):
            return {**scope, "headers": headers}
        if host := forwarded.get(b"x-forwarded-host", "").strip():
            headers = [(name, value) for name, value in headers if name != b"host"]
            headers.append((b"host", host.encode("latin-1")))
        scheme = forwarded.get(b"x-forwarded-proto", "").strip().lower()
        return {
            **scope,
            "headers": headers,
            "client": (self._address(forwarded.get(b"x-forwarded-for", ""), peer[0]), 0),
            "scheme": scheme if scheme in ("http", "https") else scope["scheme"],
        }

    def _address(self, chain: str, proxy: str) -> str:
        """Return the last in the chain that is no trusted proxy; those before it may be made up."""
        for each in reversed([part.strip() for part in chain.split(",") if part.strip()]):
            if as_ip(each) is None:
                return proxy
            if not self.proxies.trusts(each):
                return each
        return proxy
