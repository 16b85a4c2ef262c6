"""The puzzles of the number races with several targets: hidden targets, and boards side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import log2
from typing import ClassVar

from bitduel.core.lesson import LessonPosition
from bitduel.core.options import OptionValue
from bitduel.core.phrases import join_with_and, join_with_or
from bitduel.core.picture import Picture
from bitduel.core.puzzle import Candidate, Form, Question, Refutation
from bitduel.games.number_race.law import NumberLaw, fence
from bitduel.games.number_race.puzzle_reasons import made, move_question, path_to, refutation, why
from bitduel.games.number_race.puzzles import NumberPuzzle
from bitduel.games.number_race.rules import NumberRace

SIGNS = {"+": "good to leave", "-": "not good to leave"}


@dataclass(frozen=True, kw_only=True)
class FindTheTarget(NumberPuzzle):
    """Targets to choose from, and two clues that only one of them fits."""

    kind: ClassVar[str] = "find-the-target"
    form: ClassVar[Form] = Form.CHOICE
    title: ClassVar[str] = "Find the target"

    @cached_property
    def targets(self) -> tuple[int, ...]:
        """The targets to choose from."""
        return tuple(map(int, self.parameters["targets"].split()))

    @cached_property
    def clues(self) -> tuple[tuple[int, bool], ...]:
        """The numbers that are known to be good to leave, or not."""
        return tuple((int(clue[:-1]), clue[-1] == "+") for clue in self.parameters["clues"].split())

    @property
    def shown_options(self) -> dict[str, OptionValue]:
        """All settings but the target."""
        return {name: value for name, value in super().shown_options.items() if name != "target"}

    def fitting(self, clues: Sequence[tuple[int, bool]]) -> list[int]:
        """Return the targets that clues allow."""
        return [target for target in self.targets if all(self._fits(target, *clue) for clue in clues)]

    def _fits(self, target: int, number: int, is_good: bool) -> bool:
        return number <= target and _law(target, self.game.step).is_lost(number) == is_good

    @property
    def task(self) -> str:
        """Name the targets and the clues."""
        clues = " and ".join(f"{number} is {SIGNS['+' if is_good else '-']}" for number, is_good in self.clues)
        targets = join_with_or([*map(str, self.targets)])
        return (
            f"{self.adding.capitalize()}. The target is {targets}. You know that {clues}. (Good to leave: whoever must "
            "move from there loses.) Which target is it?"
        )

    def question(self, answers: Sequence[Sequence[str]] = ()) -> Question | None:
        """Ask for the target."""
        if answers:
            return None
        cells = tuple(Candidate(str(target)) for target in self.targets)
        right = tuple(map(str, self.fitting(self.clues)))
        return Question(prompt="Which target is it?", candidates=cells, right=right, picture=Picture(self.task))

    @cached_property
    def target(self) -> int:
        """The answer."""
        return self.fitting(self.clues)[0]

    @property
    def hints(self) -> tuple[str, str, str]:
        """The clue to start with; what it allows; half of the target."""
        first, second = self._clues_in_order
        idea = (
            f"It fits only {join_with_and(self.fitting([first]))}. For each of these, is {second[0]} above half of the "
            "target, above a quarter of it, or below that?"
        )
        return f"Start with the clue about {first[0]}.", idea, f"Half of the target is {self.target // 2}."

    @property
    def _clues_in_order(self) -> list[tuple[int, bool]]:
        """The clues, first the one that fewer targets fit."""
        return sorted(self.clues, key=lambda clue: len(self.fitting([clue])))

    @property
    def explanation(self) -> tuple[str, ...]:
        """The meaning of the clues with this target."""
        game = type(self.game)(target=self.target, step=self.game.step)
        first, second = self._clues_in_order
        fits = join_with_and(self.fitting([first]))
        only = (
            f"Only {fits} fit the clue about {first[0]}. Of these, only {self.target} fits the clue about {second[0]}."
        )
        return (only, *(why(game, number) for number, _ in self.clues))

    @property
    def score(self) -> float:
        """The targets to choose from, and the size of the right one."""
        return log2(len(self.targets)) + log2(1 + self.target)

    def refute(self, answers: Sequence[Sequence[str]], wrong: Sequence[str]) -> Refutation:
        """Name a clue that the target does not fit."""
        target = int(wrong[0])
        number = next(number for number, is_good in self.clues if not self._fits(target, number, is_good))
        game = type(self.game)(target=target, step=self.game.step)
        return Refutation((f"If the target is {target}, {why(game, number)}",))


@dataclass(frozen=True, kw_only=True)
class Crossroads(NumberPuzzle):
    """Several boards with odd totals, on each of which adding or doubling wins."""

    kind: ClassVar[str] = "crossroads"
    form: ClassVar[Form] = Form.BOARDS
    title: ClassVar[str] = "Crossroads"

    @cached_property
    def boards(self) -> tuple[tuple[int, NumberRace], ...]:
        """The total of each board and its race."""
        pairs = (map(int, board.split(":")) for board in self.parameters["boards"].split())
        return tuple((total, type(self.game)(target=target, step=self.game.step)) for total, target in pairs)

    @property
    def shown_options(self) -> dict[str, OptionValue]:
        """All settings but the target, which differs from board to board."""
        return {name: value for name, value in super().shown_options.items() if name != "target"}

    @property
    def task(self) -> str:
        """Name total and target of each board."""
        boards = "; ".join(f"from {total} to {game.target}" for total, game in self.boards)
        return f"{self.adding.capitalize()}. Here are {len(self.boards)} races: {boards}. Which move wins in each?"

    def question(self, answers: Sequence[Sequence[str]] = ()) -> Question | None:
        """Ask for the move on the next board."""
        if len(answers) == len(self.boards):
            return None
        total, game = self.boards[len(answers)]
        return move_question(LessonPosition(game, path_to(game, total)), game, total)

    @property
    def fences(self) -> list[int]:
        """The fence of each board; 0 for none."""
        return [fence(game.target) for _, game in self.boards]

    def look_and_idea(self, answers: Sequence[Sequence[str]]) -> tuple[str, str]:
        """Return the way to find a fence, and the fence of the next board."""
        target = self.boards[len(answers)][1].target
        halves = [target // 2]
        while halves[-1] and halves[-1] % 2 == 0:
            halves.append(halves[-1] // 4)
        steps = ", ".join(map(str, halves))
        fence = f"the fence is {halves[-1]}" if halves[-1] else "there is no fence"
        return (
            "Every target has a fence, up to which you double odd totals. Halve the target. Then keep dividing by 4, "
            "rounding down, until the result is odd: that is the fence. If you get 0, there is none.",
            f"{target} gives {steps}, so {fence}. Double an odd total up to the fence; above it, add.",
        )

    @property
    def hints(self) -> tuple[str, str, str]:
        """The way to find a fence; the first one; all of them."""
        fences = ", ".join(str(height or "none") for height in self.fences)
        return (*self.look_and_idea(()), f"The fences are {fences}.")

    @property
    def explanation(self) -> tuple[str, ...]:
        """The fence and the move of each board."""
        lines = (
            f"{total} to {game.target}: {f'the fence is {height}' if height else 'no fence'}, so {move.lower()}."
            for (total, game), height, move in zip(
                self.boards, self.fences, (answer[0] for _, answer in self.solution()), strict=True
            )
        )
        return ("Double an odd total up to the fence; above it, add.", *lines)

    @property
    def score(self) -> float:
        """The boards, half for each that tempts, and half of how deep the deepest wrong move lies."""
        depths = [
            game.law.plies(made(game, total, "double" if answer == ("add",) else "add"))
            for (total, game), (_, answer) in zip(self.boards, self.solution(), strict=True)
        ]
        return len(depths) + sum(depth > 1 for depth in depths) / 2 + log2(1 + max(depths)) / 2

    def refute(self, answers: Sequence[Sequence[str]], wrong: Sequence[str]) -> Refutation:
        """Show how the opponent punishes a wrong move on a board."""
        total, game = self.boards[len(answers)]
        return refutation(game, total, wrong[0])


@cache
def _law(target: int, step: int) -> NumberLaw:
    return NumberLaw(target, step)
