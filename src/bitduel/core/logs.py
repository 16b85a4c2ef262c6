"""The log of a server: nothing unescaped from a request, and of each kind of line no more than a reader needs."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from threading import RLock, Timer
from time import monotonic

MOST = 20
"""So many lines of one kind are written in a window; the others are counted."""
WINDOW = 60.0
"""Seconds."""
KINDS = 100
"""So many kinds are told apart; whatever comes beyond is one more."""
LONGEST = 1_000
"""Characters of a message."""
UNLIMITED = {"kind": ""}
"""Given as `extra`, says that a line is always written; any other kind is counted by its name."""

Later = Callable[[float, Callable[[], None]], None]
"""Calls something after so many seconds."""


class PlainFormatter(logging.Formatter):
    """A message in one line; a traceback below it is indented, so that nothing in it passes for a line of its own."""

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
    left_out: int = 0


class LimitedHandler(logging.StreamHandler):  # type: ignore[type-arg]
    """Writes to standard error; lines of a kind that comes too often are counted, and the count is written."""

    def __init__(
        self, formatter: logging.Formatter, clock: Callable[[], float] = monotonic, later: Later | None = None
    ):
        super().__init__()
        self.setFormatter(formatter)
        self._clock = clock
        self._later = later or _later
        self._windows: dict[str, _Window] = {}
        self._guard = RLock()

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line, or count it."""
        kind = kind_of(record)
        if not kind or self._has_room(kind):
            super().emit(record)

    def report(self, everything: bool = False) -> None:
        """Write how many lines were left out in the windows that are over, or in all."""
        now = self._clock()
        with self._guard:
            over = {kind: each for kind, each in self._windows.items() if everything or each.until <= now}
            for kind in over:
                del self._windows[kind]
        for kind, window in over.items():
            if window.left_out:
                told = f"{window.left_out} more like this in the last minute: {kind}"
                super().emit(logging.LogRecord("bitduel.log", logging.WARNING, "", 0, told, None, None))

    def _has_room(self, kind: str) -> bool:
        self.report()
        with self._guard:
            if kind not in self._windows and len(self._windows) >= KINDS:
                kind = "other kinds"
            window = self._windows.setdefault(kind, _Window(self._clock() + WINDOW))
            if window.written < MOST:
                window.written += 1
                return True
            window.left_out += 1
            if window.left_out == 1:
                self._later(window.until - self._clock(), self.report)
            return False


def kind_of(record: logging.LogRecord) -> str:
    """Return what a line says without its particulars, so that lines which differ only in those count as one kind."""
    kind = getattr(record, "kind", None)
    return escaped(f"{record.name}: {record.msg}")[:100] if kind is None else str(kind)


def escaped(text: str) -> str:
    """Return a text of at most LONGEST characters in which nothing can move a cursor or begin a line."""
    clean = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text[:LONGEST])
    return clean if len(clean) <= LONGEST else f"{clean[:LONGEST]}..."


def write_log(formatter: logging.Formatter | None = None) -> LimitedHandler:
    """Have everything that is logged written to standard error, within the limits."""
    handler = LimitedHandler(formatter or PlainFormatter())
    logging.getLogger().handlers = [handler]
    return handler


def _later(seconds: float, work: Callable[[], None]) -> None:
    timer = Timer(max(0.0, seconds), work)
    timer.daemon = True
    timer.start()
