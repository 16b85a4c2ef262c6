"""Where a language model is: the address from a switch or the environment, the key to it from there alone."""

import os
from collections.abc import Mapping
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from bitduel.core.errors import BitduelError, shown

URLS = ("BITDUEL_LLM_URL", "OPENAI_BASE_URL")
KEYS = ("BITDUEL_LLM_KEY", "OPENAI_API_KEY")
SECRET = 8
"""Keys of fewer characters are placeholders for servers that want any key at all; taking them out would spoil texts."""
REMOVED = "[key]"
USUAL_PORTS = {"http": 80, "https": 443}


class ServiceError(BitduelError):
    """A service that cannot be asked as it was named."""


class Key:
    """A key that shows itself to nobody; empty where none is needed."""

    __slots__ = ("_text",)

    def __init__(self, text: str = "") -> None:
        self._text = text

    def __repr__(self) -> str:
        return "Key(...)"

    def __bool__(self) -> bool:
        return bool(self._text)

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("a key is not written down")

    def header(self) -> str:
        """What the service is sent."""
        return f"Bearer {self._text}"

    def scrub(self, text: str) -> str:
        """A text without the key."""
        return text.replace(self._text, REMOVED) if len(self._text) >= SECRET else text


class ModelService(NamedTuple):
    """A service and the key to it."""

    scheme: str
    host: str
    port: int | None
    path: str
    key: Key

    @property
    def address(self) -> str:
        """The whole address, always written the same way; there is no key in it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port in (None, USUAL_PORTS[self.scheme]) else f":{self.port}"
        return f"{self.scheme}://{host}{port}{self.path}"

    @property
    def shown(self) -> str:
        """The address as a sentence names it."""
        return shown(self.address, 120)


def find_service(url: str = "", environ: Mapping[str, str] = os.environ) -> ModelService:
    """The service at an address, or at that of the environment, with the key of the environment."""
    key = _key(environ)
    url = url or next((environ[name] for name in URLS if environ.get(name)), "")
    if not url:
        raise ServiceError(
            f"Nobody has said where the language model is: give --llm-url http://localhost:11434/v1, or set {URLS[0]}."
        )
    parts = _parts(url.strip())
    if parts is None:
        raise ServiceError(
            f"The address of a service is http:// or https:// with a host and a path, not '{shown(key.scrub(url))}'."
        )
    if parts.username is not None or parts.query or parts.fragment or key.scrub(url) != url:
        raise ServiceError(f"The address of a service holds no key, user or question mark; a key goes into {KEYS[0]}.")
    host = parts.hostname or ""
    if key and parts.scheme == "http" and not _is_here(host):
        raise ServiceError(
            f"A key is sent over https, or to this machine, and not over http to {shown(host)}; an empty {KEYS[0]} "
            "sends none."
        )
    return ModelService(parts.scheme, host, parts.port, parts.path.rstrip("/"), key)


def _key(environ: Mapping[str, str]) -> Key:
    name = next((name for name in KEYS if name in environ), None)
    text = environ[name].strip() if name else ""
    if not all("!" <= character <= "~" for character in text):
        raise ServiceError(f"The key in {name} holds characters that no key has.")
    return Key(text)


def _parts(url: str) -> SplitResult | None:
    """The parts of an address that can be asked, or None."""
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return None
    clean = url.isascii() and url.isprintable() and " " not in url
    return parts if good and clean else None


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
