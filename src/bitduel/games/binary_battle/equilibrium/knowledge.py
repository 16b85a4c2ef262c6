"""What a player knows, and the best reply to a given pace of the opponent."""

from functools import lru_cache
from itertools import count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
MOST_BITS = 7


class State(NamedTuple):
    """Knowledge of a player about to make his turn: the secret lies in [low, high]."""

    turn: int
    number: int
    low: int
    high: int


def start(bits: int) -> State:
    """Return the knowledge before the first turn."""
    return State(1, 0, 0, (1 << bits) - 1)


def toggled(bits: int, number: int, bit: int) -> int:
    """Return the number after toggling a bit; bit 1 is the highest."""
    return number ^ (1 << (bits - bit))


def check_bits(bits: int) -> None:
    """Raise ValueError unless the number of bits can be handled."""
    if not 1 <= bits <= MOST_BITS:
        raise ValueError(f"bits must be 1 to {MOST_BITS}, not {bits}")


def check_state(bits: int, state: State) -> None:
    """Raise ValueError unless the state makes sense for this many bits."""
    top = (1 << bits) - 1
    if state.turn < 1 or not 0 <= state.number <= top or not 0 <= state.low <= state.high <= top:
        raise ValueError(f"no such state of knowledge with {bits} bits: {tuple(state)}")


def is_guess(state: State, target: int) -> bool:
    """Tell whether the secret could be the target."""
    return state.low <= target <= state.high


def following(state: State, target: int) -> list[State]:
    """Return the states that may follow a turn to target which does not win."""
    after = state.turn + 1
    if not is_guess(state, target):
        return [State(after, target, state.low, state.high)]
    below = State(after, target, state.low, target - 1)
    above = State(after, target, target + 1, state.high)
    return [child for child in (below, above) if child.low <= child.high]


@lru_cache(maxsize=8)
def _guesses(bits: int) -> NDArray[np.bool_]:
    """Mark [target, low, high + 1] where the target lies in the interval."""
    size = 1 << bits
    target = np.arange(size)[:, None, None]
    edge = np.arange(size + 1)
    marks: NDArray[np.bool_] = (edge[None, :, None] <= target) & (target < edge[None, None, :])
    return marks


@lru_cache(maxsize=8)
def neighbours(bits: int) -> NDArray[np.intp]:
    """Return [bit - 1, number] -> the number with that bit toggled."""
    masks = 1 << np.arange(bits)[::-1]
    return np.asarray(np.arange(1 << bits)[None, :] ^ masks[:, None], dtype=np.intp)


def arrival_masks(bits: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Mark [number, low, high + 1] where the number is a guess, and [low, high + 1] where any secret is left."""
    edge = np.arange((1 << bits) + 1)
    return _guesses(bits), edge[:, None] < edge


def arrivals(bits: int, reward: Array, values: Array) -> Array:
    """Return the worth [target, low, high + 1] of toggling to each target.

    reward[m] is paid if the secret is m and values[number, low, high + 1] is the worth of the
    next turn. It does not matter which number the player comes from.
    """
    each = np.arange(1 << bits)
    below = values[each, :, each]
    above = values[each, each + 1, :]
    split = reward[:, None, None] + below[:, :, None] + above[:, None, :]
    worth: Array = np.where(_guesses(bits), split, values)
    return worth


def best_of(bits: int, worth: Array) -> Array:
    """Return the worth of the best toggle from every number, the first axis; none is negative."""
    best = np.zeros_like(worth)
    for place in range(bits):
        # Numbers that differ in one bit are neighbours along an axis of their own.
        shape = (1 << place, 2, -1, *worth.shape[1:])
        target = best.reshape(shape)
        np.maximum(target, worth.reshape(shape)[:, ::-1], out=target)
    return best


def _nothing(bits: int, kind: Any) -> Array:
    size = 1 << bits
    return np.zeros((size, size + 1, size + 1), dtype=kind)


def reply_tables(bits: int, rewards: Array) -> list[Array]:
    """Return the arrivals of every turn under best play, rewards being [turn - 1, secret]."""
    values = _nothing(bits, rewards.dtype)
    tables: list[Array] = []
    for reward in rewards[::-1]:
        tables.append(arrivals(bits, reward, values))
        values = best_of(bits, tables[-1])
    return tables[::-1]


def reply_value(bits: int, rewards: Array) -> Any:
    """Return the total reward of the best reply, in the arithmetic of the rewards."""
    values = _nothing(bits, rewards.dtype)
    for reward in rewards[::-1]:
        values = best_of(bits, arrivals(bits, reward, values))
    return values[0, 0, -1]


def worth_of_bits(bits: int, table: Array, state: State) -> Array:
    """Return what toggling each bit is worth by the arrivals of this turn."""
    worths: Array = table[neighbours(bits)[:, state.number], state.low, state.high + 1]
    return worths


def best_bit(bits: int, table: Array, state: State) -> int:
    """Return the best bit to toggle by the arrivals of this turn, the highest if tied."""
    return int(np.argmax(worth_of_bits(bits, table, state))) + 1


@lru_cache(maxsize=32)
def hasty_table(bits: int, hazard: float = 0.5, turns: int | None = None) -> Array:
    """Return arrivals against an opponent who hits in each turn with a fixed probability, in so many turns if any."""
    reward = np.ones(1 << bits)
    values = _nothing(bits, float)
    for turn in count(1):
        worth = arrivals(bits, reward, (1 - hazard) * values)
        better = best_of(bits, worth)
        if turn == turns or np.array_equal(better, values):
            break
        values = better
    return worth
