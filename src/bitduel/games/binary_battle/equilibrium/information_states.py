"""Information states of one player, and the best response to the turns in which the other hits."""

from functools import lru_cache
from itertools import count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
MOST_BITS = 7


class InformationState(NamedTuple):
    """A player's turn and number, and the range from low to high that the secret is in."""

    turn: int
    number: int
    low: int
    high: int


def start(bits: int) -> InformationState:
    """Return the information state before the first turn."""
    return InformationState(1, 0, 0, (1 << bits) - 1)


def toggled(bits: int, number: int, bit: int) -> int:
    """Return the number after toggling a bit; bit 1 is the highest."""
    return number ^ (1 << (bits - bit))


def check_bits(bits: int) -> None:
    """Raise ValueError unless the number of bits can be handled."""
    if not 1 <= bits <= MOST_BITS:
        raise ValueError(f"bits must be 1 to {MOST_BITS}, not {bits}")


def check_state(bits: int, state: InformationState) -> None:
    """Raise ValueError unless the state makes sense for this many bits."""
    top = (1 << bits) - 1
    if state.turn < 1 or not 0 <= state.number <= top or not 0 <= state.low <= state.high <= top:
        raise ValueError(f"with {bits} bits no player can know this: {tuple(state)}")


def is_guess(state: InformationState, target: int) -> bool:
    """Tell whether the secret could be the target."""
    return state.low <= target <= state.high


def successors(state: InformationState, target: int) -> list[InformationState]:
    """Return the states that may follow a turn to target which does not win."""
    after = state.turn + 1
    if not is_guess(state, target):
        return [InformationState(after, target, state.low, state.high)]
    below = InformationState(after, target, state.low, target - 1)
    above = InformationState(after, target, target + 1, state.high)
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
    """Return the value [target, low, high + 1] of toggling to each target.

    reward[m] is paid if the secret is m and values[number, low, high + 1] is the value of
    the next turn. It does not matter which number the player comes from.
    """
    each = np.arange(1 << bits)
    below = values[each, :, each]
    above = values[each, each + 1, :]
    split = reward[:, None, None] + below[:, :, None] + above[:, None, :]
    arriving: Array = np.where(_guesses(bits), split, values)
    return arriving


def best_toggle_values(bits: int, values: Array) -> Array:
    """Return the value of the best toggle from every number, the first axis; none is negative."""
    best = np.zeros_like(values)
    for place in range(bits):
        # Numbers that differ in one bit are neighbours along an axis of their own.
        shape = (1 << place, 2, -1, *values.shape[1:])
        target = best.reshape(shape)
        np.maximum(target, values.reshape(shape)[:, ::-1], out=target)
    return best


def _nothing(bits: int, kind: Any) -> Array:
    size = 1 << bits
    return np.zeros((size, size + 1, size + 1), dtype=kind)


def response_tables(bits: int, rewards: Array) -> list[Array]:
    """Return the arrivals of every turn under best play, rewards being [turn - 1, secret]."""
    values = _nothing(bits, rewards.dtype)
    tables: list[Array] = []
    for reward in rewards[::-1]:
        tables.append(arrivals(bits, reward, values))
        values = best_toggle_values(bits, tables[-1])
    return tables[::-1]


def response_value(bits: int, rewards: Array) -> Any:
    """Return the total reward of the best response, in the arithmetic of the rewards."""
    values = _nothing(bits, rewards.dtype)
    for reward in rewards[::-1]:
        values = best_toggle_values(bits, arrivals(bits, reward, values))
    return values[0, 0, -1]


def bit_values(bits: int, table: Array, state: InformationState) -> Array:
    """Return the value of toggling each bit by the arrivals of this turn."""
    values: Array = table[neighbours(bits)[:, state.number], state.low, state.high + 1]
    return values


def best_bit(bits: int, table: Array, state: InformationState) -> int:
    """Return the best bit to toggle by the arrivals of this turn, the highest if tied."""
    return int(np.argmax(bit_values(bits, table, state))) + 1


@lru_cache(maxsize=32)
def constant_hazard_table(bits: int, hazard: float = 0.5, turns: int | None = None) -> Array:
    """Return arrivals against an opponent who hits in each turn with a fixed probability, within some turns."""
    reward = np.ones(1 << bits)
    values = _nothing(bits, float)
    for turn in count(1):
        table = arrivals(bits, reward, (1 - hazard) * values)
        better = best_toggle_values(bits, table)
        if turn == turns or np.array_equal(better, values):
            break
        values = better
    return table
