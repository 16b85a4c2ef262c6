"""Binary Race to 64: add 2 or double one shared total; exactly 64 wins."""

from functools import cached_property

from bitduel.core.lesson import Lesson
from bitduel.games.binary_race_64.words import AIM, BinaryRace64Words
from bitduel.games.number_race import NumberRace, size_options


class BinaryRace64(NumberRace):
    """One shared total, from 1 to exactly 64."""

    slug = "binary-race-64"
    short = "64"
    title = "Binary Race to 64"
    aim = AIM.format(step=2, target=64)
    declared = size_options(target=64, step=2)

    @classmethod
    def lesson(cls) -> Lesson:
        """The lesson of the game."""
        from bitduel.games.binary_race_64.lessons import lesson

        return lesson()

    @cached_property
    def words(self) -> BinaryRace64Words:
        """Every sentence of the game."""
        return BinaryRace64Words(self)
