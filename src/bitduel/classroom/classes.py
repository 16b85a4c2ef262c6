"""The service of classes: what teachers, pupils and the projector can see and do."""

from typing import NamedTuple

from bitduel.classroom.requests import ActivityRequest
from bitduel.classroom.responses import (
    AnswerResponse,
    HandoverResponse,
    JoinedPupil,
    PupilState,
    ScreenState,
    TeacherState,
)
from bitduel.learning.lesson_grading import LessonState
from bitduel.learning.puzzle_session import PuzzleSession
from bitduel.service.match_service import MatchService

MOST_PUPILS = 200
KEEP_DAYS = 7


class ClassSummary(NamedTuple):
    """What somebody who knows the code may know of a class."""

    code: str
    title: str
    is_open: bool
    """Whether somebody can join now: the door is not locked, and there is room."""
    free_names: tuple[str, ...]
    """The names on the teacher's list that nobody has taken yet."""


class Classes:
    """Classes over a match service; `owner` is always the hash of a secret, `token` a secret itself."""

    def __init__(self, service: MatchService, most_pupils: int = MOST_PUPILS, keep_days: int = KEEP_DAYS) -> None:
        self.service = service
        self.most_pupils = most_pupils
        self.keep_days = keep_days

    def create(self, title: str, owner: str, names: tuple[str, ...] = ()) -> str:
        """Create a class with a list of names or none, and return its code."""
        raise NotImplementedError

    def summary(self, code: str) -> ClassSummary:
        """Return what the page for joining shows; raise UnknownClassError."""
        raise NotImplementedError

    def open_teacher(self, code: str, secret: str, owner: str) -> None:
        """Let the browser that opened the teacher's link be the teacher's."""
        raise NotImplementedError

    def is_teacher(self, code: str, owner: str | None) -> bool:
        """Return whether somebody is a teacher of the class."""
        raise NotImplementedError

    def pupil_of(self, code: str, owner: str | None) -> int | None:
        """Return the id of the pupil that somebody is in the class."""
        raise NotImplementedError

    def join(self, code: str, name: str, token: str) -> JoinedPupil:
        """Join a class under a name."""
        raise NotImplementedError

    def return_(self, code: str, name: str, pin: str, token: str) -> JoinedPupil:
        """Come back by name and PIN: the place moves to this token."""
        raise NotImplementedError

    def link(self, code: str, owner: str, pupil: int) -> HandoverResponse:
        """Return a new one-time link that hands a pupil's place to another device."""
        raise NotImplementedError

    def look_link(self, code: str, secret: str) -> str:
        """Return the name whose place a link hands over."""
        raise NotImplementedError

    def take_link(self, code: str, secret: str, token: str) -> JoinedPupil:
        """Use a link: the place moves to this token, with a new PIN."""
        raise NotImplementedError

    def teacher_state(self, code: str, owner: str | None) -> TeacherState:
        """Return the class for its teacher."""
        raise NotImplementedError

    def pupil_state(
        self, code: str, owner: str | None, token: str | None = None, shows_token: bool = False
    ) -> PupilState:
        """Return the class for a pupil."""
        raise NotImplementedError

    def screen_state(self, code: str) -> ScreenState:
        """Return the class for the projector."""
        raise NotImplementedError

    def set_activity(self, code: str, owner: str | None, activity: ActivityRequest) -> None:
        """Start an activity."""
        raise NotImplementedError

    def pause(self, code: str, owner: str | None) -> None:
        """Freeze all boards and clocks."""
        raise NotImplementedError

    def resume(self, code: str, owner: str | None) -> None:
        """Go on after a pause."""
        raise NotImplementedError

    def next_round(self, code: str, owner: str | None, number: int | None = None, early: bool = False) -> None:
        """Start the next round, or open the next puzzle; boards that still play are ended only if `early`."""
        raise NotImplementedError

    def finish(self, code: str, owner: str | None) -> None:
        """End the activity; what still plays is cancelled and does not count."""
        raise NotImplementedError

    def lock(self, code: str, owner: str | None) -> None:
        """Let nobody else join."""
        raise NotImplementedError

    def unlock(self, code: str, owner: str | None) -> None:
        """Let others join again."""
        raise NotImplementedError

    def change(self, code: str, owner: str | None, title: str | None = None, approval: bool | None = None) -> None:
        """Change the title, or whether names need approval."""
        raise NotImplementedError

    def add(self, code: str, owner: str | None, name: str) -> int:
        """Put a name on the list, for a pupil to take."""
        raise NotImplementedError

    def approve(self, code: str, owner: str | None, pupil: int) -> None:
        """Let a pupil in."""
        raise NotImplementedError

    def rename(self, code: str, owner: str | None, pupil: int, name: str) -> None:
        """Give a pupil another name."""
        raise NotImplementedError

    def new_pin(self, code: str, owner: str | None, pupil: int) -> str:
        """Return a new PIN for a pupil, and unlock it."""
        raise NotImplementedError

    def remove(self, code: str, owner: str | None, pupil: int) -> None:
        """Remove a pupil; an opponent gets the computer or a bye."""
        raise NotImplementedError

    def delete(self, code: str, owner: str | None) -> None:
        """Delete the class with all names."""
        raise NotImplementedError

    def results_csv(self, code: str, owner: str | None) -> str:
        """Return the results of all activities, a row for each pupil in each."""
        raise NotImplementedError

    def puzzle(self, code: str, owner: str | None) -> tuple[int, PuzzleSession]:
        """Return the number and the state of the puzzle that a pupil is at."""
        raise NotImplementedError

    def lesson(self, code: str, owner: str | None) -> tuple[int, LessonState]:
        """Return the number and the state of the step that a pupil is at."""
        raise NotImplementedError

    def answer(self, code: str, owner: str | None, item: int, answer: list[str] | None) -> AnswerResponse:
        """Answer the puzzle or the step of the lesson that a pupil is at; None asks for a hint."""
        raise NotImplementedError
