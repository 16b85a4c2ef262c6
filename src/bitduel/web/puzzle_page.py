"""The page of a puzzle as typed data; everything that has been tried is in its address."""

from collections.abc import Sequence
from datetime import date, timedelta
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote, urlencode

from markupsafe import Markup

from bitduel.core.view import UNSEEN, View
from bitduel.core.words import PLAYERS
from bitduel.solver.puzzle_deck import numbered
from bitduel.solver.puzzle_words import (
    HINTED,
    RIGHT,
    SHOWN,
    WRONG,
    RefutationStep,
    grade_text,
    hints,
    praise,
    refutation,
    role,
    share_line,
    solution,
    verdict,
    why,
)
from bitduel.solver.puzzles import GRADES, Puzzle
from bitduel.web import boards
from bitduel.web.match_page import Button, buttons

MOST_TRIES = 40


class PuzzleRequest(NamedTuple):
    """What an address says: which puzzle, what has been tried, how much help there was, and where one looks."""

    number: int
    path: str
    """Without what was tried: /puzzle?date=..., or /puzzles?number=..."""
    day: str = ""
    today: bool = False
    tries: tuple[str, ...] = ()
    hints: int = 0
    shown: bool = False
    step: int = 0
    """Which position of the refutation of the last try is shown; 0 for the puzzle itself."""

    def url(self, **changed: object) -> str:
        """The address of the same puzzle a little further on."""
        now = self._replace(**changed)  # type: ignore[arg-type]
        said = {"tries": ",".join(now.tries), "hints": now.hints or "", "show": "1" * now.shown, "step": now.step or ""}
        more = urlencode({name: value for name, value in said.items() if value}, quote_via=quote)
        return f"{self.path}&{more}" if more else self.path


class StepLink(NamedTuple):
    """A position of a refutation in the list beside the board."""

    number: int
    said: str
    url: str


class PuzzlePage(NamedTuple):
    """All that the page of a puzzle shows."""

    slug: str
    title: str
    options: str
    aim: str
    rules: list[str]
    grade: int
    grades: range
    grade_text: str
    number: int
    day: str
    today: bool
    board: Markup
    caption: str
    role: str
    asked: str
    verdict: str
    why: list[str]
    """Why the right answer is right."""
    right: bool
    """Whether the verdict is a good one."""
    solved: bool
    over: bool
    signs: str
    share: str
    buttons: list[Button]
    tried: tuple[str, ...]
    fields: dict[str, str]
    """What the form of the answer carries along."""
    action: str
    hints: list[str]
    hint_url: str | None
    show_url: str | None
    step: int
    steps: list[StepLink]
    prev_url: str | None
    next_url: str | None
    again_url: str
    position_url: str | None
    history: list[str]
    """The moves so far, as far as one knows them."""


@lru_cache(maxsize=512)
def puzzle_page(asked: PuzzleRequest) -> PuzzlePage:
    """The page that an address asks for; raises MoveError for a try that is no move."""
    puzzle = numbered(asked.number)
    last = asked.tries[-1] if asked.tries else ""
    tried = puzzle.answer(last) if last else None
    for move in asked.tries[:-1]:
        puzzle.match.after(move)
    solved = bool(tried and tried.right)
    over = solved or asked.shown
    steps = refutation(puzzle, tried) if tried and not over else []
    asked = asked._replace(step=min(asked.step, len(steps)))
    help_left = hints(puzzle)
    signs = HINTED * asked.hints + _signs(puzzle, asked.tries) + SHOWN * asked.shown
    choosing = not over and not asked.step
    usual = buttons(puzzle.game, puzzle.view, [])
    drawn = boards.board(
        puzzle.game,
        _seen(puzzle, steps, asked, over),
        PLAYERS,
        choices={button.move: button.choice for button in usual if button.legal} if choosing else None,
    )
    said = verdict(puzzle, tried) if tried else ""
    return PuzzlePage(
        **drawn,
        slug=puzzle.game.slug,
        title=puzzle.game.title,
        options=boards.shown_options(puzzle.game, puzzle.game.open_options),
        aim=puzzle.game.goal,
        rules=puzzle.game.words.rules(),
        grade=puzzle.grade,
        grades=GRADES,
        grade_text=grade_text(puzzle.grade),
        number=puzzle.number,
        day=asked.day,
        today=asked.today,
        role=role(puzzle),
        asked=puzzle.asked,
        verdict=f"{praise(signs)} {said}" if solved else solution(puzzle) if asked.shown else said,
        why=why(puzzle, last if solved else puzzle.right[0]) if over else [],
        right=over,
        solved=solved,
        over=over,
        signs=signs,
        share=share_line(asked.day, puzzle.grade, signs) if asked.day else "",
        buttons=usual if choosing else [],
        tried=asked.tries,
        fields=_fields(asked),
        action=asked.path.partition("?")[0],
        hints=help_left[: asked.hints],
        hint_url=asked.url(hints=asked.hints + 1, step=0) if choosing and asked.hints < len(help_left) else None,
        show_url=None if over else asked.url(shown=True, step=0),
        step=asked.step,
        steps=[StepLink(number, step.said, asked.url(step=number)) for number, step in enumerate(steps, 1)],
        prev_url=asked.url(step=asked.step - 1) if asked.step > 1 else None,
        next_url=asked.url(step=asked.step + 1) if asked.step < len(steps) else None,
        again_url=asked.url(step=0),
        position_url=boards.position_url(puzzle.match) if over and puzzle.game.transparent else None,
        history=["unseen" if move == UNSEEN else move for move in puzzle.view.history],
    )


def _signs(puzzle: Puzzle, tries: Sequence[str]) -> str:
    return "".join(RIGHT if move in puzzle.right else WRONG for move in tries)


def _seen(puzzle: Puzzle, steps: Sequence[RefutationStep], asked: PuzzleRequest, over: bool) -> View:
    """The position itself, one of a refutation, or the one after the right move."""
    if asked.step:
        return steps[asked.step - 1].view
    if over and puzzle.game.transparent:
        return puzzle.match.after(puzzle.right[0]).view(puzzle.seat)
    return puzzle.view


def _fields(asked: PuzzleRequest) -> dict[str, str]:
    path = dict(pair.split("=") for pair in asked.path.partition("?")[2].split("&"))
    return {**path, "tries": ",".join(asked.tries), **({"hints": str(asked.hints)} if asked.hints else {})}


class DayLinks(NamedTuple):
    """The days before and after one."""

    before: str | None
    after: str | None


def day_links(day: date, last: date) -> DayLinks:
    """Days to leaf through; none after the last."""
    before, after = (day - timedelta(1)).isoformat() if day > date.min else None, day + timedelta(1)
    return DayLinks(before, after.isoformat() if after <= last else None)
