"""A screen of its own is left before the program stops or ends by a signal, and entered again when it goes on.

A signal that unwinds the program, as SIGTERM does, needs nothing here: the screen is left on the way out.
"""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from bitduel.terminal.screen import ResumedError

ENDING = ("SIGTERM", "SIGHUP", "SIGQUIT")
STOPPING = ("SIGTSTP",)


Act = Callable[[], None]


@contextmanager
def leaving_by_signal(leave: Act, enter: Act, asking: Callable[[], bool]) -> Iterator[None]:
    """Leave the screen by signals too; a stop at a question raises ResumedError when the program goes on."""

    def end(number: int, _frame: FrameType | None) -> None:
        leave()
        _as_usual(number)

    def stop(number: int, _frame: FrameType | None) -> None:
        leave()
        _as_usual(number)
        signal.signal(number, stop)
        enter()
        if asking():
            raise ResumedError

    wanted = {_number(name): end for name in ENDING} | {_number(name): stop for name in STOPPING}
    before = {number: signal.signal(number, handler) for number, handler in wanted.items() if _is_usual(number)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _number(name: str) -> int:
    return int(getattr(signal, name, 0))


def _is_usual(number: int) -> bool:
    """Whether a signal is there and does what it does to any program; it is ignored under nohup."""
    return number > 0 and signal.getsignal(number) is signal.SIG_DFL


def _as_usual(number: int) -> None:
    """What the signal does to any program; of a stop, the program comes back here."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
