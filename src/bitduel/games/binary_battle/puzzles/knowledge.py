"""A player's knowledge before a puzzle, a match that leads there, and the turns that a sure search needs."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np

from bitduel.core.lesson import LessonPosition
from bitduel.core.puzzle import Candidate, Puzzle
from bitduel.games.binary_battle.equilibrium.information_states import (
    Array,
    InformationState,
    neighbours,
    start,
    successors,
    toggled,
)
from bitduel.games.binary_battle.rules import BattleRules

LESS, GREATER = "less", "greater"
NEVER = 1000
"""More turns than any search needs."""


class Knowledge(NamedTuple):
    """A player's number, and the range from low to high that the secret is in."""

    number: int
    low: int
    high: int

    @property
    def left(self) -> int:
        """The number of possible secrets."""
        return self.high - self.low + 1

    @property
    def range_phrase(self) -> str:
        """The possible values of the secret, in words."""
        if self.left == 1:
            return f"the secret is {self.low}"
        return f"the secret is a number from {self.low} to {self.high}"

    def can_be(self, number: int) -> bool:
        """Return whether the secret could be a number."""
        return self.low <= number <= self.high

    def after(self, target: int) -> list["Knowledge"]:
        """Return what can be known after going to a number that is not the secret."""
        return [Knowledge(*state[1:]) for state in successors(InformationState(1, *self), target)]

    def feedback(self) -> str:
        """Return what the last toggle was answered: the number, outside the range, is less or greater."""
        return LESS if self.number < self.low else GREATER


@lru_cache(maxsize=8)
def shortest_lines(bits: int, goal: Knowledge | None = None) -> dict[Knowledge, tuple[int, ...]]:
    """Return the fewest toggles that lead to everything that can be known, or just to a goal and on the way there."""
    lines: dict[Knowledge, tuple[int, ...]] = {Knowledge(*start(bits)[1:]): ()}
    queue = [*lines]
    for known in queue:
        if known == goal:
            break
        for bit in range(1, bits + 1):
            for after in reversed(known.after(toggled(bits, known.number, bit))):
                # The range only ever shrinks, so what leads to the goal includes its range.
                if after not in lines and (goal is None or (after.can_be(goal.low) and after.can_be(goal.high))):
                    lines[after] = (*lines[known], bit)
                    queue.append(after)
    return lines


@lru_cache(maxsize=32)
def lines_of_length(bits: int, turns: int) -> dict[Knowledge, tuple[int, ...]]:
    """Return toggles that lead in exactly these turns to everything that can be known then."""
    if turns == 0:
        return {Knowledge(*start(bits)[1:]): ()}
    lines: dict[Knowledge, tuple[int, ...]] = {}
    for (known, line), bit in product(lines_of_length(bits, turns - 1).items(), range(1, bits + 1)):
        for after in known.after(toggled(bits, known.number, bit)):
            lines.setdefault(after, (*line, bit))
    return lines


@lru_cache(maxsize=8)
def sure_turns(bits: int) -> Array:
    """Return [low, high + 1, number] -> the fewest turns within which the secret is hit for sure."""
    size = 1 << bits
    table = np.zeros((size + 1, size + 1, size), np.int16)
    others = neighbours(bits)
    for width in range(1, size + 1):
        for low in range(size - width + 1):
            end = low + width
            inside = np.arange(low, end)
            # Having gone to a possible number, the worse of the two answers counts; an empty range needs no turn.
            arriving = np.maximum(table[low, inside, inside], table[inside + 1, end, inside])
            turns = np.full(size, NEVER, np.int16)
            while True:
                reached = turns.copy()
                reached[low:end] = arriving
                better = 1 + reached[others].min(axis=0)
                if np.array_equal(better, turns):
                    break
                turns = np.minimum(better, NEVER).astype(np.int16)
            table[low, end] = turns
    return table


def turns_needed(bits: int, known: Knowledge) -> int:
    """Return the fewest turns within which the secret is hit for sure."""
    return int(sure_turns(bits)[known.low, known.high + 1, known.number])


def turns_after(bits: int, known: Knowledge, bit: int) -> int:
    """Return the turns that are needed after a toggle whose answer is the most awkward one; 0 if it must hit."""
    return max((turns_needed(bits, after) for after in known.after(toggled(bits, known.number, bit))), default=0)


def idle_bits(bits: int, known: Knowledge) -> tuple[int, int]:
    """Return a first toggle and one to go on and off, which make the fewest numbers that are possible in a range."""
    pairs = product(range(1, bits + 1), range(1, bits + 1))
    return min(pairs, key=lambda pair: sum(known.can_be(number) for number in _idle_numbers(bits, pair)))


def _idle_numbers(bits: int, pair: tuple[int, int]) -> set[int]:
    first = toggled(bits, 0, pair[0])
    return {first, toggled(bits, first, pair[1])}


def position_of(
    game: BattleRules, seat: int, toggles: Sequence[int], given: Knowledge, now: Knowledge
) -> LessonPosition:
    """Return a match in which a seat has made these toggles and knows this.

    The moves of the other seat, and the deal, follow from what the solver knows: nothing else is hidden.
    """
    pair = idle_bits(game.bits, given)
    idle = [pair[0], *[pair[1]] * len(toggles)]
    rows = zip(toggles, idle, strict=False) if seat == 1 else zip(idle, toggles, strict=False)
    bits = [bit for row in rows for bit in row]
    if seat == 2:
        bits.append(idle[len(toggles)])
    unvisited = (number for number in range(now.low, now.high + 1) if number not in _idle_numbers(game.bits, pair))
    return LessonPosition(game, tuple(f"toggle {bit}" for bit in bits), game.row(next(unvisited, now.low)))


@dataclass(frozen=True, kw_only=True)
class BattlePuzzle(Puzzle):
    """A puzzle of what a player knows; its parameters are the number and the range."""

    @property
    def rules(self) -> BattleRules:
        """The rules with their settings."""
        assert isinstance(self.game, BattleRules)
        return self.game

    @cached_property
    def known(self) -> Knowledge:
        """The number and the range at the start."""
        return Knowledge(*(int(self.parameters[name]) for name in Knowledge._fields))

    def target(self, known: Knowledge, bit: int) -> int:
        """Return the number that a toggle makes."""
        return toggled(self.rules.bits, known.number, bit)

    def toggle_phrase(self, known: Knowledge, bit: int) -> str:
        """Return a toggle in words."""
        return f"toggle {bit} (to {self.target(known, bit)})"

    def candidates(self, known: Knowledge) -> tuple[Candidate, ...]:
        """Return all toggles."""
        return tuple(
            Candidate(f"toggle {bit}", self.toggle_phrase(known, bit)) for bit in range(1, self.rules.bits + 1)
        )

    def guesses(self, known: Knowledge) -> list[int]:
        """Return the bits that make a possible number."""
        return [bit for bit in range(1, self.rules.bits + 1) if known.can_be(self.target(known, bit))]


def bit_of(move: str) -> int:
    """Return the bit of a toggle."""
    return int(move.split()[1])
