"""Binary Race with bits: switch all your own bits on; put out your opponent's on the way."""

from collections.abc import Iterator
from functools import cached_property

from bitduel.core.lesson import Lesson
from bitduel.core.practice import PracticeItem
from bitduel.core.puzzle import EvaluatorFor, Puzzle
from bitduel.games.binary_race_bits.rules import BitsRules
from bitduel.games.binary_race_bits.words import BinaryRaceBitsWords


class BinaryRaceBits(BitsRules):
    """The rules of the bits with their words and their lesson."""

    slug = "binary-race-bits"
    short = "bits"
    title = "Binary Race with Bits"
    aim = "Flip your bits, reset your opponent's. Get all your bits to 1."

    @cached_property
    def words(self) -> BinaryRaceBitsWords:
        """Every sentence of the game."""
        return BinaryRaceBitsWords(self.bits, str(self.first_move), str(self.options["edge"]), self.repetition)

    @classmethod
    def lesson(cls) -> Lesson:
        """Return the lesson of the game."""
        from bitduel.games.binary_race_bits.lesson import bits_lesson

        return bits_lesson(cls)

    @classmethod
    def practice(cls) -> tuple[PracticeItem, ...]:
        """Return the items of practice after the lesson."""
        from bitduel.games.binary_race_bits.practice import bits_practice

        return bits_practice(cls)

    @classmethod
    def puzzle_kinds(cls) -> tuple[type[Puzzle], ...]:
        """Return the kinds of puzzles of the game."""
        from bitduel.games.binary_race_bits.habit_puzzles import BeatTheHabit
        from bitduel.games.binary_race_bits.puzzles import CanItHappen, WhatHolds

        return WhatHolds, CanItHappen, BeatTheHabit

    @classmethod
    def generate_puzzles(cls, evaluator_for: EvaluatorFor) -> Iterator[Puzzle]:
        """Yield the puzzles with the usual settings, then those with more bits and other edges."""
        from bitduel.games.binary_race_bits.habit_puzzles import beat_the_habit
        from bitduel.games.binary_race_bits.puzzles import can_it_happen, what_holds

        for bits in (4, 5, 6):
            for seat in (1, 2):
                yield from can_it_happen(cls(bits=bits), seat)
            for edge in ("open", "strict"):
                game = cls(bits=bits, edge=edge)
                yield from what_holds(game)
                yield from beat_the_habit(game)
            yield from what_holds(cls(bits=bits, first_move="empty"))
