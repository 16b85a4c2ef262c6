"""The addresses at which the site can be reached: this machine's own, and the names it was given."""

import re
import socket
from collections.abc import Iterable, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from time import monotonic
from typing import NamedTuple
from urllib.parse import urlsplit

from starlette.types import Scope

from bitduel.core.errors import BitduelError

LOCAL = ("localhost", "127.0.0.1", "::1")
ANY_HOST = "*"
"""A name that stands for every name, for sites whose proxy checks it."""
FRESH_FOR = 10.0
"""Seconds for which the machine's addresses are remembered: a laptop can change its network."""
VIRTUAL = ("br-", "docker", "podman", "vboxnet", "veth", "virbr", "vmnet")
"""Beginnings of the names of adapters that lead to programs of this machine, not to other devices."""
ELSEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses reserved for documentation: choosing the way to one sends nothing."""

Address = IPv4Address | IPv6Address


class SiteName(NamedTuple):
    """A name that visitors type, with the scheme and the port if those were given."""

    host: str
    port: int | None = None
    scheme: str | None = None

    @property
    def is_complete(self) -> bool:
        """Whether it says by itself where visitors go, whatever port this process listens on."""
        return self.port is not None or self.scheme is not None

    def url(self, port: int) -> str:
        """Return the address that visitors open, without a slash at its end."""
        scheme = self.scheme or "http"
        usual = 443 if scheme == "https" else 80
        shown = self.port if self.port is not None else usual if self.scheme else port
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{scheme}://{host}" if shown == usual else f"{scheme}://{host}:{shown}"


def parse_name(text: str) -> SiteName:
    """Read HOST, HOST:PORT or http(s)://HOST[:PORT]; raise BitduelError for anything else."""
    if text == ANY_HOST:
        return SiteName(ANY_HOST)
    scheme, found, rest = text.strip().partition("://")
    scheme, rest = (scheme.lower(), rest) if found else ("", text.strip())
    rest = rest.removesuffix("/")
    if ":" in rest and "[" not in rest and (literal := as_ip(rest)) is not None:
        return SiteName(str(literal), None, scheme or None)
    try:
        parts = urlsplit(f"//{rest}")
        host = (parts.hostname or "").removesuffix(".")
        if scheme not in ("", "http", "https") or parts.netloc != rest or "@" in rest or rest.endswith(":"):
            raise ValueError
        if as_ip(host) is None:
            host = _checked_name(host)
        if parts.port == 0:
            raise ValueError
    except ValueError:
        raise BitduelError(
            f"--name takes a host such as school.lan, a host and port such as school.lan:8080, "
            f"or an address such as https://games.example.org, not '{text}'."
        ) from None
    return SiteName(host, parts.port, scheme or None)


def _checked_name(host: str) -> str:
    """Return a host name as browsers send it; raise ValueError if it is none."""
    host = host.encode("idna").decode("ascii").lower()
    labels = host.split(".")
    fits = all(len(label) < 64 and re.fullmatch(r"\w([\w-]*\w)?", label, re.ASCII) for label in labels)
    if not fits or len(host) > 253 or labels[-1].isdigit():
        raise ValueError
    return host


def as_ip(host: str) -> Address | None:
    """Return the IP address that a host is written as, or None for a name (or for one with a zone, such as %eth0)."""
    try:
        found = None if "%" in host else ip_address(host.strip("[]"))
    except ValueError:
        return None
    return (isinstance(found, IPv6Address) and found.ipv4_mapped) or found


@lru_cache(maxsize=256)
def host_of(header: str) -> str:
    """Return the host in a Host header, in lower case, without port, brackets and final dot."""
    name, colon, port = header.lower().rpartition(":")
    host = name if colon and port.isdigit() and port.isascii() and len(port) <= 5 else header.lower()
    return host[1:-1] if host[:1] == "[" and as_ip(host) else host.removesuffix(".")


def machine_addresses() -> list[Address]:
    """Return the addresses of this machine that other devices may reach, the most useful first."""
    import ifaddr

    usual = {_route_address(family) for family in ELSEWHERE}
    found = [
        (adapter.nice_name.startswith(VIRTUAL), ip)
        for adapter in ifaddr.get_adapters()
        for each in adapter.ips
        if (ip := as_ip(each.ip if isinstance(each.ip, str) else each.ip[0]))
        and not (ip.is_loopback or ip.is_link_local)
    ]
    real = [ip for virtual, ip in found if not virtual or ip in usual]
    return sorted(dict.fromkeys(real), key=lambda ip: (ip.version, ip not in usual, not ip.is_private))


def _route_address(family: socket.AddressFamily) -> Address | None:
    """Return the address of this machine towards the internet; nothing is sent."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((ELSEWHERE[family], 9))
            return as_ip(probe.getsockname()[0])
    except OSError:
        return None


def machine_names() -> list[str]:
    """Return the names under which a local network may know this machine."""
    try:
        own = _checked_name(socket.gethostname())
    except (OSError, ValueError):
        return []
    if own in LOCAL or own.startswith("localhost."):
        return []
    return list(dict.fromkeys((f"{own.partition('.')[0]}.local", own)))


class Addresses:
    """The addresses of a site: what it listens on, and the names it was given."""

    def __init__(self, host: str = LOCAL[1], port: int = 8000, names: Iterable[str] = ()) -> None:
        self.host = host.strip("[]")
        self.port = port
        self.names = [parse_name(name) for name in names]
        ip = as_ip(self.host)
        self.on_all = ip is not None and ip.is_unspecified
        self.is_reachable = self.on_all or not (self.host.lower() in LOCAL or (ip is not None and ip.is_loopback))
        """Whether other devices can connect to it."""
        self._known = {*LOCAL, self.host.lower(), *(name.host for name in self.names)} - {"0.0.0.0", "::"}
        self._urls: Sequence[str] = ()
        self._until = 0.0

    def accepts(self, header: str) -> bool:
        """Return whether a request for this host is meant for the site.

        No page of another site can come under an IP address (a rebound name is sent as the name), so a site that
        other devices reach accepts any of them: behind a router its own may be another one than visitors type.
        """
        host = host_of(header)
        if host in self._known or ANY_HOST in self._known:
            return True
        return self.is_reachable and (as_ip(host) is not None or (self.on_all and host in machine_names()))

    def urls(self) -> Sequence[str]:
        """Return the addresses that other devices can open, the recommended one first; none on a site for itself."""
        now = monotonic()
        if now >= self._until:
            self._urls, self._until = self._find(), now + FRESH_FOR
        return self._urls

    def _find(self) -> Sequence[str]:
        given = [name for name in self.names if name.host != ANY_HOST and (self.is_reachable or name.is_complete)]
        if self.on_all:
            ips = [SiteName(str(ip)) for ip in machine_addresses() if ip.version == 4 or ":" in self.host]
            given += [*ips, *map(SiteName, machine_names())]
        elif self.is_reachable:
            given.append(SiteName(self.host))
        return list(dict.fromkeys(name.url(self.port) for name in given))

    @property
    def local_url(self) -> str:
        """The address for a browser on this machine."""
        return SiteName("localhost" if self.on_all else self.host).url(self.port)

    def base(self, scope: Scope) -> str:
        """Return the address to give to others: the one in use, or a better one if that is this machine alone."""
        header = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
        if is_local(host_of(header)) and (urls := self.urls()):
            return urls[0]
        return f"{scope['scheme']}://{header}"


@lru_cache(maxsize=256)
def is_local(host: str) -> bool:
    """Return whether a host means the machine on which it is typed."""
    ip = as_ip(host)
    return host in LOCAL or host.endswith(".localhost") or (ip is not None and ip.is_loopback)


def opens_here_only(url: str) -> bool:
    """Return whether an address leads nowhere on other devices."""
    return is_local(urlsplit(url).hostname or "")
