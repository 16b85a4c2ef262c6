"""Loops over rows of indexes, compiled by numba if it is installed (extra `fast`) and the table is large."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bitduel.core.game import Verdict

Int32Array = NDArray[np.int32]
Int8Array = NDArray[np.int8]

KERNEL_MINIMUM = 500_000
"""The size from which the kernel saves more time than loading numba costs."""

ARRAY_MINIMUM = 100
"""The number of indexes from which an array is faster than one by one."""

WON, LOST = int(Verdict.WON), int(Verdict.LOST)


def use_kernel(size: int, kernel: bool | None) -> bool:
    """Return whether to use the kernel for this size: as requested, or if it is installed and saves time."""
    return (size >= KERNEL_MINIMUM and find_spec("numba") is not None) if kernel is None else kernel


def reachable(after: Int32Array, start: int, kernel: bool | None = None) -> NDArray[np.bool_]:
    """Return which rows can be reached from the start."""
    seen: NDArray[np.bool_] = (_compiled(_reach) if use_kernel(len(after), kernel) else _plain_reach)(after, start)
    return seen


def values(after: Int32Array, verdict: Int8Array) -> tuple[Int8Array, Int32Array]:
    """Return value and plies of every row of a table, as `retrograde` describes them."""
    begin = np.zeros(len(after) + 1, np.int32 if after.size < 2**31 else np.int64)
    value, plies = _compiled(_values)(after, verdict, begin)
    return value, plies


def unique_indexes(indexes: NDArray[Any], tag: Int32Array) -> NDArray[Any]:
    """Return each index once, without sorting; `tag` is scratch space with one entry for each possible index."""
    order = np.arange(len(indexes), dtype=np.int32)
    tag[indexes] = order
    unique: NDArray[Any] = indexes[tag[indexes] == order]
    return unique


def _plain_reach(after: Int32Array, start: int) -> NDArray[np.bool_]:
    seen, tag = np.zeros(len(after), np.bool_), np.empty(len(after), np.int32)
    seen[start] = True
    front: NDArray[Any] = np.array([start])
    while len(front):
        if len(front) < ARRAY_MINIMUM:
            front = np.array(_walk(after, seen, front.tolist()), np.int64)
        then = after[front].ravel()
        then = then[then >= 0]
        then = then[~seen[then]]
        seen[then] = True
        front = unique_indexes(then, tag)
    return seen


def _walk(after: Int32Array, seen: NDArray[np.bool_], front: list[int]) -> list[int]:
    """Go on one by one until there are enough for an array again, or none left."""
    moves = after.shape[1]
    flat, known = after.reshape(-1).data, seen.data
    while 0 < len(front) < ARRAY_MINIMUM:
        reached = []
        for here in front:
            for then in flat[here * moves : here * moves + moves]:
                if then >= 0 and not known[then]:
                    known[then] = True
                    reached.append(then)
        front = reached
    return front


@cache
def _compiled(loop: Callable[..., Any]) -> Callable[..., Any]:
    numba = import_module("numba")
    try:
        compiled: Callable[..., Any] = numba.njit(cache=True, nogil=True)(loop)
    except RuntimeError:  # numba finds no folder to keep the compiled code in
        compiled = numba.njit(nogil=True)(loop)
    return compiled


def _reach(after: Any, start: int) -> Any:
    size, moves = after.shape
    seen = np.zeros(size, np.bool_)
    seen[start] = True
    waiting = np.empty(size, np.int32)
    # In one pass over the rows, what lies ahead is met later; only what has been passed has to wait in a list.
    for row in range(size):
        if not seen[row]:
            continue
        waiting[0], count = row, 1
        while count > 0:
            count -= 1
            here = waiting[count]
            for move in range(moves):
                then = after[here, move]
                if then >= 0 and not seen[then]:
                    seen[then] = True
                    if then < row:
                        waiting[count] = then
                        count += 1
    return seen


def _values(after: Any, verdict: Any, begin: Any) -> Any:
    size, moves = after.shape
    for here in range(size):
        for move in range(moves):
            then = after[here, move]
            if then >= 0:
                begin[then] += 1
    for here in range(size):
        begin[here + 1] += begin[here]

    # Filling each list of predecessors from its end leaves its beginning in `begin`.
    before = np.empty(begin[size], np.int32)
    left = np.zeros(size, np.int16)
    for here in range(size - 1, -1, -1):
        for move in range(moves):
            then = after[here, move]
            if then >= 0:
                left[here] += 1
                begin[then] -= 1
                before[begin[then]] = here

    value = np.zeros(size, np.int8)
    plies = np.full(size, -1, np.int32)
    decided = np.empty(size, np.int32)
    last = 0
    for here in range(size):
        if verdict[here] == WON or verdict[here] == LOST:
            value[here] = -1 if verdict[here] == WON else 1
            plies[here] = 0
            decided[last] = here
            last += 1

    # First decided, first served: plies never fall along the list, so the first loss found is the nearest
    # and the last win found is the furthest.
    first = 0
    while first < last:
        then = decided[first]
        first += 1
        for edge in range(begin[then], begin[then + 1]):
            here = before[edge]
            if value[here] != 0:
                continue
            if value[then] < 0:
                value[here] = 1
            else:
                left[here] -= 1
                if left[here] > 0:
                    continue
                value[here] = -1
            plies[here] = plies[then] + 1
            decided[last] = here
            last += 1
    return value, plies
