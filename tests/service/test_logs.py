"""The log of a server: what comes too often is counted, the count is written, and nothing in it can forge a line."""

import io
import json
import logging
import sys
from collections.abc import Callable

import pytest

from bitduel.service.logs import MAX_KINDS, MAX_LINES, UNLIMITED, WINDOW, LimitedHandler, PlainFormatter, escaped


class Log:
    """A log of its own, on a clock that is moved by hand."""

    def __init__(self) -> None:
        self.now, self.waiting = 0.0, list[tuple[float, Callable[[], None]]]()
        self.handler = LimitedHandler(PlainFormatter(), lambda: self.now, self.later)
        self.handler.setStream(io.StringIO())
        self.logger = logging.Logger("test")
        self.logger.addHandler(self.handler)

    def later(self, seconds: float, work: Callable[[], None]) -> None:
        self.waiting.append((self.now + seconds, work))

    def pass_by(self, seconds: float) -> None:
        self.now += seconds
        due, self.waiting = [w for w in self.waiting if w[0] <= self.now], [w for w in self.waiting if w[0] > self.now]
        for _, work in due:
            work()

    @property
    def lines(self) -> list[str]:
        return self.handler.stream.getvalue().splitlines()  # type: ignore[no-any-return]


@pytest.fixture
def log() -> Log:
    return Log()


def test_lines_of_one_kind_are_counted_beyond_a_few_and_the_count_is_written_when_nothing_more_comes(log: Log) -> None:
    for number in range(1_000):
        log.logger.warning("bad request %s", number)
    assert log.lines == [f"bad request {number}" for number in range(MAX_LINES)]
    log.pass_by(WINDOW)
    assert log.lines[MAX_LINES:] == [f"{1_000 - MAX_LINES} more like this in the last minute: test: bad request %s"]
    log.pass_by(10 * WINDOW)
    assert len(log.lines) == MAX_LINES + 1


def test_other_kinds_are_written_meanwhile_and_the_next_window_begins_anew(log: Log) -> None:
    for _ in range(2 * MAX_LINES):
        log.logger.warning("bad request")
    log.logger.error("the store failed: %s", "full")
    assert log.lines[-1] == "the store failed: full"
    log.now += WINDOW
    log.logger.warning("bad request")
    assert log.lines[-2:] == [f"{MAX_LINES} more like this in the last minute: test: bad request", "bad request"]


def test_a_line_that_is_always_written_and_one_with_a_kind_of_its_own(log: Log) -> None:
    for number in range(100):
        log.logger.warning(f"line {number}", extra=UNLIMITED)
        log.logger.warning(f"refused {number}", extra={"kind": "requests answered 404"})
    assert sum(line.startswith("line") for line in log.lines) == 100
    assert sum(line.startswith("refused") for line in log.lines) == MAX_LINES
    log.handler.report(everything=True)
    assert log.lines[-1] == f"{100 - MAX_LINES} more like this in the last minute: requests answered 404"


def test_lines_that_are_all_of_different_kinds_are_bounded_too(log: Log) -> None:
    for number in range(10_000):
        log.logger.warning(f"kind {number}")
    assert len(log.lines) <= MAX_KINDS + MAX_LINES
    log.handler.report(everything=True)
    assert log.lines[-1] == f"{10_000 - MAX_KINDS - MAX_LINES} more like this in the last minute: other kinds"


@pytest.mark.parametrize("text", ["a\nb", "a\r\nERROR forged", "\x1b[2Jgone", "\x9b31m", "a\u2028b", "\u202egnp"])
def test_nothing_in_a_message_begins_a_line_or_moves_a_cursor(log: Log, text: str) -> None:
    log.logger.error("said: %s", text)
    (line,) = log.lines
    assert line.isprintable()
    assert len(log.handler.stream.getvalue().split("\n")) == 2


def test_a_long_message_is_cut() -> None:
    assert len(escaped("x" * 10**6)) <= 1_003
    assert len(escaped("\n" * 10**6)) <= 1_003


def test_a_traceback_is_indented_so_that_nothing_in_it_passes_for_a_line(log: Log) -> None:
    try:
        raise ValueError("harmless\nERROR forged\x1b[2J")
    except ValueError:
        log.logger.error("broken", exc_info=sys.exc_info())
    first, *rest = log.lines
    assert first == "broken"
    assert rest
    assert all(line.startswith("    ") and line.isprintable() for line in rest)


def test_json_lines_keep_their_form(log: Log) -> None:
    from bitduel.web.observability import JsonLogFormatter

    log.handler.setFormatter(JsonLogFormatter())
    for _ in range(MAX_LINES + 5):
        log.logger.error("said: %s", "a\nb")
    log.handler.report(everything=True)
    told = [json.loads(line) for line in log.lines]
    assert told[0]["said"] == "said: a\nb"
    assert told[-1]["said"] == "5 more like this in the last minute: test: said: %s"
