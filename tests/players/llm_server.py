"""A little OpenAI-compatible service on this machine, over real HTTP, that behaves as badly as a test wants."""

import json
import re
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any, NamedTuple

KEY = "sk-test-0123456789abcdefghijklmnop"
"""A key that must never be seen again."""


class Asked(NamedTuple):
    """A question as it came over the wire."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def last(self) -> str:
        """What was said last."""
        return str(self.body["messages"][-1]["content"])


class Reply(NamedTuple):
    """An answer as it goes over the wire."""

    body: bytes
    status: int = 200
    headers: dict[str, str] = {}
    raw: bool = False
    """Whether the body is all that is sent, be it HTTP or not."""
    hangs: str = ""
    """Where the service stops for ever: at once, or byte by byte after its first line."""
    times: int = 1
    """How often the body is sent."""


Behaviour = Callable[[Asked], Reply]
USAGE = {"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107}


def say(text: str | None, finish: str = "stop", usage: Any = USAGE, **message: Any) -> Reply:
    """A model's answer."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text, **message}, "finish_reason": finish}
    return Reply(json.dumps({"object": "chat.completion", "choices": [choice], "usage": usage}).encode())


def fail(status: int, message: str = "no", **headers: str) -> Reply:
    """A service that says what is wrong; a header is written with an underscore for its hyphen."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(json.dumps({"error": {"message": message, "type": "x"}}).encode(), status, named)


def first_possible(asked: Asked) -> Reply:
    """A model that makes the first of the moves that it was told."""
    found = re.findall(r"Possible moves: ([^,.]*)", asked.last)
    return say(f"Let me see.\nMOVE: {found[-1]}")


def in_turn(*replies: Reply | Behaviour) -> Behaviour:
    """One answer after the other, the last again and again."""
    left = list(replies)

    def answer(asked: Asked) -> Reply:
        reply = left.pop(0) if len(left) > 1 else left[0]
        return reply if isinstance(reply, Reply) else reply(asked)

    return answer


class Service:
    """A service that is up; `asked` has every question, `sent` and `connections` count bytes and connections."""

    def __init__(self, behaviour: Behaviour, certificate: Path | None = None) -> None:
        self.behaviour = behaviour
        self.asked: list[Asked] = []
        self.sent = 0
        self.connections = 0
        self.closing = Event()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.server.daemon_threads = True
        self.scheme = "http"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
            self.scheme = "https"

    @property
    def url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.server.server_port}/v1"

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self) -> None:
                super().setup()
                service.connections += 1

            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                asked = Asked(self.path, dict(self.headers), json.loads(self.rfile.read(length)))
                service.asked.append(asked)
                reply = service.behaviour(asked)
                with suppress(OSError):
                    self._send(reply)
                self.close_connection = reply.raw or bool(reply.hangs) or service.closing.is_set()

            def _send(self, reply: Reply) -> None:
                if reply.hangs == "at once":
                    service.closing.wait()
                    return
                if reply.raw:
                    self.wfile.write(reply.body)
                    return
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                if reply.hangs == "byte by byte":
                    self._drip()
                    return
                self.send_header("Content-Length", str(len(reply.body) * reply.times))
                self.end_headers()
                for _ in range(reply.times):
                    self.wfile.write(reply.body)
                    service.sent += len(reply.body)

            def _drip(self) -> None:
                self.send_header("X-Long", "")
                self.flush_headers()
                while not service.closing.wait(0.02):
                    self.wfile.write(b".")

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
                """Quietly."""

        return Handler


@contextmanager
def serving(behaviour: Behaviour | Reply, certificate: Path | None = None) -> Iterator[Service]:
    """A service as long as it is needed."""
    service = Service(behaviour if callable(behaviour) else in_turn(behaviour), certificate)
    thread = Thread(target=service.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield service
    finally:
        service.closing.set()
        service.server.shutdown()
        service.server.server_close()
        thread.join()
