"""The log of a server: everything from requests is escaped, and lines of one kind are limited."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from threading import RLock, Timer
from time import monotonic

MAX_LINES = 20
"""Lines of one kind that are written in a window; further ones are counted."""
WINDOW = 60.0
"""Seconds of a window."""
MAX_KINDS = 100
"""Kinds of lines that are counted apart; all others are one more kind."""
MAX_LENGTH = 1_000
"""Characters of a message."""
UNLIMITED = {"kind": ""}
"""The `extra` of a line that is always written; any other kind is counted by its name."""

Scheduler = Callable[[float, Callable[[], None]], None]
"""A function that calls another after some seconds."""


class PlainFormatter(logging.Formatter):
    """A formatter that writes a message in one line, and a traceback indented below it."""

    def format(self, record: logging.LogRecord) -> str:
        """Return one line, or several after an unexpected error."""
        lines = [escaped(record.getMessage())]
        if record.exc_info:
            lines += [f"    {escaped(line)}" for line in self.formatException(record.exc_info).splitlines()]
        return "\n".join(lines)


@dataclass
class _Window:
    until: float
    written: int = 0
    omitted: int = 0


class LimitedHandler(logging.StreamHandler):  # type: ignore[type-arg]
    """A handler that writes to standard error, and only counts lines of a kind that is too frequent."""

    def __init__(
        self, formatter: logging.Formatter, clock: Callable[[], float] = monotonic, schedule: Scheduler | None = None
    ):
        super().__init__()
        self.setFormatter(formatter)
        self._clock = clock
        self._schedule = schedule or _schedule
        self._windows: dict[str, _Window] = {}
        self._lock = RLock()

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line, or count it."""
        kind = kind_of(record)
        if not kind or self._is_within_limit(kind):
            super().emit(record)

    def report(self, everything: bool = False) -> None:
        """Write the number of omitted lines of each window that is over, or of all windows."""
        now = self._clock()
        with self._lock:
            over = {kind: each for kind, each in self._windows.items() if everything or each.until <= now}
            for kind in over:
                del self._windows[kind]
        for kind, window in over.items():
            if window.omitted:
                message = f"{window.omitted} more like this in the last minute: {kind}"
                super().emit(logging.LogRecord("bitduel.log", logging.WARNING, "", 0, message, None, None))

    def _is_within_limit(self, kind: str) -> bool:
        self.report()
        with self._lock:
            if kind not in self._windows and len(self._windows) >= MAX_KINDS:
                kind = "other kinds"
            window = self._windows.setdefault(kind, _Window(self._clock() + WINDOW))
            if window.written < MAX_LINES:
                window.written += 1
                return True
            window.omitted += 1
            if window.omitted == 1:
                self._schedule(window.until - self._clock(), self.report)
            return False


def kind_of(record: logging.LogRecord) -> str:
    """Return the kind of a line: its message without its arguments, unless it names one."""
    kind = getattr(record, "kind", None)
    return escaped(f"{record.name}: {record.msg}")[:100] if kind is None else str(kind)


def escaped(text: str) -> str:
    """Return a text without control characters, and not too long."""
    clean = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text[:MAX_LENGTH])
    return clean if len(clean) <= MAX_LENGTH else f"{clean[:MAX_LENGTH]}..."


def write_log(formatter: logging.Formatter | None = None) -> LimitedHandler:
    """Write the log to standard error, within the limits."""
    handler = LimitedHandler(formatter or PlainFormatter())
    logging.getLogger().handlers = [handler]
    return handler


def _schedule(seconds: float, work: Callable[[], None]) -> None:
    timer = Timer(max(0.0, seconds), work)
    timer.daemon = True
    timer.start()
