"""Requests to a model through its service: over HTTP, with retries, within the budget, every call logged."""

import json
import logging
import ssl
import weakref
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from queue import Empty, SimpleQueue
from random import Random
from secrets import token_hex
from threading import Thread
from time import monotonic, sleep
from typing import Any, TypeAlias

import httpx

from bitduel.core.errors import printable
from bitduel.core.view import View
from bitduel.players.llm.service import (
    ModelResponse,
    ModelService,
    ServiceError,
    ServiceFailure,
    Tokens,
    read_response,
)
from bitduel.players.player import HaltError, format_seconds
from bitduel.players.settings import LlmSettings, append_private

Message: TypeAlias = dict[str, str]
Trace: TypeAlias = Callable[[str, dict[str, Any]], None]
"""A function that httpx calls with the name of an event and its details."""

CONNECTED, SENT = "connection.connect_tcp.complete", "http11.send_request_headers.started"
ANSWERED = "http11.receive_response_headers.complete"
MAX_BYTES = 1 << 22
"""The most bytes of an answer that are read."""
FIRST_WAIT, MAX_WAIT = 1.0, 60.0
"""Seconds before the second try, doubled each time, and their maximum, whatever a service asks for."""
DEFAULT_MAX_TOKENS = 4096
"""The longest answer if there is a budget and no `max_tokens`."""
MESSAGE_OVERHEAD = 32
"""Tokens that a service may put around a message."""
LONG_NAME = "max_completion_tokens"
"""The name that some services want for this limit; if they say so, the request is sent again."""

for _name in ("httpx", "httpcore"):
    # They log headers and reasons of answers, in which a service may send the key back.
    logging.getLogger(_name).setLevel(logging.WARNING)


class ServiceConnection:
    """HTTP requests to one service, each bounded in time and size, over a connection that is reused."""

    def __init__(self, service: ModelService) -> None:
        self.service = service
        try:
            # What goes to this machine, maybe with the key and unencrypted, must not go through a proxy.
            self._client = httpx.Client(verify=ssl.create_default_context(), trust_env=not service.is_local)
        except (ImportError, ValueError, httpx.InvalidURL):
            raise ServiceError("Can't use the proxy set in the environment.") from None
        weakref.finalize(self, self._client.close)

    def post(self, body: dict[str, Any], seconds: float) -> ModelResponse | ServiceFailure:
        """Send one request; a failure is returned and not raised, for a traceback would hold the key.

        The limits of httpx are for each read. A service that sends byte by byte is not waited for any longer.
        """
        answers: SimpleQueue[ModelResponse | ServiceFailure] = SimpleQueue()
        Thread(target=lambda: answers.put(self._answer(body, seconds)), daemon=True).start()
        with suppress(Empty):
            return answers.get(timeout=seconds)
        return _overdue(seconds)

    def _answer(self, body: dict[str, Any], seconds: float) -> ModelResponse | ServiceFailure:
        events: set[str] = set()

        def trace(event: str, info: dict[str, Any]) -> None:
            if event != SENT or info["request"].method == b"POST":
                events.add(event)

        try:
            try:
                return self._send(body, seconds, trace)
            except (httpx.NetworkError, httpx.RemoteProtocolError):
                if events & {CONNECTED, ANSWERED}:
                    raise
                # The service closed a connection that it had promised to keep; a new one may work.
                return self._send(body, seconds, trace)
        except httpx.TimeoutException:
            return _overdue(seconds)
        except Exception as error:
            return _failure(error, SENT in events)

    def _send(self, body: dict[str, Any], seconds: float, trace: Trace) -> ModelResponse | ServiceFailure:
        until, received, key = monotonic() + seconds, bytearray(), self.service.key
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "bitduel"}
        headers |= {"Accept-Encoding": "identity"} | ({"Authorization": key.header()} if key else {})
        with self._client.stream(
            "POST",
            f"{self.service.address}/chat/completions",
            content=json.dumps(body).encode(),
            headers=headers,
            timeout=seconds,
            extensions={"trace": trace},
        ) as response:
            status = response.status_code
            for chunk in response.iter_raw():
                received += chunk
                if len(received) > MAX_BYTES:
                    return ServiceFailure(
                        f"sent more than {MAX_BYTES >> 20} MB", again=False, status=status, spent=True
                    )
                if monotonic() > until:
                    return _overdue(seconds)
        return read_response(status, bytes(received), response.headers, key)


def _overdue(seconds: float) -> ServiceFailure:
    return ServiceFailure(f"didn't answer within {format_seconds(seconds)}", spent=True)


def _failure(error: Exception, sent: bool) -> ServiceFailure:
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, OSError):
        cause = cause.__cause__ or cause.__context__
    if isinstance(cause, ssl.SSLCertVerificationError):
        return ServiceFailure(f"has a certificate that can't be trusted ({cause.verify_message})", again=False)
    if isinstance(cause, ssl.SSLError):
        reason = "can't make an encrypted connection"
    elif isinstance(error, httpx.ProxyError):
        reason = "the proxy doesn't connect to it"
    elif cause is not None or str(error).startswith(("Server disconnected", "peer closed")):
        reason = str(getattr(cause, "strerror", None) or "the connection was lost").lower()
    else:
        return ServiceFailure("sent an invalid HTTP response", spent=sent)
    return ServiceFailure(f"can't be reached: {reason}", spent=sent)


class ExchangeLog:
    """The log of one match as JSON Lines, readable by its owner alone; without a folder nothing is written."""

    def __init__(self, folder: Path | None, view: View) -> None:
        moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
        name = f"{moment}-{view.game}-seat-{view.seat}-{token_hex(4)}.jsonl"
        self.path = folder / name if folder else None
        self.ply, self.attempt = view.ply, 1

    def log_call(self, request: dict[str, Any], result: ModelResponse | ServiceFailure, seconds: float) -> None:
        """Write a request with its answer."""
        if isinstance(result, ModelResponse):
            answer = {**result._asdict(), "tokens": result.tokens and result.tokens._asdict(), "status": 200}
        else:
            answer = {"status": result.status, "error": result.reason}
        self.log(request=request, answer=answer, seconds=round(seconds, 3))

    def log(self, **fields: Any) -> None:
        """Write the result of an answer, or of the match."""
        if self.path is None:
            return
        moment = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = json.dumps({"time": moment, "ply": self.ply, "attempt": self.attempt, **fields})
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            append_private(self.path, line + "\n")
        except OSError as error:
            raise HaltError(f"Can't save the exchange in {self.path.parent}: {error.strerror}.") from None


class Chat:
    """One model of one service."""

    def __init__(
        self,
        service: ModelService,
        model: str,
        settings: LlmSettings,
        rng: Random,
        wait: Callable[[float], None] | None = None,
    ) -> None:
        self.service = service
        self.model = model
        self.settings = settings
        self.rng = rng
        self.wait = wait or sleep
        self.calls = 0
        self.answers = 0
        self.tokens = Tokens()
        self.charged = 0
        """The tokens of all answers; for one that the service did not count, the most that it can have taken."""
        self.is_closed = False
        self._connection = ServiceConnection(service)
        self._max_tokens_name = "max_tokens"

    def ask(self, messages: list[Message], log: ExchangeLog) -> ModelResponse:
        """Return the model's answer; raise HaltError where the service fails, or the budget is used up."""
        tries = 0
        while True:
            result = self._ask_once(messages, log)
            if isinstance(result, ModelResponse):
                return result
            if result.status == 400 and LONG_NAME in result.reason and self._max_tokens_name != LONG_NAME:
                self._max_tokens_name = LONG_NAME
                continue
            tries += 1
            if not result.again or tries > self.settings.retries:
                times = f" (tried {tries} times)" if tries > 1 else ""
                name = f"'{printable(self.model)}' at {self.service.label}"
                raise HaltError(f"The service for {name} {result.reason}{times}.")
            self.wait(self._pause(tries, result.wait))

    def close(self) -> None:
        """Refuse further requests, also those of a thread that still waits for an answer."""
        self.is_closed = True

    def _ask_once(self, messages: list[Message], log: ExchangeLog) -> ModelResponse | ServiceFailure:
        if self.is_closed:
            raise HaltError("The match is over for this player.")
        body = self._body(messages)
        budget, reserved = self.settings.budget, self._max_cost(messages)
        if budget:
            budget.reserve(reserved)
        begun = monotonic()
        result = self._connection.post(body, self.settings.seconds)
        self.calls += 1
        if isinstance(result, ModelResponse):
            used = result.tokens.total if result.tokens else reserved
            self.answers += 1
            self.charged += used
            self.tokens = self.tokens.plus(result.tokens or Tokens())
        else:
            used = reserved if result.spent else 0
        if budget:
            budget.settle(reserved, used)
        log.log_call(body, result, monotonic() - begun)
        return result

    def _body(self, messages: list[Message]) -> dict[str, Any]:
        settings = self.settings
        max_tokens = settings.max_tokens or (DEFAULT_MAX_TOKENS if settings.budget else None)
        optional = {"temperature": settings.temperature, "seed": settings.seed, self._max_tokens_name: max_tokens}
        given = {name: value for name, value in optional.items() if value is not None}
        return {"model": self.model, "messages": messages, **given}

    def _max_cost(self, messages: list[Message]) -> int:
        """Return the most tokens that a request can take: no token is shorter than a byte."""
        prompt = sum(len(message["content"].encode()) + MESSAGE_OVERHEAD for message in messages)
        return prompt + (self.settings.max_tokens or DEFAULT_MAX_TOKENS)

    def _pause(self, tries: int, wanted: float | None) -> float:
        """Return the wait that the service wants, or twice the last one, with jitter that keeps clients apart."""
        usual = min(FIRST_WAIT * 2.0 ** min(tries - 1, 10), MAX_WAIT)
        jitter = self.rng.uniform(0.5, 1.0)
        return min(wanted + FIRST_WAIT * (1 - jitter), MAX_WAIT) if wanted is not None else usual * jitter
