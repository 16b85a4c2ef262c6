"""Monitoring: a log line for every request, figures for Prometheus, and probes.

None of it knows names, secrets or what is hidden: only the pattern of an address is reported, never its values.
"""

import json
import logging
import os
from asyncio import Lock
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from time import monotonic, perf_counter, time
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bitduel.service.logs import UNLIMITED
from bitduel.service.sockets import BusyError
from bitduel.storage import StoreError
from bitduel.web.http.quotas import OverloadedError
from bitduel.web.site import Site, in_thread

log = logging.getLogger("bitduel.access")
ALIVE, READY = "/healthz", "/readyz"
GOOD_FOR, BAD_FOR = 5.0, 1.0
"""Seconds for which a trial that went well, or did not, is not made again: probes cannot load the disk."""
FOLDER = "PROMETHEUS_MULTIPROC_DIR"
STEPS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)


Patterns = Mapping[Any, str]
"""The path pattern of each endpoint."""


class JsonLogFormatter(logging.Formatter):
    """Formats log records as lines of JSON; a line that is JSON already stays as it is."""

    def format(self, record: logging.LogRecord) -> str:
        """Return one line."""
        if record.name == log.name:
            return record.getMessage()
        fields = {"time": round(record.created, 3), "level": record.levelname.lower(), "from": record.name}
        return json.dumps({**fields, "said": record.getMessage()})


class Figures:
    """Counters of requests and a histogram of their duration, by path pattern."""

    def __init__(self) -> None:
        from prometheus_client import Counter, Gauge, Histogram

        self.requests = Counter("bitduel_requests_total", "Requests answered", ["route", "method", "status"])
        self.seconds = Histogram("bitduel_request_seconds", "Seconds until an answer began", ["route"], buckets=STEPS)
        self.open = Gauge("bitduel_open_requests", "Requests under way", multiprocess_mode="livesum")

    def add(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count a request."""
        self.requests.labels(route, method, str(status)).inc()
        self.seconds.labels(route).observe(seconds)


class RequestObserver:
    """Middleware that times every request, counts it and logs it."""

    def __init__(
        self, app: ASGIApp, figures: Figures | None = None, logs: bool = False, patterns: Patterns | None = None
    ) -> None:
        self.app = app
        self.figures = figures
        self.patterns = patterns or {}
        self.logs = logs

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
            self._report(scope, status, seconds)

    def _report(self, scope: Scope, status: int, seconds: float) -> None:
        route, method = route_of(scope, self.patterns), method_of(scope)
        if self.figures:
            self.figures.add(route, method, status, seconds)
        if self.logs:
            fields = {"time": round(time(), 3), "method": method, "route": route, "status": status}
            kind = UNLIMITED if status < 400 else {"kind": f"requests answered {status}"}
            log.info(json.dumps({**fields, "ms": round(1000 * seconds, 2)}), extra=kind)


class Health:
    """The endpoints of probes: whether the process is alive, and whether it can be sent visitors."""

    def __init__(self, site: Site, clock: Callable[[], float] = monotonic) -> None:
        self.site = site
        self._clock = clock
        self._one = Lock()
        self._is_ready, self._until = False, clock()

    async def alive(self, _request: Request) -> Response:
        """Answer that the process is alive."""
        return PlainTextResponse("ok\n")

    async def ready(self, _request: Request) -> Response:
        """Answer whether the store takes a write, tried now or a moment ago; simultaneous probes share a trial."""
        async with self._one:
            if self._clock() >= self._until:
                self._is_ready = await self._try()
                self._until = self._clock() + (GOOD_FOR if self._is_ready else BAD_FOR)
        if not self._is_ready:
            return PlainTextResponse("the database accepts no writes\n", 503, headers={"retry-after": "5"})
        return PlainTextResponse("ok\n")

    async def _try(self) -> bool:
        try:
            await in_thread(self.site.service.store.check_write)
        except (StoreError, OverloadedError):
            return False
        return True


def route_of(scope: Scope, patterns: Patterns) -> str:
    """Return the path pattern; a path that fits none is reported as other."""
    path = getattr(scope.get("route"), "path", None) or scope.get("bitduel.route")
    return str(path or patterns.get(scope.get("endpoint"), "other"))


def method_of(scope: Scope) -> str:
    """Return the method; one that the site does not know is reported as other."""
    return scope["method"] if scope["method"] in ("GET", "HEAD", "POST", "OPTIONS") else "other"


@contextmanager
def serving_figures(host: str, port: int) -> Iterator[None]:
    """Serve the figures of all processes on a port of their own; call it before any metric is created."""
    with TemporaryDirectory(prefix="bitduel-figures-", ignore_cleanup_errors=True) as folder:
        os.environ[FOLDER] = folder
        from prometheus_client import CollectorRegistry, start_http_server
        from prometheus_client.multiprocess import MultiProcessCollector

        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        try:
            server = start_http_server(port, host, registry)[0]
        except OSError as error:
            raise BusyError(f"Metrics cannot be published on port {port}: {error.strerror}.") from None
        try:
            yield
        finally:
            server.shutdown()
            del os.environ[FOLDER]
