"""Binary Race to 31: move along a track by powers of two; whoever gets there first wins."""

from collections.abc import Iterator
from functools import cached_property

from bitduel.core.lesson import Lesson
from bitduel.core.practice import PracticeItem
from bitduel.core.puzzle import EvaluatorFor, Puzzle
from bitduel.games.binary_race_31.rules import LENGTH, TrackRules
from bitduel.games.binary_race_31.words import AIM, REACH, BinaryRace31Words


class BinaryRace31(TrackRules):
    """The rules of the track with their words and their lesson."""

    slug = "binary-race-31"
    short = "31"
    title = "Binary Race to 31"
    aim = AIM.format(reach=REACH["sample"], length=LENGTH)

    @cached_property
    def words(self) -> BinaryRace31Words:
        """Every sentence of the game."""
        return BinaryRace31Words(self.length, str(self.finish))

    @classmethod
    def lesson(cls) -> Lesson:
        """Return the lesson of the game."""
        from bitduel.games.binary_race_31.lesson import track_lesson

        return track_lesson(cls)

    @classmethod
    def practice(cls) -> tuple[PracticeItem, ...]:
        """Return the items of practice after the lesson."""
        from bitduel.games.binary_race_31.practice import track_practice

        return track_practice(cls)

    @classmethod
    def puzzle_kinds(cls) -> tuple[type[Puzzle], ...]:
        """Return the kinds of puzzles."""
        from bitduel.games.binary_race_31 import puzzles

        return puzzles.WinningSquares, puzzles.Route, puzzles.Thrift

    @classmethod
    def generate_puzzles(cls, evaluator_for: EvaluatorFor) -> Iterator[Puzzle]:
        """Yield all puzzles that a deck may choose from; counting moves needs no evaluator."""
        from bitduel.games.binary_race_31.puzzle_generator import generate_track_puzzles

        return generate_track_puzzles(cls)
