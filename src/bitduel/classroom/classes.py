"""The service of classes: what teachers, pupils and the projector can see and do."""

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from random import SystemRandom
from typing import NamedTuple, TypeVar

from bitduel.classroom.activities import (
    ARENA,
    IN_ROUNDS,
    LADDER,
    LESSON,
    PUZZLES,
    is_paced,
    item_count,
    item_of,
    lesson_state,
    plain_answer,
    puzzle_session,
    settings_of,
    tried_answers,
)
from bitduel.classroom.admission import (
    MOST_WRONG_PINS,
    LockedPinError,
    NameTakenError,
    WrongPinError,
    canonical_code,
    check_pupil_name,
    find_by_name,
    hash_pin,
    new_code,
    pin_of,
)
from bitduel.classroom.boards import (
    begin_round,
    end_boards,
    go_on,
    ladder_rules,
    may_go_on,
    open_boards,
    plan_round,
    release,
    settle,
)
from bitduel.classroom.errors import (
    ClassLateError,
    ClassLockedError,
    NotYourClassError,
    StillPlayingError,
    UnknownPupilError,
)
from bitduel.classroom.grading import grade_puzzle, grade_step
from bitduel.classroom.insight import insight_text
from bitduel.classroom.presence import ClassPresence
from bitduel.classroom.requests import LONGEST_TITLE, ActivityRequest
from bitduel.classroom.responses import (
    AnswerResponse,
    HandoverResponse,
    JoinedPupil,
    NowResponse,
    PlayedMatchResponse,
    PupilState,
    PupilTotal,
    ScreenState,
    TeacherState,
)
from bitduel.classroom.results import results_table
from bitduel.classroom.states import ClassView, total_of
from bitduel.core.errors import BitduelError, PlayerNameError
from bitduel.learning.lesson_grading import LessonState
from bitduel.learning.puzzle_session import PuzzleSession
from bitduel.service.credentials import hashed, new_token
from bitduel.service.hub import MatchUpdate
from bitduel.service.match_service import MatchService
from bitduel.service.match_session import WrongInvitationError
from bitduel.service.presence import PRESENT_FOR
from bitduel.storage import StoreError
from bitduel.storage.classes import (
    MOST_REMEMBERED,
    ActivityRecord,
    ClassChanges,
    ClassRecord,
    PupilRecord,
    UnknownClassError,
    event_key,
)
from bitduel.storage.schema import SECOND, now

T = TypeVar("T")
log = logging.getLogger("bitduel.classroom")
RNG = SystemRandom()
MOST_PUPILS = 200
KEEP_DAYS = 7
MOST_TEACHERS = 20
LINK_MINUTES = 30
MEASURED_AT_ONCE = 20
"""The most matches that the solver looks at before anything else gets its turn."""
DAY = 24 * 60 * 60 * SECOND


class ClassSummary(NamedTuple):
    """A class as somebody who knows the code may see it."""

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
        self.store = service.store.classes
        self.presence = ClassPresence(service.presence, self.store)
        self.most_pupils = most_pupils
        self.keep_days = keep_days
        self.on_change: Callable[[str], None] | None = None
        """Called with the code of a class that has something to do or to announce; without it that is done at once."""
        self._views: dict[str, ClassView] = {}
        service.on_end = self._on_match_end

    # Getting in

    def create(self, title: str, owner: str, names: Sequence[str] = (), is_local: bool = False) -> str:
        """Create a class with a list of names or none, and return its code."""
        if len(names) > self.most_pupils:
            raise BitduelError(f"A class can have at most {self.most_pupils} pupils.")
        is_used = is_local or bool(names)
        expires = now() + (self.keep_days * DAY if is_used else DAY)  # codes are few: an empty class gives back its own
        code = self.store.create(lambda: new_code(RNG), _check_title(title), owner, expires, is_local)
        try:
            for name in names:
                self._change(code, partial(_add_name, name=name))
        except BaseException:
            self._delete(code)
            raise
        self.service.presence.mark_playing(owner)
        return code

    def summary(self, code: str) -> ClassSummary:
        """Return what the page for joining shows; raise UnknownClassError."""
        record = self._record(code)
        free = tuple(each.name for each in _pupils(record) if each.owner is None)
        has_room = bool(free) or len(_pupils(record)) < self.most_pupils
        return ClassSummary(record.code, record.title, not record.locked and has_room, free)

    def open_teacher(self, code: str, secret: str, owner: str) -> None:
        """Let the browser that opened the teacher's link be the teacher's."""
        if hashed(secret) not in self._record(code).teachers:
            raise WrongInvitationError("This link is not valid. Open the link that you got when the class was created.")
        self._change(code, lambda record, changes: _add_teacher(record, changes, owner))
        self.service.presence.mark_playing(owner)

    def add_teacher_secret(self, code: str) -> str:
        """Return a new secret for the teacher's link, for whoever runs the server."""
        token = new_token()
        self._change(code, lambda record, changes: _add_teacher(record, changes, hashed(token)))
        return token

    def add_missing(self, code: str, names: Sequence[str]) -> None:
        """Put those names on the list that are not in the class yet."""
        for name in names:
            if find_by_name(self._record(code), name) is None:
                self._change(code, partial(_add_name, name=name))

    def title_of(self, code: str) -> str:
        """Return the title of a class."""
        return self._record(code).title

    def newest_local(self) -> str | None:
        """Return the code of the class that the command on this machine created last, if it still exists."""
        return self.store.newest_local()

    def is_teacher(self, code: str, owner: str | None) -> bool:
        """Return whether somebody is a teacher of the class."""
        return owner in self._record(code).teachers

    def pupil_of(self, code: str, owner: str | None) -> int | None:
        """Return the id of the pupil that somebody is in the class."""
        pupil = _find_owner(self._record(code), owner)
        return pupil.id if pupil else None

    def join(self, code: str, name: str, token: str) -> JoinedPupil:
        """Join a class under a name."""
        code = canonical_code(code)

        def work(record: ClassRecord, changes: ClassChanges) -> JoinedPupil:
            if own := _find_owner(record, hashed(token)):
                if find_by_name(record, name) == own:
                    return JoinedPupil(id=own.id, name=own.name, pin=_own_pin(record, own, token))
                raise NameTakenError(f"You have joined this class as {own.name}.")
            if record.locked:
                raise ClassLockedError("The door of this class is locked. Please ask your teacher.")
            other = find_by_name(record, name)
            if other and other.owner is None:
                return self._seat(record, changes, other.id, other.name, token)
            checked = check_pupil_name(record, name)
            if len(_pupils(record)) >= self.most_pupils:
                raise ClassLockedError(f"This class is full: it has {self.most_pupils} pupils.")
            pupil = changes.add_pupil(name=checked, approved=int(not record.approval))
            return self._seat(record, changes, pupil, checked, token)

        return self._enter(code, token, work)

    def return_(self, code: str, name: str, pin: str, token: str) -> JoinedPupil:
        """Come back by name and PIN: the place moves to this token."""
        code = canonical_code(code)

        def work(record: ClassRecord, changes: ClassChanges) -> JoinedPupil | BitduelError:
            pupil = find_by_name(record, name)
            if pupil is None or pupil.owner is None or pupil.pin is None:
                return WrongPinError("This name and PIN don't belong together. Please check both.")
            if pupil.failures >= MOST_WRONG_PINS:
                return LockedPinError("Too many wrong PINs were tried for this name. Please ask your teacher.")
            if hash_pin(record.code, pupil.id, pin.strip()) != pupil.pin:
                changes.set_pupil(pupil.id, failures=pupil.failures + 1)
                return WrongPinError("This name and PIN don't belong together. Please check both.")
            if other := _find_owner(record, hashed(token)):
                if other.id == pupil.id:
                    return JoinedPupil(id=pupil.id, name=pupil.name, pin=None)
                return NameTakenError(f"You have joined this class as {other.name}.")
            self._move(changes, pupil, token)
            return JoinedPupil(id=pupil.id, name=pupil.name, pin=None)

        answer = self._enter(code, token, work)
        if isinstance(answer, BitduelError):  # raised here, so that the count of wrong PINs is on disk
            raise answer
        return answer

    def link(self, code: str, owner: str | None, pupil: int) -> HandoverResponse:
        """Return a new one-time link that hands a pupil's place to another device."""
        secret = new_token()

        def work(record: ClassRecord, changes: ClassChanges) -> str:
            _check_pupil(record, pupil)
            until = now() + LINK_MINUTES * 60 * SECOND
            changes.set_pupil(pupil, link=hashed(secret), link_until=until)
            return record.code

        canonical = self._teach(code, owner, work)
        return HandoverResponse(link=f"/class/{canonical}/seat/{secret}", secret=secret, minutes=LINK_MINUTES)

    def look_link(self, code: str, secret: str) -> str:
        """Return the name whose place a link hands over."""
        return _find_link(self._record(code), secret).name

    def take_link(self, code: str, secret: str, token: str) -> JoinedPupil:
        """Use a link: the place moves to this token, with a new PIN."""
        code = canonical_code(code)

        def work(record: ClassRecord, changes: ClassChanges) -> JoinedPupil:
            pupil = _find_link(record, secret)
            other = _find_owner(record, hashed(token))
            if other and other.id != pupil.id:
                raise NameTakenError(f"You have joined this class as {other.name}.")
            if pupil.owner and pupil.owner != hashed(token):
                changes.move_seats(pupil.id, pupil.owner, hashed(token))
            changes.set_pupil(pupil.id, link=None, link_until=None)
            return self._seat(record, changes, pupil.id, pupil.name, token)

        return self._enter(code, token, work)

    def _extend(self, record: ClassRecord, changes: ClassChanges) -> None:
        """Let a class stay for its days from now on."""
        if record.expires <= now() + (self.keep_days - 1) * DAY or self.keep_days == 1:
            changes.set_class(expires=now() + self.keep_days * DAY)

    def _seat(self, record: ClassRecord, changes: ClassChanges, pupil: int, name: str, token: str) -> JoinedPupil:
        """Give a place to a token, with a PIN that its browser can derive again."""
        pin = pin_of(token, record.code)
        moment = now()
        self._extend(record, changes)
        values = {"pin": hash_pin(record.code, pupil, pin), "failures": 0, "here": moment + PRESENT_FOR}
        changes.set_pupil(pupil, owner=hashed(token), joined=moment, **values)
        return JoinedPupil(id=pupil, name=name, pin=pin)

    def _move(self, changes: ClassChanges, pupil: PupilRecord, token: str) -> None:
        changes.set_pupil(pupil.id, owner=hashed(token), failures=0, link=None, here=now() + PRESENT_FOR)
        changes.move_seats(pupil.id, pupil.owner or "", hashed(token))

    def _enter(self, code: str, token: str, work: Callable[[ClassRecord, ClassChanges], T]) -> T:
        answer = self._change(code, work)
        self.service.presence.mark_playing(hashed(token))
        self.service.presence.mark_seen(hashed(token))
        if not self.on_change:
            self._go_on(code)
        return answer

    # Seeing

    def state(self, code: str, owner: str | None, token: str | None = None) -> TeacherState | PupilState:
        """Return the class for whoever asks; `token` is repeated to a program that sent it."""
        if self.is_teacher(code, owner):
            return self.teacher_state(code, owner)
        return self.pupil_state(code, owner, token, shows_token=True)

    def teacher_state(self, code: str, owner: str | None) -> TeacherState:
        """Return the class for its teacher."""
        view = self._view(code)
        _check_teacher(view.record, owner)
        assert owner
        self.service.presence.mark_playing(owner)
        present = self.presence.until(view.record)
        moment = now()
        here = {pupil: until > moment for pupil, until in present.items()}
        away = {
            pupil: round((moment - until + PRESENT_FOR) / SECOND)
            for pupil, until in present.items()
            if until <= moment and view.record.pupils[pupil].owner
        }
        return view.teacher(here, away)

    def pupil_state(
        self, code: str, owner: str | None, token: str | None = None, shows_token: bool = False
    ) -> PupilState:
        """Return the class for a pupil."""
        view = self._view(code)
        pupil = _own_pupil(view.record, owner)
        assert owner
        self.service.presence.mark_playing(owner)
        self.service.presence.mark_seen(owner)
        pin = _own_pin(view.record, pupil, token) if token else None
        return view.pupil(pupil.id, pin, token if shows_token else None)

    def screen_state(self, code: str) -> ScreenState:
        """Return the class for the projector."""
        view = self._view(code)
        moment = now()
        return view.screen({pupil: until > moment for pupil, until in self.presence.until(view.record).items()})

    # Activities

    def set_activity(self, code: str, owner: str | None, activity: ActivityRequest) -> None:
        """Start an activity."""
        record = self._record(code)
        _check_teacher(record, owner)
        _check_no_activity(record)
        present = self.presence.ready(record)
        if activity.pairs:
            _check_pairs(record, activity.pairs)
            present |= {pupil for pair in activity.pairs for pupil in pair}
        if activity.kind in IN_ROUNDS and len(present) < 2 and not (present and activity.odd == "computer"):
            raise ClassLateError("There must be at least two pupils here to be paired.")
        settings = settings_of(activity, present, RNG)
        moment = now()
        ends = None
        if activity.kind == ARENA:
            ends = moment + settings["minutes"] * 60 * SECOND
        elif settings["seconds"]:
            ends = moment + settings["seconds"] * SECOND
        begun = ActivityRecord(record.activity_number + 1, activity.kind, settings, 1, moment, ends, None)
        if activity.kind == LADDER:
            ladder_rules(begun)
        pairing = plan_round(record, begun, present, 1) if activity.kind in IN_ROUNDS else None

        def work(record: ClassRecord, changes: ClassChanges) -> None:
            _check_teacher(record, owner)
            _check_no_activity(record)
            if record.activity_number + 1 != begun.number:
                raise ClassLateError("Another activity was started meanwhile.")
            changes.add_activity(begun.kind, settings, begun.round, ends)
            changes.set_class(paused=None, expires=now() + self.keep_days * DAY)
            if pairing:
                begin_round(record, changes, begun, pairing, 1)

        self._change(code, work)
        self._go_on(record.code)

    def next_round(self, code: str, owner: str | None, number: int | None = None, early: bool = False) -> None:
        """Start the next round, or open the next puzzle; boards that still play are ended only if `early`."""
        self._go_on(canonical_code(code))
        record = self._record(code)
        _check_teacher(record, owner)
        activity = _check_running(record)
        if number is not None and number != activity.round:
            return
        _check_next(record, activity)
        slots = [*activity.settings["slots"], *sorted(self.presence.ready(record) - {*activity.settings["slots"]})]
        settings = {**activity.settings, "slots": slots}
        following = ActivityRecord(
            activity.number, activity.kind, settings, activity.round + 1, activity.started, activity.ends, None
        )
        is_paired = activity.kind in IN_ROUNDS
        if is_paired and not early:
            self._check_boards(record)
        pairing = plan_round(record, following, self.presence.ready(record), following.round) if is_paired else None
        if pairing and not (pairing.pairs or (pairing.odd and settings["odd"] == "computer")):
            raise ClassLateError("There must be at least two pupils here to be paired.")

        def work(record: ClassRecord, changes: ClassChanges) -> None:
            _check_teacher(record, owner)
            current = _check_running(record)
            if (current.number, current.round) != (activity.number, activity.round):
                if number is None:
                    raise ClassLateError("The next round was started meanwhile.")
                return
            if record.paused:
                raise ClassLateError("The class is paused. Resume it first.")
            if is_paired and not early:
                self._check_boards(record)
            end_boards(record, changes)
            ends = now() + settings["seconds"] * SECOND if settings["seconds"] else activity.ends
            changes.set_activity(round=following.round, settings=settings, ends=ends)
            if pairing:
                begin_round(record, changes, following, pairing, following.round)

        self._change(code, work)

    def _check_boards(self, record: ClassRecord) -> None:
        """Raise StillPlayingError if boards play; it names them."""
        playing = open_boards(record)
        if playing:
            view = ClassView(record)
            pairs = [f"{view.name_of(board, 1)} and {view.name_of(board, 2)}" for board in playing[:3]]
            more = f" and {len(playing) - 3} more boards" if len(playing) > 3 else ""
            verb = "is" if len(playing) == 1 else "are"
            boards = f"{len(playing)} board{'' if len(playing) == 1 else 's'}"
            raise StillPlayingError(f"{boards} {verb} still playing: {'; '.join(pairs)}{more}.")

    def finish(self, code: str, owner: str | None) -> None:
        """End the activity; what still plays is cancelled and does not count."""

        def work(record: ClassRecord, changes: ClassChanges) -> None:
            if record.activity is None or record.activity.finished:
                raise ClassLateError("No activity is running.")
            if record.paused:
                changes.set_class(paused=None)
                changes.resume_matches()
            end_boards(record, changes)
            changes.set_activity(finished=now())

        self._teach(code, owner, work)

    def pause(self, code: str, owner: str | None) -> None:
        """Freeze all boards and clocks."""

        def work(record: ClassRecord, changes: ClassChanges) -> None:
            if not record.paused:
                changes.set_class(paused=now())
                changes.pause_matches()

        self._teach(code, owner, work)

    def resume(self, code: str, owner: str | None) -> None:
        """Go on after a pause."""

        def work(record: ClassRecord, changes: ClassChanges) -> None:
            if record.paused:
                changes.set_class(paused=None)
                changes.resume_matches()
                if record.activity and record.activity.ends and not record.activity.finished:
                    changes.set_activity(ends=record.activity.ends + now() - record.paused)

        self._teach(code, owner, work)
        self._go_on(canonical_code(code))

    # The teacher's list

    def lock(self, code: str, owner: str | None) -> None:
        """Let nobody else join."""
        self._teach(code, owner, lambda _record, changes: changes.set_class(locked=1))

    def unlock(self, code: str, owner: str | None) -> None:
        """Let others join again."""
        self._teach(code, owner, lambda _record, changes: changes.set_class(locked=0))

    def change(self, code: str, owner: str | None, title: str | None = None, approval: bool | None = None) -> None:
        """Change the title, or whether names need approval."""

        def work(_record: ClassRecord, changes: ClassChanges) -> None:
            if title is not None:
                changes.set_class(title=_check_title(title))
            if approval is not None:
                changes.set_class(approval=int(approval))

        self._teach(code, owner, work)

    def add(self, code: str, owner: str | None, name: str) -> int:
        """Put a name on the list, for a pupil to take."""

        def work(record: ClassRecord, changes: ClassChanges) -> int:
            if len(_pupils(record)) >= self.most_pupils:
                raise ClassLockedError(f"This class is full: it has {self.most_pupils} pupils.")
            return _add_name(record, changes, name)

        return self._teach(code, owner, work)

    def approve(self, code: str, owner: str | None, pupil: int) -> None:
        """Let a pupil in."""

        def work(record: ClassRecord, changes: ClassChanges) -> None:
            _check_pupil(record, pupil)
            changes.set_pupil(pupil, approved=1)

        self._teach(code, owner, work)
        self._go_on(canonical_code(code))

    def rename(self, code: str, owner: str | None, pupil: int, name: str) -> None:
        """Give a pupil another name."""

        def work(record: ClassRecord, changes: ClassChanges) -> None:
            _check_pupil(record, pupil)
            checked = check_pupil_name(record, name, own=pupil)
            changes.set_pupil(pupil, name=checked)
            changes.rename_in_matches(pupil, checked)

        self._teach(code, owner, work)

    def name_of(self, code: str, owner: str | None, pupil: int) -> str:
        """Return the name of a pupil, for the teacher."""
        record = self._record(code)
        _check_teacher(record, owner)
        return _check_pupil(record, pupil).name

    def new_pin(self, code: str, owner: str | None, pupil: int) -> str:
        """Return a new PIN for a pupil, and unlock it."""
        pin = f"{RNG.randrange(10_000):04}"

        def work(record: ClassRecord, changes: ClassChanges) -> None:
            _check_pupil(record, pupil)
            changes.set_pupil(pupil, pin=hash_pin(record.code, pupil, pin), failures=0)

        self._teach(code, owner, work)
        return pin

    def remove(self, code: str, owner: str | None, pupil: int) -> None:
        """Remove a pupil; an opponent gets the computer or the point."""

        def work(record: ClassRecord, changes: ClassChanges) -> None:
            _check_pupil(record, pupil)
            release(record, changes, pupil)
            changes.set_pupil(pupil, removed=1, owner=None, pin=None, link=None)

        self._teach(code, owner, work)
        self._go_on(canonical_code(code))

    def delete(self, code: str, owner: str | None) -> None:
        """Delete the class with all names."""
        record = self._record(code)
        _check_teacher(record, owner)
        self._delete(record.code)

    def _delete(self, code: str) -> None:
        def work(record: ClassRecord, changes: ClassChanges) -> None:
            end_boards(record, changes)
            changes.delete_class()

        with suppress(UnknownClassError):
            self._change(code, work)
        self.store.forget(code)
        self._views.pop(code, None)
        self.presence.forget(code)

    def matches_of(self, code: str, owner: str | None, pupil: int) -> list[PlayedMatchResponse]:
        """Return all matches of a pupil, the newest first: for the teacher, and for the pupil."""
        record = self._record(code)
        own = _find_owner(record, owner)
        if own is None or own.id != pupil:
            _check_teacher(record, owner)
        _check_pupil(record, pupil)
        views = [ClassView(each) for each in self.store.all_activities(record.code)]
        return [match for view in reversed(views) for match in reversed(view.played(pupil))]

    def total_of(self, code: str, owner: str | None, pupil: int) -> PupilTotal:
        """Return what the solver knows of a pupil over all activities, for the teacher."""
        record = self._record(code)
        _check_teacher(record, owner)
        _check_pupil(record, pupil)
        return total_of(map(ClassView, self.store.all_activities(record.code)), pupil)

    def results_csv(self, code: str, owner: str | None) -> str:
        """Return the results of all activities, a row for each pupil in each."""
        record = self._record(code)
        _check_teacher(record, owner)
        return results_table([ClassView(each) for each in self.store.all_activities(record.code)])

    # Puzzles and lessons

    def puzzle(self, code: str, owner: str | None, item: int | None = None) -> tuple[int, PuzzleSession]:
        """Return the number and the state of the puzzle that a pupil is at, or of one that the pupil has done."""
        record = self._record(code)
        pupil = _own_pupil(record, owner)
        item = _find_item(record, pupil, PUZZLES, item)
        return item, puzzle_session(record, pupil.id, item)

    def lesson(self, code: str, owner: str | None, item: int | None = None) -> tuple[int, LessonState]:
        """Return the number and the state of the step that a pupil is at, or of one that the pupil has done."""
        record = self._record(code)
        pupil = _own_pupil(record, owner)
        item = _find_item(record, pupil, LESSON, item)
        return item, lesson_state(record, pupil.id, item)

    def has_tried(self, code: str, owner: str | None, item: int, answer: str) -> bool:
        """Return whether a pupil has given this answer to a step of the lesson, so that it has been counted."""
        record = self._record(code)
        given = record.answers.get((_own_pupil(record, owner).id, item))
        return plain_answer(answer) in tried_answers(given)

    def code_of_match(self, match_id: str) -> str | None:
        """Return the code of the class in which a match is played."""
        return self.store.find_by_match(match_id)

    def answer(self, code: str, owner: str | None, item: int, answer: Sequence[str] | None) -> AnswerResponse:
        """Answer the puzzle or the step of the lesson that a pupil is at; None asks for a hint."""
        record = self._record(code)
        pupil = _own_pupil(record, owner)
        activity = _check_running(record)
        if item != _check_item(record, pupil, activity.kind):
            raise ClassLateError("You have gone on from there. Please look at the new question.")
        before = record.answers.get((pupil.id, item))
        grade = grade_puzzle if activity.kind == PUZZLES else grade_step
        after, is_right, said = grade(record, pupil.id, item, answer)

        def work(record: ClassRecord, changes: ClassChanges) -> None:
            current = _check_running(record)
            is_same = current.number == activity.number and record.answers.get((pupil.id, item)) == before
            if not is_same or _check_item(record, _own_pupil(record, owner), activity.kind) != item:
                raise ClassLateError("You have gone on from there. Please look at the new question.")
            changes.put_answer(pupil.id, item, after)

        self._change(code, work)
        now_state: NowResponse = self._view(code).now(pupil.id, None)
        return AnswerResponse(right=is_right, said=said, now=now_state)

    # Work in the background

    def work_on(self, code: str) -> None:
        """Do what a class needs: record results, begin what comes next, measure matches, and tell who watches."""
        with suppress(UnknownClassError):
            self._go_on(code)
            self._release_absent(code)
            self._measure(code)
            self.publish(code)

    def busy_codes(self) -> list[str]:
        """Return the classes that may need work without anybody asking."""
        return sorted({*self.store.active(), *self.store.unsettled()})

    def delete_expired(self) -> None:
        """Delete the classes whose days are over."""
        for code in self.store.expired(now()):
            self._delete(code)

    def store_presence(self) -> None:
        """Record who is present, for other processes and the next start, and tell teachers of changes."""
        for code in self.presence.update([view.record for view in list(self._views.values())]):
            self.publish(code)

    def key_for(self, code: str, owner: str | None, as_screen: bool = False) -> str:
        """Return the key under which the changes that somebody may see are announced."""
        record = self._record(code)
        if as_screen or owner in record.teachers:
            return event_key(record.code)
        return f"{event_key(record.code)}-{_own_pupil(record, owner).id}"

    def update_of(self, key: str) -> MatchUpdate:
        """Return the state that is announced under a key."""
        _, code, *rest = key.split("-")
        try:
            view = self._view(code)
        except UnknownClassError:
            return MatchUpdate(0, 0, "gone")
        return self._update(view, int(rest[0]) if rest else None)

    def publish(self, code: str) -> None:
        """Tell those who watch a class in this process what has changed for them."""
        key = event_key(code)
        own = [each for each in list(self.service.hub.subscribers) if each == key or each.startswith(f"{key}-")]
        if not own:
            return
        try:
            view = self._view(code)
        except UnknownClassError:
            for each in own:
                self.service.hub.wake(each, MatchUpdate(1 << 30, 0, "gone"))
            return
        for each in own:
            _, _, *rest = each.split("-")
            self.service.hub.wake(each, self._update(view, int(rest[0]) if rest else None))

    def _update(self, view: ClassView, pupil: int | None) -> MatchUpdate:
        if pupil is not None:
            return MatchUpdate(0, view.record.version, view.digest(pupil))
        present = self.presence.announced(view.record.code)
        return MatchUpdate(0, view.record.version, f"{view.record.version} {hash(present) & 0xFFFF:04x}")

    def _on_match_end(self, match_id: str) -> None:
        with suppress(StoreError):
            if code := self.store.find_by_match(match_id):
                self._touch(code)

    def _touch(self, code: str) -> None:
        """Let somebody work on a class, now or soon."""
        if self.on_change:
            self.on_change(code)
        else:
            self._go_on(code)

    def _go_on(self, code: str) -> None:
        """Record the results of matches that are over, and begin what comes next."""
        record = self._record(code)
        if not (self.store.has_finished(record) or may_go_on(record, self.presence.ready)):
            return  # without a transaction that would let moves wait

        def work(record: ClassRecord, changes: ClassChanges) -> None:
            go_on(settle(record, changes), changes, self.presence.ready)

        self._change(code, work, is_quiet=True)

    def _measure(self, code: str) -> None:
        """Let the solver look at matches that are over."""
        record = self._record(code)
        waiting = [each for each in record.boards.values() if each.over and each.match_id and each.insight is None]
        texts: dict[str, str] = {}
        for board in waiting[:MEASURED_AT_ONCE]:
            assert board.match_id
            try:
                texts[board.match_id] = insight_text(self.service.store.find(board.match_id).match())
            except BitduelError as error:
                log.warning("match %s of a class could not be measured: %s", board.match_id, error)
                texts[board.match_id] = "{}"
        if not texts:
            return

        def work(record: ClassRecord, changes: ClassChanges) -> None:
            for board in record.boards.values():
                if board.match_id in texts and board.insight is None:
                    changes.set_board(board.key, insight=texts[board.match_id or ""])

        self._change(code, work)

    def _release_absent(self, code: str) -> None:
        """Take pupils who have left off their boards, if their opponents are here."""
        record = self._record(code)
        if record.paused or record.activity is None or record.activity.finished:
            return
        absent = {each.id for each in _pupils(record)} - self.presence.ready(record)
        leaving = [
            pupil
            for board in open_boards(record)
            if None not in board.pupils
            for pupil in board.pupils
            if pupil in absent and any(each not in absent for each in board.pupils)
        ]

        def work(record: ClassRecord, changes: ClassChanges) -> None:
            for pupil in leaving:
                if pupil is not None:
                    release(record, changes, pupil)

        if leaving:
            self._change(code, work)
            self._go_on(code)

    # Records

    def _record(self, code: str) -> ClassRecord:
        return self.store.get(canonical_code(code))

    def _view(self, code: str) -> ClassView:
        record = self._record(code)
        view = self._views.get(record.code)
        if view is None or view.record is not record:
            view = self._views[record.code] = ClassView(record)
            while len(self._views) > MOST_REMEMBERED:
                oldest = next(iter(self._views))
                del self._views[oldest]
                self.presence.forget(oldest)
        return view

    def _teach(self, code: str, owner: str | None, work: Callable[[ClassRecord, ClassChanges], T]) -> T:
        """Change a class for its teacher."""

        def checked(record: ClassRecord, changes: ClassChanges) -> T:
            _check_teacher(record, owner)
            return work(record, changes)

        return self._change(code, checked)

    def _change(self, code: str, work: Callable[[ClassRecord, ClassChanges], T], is_quiet: bool = False) -> T:
        """Change a class, and announce the change."""
        code = canonical_code(code)
        has_changed = False

        def noting(record: ClassRecord, changes: ClassChanges) -> T:
            nonlocal has_changed
            answer = work(record, changes)
            has_changed = changes.has_changed
            return answer

        answer, match_ids = self.store.change(code, noting)
        for match_id in match_ids:
            self.service.cache.discard(match_id)
            if not self.service.hub.is_shared:
                self.service.hub.publish(match_id)
        if has_changed and self.on_change and not is_quiet:
            self.on_change(code)
        return answer


def _pupils(record: ClassRecord) -> list[PupilRecord]:
    return [each for each in record.pupils.values() if not each.removed]


def _find_owner(record: ClassRecord, owner: str | None) -> PupilRecord | None:
    return next((each for each in _pupils(record) if owner and each.owner == owner), None)


def _own_pupil(record: ClassRecord, owner: str | None) -> PupilRecord:
    pupil = _find_owner(record, owner)
    if pupil is None:
        raise NotYourClassError("You are not in this class. Please join it first.")
    return pupil


def _own_pin(record: ClassRecord, pupil: PupilRecord, token: str) -> str | None:
    """Return the PIN of a pupil if it belongs to this secret."""
    pin = pin_of(token, record.code)
    return pin if pupil.pin == hash_pin(record.code, pupil.id, pin) else None


def _find_link(record: ClassRecord, secret: str) -> PupilRecord:
    for pupil in _pupils(record):
        if pupil.link and pupil.link == hashed(secret) and (pupil.link_until or 0) > now():
            return pupil
    raise WrongInvitationError("This link has been used or has expired. Please ask your teacher for a new one.")


def _check_teacher(record: ClassRecord, owner: str | None) -> None:
    if owner not in record.teachers:
        raise NotYourClassError("Only the teacher of this class can do that.")


def _check_pupil(record: ClassRecord, pupil: int) -> PupilRecord:
    found = record.pupils.get(pupil)
    if found is None or found.removed:
        raise UnknownPupilError("There is no such pupil in this class.")
    return found


def _check_title(title: str) -> str:
    checked = " ".join(title.split())
    if not checked.isprintable() or len(checked) > LONGEST_TITLE:
        raise BitduelError(f"A title must have at most {LONGEST_TITLE} printable characters.")
    return checked or "Class"


def _check_no_activity(record: ClassRecord) -> None:
    if record.activity and not record.activity.finished:
        raise ClassLateError("An activity is running. Finish it first.")


def _check_running(record: ClassRecord) -> ActivityRecord:
    if record.activity is None or record.activity.finished:
        raise ClassLateError("No activity is running.")
    return record.activity


def _check_next(record: ClassRecord, activity: ActivityRecord) -> None:
    """Raise ClassLateError where no round or puzzle can follow."""
    if record.paused:
        raise ClassLateError("The class is paused. Resume it first.")
    if is_paced(activity):
        if activity.round >= item_count(activity):
            raise ClassLateError("That was the last puzzle. Finish the activity.")
        return
    if activity.kind not in IN_ROUNDS:
        raise ClassLateError("This activity has no rounds. Finish it to start another.")
    if activity.settings["rounds"] and activity.round >= activity.settings["rounds"]:
        raise ClassLateError("That was the last round. Finish the activity.")


def _check_pairs(record: ClassRecord, pairs: Sequence[Sequence[int]]) -> None:
    chosen = [pupil for pair in pairs for pupil in pair]
    for pupil in chosen:
        found = _check_pupil(record, pupil)
        if not (found.owner and found.approved):
            raise BitduelError(f"{found.name} has not joined yet.")
    if len(set(chosen)) < len(chosen):
        raise BitduelError("Nobody can be in two pairs.")


def _check_item(record: ClassRecord, pupil: PupilRecord, kind: str) -> int:
    """Return the item that a pupil is at; raise ClassLateError if there is none now."""
    activity = _check_running(record)
    if activity.kind != kind or kind not in (PUZZLES, LESSON):
        raise ClassLateError("There is nothing to answer now.")
    if record.paused:
        raise ClassLateError("Your teacher has paused the class. Please look up front.")
    if activity.ends is not None and activity.ends <= now():
        raise ClassLateError("The time for this puzzle is up.")
    item = item_of(record, pupil.id) if pupil.approved else None
    if item is None:
        raise ClassLateError("There is nothing to answer now.")
    return item


def _find_item(record: ClassRecord, pupil: PupilRecord, kind: str, item: int | None) -> int:
    """Return an item that a pupil has done, or the one that the pupil is at."""
    done = record.answers.get((pupil.id, item)) if item is not None else None
    if item is not None and done and done.result and record.activity and record.activity.kind == kind:
        return item
    return _check_item(record, pupil, kind)


def _add_teacher(record: ClassRecord, changes: ClassChanges, owner: str) -> None:
    if owner in record.teachers:
        return
    if len(record.teachers) >= MOST_TEACHERS:
        changes.drop_old_teacher()
    changes.add_teacher(owner)


def _add_name(record: ClassRecord, changes: ClassChanges, name: str) -> int:
    try:
        return changes.add_pupil(name=check_pupil_name(record, name))
    except NameTakenError:
        raise PlayerNameError(f"'{name.strip()}' is on the list twice, or looks like another name.") from None
