"""The pages of practice after a lesson: eight items one after another, and the result; answers are in the address."""

from enum import StrEnum
from typing import NamedTuple

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from bitduel.core.errors import UnknownNameError
from bitduel.core.lesson import Lesson, game_lesson
from bitduel.core.match import other_seat
from bitduel.core.practice import ENOUGH_RIGHT, PracticeItem, game_practice
from bitduel.games.registry import GameClass, find
from bitduel.learning.lesson_progress import RIGHT_ITEM, WRONG_ITEM
from bitduel.learning.mastery import mastery_task, should_start, shows_mastery
from bitduel.learning.puzzle_deck import DeckPuzzle
from bitduel.learning.puzzle_session import PuzzleSession
from bitduel.service.match_session import MatchSession
from bitduel.web.puzzle_pages import today
from bitduel.web.puzzle_view import PuzzlePage
from bitduel.web.site import SitePages, in_turn

SIGNS = {RIGHT_ITEM: "1", WRONG_ITEM: "0"}
"""The marks of items in an address."""


class PracticePages(SitePages):
    """The endpoint of practice."""

    async def practise(self, request: Request) -> Response:
        """Show an item of a game's practice, with an answer or without, or the result and the match."""
        kind = find(request.path_params["slug"])
        return await in_turn(self.shared, request, self._practise, kind, request.query_params)

    def _practise(self, kind: GameClass, fields: QueryParams) -> Response:
        items, lesson = game_practice(kind), game_lesson(kind)
        if not items or lesson is None:
            raise UnknownNameError(f"There is no practice for {kind.title} yet.")
        row = fields.get("row", "")
        if len(row) > len(items) or not set(row) <= {"0", "1"}:
            raise UnknownNameError("There is no such result of practice.")
        if len(row) == len(items) or "match" in fields:
            return self.site.page(
                "practice.html",
                game=kind,
                lesson=lesson,
                result=PracticeResult.of(items, row) if len(row) == len(items) else None,
                enough=ENOUGH_RIGHT,
                task=mastery_task(kind()),
                first=first_of(kind),
            )
        return self._ask(lesson, items, row, fields)

    def _ask(self, lesson: Lesson, items: tuple[PracticeItem, ...], row: str, fields: QueryParams) -> Response:
        item = items[len(row)]
        session = PuzzleSession.parse(item, fields.get("play", ""))
        page = PracticePage(item, lesson, len(items), session, row, fields.get("at", ""))
        answer = [*fields.getlist("answer"), *fields.getlist("move")]
        if not session.is_finished and (answer or "check" in fields):
            session.answer(answer)
        elif "hint" in fields:
            session.hint()
        else:
            return self.site.page("practice_item.html", p=page, now=today())
        return RedirectResponse(page.url(), 303)


class PracticePage(PuzzlePage):
    """An item of practice after the events that are in its address."""

    def __init__(
        self, item: PracticeItem, lesson: Lesson, count: int, session: PuzzleSession, row: str, at: str
    ) -> None:
        path = f"/games/{item.game.slug}/practice"
        super().__init__(DeckPuzzle(item.id, item), session, path, {"row": row}, at)
        self.item, self.count, self.row = item, count, row
        self.step_title = lesson.steps[item.step - 1].title

    @property
    def name(self) -> str:
        """The number of the question."""
        return f"Practice: question {self.item.number} of {self.count}"

    @property
    def is_last(self) -> bool:
        """Whether the result comes next."""
        return self.item.number == self.count

    @property
    def next_url(self) -> str:
        """The address of the next item, or of the result."""
        return f"{self.path}?row={self.row}{'1' if self.session.is_clean else '0'}"

    @property
    def lesson_url(self) -> str:
        """The address of the step that teaches it."""
        return f"/games/{self.item.game.slug}/learn?step={self.item.step}"


class PracticeResult(NamedTuple):
    """The result of all items."""

    row: str
    """A mark for each item, as the terminal has it."""
    items: list[tuple[PracticeItem, bool]]

    @classmethod
    def of(cls, items: tuple[PracticeItem, ...], row: str) -> "PracticeResult":
        """Return the result that an address tells."""
        marks = {sign: mark for mark, sign in SIGNS.items()}
        return cls(
            "".join(marks[sign] for sign in row), [(item, sign == "1") for item, sign in zip(items, row, strict=True)]
        )

    @property
    def right(self) -> int:
        """The number of items that were right at once."""
        return self.row.count(RIGHT_ITEM)

    @property
    def is_enough(self) -> bool:
        """Whether the lesson is learnt."""
        return self.right >= ENOUGH_RIGHT

    @property
    def missed(self) -> PracticeItem | None:
        """The first item that was missed."""
        return next((item for item, is_right in self.items if not is_right), None)


def first_of(kind: GameClass) -> str:
    """Return who starts the match that shows mastery, as the form of a game has it."""
    return "1" if should_start(kind()) else "2"


class Mastery(StrEnum):
    """The result of a match against perfect play, for whoever wants to master the game."""

    NOT_YET = ""
    HELPED = "helped"
    """It would show mastery, but the coach helped, or a move was taken back."""
    MASTERED = "mastered"


def mastery_of(session: MatchSession, seat: int | None) -> Mastery:
    """Return what a finished match shows about the person on a seat."""
    if seat is None or session.stored.is_from_position:
        return Mastery.NOT_YET
    players = session.stored.players
    is_against_perfect = players[seat - 1].is_human and str(players[other_seat(seat) - 1]) == "perfect"
    if not (is_against_perfect and shows_mastery(session.match, seat)):
        return Mastery.NOT_YET
    return Mastery.HELPED if session.stored.backs or session.was_coached(seat) else Mastery.MASTERED
