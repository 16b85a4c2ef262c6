"""Signals that end the program: everything that is open is closed first, and closing is not interrupted."""

import atexit
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from bitduel.core.errors import SignalError

ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Signals after which the program ends as by that signal, once all is closed."""


@contextmanager
def unwinding() -> Iterator[None]:
    """Turn a signal that ends the program into SignalError, once; further signals are ignored from then on."""
    process, came = os.getpid(), list[int]()

    def end(number: int, _frame: FrameType | None) -> None:
        if os.getpid() != process:  # forked from the program: this is not its to close
            _end_by(number)
        came.append(number)
        for each in (signal.SIGINT, *ENDING):
            signal.signal(each, signal.SIG_IGN)
        raise SignalError

    def end_as_asked() -> None:
        if came:
            _end_by(came[0])

    before = _replaced(ENDING, end, signal.SIG_DFL)  # under nohup a signal stays ignored
    atexit.register(end_as_asked)  # registered before all that closes something at exit, so called after it
    try:
        yield
    finally:
        if not came:
            atexit.unregister(end_as_asked)
            _restore(before)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold back Ctrl-C and the signals that end the program until something is done."""
    came: list[int] = []
    heard = (signal.SIGINT, *ENDING)
    before = _replaced(heard, lambda number, _frame: came.append(number))
    try:
        yield
    finally:
        _restore(before)
        for number in came[:1]:
            signal.raise_signal(number)


_Handlers = dict[int, object]


def _replaced(numbers: tuple[int, ...], handler: object, only: object = None) -> _Handlers:
    """Handle signals so; only those handled as said, or by a function. Return how they were handled before."""
    before: _Handlers = {}
    for number in numbers:
        now = signal.getsignal(number)
        if now is only or (only is None and callable(now)):
            try:
                before[number] = signal.signal(number, handler)  # type: ignore[arg-type]
            except ValueError:  # only the main thread is interrupted by signals
                return before
    return before


def _restore(before: _Handlers) -> None:
    for number, handler in before.items():
        signal.signal(number, handler)  # type: ignore[arg-type]


def _end_by(number: int) -> None:
    """End as a program does that handles no signals."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
