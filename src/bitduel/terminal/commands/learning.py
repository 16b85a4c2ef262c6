"""`bitduel learn` and `bitduel puzzle`: lessons, the puzzle of the day, and puzzles to practise with."""

import json
import sys
from collections.abc import Callable
from datetime import date
from random import SystemRandom
from typing import TYPE_CHECKING, NamedTuple

import click

from bitduel.core.errors import BitduelError, EndOfInputError, SignalError
from bitduel.core.folders import db_option
from bitduel.core.lesson import Lesson, game_lesson
from bitduel.core.practice import game_practice
from bitduel.games.registry import GameClass, all_games
from bitduel.terminal.parameters import GameType, command, json_option, plain_option
from bitduel.terminal.prompts import QuitError
from bitduel.terminal.screen import Screen, has_unicode, open_screen
from bitduel.terminal.text import listing

if TYPE_CHECKING:
    from bitduel.learning.lesson_progress import StepMark


class NoLessonError(BitduelError):
    """A game without a lesson, or a step that its lesson does not have."""


class LessonListing(NamedTuple):
    """A game, its lesson, and how far the learner is."""

    kind: GameClass
    lesson: Lesson
    progress: str


@command(
    "learn",
    "bitduel learn",
    "bitduel learn double",
    "bitduel learn battle --step 5",
    "bitduel learn 64 --practice   eight questions on the lesson",
    "bitduel learn 64 --match      a match against perfect play",
    "bitduel learn 31 --json",
)
@click.argument("kind", metavar="[GAME]", type=GameType(), required=False)
@click.option("--step", type=int, metavar="N", help="Start at this step. Default: where you left off.")
@click.option("--practice", is_flag=True, help="Answer eight questions on what the lesson taught.")
@click.option("--match", "as_match", is_flag=True, help="Play a whole match against perfect play, to master the game.")
@plain_option
@click.option("--json", "as_json", is_flag=True, help="Print the lesson as JSON for programs.")
@db_option
def learn(
    kind: GameClass | None,
    step: int | None,
    practice: bool,
    as_match: bool,
    plain: bool,
    as_json: bool,
    db: str | None,
) -> None:
    """Learn to play GAME well, step by step. Without GAME, list the lessons."""
    if (step is not None) + practice + as_match + as_json > 1:
        raise click.UsageError("Choose one: --step, --practice, --match or --json.")
    if kind is None:
        if practice or as_match:
            raise click.UsageError("Name a game, such as: bitduel learn 64 --practice")
        _list_lessons(as_json)
        return
    lesson = game_lesson(kind)
    if lesson is None:
        raise NoLessonError(f"There is no lesson for {kind.title} yet. To see its rules: bitduel rules {kind.short}")
    if step is not None and not 1 <= step <= len(lesson):
        raise NoLessonError(f"This lesson has {len(lesson)} steps, so there is no step {step}.")
    if as_json:
        print(json.dumps({"game": kind.slug, **lesson.as_data()}, indent=2))
        return
    giving = LessonGiving(kind, lesson, open_screen(plain), db)
    if practice:
        giving.practise()
    elif as_match:
        giving.play_match()
    else:
        giving.give(step)


def lessons() -> list[LessonListing]:
    """Return the lesson of every game that has one."""
    from bitduel.learning.lesson_progress import open_lesson_progress

    progress = open_lesson_progress()
    return [
        LessonListing(kind, lesson, progress.of(kind.slug).describe(len(lesson)))
        for kind in all_games()
        if (lesson := game_lesson(kind))
    ]


def _list_lessons(as_json: bool) -> None:
    if as_json:
        data = [{"game": kind.slug, "title": lesson.title, "steps": len(lesson)} for kind, lesson, _ in lessons()]
        print(json.dumps(data))
        return
    rows = [(kind.short, f"{kind.title}: {lesson.title} ({progress})") for kind, lesson, progress in lessons()]
    screen = open_screen(plain=False, asks=False)
    screen.show(["Lessons, each from the rules to perfect play:", *listing(rows, screen.width)])
    screen.show(["", "To start one: bitduel learn GAME"])


class LessonGiving:
    """A lesson at a screen with its practice and its match, and the progress that is kept of it."""

    def __init__(self, kind: GameClass, lesson: Lesson, screen: Screen, db: str | None = None) -> None:
        from bitduel.learning.lesson_progress import LessonProgress, open_lesson_progress

        self.kind, self.lesson, self.screen, self.db = kind, lesson, screen, db
        self.at_terminal = sys.stdin.isatty()
        self.progress = open_lesson_progress() if self.at_terminal else LessonProgress()

    def give(self, step: int | None = None) -> None:
        """Give the lesson from a step on, or from where the learner at a terminal left it; then offer practice."""
        known, count = self.progress.of(self.kind.slug), len(self.lesson)
        first = step or known.start(count)
        self.screen.show([f"{self.kind.title}: {self.lesson.title}"], "turn")
        if first > 1 and step is None:
            self.screen.show(["Continuing where you left off. (Use --step 1 to start again.)"], "quiet")
        if signs := known.signs(count):
            lines = f"Steps: {signs}", "(✓ done, ~ with help, - skipped)"
            self.screen.show(lines if has_unicode() else (line.replace("✓", "+") for line in lines), "quiet")
        self.screen.show([""])
        self._report()
        with self.screen.busy("Getting ready..."):
            from bitduel.terminal.lesson_dialog import LessonDialog
            from bitduel.terminal.practice_dialog import wants
        dialog = LessonDialog(self.kind(), self.lesson, self.screen, self._reached)
        is_over = self._until_left(lambda: dialog.run(first), f"bitduel learn {self.kind.short}", "lesson")
        if is_over and game_practice(self.kind) and wants(self.screen, "Practise it now, in eight short questions?"):
            self.practise()

    def practise(self) -> None:
        """Ask the items of practice; at a terminal offer the step that was missed, or the match."""
        from bitduel.terminal.practice_dialog import PracticeDialog, wants

        if not game_practice(self.kind):
            raise NoLessonError(f"There is no practice for {self.kind.title} yet.")
        self.screen.show([f"{self.kind.title}: practice", ""], "turn")
        again: list[int | None] = []
        dialog = PracticeDialog(self.kind, self.lesson, self.screen, self.progress)
        command = f"bitduel learn {self.kind.short} --practice"
        if not self._until_left(lambda: again.append(dialog.run()), command, "practice"):
            return
        self._report()
        if again[0] is not None:
            if wants(self.screen, f"Go to step {again[0]} now?"):
                self.give(again[0])
        elif wants(self.screen, "Play the match now?"):
            self.play_match()

    def play_match(self) -> None:
        """Play the match that shows mastery."""
        from bitduel.terminal.practice_dialog import play_for_mastery

        def play() -> None:
            play_for_mastery(self.kind, self.screen, self.progress, self.db)

        self._until_left(play, f"bitduel learn {self.kind.short} --match", "match")
        self._report()

    def _reached(self, number: int, following: int, mark: "StepMark | None") -> None:
        """Save how far the learner is."""
        if mark is not None:
            self.progress.note_step(self.kind.slug, number, mark)
        self.progress.note_next(self.kind.slug, following)
        self._report()

    def _report(self) -> None:
        """Say once that nothing is saved."""
        if self.progress.trouble:
            self.screen.show([self.progress.trouble], "wrong")
            self.progress.trouble = ""

    def _until_left(self, run: Callable[[], object], command: str, what: str) -> bool:
        """Run; if somebody leaves, print how to go on and return False."""
        later = [f"To continue: {command}"] if self.at_terminal else []
        try:
            run()
        except QuitError:
            self.screen.show([f"You left the {what}.", *later])
            return False
        except SignalError:
            raise
        except KeyboardInterrupt:
            self.screen.show(later, "quiet")
            raise
        except EndOfInputError:
            self.screen.show(later, "quiet")
            raise EndOfInputError("this") from None
        return True


def _parse_day(_context: click.Context, _parameter: click.Parameter, text: str | None) -> date | None:
    from bitduel.learning.puzzle_deck import parse_day

    return None if text is None else parse_day(text)


def _parse_grade(_context: click.Context, _parameter: click.Parameter, text: str | None) -> int | None:
    from bitduel.learning.puzzle_deck import parse_grade

    return None if text is None else parse_grade(text)


@command(
    "puzzle",
    "bitduel puzzle                       today's puzzle",
    "bitduel puzzle --game 64 --grade 3   others, one after another",
    "bitduel puzzle --mine                what you got wrong, in puzzles and matches",
    "bitduel puzzle --daily --json",
)
@click.option("--daily", is_flag=True, help="Today's puzzle (the default).")
@click.option("--date", "day", metavar="YYYY-MM-DD", callback=_parse_day, help="The puzzle of another day.")
@click.option("--game", "kind", metavar="GAME", type=GameType(), help="Puzzles from one game.")
@click.option("--grade", metavar="1-7", callback=_parse_grade, help="Puzzles of one grade, from 1 (easy) to 7 (hard).")
@click.option("--number", metavar="N", type=click.IntRange(1), help="The daily puzzle with this number.")
@click.option("--id", "name", metavar="ID", help="The puzzle with this id.")
@click.option("--mine", "own", is_flag=True, help="Puzzles you got wrong, and turning points from your own matches.")
@json_option
@click.option("--solution", is_flag=True, help="With --json, include the answer.")
@plain_option
@db_option
def puzzle(
    daily: bool,
    day: date | None,
    kind: GameClass | None,
    grade: int | None,
    number: int | None,
    name: str | None,
    own: bool,
    as_json: bool,
    solution: bool,
    plain: bool,
    db: str | None,
) -> None:
    """Solve a puzzle: today's, one by game or difficulty, or one from your own matches."""
    practice = bool(kind or grade)
    if (daily or day is not None) + practice + (number is not None) + (name is not None) + own > 1:
        raise click.UsageError("Choose one: the puzzle of a day, a game and grade, a number, an id, or --mine.")
    screen = open_screen(plain or as_json)
    with screen.busy("Looking for the puzzle..."):
        from bitduel.learning.progress import personal_puzzles
        from bitduel.learning.puzzle_deck import daily_puzzle, day_of, puzzle_by_id, random_puzzle
        from bitduel.terminal.puzzle_dialog import NO_OWN_PUZZLES, PuzzlePractice

    session = PuzzlePractice(screen)
    if own:
        puzzles = personal_puzzles(session.progress, db, session.today)
    elif name is not None:
        puzzles = map(puzzle_by_id, [name])
    elif practice:
        puzzles = iter(lambda: random_puzzle(kind, grade, SystemRandom()), None)
    else:
        day = day_of(number) if number else day or session.today
        puzzles = map(daily_puzzle, [day])
    if as_json:
        first = next(puzzles, None)
        if own:
            session.report_trouble()
        if first is None:
            raise BitduelError(NO_OWN_PUZZLES)
        print(json.dumps(first.as_data(solution)))
    elif day:
        if session.ask_daily(day):
            screen.pause("Press Enter to finish.")
    else:
        session.ask_in_turn(puzzles, own)
