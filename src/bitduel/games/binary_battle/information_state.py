"""What somebody sees of Binary Battle who has not solved it: chances soon, and a feeling for what comes later."""

from functools import lru_cache
from math import log, log2

from bitduel.core.evaluation import Evaluation
from bitduel.core.evaluator import MoveEvaluation
from bitduel.core.view import View
from bitduel.games.binary_battle.equilibrium.knowledge import State, hasty_table, worth_of_bits

LUCK = 1 / 8
"""How likely a player who does not see far expects the opponent to end the game in each turn."""

SMALL = 6
"""Up to so many bits everything is looked at."""

MOST_LINES = 30_000
"""Where nothing is solved, so many lines of play are looked at for one toggle; so far one sees at the most."""


def soon(bits: int, view: View, horizon: int) -> list[MoveEvaluation]:
    """Every toggle with the chance to win within so many plies against an opponent who is lucky now and then."""
    number, low, high = _known(view)
    hits = _hits(bits, number, low, high, (horizon + 1) // 2)
    return [
        MoveEvaluation(f"toggle {bit}", Evaluation(win_probability=count / (high - low + 1)))
        for bit, count in enumerate(hits, 1)
    ]


def hunches(bits: int, view: View) -> dict[str, float]:
    """How promising every toggle looks: the guess itself, and what it leaves to be found."""
    number, low, high = _known(view)
    return {f"toggle {bit}": _guess(number ^ 1 << bits - bit, low, high) for bit in range(1, bits + 1)}


def _known(view: View) -> tuple[int, int, int]:
    return int(view.board.mine, 2), view.board.low, view.board.high


def _hits(bits: int, number: int, low: int, high: int, turns: int) -> list[float]:
    """How many secrets each toggle hits in time, with best play after it."""
    if turns == 0:
        return [0.0] * bits
    if bits <= SMALL:
        table = hasty_table(bits, LUCK, min(turns, 8 * bits))
        return [float(worth) for worth in worth_of_bits(bits, table, State(1, number, low, high))]
    turns = min(turns, int(log(MOST_LINES, 2 * bits)))
    return [_arriving(bits, number ^ 1 << bits - bit, low, high, turns) for bit in range(1, bits + 1)]


def _arriving(bits: int, number: int, low: int, high: int, turns: int) -> float:
    """How many secrets are hit in time within so many turns, the first of them going to this number."""
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
    """How many secrets this number hits, now and by the look of it later."""
    if not low <= number <= high:
        return (1 - LUCK) * _later(number, low, high)
    return 1 + (1 - LUCK) * (_later(number, low, number - 1) + _later(number, number + 1, high))


def _later(number: int, low: int, high: int) -> float:
    """How many secrets are hit in time: so many toggles to a number that halves what is left, then halving on."""
    left = high - low + 1
    if left <= 0:
        return 0
    # A number that one stands on is guessed by leaving it and coming back.
    toggles = (number ^ _halving(low + left // 4, high - left // 4)).bit_count() or 2
    return float(left * (1 - LUCK) ** (toggles + log2(left)))


def _halving(low: int, high: int) -> int:
    """The roundest number from low to high: the one that most others are few toggles away from."""
    place = ((low - 1) ^ high).bit_length() - 1 if low else high.bit_length() - 1
    return high >> place << place if high else 0
