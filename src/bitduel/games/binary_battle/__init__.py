"""Binary Battle: toggle one bit a turn until your number is the secret one."""

from collections.abc import Iterator
from functools import cached_property

from bitduel.core.certificate import Certificate
from bitduel.core.evaluation import Evaluator
from bitduel.core.lesson import Lesson
from bitduel.core.practice import PracticeItem
from bitduel.core.puzzle import EvaluatorFor, Puzzle
from bitduel.games.binary_battle.rules import BattleRules
from bitduel.games.binary_battle.words import BinaryBattleWords


class BinaryBattle(BattleRules):
    """The rules of the battle with their words, their lesson and their solution."""

    slug = "binary-battle"
    short = "battle"
    title = "Binary Battle"
    aim = "Toggle one bit a turn. Be first to hit the secret number."

    @cached_property
    def words(self) -> BinaryBattleWords:
        """Every sentence of the game."""
        return BinaryBattleWords(self.bits, self.is_hidden, bool(self.secret))

    @classmethod
    def lesson(cls) -> Lesson:
        """Return the lesson of the game."""
        from bitduel.games.binary_battle.lesson import battle_lesson

        return battle_lesson(cls)

    def evaluator(self) -> Evaluator:
        """Return the evaluator by the equilibrium, or by the solved open table."""
        from bitduel.games.binary_battle.evaluator import HiddenEvaluator, OpenEvaluator

        return HiddenEvaluator(self) if self.is_hidden else OpenEvaluator(self.bits)

    def certificate(self) -> Certificate:
        """Prove the value of the start by a plan for each player."""
        from bitduel.games.binary_battle.evaluator import certificate

        return certificate(self)

    @classmethod
    def practice(cls) -> tuple[PracticeItem, ...]:
        """Return the items of practice after the lesson."""
        from bitduel.games.binary_battle.practice import battle_practice

        return battle_practice(cls)

    @classmethod
    def puzzle_kinds(cls) -> tuple[type[Puzzle], ...]:
        """Return the kinds of puzzles of the game."""
        from bitduel.games.binary_battle.puzzles import KINDS

        return KINDS

    @classmethod
    def generate_puzzles(cls, evaluator_for: EvaluatorFor) -> Iterator[Puzzle]:
        """Yield the puzzles with five bits, then those with four and six."""
        from bitduel.games.binary_battle.puzzles import puzzles

        return puzzles((cls(), cls(bits=4), cls(bits=6)))
