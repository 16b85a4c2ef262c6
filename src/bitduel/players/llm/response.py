"""What a service said, read without trust: a model's answer with what it cost, or why there is none."""

import json
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from bitduel.core.errors import shown
from bitduel.players.llm.http import Response, Trouble
from bitduel.players.llm.service import Key

BUSY = (408, 425, 429)
"""Besides all from 500 up, what is worth trying again."""
WORDS = 200
"""So many characters of what a service says about a mistake are told."""
MOST_TOKENS = 1 << 40


class Tokens(NamedTuple):
    """What one answer, or many, took."""

    prompt: int = 0
    completion: int = 0
    total: int = 0

    def plus(self, more: "Tokens") -> "Tokens":
        """Both together."""
        return Tokens(self.prompt + more.prompt, self.completion + more.completion, self.total + more.total)


class ModelResponse(NamedTuple):
    """What a model said."""

    text: str
    finish: str = ""
    """Why it stopped there: stop, length, content_filter."""
    refusal: str = ""
    reasoning: str = ""
    tokens: Tokens | None = None
    """None where the service does not count."""


def understood(response: Response, key: Key) -> ModelResponse | Trouble:
    """The model's answer in a response, without the key should it be in there."""
    status = response.status
    data = _data(response.body)
    if 300 <= status < 400:
        host = shown(key.scrub(host_of(response.location)), 80) or "another place"
        return Trouble(f"sends on to {host}, where no key is taken: give that address itself", False, status=status)
    if status != 200:
        words = _words(data, response.body, key)
        again = status in BUSY or status >= 500
        wait = seconds_of(response.retry_after) if again else None
        return Trouble(f"has answered with status {status}{words}", again, wait, status)
    said = _said(data, key)
    return said or Trouble("has sent an answer that cannot be read", status=status, spent=True)


def seconds_of(retry_after: str, now: datetime | None = None) -> float | None:
    """When to try again, from a header that holds seconds or a date; None where it holds neither."""
    text = retry_after.strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, IndexError):
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max((moment - (now or datetime.now(UTC))).total_seconds(), 0.0)


def host_of(location: str) -> str:
    """The host of an address, empty where there is none."""
    try:
        return urlsplit(location).hostname or ""
    except ValueError:
        return ""


def _data(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _words(data: Any, body: bytes, key: Key) -> str:
    """What a service says about a mistake, as JSON or plainly, short and clean."""
    error = _get(data, "error")
    said = _text(_get(error, "message")) or _text(error) or _text(_get(data, "message")) or _text(_get(data, "detail"))
    if not said and data is None:
        said = body.decode("utf-8", "replace")
    words = shown(key.scrub(" ".join(said.split())).rstrip("."), WORDS)
    return f": {words}" if words else ""


def _said(data: Any, key: Key) -> ModelResponse | None:
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
    prompt, completion, total = (min(n, MOST_TOKENS) if type(n) is int and n > 0 else 0 for n in counts)
    found = Tokens(prompt, completion, max(total, prompt + completion))
    return found if found.total else None


def _get(thing: Any, name: str) -> Any:
    return thing.get(name) if isinstance(thing, dict) else None


def _text(thing: Any) -> str:
    """A text as it can be written down, whatever a service sends for one."""
    return thing.encode("utf-8", "replace").decode() if isinstance(thing, str) else ""
