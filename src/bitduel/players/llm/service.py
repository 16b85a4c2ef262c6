"""A model service: its address, the key to it, and the meaning of its answers.

The address comes from a setting or the environment, the key from the environment alone. Answers are read without trust.
"""

import json
import os
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from ipaddress import ip_address
from typing import Any, NamedTuple
from urllib.parse import SplitResult, urlsplit

from bitduel.core.errors import BitduelError, printable

URLS = ("BITDUEL_LLM_URL", "OPENAI_BASE_URL")
KEYS = ("BITDUEL_LLM_KEY", "OPENAI_API_KEY")
MIN_KEY_LENGTH = 8
"""Shorter keys are placeholders for servers that want any key at all; taking them out would spoil texts."""
DEFAULT_PORTS = {"http": 80, "https": 443}
RETRYABLE = (408, 425, 429)
"""The statuses worth trying again, besides all from 500 up."""
MAX_ERROR_LENGTH = 200
"""The most characters of a service's error message that are shown."""
MAX_TOKENS = 1 << 40


class ServiceError(BitduelError):
    """A service that cannot be used as it was named."""


class Key:
    """A key that no representation shows; empty if none is needed."""

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
        """Return the value of the Authorization header."""
        return f"Bearer {self._text}"

    def scrub(self, text: str) -> str:
        """Return a text with the key taken out, in capitals or not: host names are written in small letters."""
        if len(self._text) < MIN_KEY_LENGTH:
            return text
        return re.sub(re.escape(self._text), "[key]", text, flags=re.IGNORECASE)


class ModelService(NamedTuple):
    """The address of a service and the key to it."""

    scheme: str
    host: str
    port: int | None
    path: str
    key: Key

    @property
    def address(self) -> str:
        """The whole address, always written the same way; it holds no key."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port in (None, DEFAULT_PORTS[self.scheme]) else f":{self.port}"
        return f"{self.scheme}://{host}{port}{self.path}"

    @property
    def label(self) -> str:
        """The address, cut for a sentence."""
        return printable(self.address, 120)

    @property
    def is_local(self) -> bool:
        """Whether it runs on this machine."""
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"


def find_service(url: str = "", environ: Mapping[str, str] = os.environ) -> ModelService:
    """Return the service at an address, or at that of the environment, with the key of the environment."""
    key = _find_key(environ)
    url = url or next((environ[name] for name in URLS if environ.get(name)), "")
    if not url:
        raise ServiceError(
            f"There is no address for the language model. Use --llm-url http://localhost:11434/v1, or set {URLS[0]}."
        )
    parts = _split(url.strip())
    if parts is None:
        raise ServiceError(
            "The address of a service must be http:// or https:// with a host and a path, "
            f"not '{printable(key.scrub(url))}'."
        )
    if parts.username is not None or parts.query or parts.fragment or key.scrub(url) != url:
        raise ServiceError(
            f"The address of a service can't contain a key, user or question mark. Put a key into {KEYS[0]}."
        )
    service = ModelService(parts.scheme, parts.hostname or "", parts.port, parts.path.rstrip("/"), key)
    if key and parts.scheme == "http" and not service.is_local:
        raise ServiceError(
            f"Keys are not sent over http to another machine ({printable(service.host)}). Use https, or leave "
            f"{KEYS[0]} empty to send no key."
        )
    return service


def _find_key(environ: Mapping[str, str]) -> Key:
    name = next((name for name in KEYS if name in environ), None)
    text = environ[name].strip() if name else ""
    if not all("!" <= character <= "~" for character in text):
        raise ServiceError(f"The key in {name} contains characters that can't be in a key.")
    return Key(text)


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return None
    clean = url.isascii() and url.isprintable() and " " not in url
    return parts if usable and clean else None


class Tokens(NamedTuple):
    """The tokens of one answer, or of many."""

    prompt: int = 0
    completion: int = 0
    total: int = 0

    def plus(self, more: "Tokens") -> "Tokens":
        """Return the sum of both."""
        return Tokens(self.prompt + more.prompt, self.completion + more.completion, self.total + more.total)


class ModelResponse(NamedTuple):
    """The answer of a model."""

    text: str
    finish: str = ""
    """The reason for stopping there: stop, length, content_filter."""
    refusal: str = ""
    reasoning: str = ""
    tokens: Tokens | None = None
    """None where the service does not count them."""


class ServiceFailure(NamedTuple):
    """The reason why there is no answer, as the end of a sentence, and whether it is worth trying again."""

    reason: str
    again: bool = True
    wait: float | None = None
    """Seconds after which the service wants to be tried again."""
    status: int | None = None
    spent: bool = False
    """Whether the model may have answered anyway, so that the tokens count as used."""


def read_response(status: int, body: bytes, headers: Mapping[str, str], key: Key) -> ModelResponse | ServiceFailure:
    """Return the model's response in an answer, with the key taken out should the service have sent it back."""
    data = _parse_json(body)
    if 300 <= status < 400:
        host = printable(key.scrub(_host(headers.get("Location", ""))), 80) or "another place"
        return ServiceFailure(
            f"redirects to {host}. Keys aren't sent there; use that address directly", again=False, status=status
        )
    if status != 200:
        message = _error_message(data, body, key)
        again = status in RETRYABLE or status >= 500
        wait = parse_retry_after(headers.get("Retry-After", "")) if again else None
        return ServiceFailure(f"answered with status {status}{message}", again, wait, status)
    response = _model_response(data, key)
    return response or ServiceFailure("sent an answer we couldn't read", status=status, spent=True)


def parse_retry_after(header: str, now: datetime | None = None) -> float | None:
    """Return the seconds until the next try, from a header with seconds or a date; None if it holds neither."""
    text = header.strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, IndexError):
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max((moment - (now or datetime.now(UTC))).total_seconds(), 0.0)


def _host(location: str) -> str:
    try:
        return urlsplit(location).hostname or ""
    except ValueError:
        return ""


def _parse_json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _error_message(data: Any, body: bytes, key: Key) -> str:
    """Return what a service writes about an error, as JSON or plainly, cut and made safe to show."""
    error = _get(data, "error")
    texts = (_get(error, "message"), error, _get(data, "message"), _get(data, "detail"))
    message = next(filter(None, map(_text, texts)), "")
    if not message and data is None:
        message = body.decode("utf-8", "replace")
    message = printable(key.scrub(" ".join(message.split())).rstrip("."), MAX_ERROR_LENGTH)
    return f": {message}" if message else ""


def _model_response(data: Any, key: Key) -> ModelResponse | None:
    choices = _get(data, "choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = _get(choice, "message")
    if not isinstance(message, dict) or not isinstance(message.get("content"), str | None):
        return None
    reasoning = _text(message.get("reasoning_content")) or _text(message.get("reasoning"))
    return ModelResponse(
        text=key.scrub(_text(message.get("content"))),
        finish=key.scrub(_text(_get(choice, "finish_reason"))),
        refusal=key.scrub(_text(message.get("refusal"))),
        reasoning=key.scrub(reasoning),
        tokens=_tokens(_get(data, "usage")),
    )


def _tokens(usage: Any) -> Tokens | None:
    counts = [_get(usage, f"{name}_tokens") for name in ("prompt", "completion", "total")]
    prompt, completion, total = (min(n, MAX_TOKENS) if type(n) is int and n > 0 else 0 for n in counts)
    tokens = Tokens(prompt, completion, max(total, prompt + completion))
    return tokens if tokens.total else None


def _get(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None


def _text(value: Any) -> str:
    """Return a text that can be written to a file, whatever a service sends for one."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else ""
