"""`bitduel learn GAME`: a lesson, step by step."""

import json
import sys
from typing import NamedTuple

import click

from bitduel.core.errors import BitduelError, EndOfInputError, SignalError
from bitduel.core.lesson import Lesson
from bitduel.games import Kind, shelf
from bitduel.terminal.parameters import GameType
from bitduel.terminal.screen import Screen, open_screen
from bitduel.terminal.text import listing

EXAMPLES = """\b
Examples:
  bitduel learn
  bitduel learn double
  bitduel learn battle --step 5
  bitduel learn 31 --json
"""


class NoLessonError(BitduelError):
    """A game without a lesson, or a step that its lesson does not have."""


@click.command("learn", epilog=EXAMPLES)
@click.argument("kind", metavar="[GAME]", type=GameType(), required=False)
@click.option("--step", type=int, metavar="N", help="Begin at this step; without it, where you left.")
@click.option("--plain", is_flag=True, help="Just the lines: no colour, no pictures. A pipe gets this too.")
@click.option("--json", "as_json", is_flag=True, help="Print the lesson as JSON for programs.")
def command(kind: Kind | None, step: int | None, plain: bool, as_json: bool) -> None:
    """Learn GAME step by step, from its rules to best play; without GAME, list the lessons."""
    if kind is None:
        show_all(as_json)
        return
    lesson = lesson_of(kind)
    if step is not None and not 1 <= step <= len(lesson):
        raise NoLessonError(f"This lesson has the steps 1 to {len(lesson)}, not {step}.")
    if as_json:
        print(json.dumps({"game": kind.slug, **lesson.as_data()}, indent=2))
        return
    give(kind, lesson, open_screen(plain), step)


def lesson_of(kind: Kind) -> Lesson:
    """The lesson of a game; raises NoLessonError where there is none."""
    lesson = kind.lesson()
    if lesson is None:
        raise NoLessonError(f"There is no lesson for {kind.title} yet; 'bitduel rules {kind.short}' shows its rules.")
    return lesson


class Taught(NamedTuple):
    """A game with its lesson, and where one is in it."""

    kind: Kind
    lesson: Lesson
    where: str


def lessons() -> list[Taught]:
    """Every game that has a lesson."""
    from bitduel.terminal import lesson_progress as progress

    kept = progress.steps()
    found = [(kind, lesson) for kind in shelf() if (lesson := kind.lesson())]
    return [Taught(kind, lesson, _where(kept.get(kind.slug), lesson)) for kind, lesson in found]


def show_all(as_json: bool) -> None:
    """Every game that has a lesson, and where one is in it."""
    found = lessons()
    if as_json:
        data = [{"game": kind.slug, "title": each.title, "steps": len(each)} for kind, each, _ in found]
        print(json.dumps(data))
        return
    rows = [(kind.short, f"{kind.title}: {each.title} ({where})") for kind, each, where in found]
    screen = open_screen(plain=False, asks=False)
    screen.say(["Lessons, each from the rules to best play:", *listing(rows, screen.width)])
    screen.say(["", "Begin with 'bitduel learn GAME'."])


def _where(kept: int | None, lesson: Lesson) -> str:
    if kept is not None and kept > len(lesson):
        return f"{len(lesson)} steps, all done"
    return f"step {kept} of {len(lesson)} is next" if kept and kept > 1 else f"{len(lesson)} steps"


def give(kind: Kind, lesson: Lesson, screen: Screen, step: int | None) -> None:
    """The lesson from a step on, or from where somebody at a terminal left; a pipe begins at the first."""
    from bitduel.terminal import lesson_progress as progress
    from bitduel.terminal.round import QuitError

    at_terminal = sys.stdin.isatty()
    kept = progress.steps().get(kind.slug, 1) if at_terminal and step is None else 1
    begin = step or (kept if kept <= len(lesson) else 1)
    troubles: list[str] = []

    def reached(number: int) -> None:
        if at_terminal and (trouble := progress.keep(kind.slug, number)) and not troubles:
            troubles.append(trouble)
            screen.say([trouble], "wrong")

    screen.say([f"{kind.title}: {lesson.title}"], "turn")
    if begin > 1 and step is None:
        screen.say(["You go on where you left. (--step 1 begins anew.)"], "quiet")
    screen.say([""])
    with screen.busy("Getting ready ..."):
        from bitduel.terminal.lesson_dialog import Teaching
    teaching = Teaching(kind(), lesson, screen, reached)
    later = f"Go on with: bitduel learn {kind.short}"
    try:
        teaching.give(begin)
    except QuitError:
        screen.say(["You have left the lesson.", *([later] if at_terminal else [])])
    except SignalError:
        raise
    except (EndOfInputError, KeyboardInterrupt) as error:
        screen.say([later] if at_terminal else [], "quiet")
        raise (EndOfInputError("this") if isinstance(error, EndOfInputError) else error) from None
