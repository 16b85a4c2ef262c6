"""Notes: which numbers the secret can still be; and costs: which secrets plain binary search hits in time."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import log2
from random import Random
from typing import ClassVar

from bitduel.core.lesson import LessonPosition
from bitduel.core.picture import Cell, Mark, Picture, Row
from bitduel.core.puzzle import NumberSheet, count_hint
from bitduel.games.binary_battle.equilibrium.information_states import toggled
from bitduel.games.binary_battle.puzzles.knowledge import GREATER, LESS, Knowledge
from bitduel.games.binary_battle.rules import BattleRules

SIGNS = {LESS: "<", GREATER: ">"}
WORDS = {"<": LESS, ">": GREATER}
MOST_CELLS = 32
"""The most numbers on a sheet."""
SHEETS = 60
"""The sheets of notes for each number of bits."""


@dataclass(frozen=True, kw_only=True)
class SecretSheet(NumberSheet):
    """A sheet of secrets to mark."""

    ends: ClassVar[tuple[str, str]] = ("first", "last")

    @property
    def rules(self) -> BattleRules:
        """The rules with their settings."""
        assert isinstance(self.game, BattleRules)
        return self.game

    @property
    def position(self) -> LessonPosition:
        """The start of a match: a later one would show the range, which is the answer."""
        return LessonPosition(self.game, (), self.game.any_deal())


@dataclass(frozen=True, kw_only=True)
class Notes(SecretSheet):
    """Mark what the secret can be; the parameters name the toggles with their answers, such as "1> 1< 3<"."""

    kind: ClassVar[str] = "notes"
    title: ClassVar[str] = "Notes"

    @cached_property
    def notes(self) -> tuple[tuple[int, int, str], ...]:
        """Each toggle, the number it made, and the feedback."""
        number, notes = 0, []
        for note in self.parameters["notes"].split():
            bit = int(note[:-1])
            number = toggled(self.rules.bits, number, bit)
            notes.append((bit, number, WORDS[note[-1]]))
        return tuple(notes)

    @property
    def most_less(self) -> int:
        """The largest number that was less than the secret; -1 where there is none."""
        return max((number for _, number, word in self.notes if word == LESS), default=-1)

    @property
    def least_greater(self) -> int:
        """The smallest number that was greater than the secret; one above the last number where there is none."""
        return min((number for _, number, word in self.notes if word == GREATER), default=1 << self.rules.bits)

    def is_marked(self, number: int) -> bool:
        """Return whether a number is above all that were less and below all that were greater."""
        return self.most_less < number < self.least_greater

    @property
    def task(self) -> str:
        """The notes, and what to mark."""
        lines = "; ".join(f"toggle {bit}: {self.rules.row(number)} is {word}" for bit, number, word in self.notes)
        return (
            f"Your notes: {lines}. Mark every number from {self.numbers[0]} to {self.numbers[-1]} that can still be "
            "the secret."
        )

    @property
    def prompt(self) -> str:
        """The question."""
        return "Which numbers can still be the secret?"

    @property
    def picture(self) -> Picture:
        """The number after the last toggle."""
        row = self.rules.row(self.notes[-1][1])
        cells = (Cell(bit, str(place), Mark.ON if bit == "1" else Mark.OFF) for place, bit in enumerate(row, 1))
        return Picture(f"Your number is {row}.", (Row("Your number", tuple(cells)),))

    @property
    def _bounds(self) -> str:
        less = 'No number got the answer "less"'
        if self.most_less >= 0:
            less = f'The largest number with the answer "less" is {self.most_less}'
        is_bounded = self.least_greater < 1 << self.rules.bits
        greater = f'the smallest with "greater" is {self.least_greater}' if is_bounded else 'none got "greater"'
        return f"{less}, and {greater}."

    @property
    def hints(self) -> tuple[str, str, str]:
        """The meaning of "less", the two numbers that count, and the first mark."""
        return '"Less" means that the secret is larger than the number.', self._bounds, count_hint(self.marks)

    @property
    def explanation(self) -> tuple[str, ...]:
        """The two numbers that count."""
        low, high = self.most_less + 1, self.least_greater - 1
        return self._bounds, f"So the secret is from {low} to {high}. The other notes say nothing new."

    @property
    def score(self) -> float:
        """The cells, and the toggles noted."""
        return log2(len(self.numbers)) + len(self.notes) / 2

    def why(self, number: int) -> str:
        """Return the note that rules out a number, if there is one."""
        if self.is_marked(number):
            return f"{number} is missing: no note rules it out."
        if number <= self.most_less:
            return f"{number} can't be the secret: the secret is larger than {self.most_less}."
        least = self.least_greater
        return f"{number} can't be the secret: the secret is smaller than {least}."


def plain_search_turns(bits: int, secret: int) -> int:
    """Return the turn in which plain binary search hits a secret: one for a 1, two for a 0 before the last 1."""
    if secret == 0:
        return 2
    row = format(secret, f"0{bits}b").rstrip("0")
    return row.count("1") + 2 * row.count("0")


@dataclass(frozen=True, kw_only=True)
class Costs(SecretSheet):
    """Mark the secrets that plain binary search hits by a turn, or in it; the parameters name which."""

    kind: ClassVar[str] = "costs"
    title: ClassVar[str] = "What a search costs"

    @property
    def turn(self) -> int:
        """The turn."""
        return int(self.parameters["turn"])

    @property
    def when(self) -> str:
        """The turn in words."""
        return f"{self.parameters['when']} turn {self.turn}"

    def _cost(self, secret: int) -> int:
        return plain_search_turns(self.rules.bits, secret)

    def is_marked(self, number: int) -> bool:
        """Return whether a secret is hit in time."""
        cost = self._cost(number)
        return cost == self.turn or (self.parameters["when"] == "by" and cost < self.turn)

    @property
    def task(self) -> str:
        """The search, the turn, and what to mark."""
        return (
            f"Plain binary search starts at {self.rules.row(0)} and turns the bits on from the left. If the number "
            f"gets too big, it turns the bit off again. Mark every secret from {self.numbers[0]} to {self.numbers[-1]} "
            f"that it hits {self.when}."
        )

    @property
    def prompt(self) -> str:
        """The question."""
        return f"Which secrets does it hit {self.when}?"

    @property
    def hints(self) -> tuple[str, str, str]:
        """The numbers to write down, the costs of the digits, and the first mark."""
        example = self.marks[0]
        return (
            "Write the secrets in binary, and look at the digits up to the last 1.",
            "Each 1 takes one turn. Each 0 before the last 1 takes two. So "
            f"{self.rules.row(example)} takes {self._cost(example)}.",
            count_hint(self.marks),
        )

    @property
    def explanation(self) -> tuple[str, ...]:
        """The costs of the digits, and the secrets with their costs."""
        costs = ", ".join(f"{secret} ({self.rules.row(secret)}: {self._cost(secret)})" for secret in self.marks)
        return (
            "Each 1 takes one turn. Each 0 to the left of the last 1 is turned on and off again, which takes two.",
            f"So these are hit {self.when}: {costs}.",
        )

    @property
    def score(self) -> float:
        """The cells, and the turn."""
        return log2(len(self.numbers)) + 0.9 * self.turn

    def why(self, number: int) -> str:
        """Return the cost of a secret."""
        verdict = "missing" if self.is_marked(number) else f"not hit {self.when}"
        return f"{number} is {verdict}: {self._sentence(number)}"

    def _sentence(self, secret: int) -> str:
        row = self.rules.row(secret)
        shown = row.rstrip("0") or row
        ones, zeros = shown.count("1"), shown.count("0") if secret else 0
        if not secret:
            return f"{row} takes 2 turns, because the search turns bit 1 on and off again."
        return (
            f"{row} takes {ones} + {2 * zeros} = {self._cost(secret)} turns."
            if zeros
            else f"{row} takes {ones} turn{'s' * (ones > 1)}."
        )


def notes(game: BattleRules) -> Iterator[Notes]:
    """Yield sheets of notes that a player could have taken, the same ones every time."""
    size, seen = 1 << game.bits, set[str]()
    for sheet in range(SHEETS):
        rng = Random(f"{game.bits} {sheet}")
        taken, known = _take_notes(game.bits, rng, 3 + sheet % 3)
        width = rng.randint(10, min(20, size - 1))
        first = min(rng.randint(max(1, known.low - width // 2), known.low - 2), size - width)
        sheet_of = {"notes": " ".join(taken), "first": str(first), "last": str(first + width - 1)}
        puzzle = Notes(game=game, parameters=sheet_of)
        if 2 <= len(puzzle.marks) <= width - 2 and sheet_of["notes"] not in seen:
            seen.add(sheet_of["notes"])
            yield puzzle


def _take_notes(bits: int, rng: Random, toggles: int) -> tuple[list[str], Knowledge]:
    """Search for a secret with toggles of which most are possible, and return the notes and what they say."""
    while True:
        secret, known, taken = rng.randrange(1 << bits), Knowledge(0, 0, (1 << bits) - 1), list[str]()
        while len(taken) < toggles:
            numbers = {bit: toggled(bits, known.number, bit) for bit in range(1, bits + 1)}
            useful = [bit for bit, number in numbers.items() if known.can_be(number)]
            bit = rng.choice(useful if useful and rng.random() < 2 / 3 else [*numbers])
            if numbers[bit] == secret:
                break
            known = next(after for after in known.after(numbers[bit]) if after.can_be(secret))
            taken.append(f"{bit}{SIGNS[known.feedback()]}")
        is_repeated = any(one[:-1] == two[:-1] for one, two in pairwise(taken[1:]))
        if len(taken) == toggles and known.low > 2 and known.left > 1 and not is_repeated:
            return taken, known


def costs(game: BattleRules) -> Iterator[Costs]:
    """Yield the turns and the sheets on which some secrets are hit, and some are not."""
    size = 1 << game.bits
    windows = ((1, size - 1), (1, size // 2), (size // 2, size - 1), (size // 4, size * 3 // 4 - 1))
    for when in ("by", "in"):
        for turn in range(3, 2 * game.bits):
            for first, last in windows:
                parameters = {"when": when, "turn": str(turn), "first": str(first), "last": str(last)}
                sheet = Costs(game=game, parameters=parameters)
                if len(sheet.numbers) <= MOST_CELLS and 2 <= len(sheet.marks) <= len(sheet.numbers) - 2:
                    yield sheet
