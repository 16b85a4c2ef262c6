"""What the site tells whoever runs it: a line of JSON for every request, and figures for Prometheus.

Neither knows names, secrets or what is hidden: of an address only its pattern is told, never what stands in it.
"""

import json
import logging
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp
from time import perf_counter, time
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bitduel.core.logs import UNLIMITED

log = logging.getLogger("bitduel.access")
FOLDER = "PROMETHEUS_MULTIPROC_DIR"
STEPS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)


Patterns = Mapping[Any, str]
"""The pattern of the address of each endpoint."""


class JsonLogFormatter(logging.Formatter):
    """Everything that is logged as a line of JSON; what is one already stays as it is."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        if record.name == log.name:
            return record.getMessage()
        told = {"time": round(record.created, 3), "level": record.levelname.lower(), "from": record.name}
        return json.dumps({**told, "said": record.getMessage()})


class Figures:
    """Counters of requests and a histogram of how long they took, by pattern of address."""

    def __init__(self) -> None:
        from prometheus_client import Counter, Gauge, Histogram

        self.requests = Counter("bitduel_requests_total", "Requests answered", ["route", "method", "status"])
        self.seconds = Histogram("bitduel_request_seconds", "Seconds until an answer began", ["route"], buckets=STEPS)
        self.open = Gauge("bitduel_open_requests", "Requests under way", multiprocess_mode="livesum")

    def took(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count a request."""
        self.requests.labels(route, method, str(status)).inc()
        self.seconds.labels(route).observe(seconds)


class RequestObserver:
    """Times every request and tells of it."""

    def __init__(
        self, app: ASGIApp, figures: Figures | None = None, lines: bool = False, patterns: Patterns | None = None
    ) -> None:
        self.app = app
        self.figures = figures
        self.patterns = patterns or {}
        self.lines = lines

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status, seconds = perf_counter(), 500, 0.0

        async def sending(message: Message) -> None:
            nonlocal status, seconds
            if message["type"] == "http.response.start":
                status, seconds = message["status"], perf_counter() - began
            await send(message)

        if self.figures:
            self.figures.open.inc()
        try:
            await self.app(scope, receive, sending)
        finally:
            if self.figures:
                self.figures.open.dec()
            self._tell(scope, status, seconds)

    def _tell(self, scope: Scope, status: int, seconds: float) -> None:
        route, method = route_of(scope, self.patterns), method_of(scope)
        if self.figures:
            self.figures.took(route, method, status, seconds)
        if self.lines:
            told = {"time": round(time(), 3), "method": method, "route": route, "status": status}
            kind = UNLIMITED if status < 400 else {"kind": f"requests answered {status}"}
            log.info(json.dumps({**told, "ms": round(1000 * seconds, 2)}), extra=kind)


def route_of(scope: Scope, patterns: Patterns) -> str:
    """The pattern of the address; what fits none, and so could be anything, is told as other."""
    path = getattr(scope.get("route"), "path", None) or scope.get("bitduel.route")
    return str(path or patterns.get(scope.get("endpoint"), "other"))


def method_of(scope: Scope) -> str:
    """The method, if it is one that there is."""
    return scope["method"] if scope["method"] in ("GET", "HEAD", "POST", "OPTIONS") else "other"


def share_figures() -> str:
    """Make a place where all processes of the site count together; must come before anybody counts."""
    os.environ[FOLDER] = mkdtemp(prefix="bitduel-figures-")
    return os.environ[FOLDER]


def serve_figures(host: str, port: int) -> Any:
    """Tell the figures of all processes on a port of their own; what is returned ends that when it is shut down."""
    from prometheus_client import CollectorRegistry, start_http_server
    from prometheus_client.multiprocess import MultiProcessCollector

    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return start_http_server(port, host, registry)[0]


def forget_figures() -> None:
    """Take the place away again."""
    folder = os.environ.pop(FOLDER, None)
    if folder:
        with suppress(OSError):
            for file in Path(folder).iterdir():
                file.unlink()
            Path(folder).rmdir()
