"""Progress with lessons, kept on this machine: steps, practice, and the match that shows mastery.

A file that cannot be read is never overwritten: the person gets one sentence, and nothing is saved.
"""

import json
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from bitduel.core.folders import data_folder, write_atomically
from bitduel.core.practice import ENOUGH_RIGHT

LESSON_FILE = "lessons.json"
LESSON_FORMAT = "bitduel lessons 2"
LARGEST_LESSON_FILE = 100_000
"""Bytes that are read at most."""

RIGHT_ITEM, WRONG_ITEM = "+", "x"


class StepMark(StrEnum):
    """The result of a step of a lesson."""

    DONE = "done"
    HELPED = "helped"
    """Answered, but after a hint or a wrong answer."""
    SKIPPED = "skipped"


SIGNS = {StepMark.DONE: "✓", StepMark.HELPED: "~", StepMark.SKIPPED: "-"}
_ORDER = (StepMark.SKIPPED, StepMark.HELPED, StepMark.DONE)


@dataclass
class GameProgress:
    """The progress with one game."""

    next_step: int = 1
    steps: dict[str, str] = field(default_factory=dict)
    """The mark of each step that was taken, by its number."""
    practice: str = ""
    """The last row of eight items, + for each that was right at once."""
    learnt: bool = False
    mastered: bool = False

    def marked(self, mark: StepMark) -> list[int]:
        """Return the steps with a mark, in their order."""
        return sorted(int(number) for number, each in self.steps.items() if each == mark)

    @property
    def answered(self) -> int:
        """The number of steps that were answered, with help or without."""
        return len(self.marked(StepMark.DONE)) + len(self.marked(StepMark.HELPED))

    def is_done(self, steps: int) -> bool:
        """Return whether every step was answered, with help or without."""
        return self.answered >= steps

    def start(self, steps: int) -> int:
        """Return the step to go on with: the next one; after the last, the first that was not answered."""
        if self.next_step <= steps:
            return self.next_step
        open_steps = (step for step in range(1, steps + 1) if self.steps.get(str(step)) in (None, StepMark.SKIPPED))
        return next(open_steps, 1)

    def signs(self, steps: int) -> str:
        """Return the steps with the sign of each mark; empty where none was taken."""
        marks = {number: SIGNS[StepMark(mark)] for number, mark in self.steps.items()}
        return "  ".join(f"{step}{marks.get(str(step), '')}" for step in range(1, steps + 1)) if marks else ""

    def describe(self, steps: int) -> str:
        """Return a few words on the progress in a lesson with a number of steps."""
        helped, skipped = len(self.marked(StepMark.HELPED)), len(self.marked(StepMark.SKIPPED))
        if self.is_done(steps):
            parts = [f"{steps} steps, all done"]
        elif 1 < self.next_step <= steps:
            parts = [f"next: step {self.next_step} of {steps}"]
        else:
            parts = [f"{self.answered} of {steps} steps done" if self.answered else f"{steps} steps"]
        parts += [f"{helped} with help"] * bool(helped) + [f"{skipped} skipped"] * bool(skipped)
        if self.practice and not self.learnt:
            parts.append(f"practice: {self.practice.count(RIGHT_ITEM)} of {len(self.practice)}")
        parts += ["learnt"] * self.learnt + ["mastered"] * self.mastered
        return ", ".join(parts)


@dataclass
class LessonProgress:
    """The progress with all games, saved after every change."""

    path: Path | None = None
    games: dict[str, GameProgress] = field(default_factory=dict)
    trouble: str = ""
    """The reason why nothing is saved, if so."""

    def of(self, slug: str) -> GameProgress:
        """Return the progress with a game."""
        return self.games.get(slug, GameProgress())

    def note_next(self, slug: str, step: int) -> None:
        """Save which step comes next."""
        self._own(slug).next_step = step
        self._save()

    def note_step(self, slug: str, number: int, mark: StepMark) -> None:
        """Save the mark of a step; a better one from before stands."""
        steps = self._own(slug).steps
        before = steps.get(str(number))
        if before is None or _ORDER.index(mark) > _ORDER.index(StepMark(before)):
            steps[str(number)] = mark.value
            self._save()

    def note_practice(self, slug: str, row: str) -> bool:
        """Save a row of items of practice; return whether the lesson is learnt by it."""
        game = self._own(slug)
        game.practice = row
        is_enough = row.count(RIGHT_ITEM) >= ENOUGH_RIGHT
        game.learnt = game.learnt or is_enough
        self._save()
        return is_enough

    def note_mastered(self, slug: str) -> None:
        """Save that somebody has mastered a game."""
        self._own(slug).mastered = True
        self._save()

    def _own(self, slug: str) -> GameProgress:
        return self.games.setdefault(slug, GameProgress())

    def _save(self) -> None:
        if self.path is None:
            return
        content = {"format": LESSON_FORMAT, "games": {slug: asdict(game) for slug, game in self.games.items()}}
        try:
            write_atomically(self.path, json.dumps(content))
        except OSError as error:
            self.trouble = f"Your progress can't be saved: {error.strerror or error}."
            self.path = None


def open_lesson_progress() -> LessonProgress:
    """Read the progress with lessons; if the file is unreadable, return progress that is not saved and says why."""
    try:
        path = data_folder() / LESSON_FILE
        with path.open("rb") as file:
            text = file.read(LARGEST_LESSON_FILE)
    except FileNotFoundError:
        return LessonProgress(path)
    except OSError as error:
        return LessonProgress(trouble=f"Your progress can't be saved: {error.strerror or error}.")
    try:
        return LessonProgress(path, _parse(json.loads(text)))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        trouble = f"Your progress can't be saved because {path} is damaged. Move or delete it to start again."
        return LessonProgress(trouble=trouble)


def _parse(content: Any) -> dict[str, GameProgress]:
    if content.get("format") != LESSON_FORMAT:
        return {slug: _carried_over(step) for slug, step in content.items()}
    games = {slug: GameProgress(**game) for slug, game in content["games"].items()}
    for game in games.values():
        _check_step(game.next_step)
        for number, mark in game.steps.items():
            _check_step(int(number))
            StepMark(mark)
        if not set(game.practice) <= {RIGHT_ITEM, WRONG_ITEM} or type(game.learnt) is not bool:
            raise ValueError("a malformed game")
    return games


def _carried_over(step: Any) -> GameProgress:
    """Return the progress of a file of before, which has the next step only: those before it count as done."""
    _check_step(step)
    return GameProgress(step, {str(number): StepMark.DONE.value for number in range(1, min(step, 100))})


def _check_step(step: Any) -> None:
    if type(step) is not int or step < 1:
        raise ValueError("not the number of a step")
