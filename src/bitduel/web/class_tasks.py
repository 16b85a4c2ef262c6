"""Puzzles and steps of a lesson in a class: the pages that everybody knows, with answers that the class counts."""

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import quote, urlencode

from starlette.datastructures import QueryParams
from starlette.requests import Request

from bitduel.classroom.classes import Classes
from bitduel.classroom.responses import PupilState
from bitduel.core.errors import BitduelError, MoveError
from bitduel.core.game import PASS
from bitduel.core.lesson import Lesson, MatchStep, game_lesson
from bitduel.games.registry import GameClass, find
from bitduel.learning.lesson_grading import LessonState
from bitduel.learning.puzzle_deck import DeckPuzzle
from bitduel.learning.puzzle_session import PuzzleSession
from bitduel.web.lesson_pages import LessonPage
from bitduel.web.puzzle_pages import laid_cards
from bitduel.web.puzzle_view import PuzzlePage
from bitduel.web.site import UNREADABLE_FORM

MOST_FIELDS = 100


class ClassPuzzlePage(PuzzlePage):
    """A puzzle whose answers are sent to a class."""

    method = "post"

    def __init__(self, state: PupilState, item: int, session: PuzzleSession, at: str) -> None:
        self.item, self.count = item, state.activity.count if state.activity else item
        self.next_url = f"/class/{state.code}"
        super().__init__(DeckPuzzle(None, session.puzzle), session, self.next_url, {"item": str(item)}, at)
        self.action = f"{self.next_url}/answer"

    @property
    def name(self) -> str:
        """The number of the puzzle in the activity."""
        return f"Puzzle {self.item} of {self.count}"

    def url(self, **more: str) -> str:
        """Return the address of this puzzle; the class remembers the answers."""
        return f"{self.path}?{urlencode({**self.address, **more})}"

    @property
    def form_fields(self) -> dict[str, str]:
        """The hidden field of the form."""
        return dict(self.address)


class ClassLessonPage(LessonPage):
    """A step of a lesson whose answers are sent to a class."""

    method = "post"
    has_practice = has_laws = False
    restart_url = None

    def __init__(self, kind: GameClass, lesson: Lesson, fields: Mapping[str, str], code: str) -> None:
        self.next_url = f"/class/{code}"
        super().__init__(kind, lesson, fields)
        self.action = f"{self.next_url}/answer"

    @property
    def form_fields(self) -> dict[str, object]:
        """The hidden field of the form."""
        return {"item": self.number}

    def step_url(self, number: int) -> str | None:
        """Return the address of the next step, which is the one that the class is at."""
        return self.next_url if number == self.number + 1 <= len(self.lesson) else None

    def _url(self, **fields: object) -> str:
        return f"{self.next_url}?{urlencode(fields, quote_via=quote)}"


def puzzle_page(
    classes: Classes, state: PupilState, owner: str | None, shown: int | None, fields: QueryParams
) -> ClassPuzzlePage | None:
    """Return the puzzle that a pupil is at, or one that was answered; None if there is no such puzzle."""
    try:
        item, session = classes.puzzle(state.code, owner, shown)
    except BitduelError:
        if state.now.kind != "puzzle":
            return None
        item, session = classes.puzzle(state.code, owner)
    page = ClassPuzzlePage(state, item, session, fields.get("at", ""))
    page.laid = laid_cards(session, fields)
    return page


def lesson_page(
    classes: Classes, state: PupilState, owner: str | None, shown: int | None, fields: QueryParams
) -> ClassLessonPage | None:
    """Return the step that a pupil is at, or one that was answered; None if there is no such step."""
    assert state.activity
    assert state.activity.game
    kind = find(state.activity.game)
    lesson = game_lesson(kind)
    if lesson is None:
        return None
    try:
        item, learner = classes.lesson(state.code, owner, shown)
    except BitduelError:
        if state.now.kind != "lesson":
            return None
        item, learner = classes.lesson(state.code, owner)
    given = {"step": str(item), "lot": str(state.id + item), "moves": ", ".join(_own_moves(learner))}
    is_played_out = isinstance(learner.step, MatchStep) and learner.is_done
    answer = fields.get("answer") or fields.get("move") or ""
    if shown == item and not is_played_out and classes.has_tried(state.code, owner, item, answer):
        given |= {name: fields[name] for name in ("answer", "move", "at") if name in fields}
    try:
        return ClassLessonPage(kind, lesson, given, state.code)
    except MoveError:
        return ClassLessonPage(kind, lesson, {**given, "answer": "", "move": ""}, state.code)


def _own_moves(state: LessonState) -> list[str]:
    """Return the moves that a learner has made in a step."""
    step, match = state.step, state.match
    if not isinstance(step, MatchStep):
        return []
    begun = len(step.position.moves)
    made = [(ply, match.moves[ply]) for ply in range(begun, match.ply)]
    return [move for ply, move in made if match.seat_at(ply) == step.seat and move != PASS]


class AnswerForm(NamedTuple):
    """The form of an answer: the item that it is about, and what was pressed."""

    item: int
    fields: QueryParams

    @property
    def is_laying(self) -> bool:
        """Whether a card was laid or taken back, so that there is no answer yet."""
        return bool({"lay", "take"} & self.fields.keys()) and "check" not in self.fields

    @property
    def answer(self) -> list[str] | None:
        """The answer; None for a hint."""
        if "hint" in self.fields:
            return None
        names = "laid" if "laid" in self.fields else "answer"
        return [*self.fields.getlist(names), *self.fields.getlist("move")]

    def send(self, classes: Classes, code: str, owner: str | None) -> str:
        """Send the answer, and return the address that shows what became of it."""
        there = f"/class/{code}?item={self.item}"
        if self.is_laying:
            laid = laid_cards(classes.puzzle(code, owner, self.item)[1], self.fields)
            return f"{there}&{urlencode({'laid': laid}, doseq=True)}" if laid else there
        response = classes.answer(code, owner, self.item, self.answer)
        is_done = response.now.item != self.item
        if not self.answer or (response.right and not is_done):
            return there
        return f"{there}&{urlencode({'answer': self.answer[0]}, quote_via=quote)}"


async def answer_in(request: Request) -> AnswerForm:
    """Return the answer in the form of a request; raise BitduelError for anything else."""
    try:
        fields = QueryParams((await request.body()).decode("utf-8", "replace"))
    except ValueError:
        raise BitduelError(UNREADABLE_FORM) from None
    item = fields.get("item", "")
    if not (item.isascii() and item.isdigit() and len(item) < 5) or len(fields.multi_items()) > MOST_FIELDS:
        raise BitduelError(UNREADABLE_FORM)
    return AnswerForm(int(item), fields)
