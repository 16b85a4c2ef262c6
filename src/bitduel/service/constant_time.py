"""What a program thinks about in the dark takes as long as anything else: the time of an answer tells nothing."""

from collections.abc import Callable
from time import perf_counter, sleep
from typing import TypeVar

T = TypeVar("T")
STEP = 0.002
"""Seconds; a hundred times what the thoughts of one program in the dark differ by."""


def evenly(
    work: Callable[[], T], clock: Callable[[], float] = perf_counter, wait: Callable[[float], None] = sleep
) -> T:
    """Do something, and come back only at the end of a whole step since it was begun."""
    began = clock()
    done = work()
    wait(STEP - (clock() - began) % STEP)
    return done
