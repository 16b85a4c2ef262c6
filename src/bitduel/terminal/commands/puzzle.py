"""`bitduel puzzle`: the puzzle of the day, and any number of others."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from random import SystemRandom
from typing import TYPE_CHECKING

import click

from bitduel.core.command_line import db_option
from bitduel.core.errors import BitduelError, EndOfInputError
from bitduel.games import Kind
from bitduel.terminal.parameters import GameType
from bitduel.terminal.round import QuitError
from bitduel.terminal.screen import SHORTLY, Screen, has_unicode, open_screen
from bitduel.terminal.text import aside

if TYPE_CHECKING:
    from bitduel.solver.puzzles import Puzzle
    from bitduel.terminal.puzzle_progress import Progress

EXAMPLES = """\b
Examples:
  bitduel puzzle                       the puzzle of today
  bitduel puzzle --game 64 --grade 3   others, one after the other
  bitduel puzzle --mine                what you got wrong, here and in matches
  bitduel puzzle --daily --json
"""

NOTHING_OWN = "There is nothing of your own to practise now: no mistake in a match, and nothing that is due today."


class DayType(click.ParamType[date]):
    """A day as 2026-11-16."""

    name = "date"

    def convert(self, value: str | date, param: click.Parameter | None, ctx: click.Context | None) -> date:
        """The day; raises with how one is written."""
        from bitduel.solver.puzzle_deck import day_in

        return value if isinstance(value, date) else day_in(value)


class GradeType(click.ParamType[int]):
    """A grade from 1 to 7."""

    name = "grade"

    def convert(self, value: str | int, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The grade; raises with what there is."""
        from bitduel.solver.puzzle_deck import grade_in

        return grade_in(str(value))


@click.command("puzzle", epilog=EXAMPLES)
@click.option("--daily", is_flag=True, help="The puzzle of today; also what comes without any option.")
@click.option("--date", "day", metavar="YYYY-MM-DD", type=DayType(), help="The puzzle of another day.")
@click.option("--game", "kind", metavar="GAME", type=GameType(), help="Puzzles of one game.")
@click.option("--grade", metavar="1-7", type=GradeType(), help="Puzzles of one grade: 1 is easy, 7 hard.")
@click.option("--number", type=click.IntRange(1), help="The puzzle of this number.")
@click.option("--mine", is_flag=True, help="What you got wrong before, and turning points of your own matches.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for programs.")
@click.option("--solution", is_flag=True, help="With --json: the answer too.")
@click.option("--plain", is_flag=True, help="Just the lines: no colour, no pictures. A pipe gets this too.")
@db_option
def command(
    daily: bool,
    day: date | None,
    kind: Kind | None,
    grade: int | None,
    number: int | None,
    mine: bool,
    as_json: bool,
    solution: bool,
    plain: bool,
    db: str | None,
) -> None:
    """Solve a puzzle: the one of the day, of a game, of a grade, or out of your own matches."""
    practice = bool(kind or grade)
    if (daily or day is not None) + practice + (number is not None) + mine > 1:
        raise click.UsageError("Choose one: the puzzle of a day, a game and grade, a number, or --mine.")
    from bitduel.terminal.puzzle_progress import open_progress

    today = date.today()
    progress = open_progress()
    puzzles = _one(number) if number else _mine(progress, db, today) if mine else _some(kind, grade)
    day = None if practice or number or mine else day or today
    if as_json:
        found = _daily(day) if day else next(puzzles, None)
        if mine:
            _tell_trouble(progress)
        if found is None:
            raise BitduelError(NOTHING_OWN)
        print(json.dumps(found.as_data(day.isoformat() if day else None, solution)))
        return
    screen = open_screen(plain)
    with _left_politely(progress, screen):
        if day:
            ask_of_the_day(day, today, progress, screen)
        else:
            ask_in_turn(puzzles, progress, screen, today, mine)


def solve_of_today(screen: Screen) -> None:
    """The puzzle of today at a screen that is there already."""
    from bitduel.terminal.puzzle_progress import open_progress

    today, progress = date.today(), open_progress()
    with _left_politely(progress, screen):
        ask_of_the_day(today, today, progress, screen)


@contextmanager
def _left_politely(progress: "Progress", screen: Screen) -> Iterator[None]:
    """Whoever leaves is told so, and what could not be kept."""
    try:
        yield
    except QuitError:
        screen.say(["You have left the puzzle."])
        _tell_trouble(progress)
    except EndOfInputError:
        _tell_trouble(progress)
        raise EndOfInputError("this") from None


def _daily(day: date) -> "Puzzle":
    from bitduel.solver.puzzle_deck import daily

    return daily(day)


def _one(number: int) -> "Iterator[Puzzle]":
    from bitduel.solver.puzzle_deck import numbered

    yield numbered(number)


def _some(kind: Kind | None, grade: int | None) -> "Iterator[Puzzle]":
    from bitduel.solver.puzzle_deck import any_of

    while True:
        yield any_of(kind, grade, SystemRandom())


def _mine(progress: "Progress", db: str | None, today: date) -> "Iterator[Puzzle]":
    from bitduel.terminal.own_puzzles import own_puzzles

    return own_puzzles(progress, db, today)


def ask_of_the_day(day: date, today: date, progress: "Progress", screen: Screen) -> None:
    """The puzzle of a day, and the line to share."""
    with screen.busy("Looking for the puzzle ..."):
        from bitduel.solver.puzzle_words import RIGHT, is_over, share_line, shown
        from bitduel.terminal.puzzle_dialog import Puzzling

        puzzle, counts = _daily(day), day == today
    before = progress.days.get(day.isoformat(), "") if counts else ""
    again = is_over(before)
    begun = "" if again else before
    made = shown(before, plain=not has_unicode())
    screen.say([f"You go on with the tries of today: {made}"] if begun else [], "quiet")
    screen.say([f"You have done the puzzle of today: {made}. Only this first result counts."] if again else [], "quiet")

    def tried(tries: str) -> None:
        if counts:
            progress.note_day(day, tries)

    tries = Puzzling(puzzle, screen, begun, tried).run(f"Puzzle of {day.isoformat()}")
    progress.note(puzzle, tries == RIGHT, today)
    streak = progress.streak(today) if counts else 0
    line = share_line(day.isoformat(), puzzle.grade, before if again else tries, streak, plain=not has_unicode())
    screen.say(["", line], "turn")
    screen.say(["(That is your first result.)"] if again else [], "quiet")
    _tell_trouble(progress)


def ask_in_turn(puzzles: "Iterator[Puzzle]", progress: "Progress", screen: Screen, today: date, mine: bool) -> None:
    """Puzzles one after the other, as long as somebody wants more and there are more."""
    from bitduel.solver.puzzle_words import RIGHT
    from bitduel.terminal.puzzle_dialog import Puzzling

    asked = 0
    with screen.busy("Looking for puzzles ..."):
        puzzle = next(puzzles, None)
    while puzzle:
        asked += 1
        title = f"Puzzle {puzzle.number}" if puzzle.number else "A position of your own"
        tries = Puzzling(puzzle, screen).run(title)
        progress.note(puzzle, tries == RIGHT, today, always=mine)
        _tell_trouble(progress)
        with screen.busy("Looking for puzzles ..."):
            puzzle = next(puzzles, None)
        if puzzle and screen.ask("Another? (Y/n): ", SHORTLY).strip().lower() in ("n", "no", "q", "quit"):
            return
        screen.say([""])
    screen.say([NOTHING_OWN if not asked else "That is all for today."] if mine else [])
    _tell_trouble(progress)


def _tell_trouble(progress: "Progress") -> None:
    """Say once that nothing is kept."""
    if progress.trouble:
        aside(f"bitduel: {progress.trouble}")
        progress.trouble = ""
