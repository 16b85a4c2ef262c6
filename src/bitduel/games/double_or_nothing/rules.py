"""Double or Nothing: add one or double a shared number; exactly 20 wins."""

from functools import cached_property

from bitduel.core.lesson import Lesson
from bitduel.games.double_or_nothing.words import AIM, DoubleOrNothingWords
from bitduel.games.number_race import NumberRace, size_options


class DoubleOrNothing(NumberRace):
    """One shared number, from 1 to exactly 20."""

    slug = "double-or-nothing"
    short = "double"
    title = "Double or Nothing"
    aim = AIM.format(step="one", target=20)
    declared = size_options(target=20, step=1)

    @classmethod
    def lesson(cls) -> Lesson:
        """The lesson of the game."""
        from bitduel.games.double_or_nothing.lessons import lesson

        return lesson()

    @cached_property
    def words(self) -> DoubleOrNothingWords:
        """Every sentence of the game."""
        return DoubleOrNothingWords(self)
