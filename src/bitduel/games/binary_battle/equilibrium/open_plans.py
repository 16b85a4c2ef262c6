"""Plans for the open table that hold a share of the secrets even if endless play is lost.

Toggling outside the interval tells nothing and could go round, so every step also says how long it can still take
until there is news. Where a step tells nothing, the position after the other's answer has a larger share, or the same
and less time left; so news must come. Who holds nothing need not hurry.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from bitduel.games.binary_battle.equilibrium.knowledge import State, following, is_guess, toggled
from bitduel.games.binary_battle.equilibrium.open_table import OpenSolution


class OpenPosition(NamedTuple):
    """A position seen by the player to move: both numbers, and where the secret can be."""

    mine: int
    theirs: int
    low: int
    high: int


class OpenStep(NamedTuple):
    """The bit to toggle, the number that makes, the secrets that are won for certain, and the time until news."""

    bit: int
    number: int
    share: int
    time: int


Plan = dict[OpenPosition, OpenStep]


def open_plans(bits: int) -> tuple[Fraction, tuple[Plan, Plan]]:
    """The value of the start and a plan for each seat; ArithmeticError if it depends on how endless play is counted."""
    solution = OpenSolution(bits)
    start = OpenPosition(0, 0, 0, solution.size - 1)
    lower, upper, _ = solution.bounds(*start)
    if lower != upper:
        raise ArithmeticError(f"with {bits} bits the value depends on how endless play is counted")
    plans = [_plan(solution, [start]), _plan(solution, list(after_any(bits, start)))]
    return Fraction(lower // 2, solution.size), (plans[0], plans[1])


def after(bits: int, place: OpenPosition, bit: int) -> list[OpenPosition]:
    """The positions of the other player after a toggle that does not win."""
    number = toggled(bits, place.mine, bit)
    cases = following(State(1, place.mine, place.low, place.high), number)
    return [OpenPosition(place.theirs, number, case.low, case.high) for case in cases]


def after_any(bits: int, place: OpenPosition) -> Iterator[OpenPosition]:
    """The positions of the other player after any toggle that does not win."""
    return (then for bit in range(1, bits + 1) for then in after(bits, place, bit))


def _plan(solution: OpenSolution, todo: list[OpenPosition]) -> Plan:
    """The steps of a seat from these positions on, whatever the other does."""
    bits, bit_of = solution.bits, dict[OpenPosition, int]()
    while todo:
        place = todo.pop()
        if place not in bit_of:
            bit_of[place] = _best(solution, place)
            todo += [answer for then in after(bits, place, bit_of[place]) for answer in after_any(bits, then)]
    shares = {place: solution.bounds(*place)[0] // 2 for place in bit_of}
    times = _times(bits, bit_of, shares)
    return {
        place: OpenStep(bit_of[place], toggled(bits, place.mine, bit_of[place]), shares[place], times[place])
        for place in sorted(bit_of)
    }


def _best(solution: OpenSolution, place: OpenPosition) -> int:
    """A toggle that holds the lower bound, of several the one that brings news soonest."""
    share = solution.bounds(*place)[0]
    found = [(bit, *_held(solution, place, bit)) for bit in range(1, solution.bits + 1)]
    return min((fall, bit) for bit, held, fall in found if held == share)[1]


def _held(solution: OpenSolution, place: OpenPosition, bit: int) -> tuple[int, int]:
    """The half secrets that a toggle holds, and in which round that was clear; at once where it brings news."""
    then = after(solution.bits, place, bit)
    bounds = [solution.bounds(*each) for each in then]
    left = sum(2 * (each.high - each.low + 1) - upper for each, (_, upper, _) in zip(then, bounds, strict=True))
    if _tells(solution.bits, place, bit):
        return left + 2, 0
    return left, bounds[0][2]


def _tells(bits: int, place: OpenPosition, bit: int) -> bool:
    return is_guess(State(1, place.mine, place.low, place.high), toggled(bits, place.mine, bit))


def _times(bits: int, bit_of: dict[OpenPosition, int], shares: dict[OpenPosition, int]) -> dict[OpenPosition, int]:
    """For each position how many steps of the plan the other can delay news without giving anything away."""
    times: dict[OpenPosition, int] = {}

    def time(place: OpenPosition) -> int:
        if place not in times:
            soon = not shares[place] or _tells(bits, place, bit_of[place])
            times[place] = 0 if soon else 1 + max(map(time, waits(place)), default=0)
        return times[place]

    def waits(place: OpenPosition) -> list[OpenPosition]:
        (then,) = after(bits, place, bit_of[place])
        answers = [each for each in after_any(bits, then) if (each.low, each.high) == (place.low, place.high)]
        return [each for each in answers if shares[each] == shares[place]]

    return {place: time(place) for place in bit_of}
