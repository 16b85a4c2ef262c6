"""Heuristics for Binary Battle without a solution: chances within a horizon, and priors for every toggle."""

from functools import lru_cache
from math import log, log2

from bitduel.core.evaluation import Evaluation, MoveEvaluation
from bitduel.core.view import View
from bitduel.games.binary_battle.equilibrium.information_states import (
    InformationState,
    bit_values,
    constant_hazard_table,
)

LUCK = 1 / 8
"""The chance that an opponent of whom nothing is known hits in each turn."""
SMALL = 6
"""The most bits for which a table of all states is made."""
MOST_LINES = 30_000
"""The most lines of play that are searched for one toggle if there is no table."""


def choices(bits: int, view: View, horizon: int) -> list[MoveEvaluation]:
    """Evaluate every toggle by the chance to win within the horizon, in plies."""
    number, low, high = _known(view)
    hits = _hits(bits, number, low, high, (horizon + 1) // 2)
    return [
        MoveEvaluation(f"toggle {bit}", Evaluation(win_probability=count / (high - low + 1)))
        for bit, count in enumerate(hits, 1)
    ]


def priors(bits: int, view: View) -> dict[str, float]:
    """Estimate how promising every toggle is: the guess itself, and what it leaves to be found."""
    number, low, high = _known(view)
    return {f"toggle {bit}": _guess(number ^ 1 << bits - bit, low, high) for bit in range(1, bits + 1)}


def certain_hits(bits: int, view: View, horizon: int) -> list[str]:
    """Return the toggles after which the secret is hit within the horizon, in plies, wherever it is."""
    number, low, high = _known(view)
    turns = (horizon + 1) // 2
    return [
        f"toggle {bit}" for bit in range(1, bits + 1) if _hits_all(bits, number ^ 1 << bits - bit, low, high, turns)
    ]


def _hits_all(bits: int, number: int, low: int, high: int, turns: int) -> bool:
    """Return whether going to this number, then on as news demands, hits every secret from low to high in time."""
    if high - low + 1 >= 1 << turns:
        return False
    rest = [(low, number - 1), (number + 1, high)] if low <= number <= high else [(low, high)]
    return all(
        any(_hits_all(bits, number ^ 1 << place, *part, turns - 1) for place in range(bits))
        for part in rest
        if part[0] <= part[1]
    )


def _known(view: View) -> tuple[int, int, int]:
    return int(view.board.mine, 2), view.board.low, view.board.high


def _hits(bits: int, number: int, low: int, high: int, turns: int) -> list[float]:
    """Count the secrets that each toggle hits in time, with best play after it."""
    if turns == 0:
        return [0.0] * bits
    if bits <= SMALL:
        table = constant_hazard_table(bits, LUCK, min(turns, 8 * bits))
        return [float(value) for value in bit_values(bits, table, InformationState(1, number, low, high))]
    turns = min(turns, int(log(MOST_LINES, 2 * bits)))
    return [_arriving(bits, number ^ 1 << bits - bit, low, high, turns) for bit in range(1, bits + 1)]


def _arriving(bits: int, number: int, low: int, high: int, turns: int) -> float:
    """Count the secrets that are hit in time within some turns, the first of them going to this number."""
    if not low <= number <= high:
        return (1 - LUCK) * _most(bits, number, low, high, turns - 1)
    below = _most(bits, number, low, number - 1, turns - 1)
    return 1 + (1 - LUCK) * (below + _most(bits, number, number + 1, high, turns - 1))


@lru_cache(maxsize=1 << 16)
def _most(bits: int, number: int, low: int, high: int, turns: int) -> float:
    if turns == 0 or low > high:
        return 0
    return max(_arriving(bits, number ^ 1 << place, low, high, turns) for place in range(bits))


def _guess(number: int, low: int, high: int) -> float:
    """Estimate the secrets that this number hits, now and later."""
    if not low <= number <= high:
        return (1 - LUCK) * _later(number, low, high)
    return 1 + (1 - LUCK) * (_later(number, low, number - 1) + _later(number, number + 1, high))


def _later(number: int, low: int, high: int) -> float:
    """Estimate the secrets that are hit in time by going to a number that halves the interval, then halving on."""
    left = high - low + 1
    if left <= 0:
        return 0
    # The number itself is guessed by leaving it and coming back.
    toggles = (number ^ _halving(low + left // 4, high - left // 4)).bit_count() or 2
    return float(left * (1 - LUCK) ** (toggles + log2(left)))


def _halving(low: int, high: int) -> int:
    """Return the roundest number from low to high: most others are few toggles away from it."""
    place = ((low - 1) ^ high).bit_length() - 1 if low else high.bit_length() - 1
    return high >> place << place if high else 0
