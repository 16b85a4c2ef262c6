"""Signals that end the program: it closes what is open first, and closing is not interrupted."""

import atexit
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from bitduel.core.errors import SignalError

ENDING_SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Signals by which the program ends, once it has closed what is open."""
RETRY_SIGNALS = (signal.SIGALRM,) if hasattr(signal, "setitimer") else ()
RETRY_SECONDS = 0.1
"""Time after which SignalError is raised again where it was lost: in a weak reference's callback, or where NumPy looks
for an attribute and ignores every error."""


@contextmanager
def signals_as_errors() -> Iterator[None]:
    """Turn the first signal that ends the program into SignalError, and ignore further ones."""
    process, received = os.getpid(), list[int]()

    def end(number: int, _frame: FrameType | None) -> None:
        if os.getpid() != process:  # a fork must not close what its parent has open
            _end_by(number)
        if not received:
            received.append(number)
        for each in (signal.SIGINT, *ENDING_SIGNALS):
            signal.signal(each, signal.SIG_IGN)
        raise_again()

    def raise_again(*_: object) -> None:
        for each in RETRY_SIGNALS:
            signal.signal(each, raise_again)
            signal.setitimer(signal.ITIMER_REAL, RETRY_SECONDS)
        if not _is_ending(sys.exc_info()[1]):
            raise SignalError

    def end_by_signal() -> None:
        if received:
            _end_by(received[0])

    before = _set_handlers(ENDING_SIGNALS, end, signal.SIG_DFL)  # under nohup a signal stays ignored
    atexit.register(end_by_signal)  # registered before all that closes something at exit, so called after it
    hook = sys.unraisablehook
    sys.unraisablehook = lambda lost: None if isinstance(lost.exc_value, SignalError) else hook(lost)
    try:
        yield
    finally:
        sys.unraisablehook = hook
        if received:
            stop_raising()
        if not received:
            atexit.unregister(end_by_signal)
            _restore(before)


def stop_raising() -> None:
    """Raise SignalError no more: called where it was handled and the program goes on to its end."""
    for _ in RETRY_SIGNALS:
        signal.setitimer(signal.ITIMER_REAL, 0)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Defer Ctrl-C and the signals that end the program to the end of the block."""
    with _deferred((signal.SIGINT, *ENDING_SIGNALS, *RETRY_SIGNALS)):
        yield


@contextmanager
def ended_by_signals(end: Callable[[], object]) -> Iterator[None]:
    """Call a function that ends the block when a signal ends the program; what the signal does comes after it."""
    with _deferred(ENDING_SIGNALS, end):
        yield


@contextmanager
def _deferred(numbers: tuple[int, ...], on_signal: Callable[[], object] = lambda: None) -> Iterator[None]:
    received: list[int] = []

    def defer(number: int, _frame: FrameType | None) -> None:
        received.append(number)
        on_signal()

    before = _set_handlers(numbers, defer)
    try:
        yield
    finally:
        _restore(before)
        for number in received[:1]:
            signal.raise_signal(number)


def _is_ending(error: BaseException | None) -> bool:
    """Return whether SignalError is on its way out: whatever is closed meanwhile runs while it is handled."""
    return error is not None and (isinstance(error, SignalError) or _is_ending(error.__context__))


_Handlers = dict[int, object]


def _set_handlers(numbers: tuple[int, ...], handler: object, expected: object = None) -> _Handlers:
    """Set a handler for signals that have the given handler now, or any function; return the handlers before."""
    before: _Handlers = {}
    for number in numbers:
        now = signal.getsignal(number)
        if now is expected or (expected is None and callable(now)):
            try:
                before[number] = signal.signal(number, handler)  # type: ignore[arg-type]
            except ValueError:  # only the main thread is interrupted by signals
                return before
    return before


def _restore(before: _Handlers) -> None:
    for number, handler in before.items():
        signal.signal(number, handler)  # type: ignore[arg-type]


def _end_by(number: int) -> None:
    """End as a program that handles no signals does."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
