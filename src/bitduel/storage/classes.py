"""Classes in the store: each is read as one record, and changed in one transaction that locks its row."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from secrets import token_hex
from threading import Lock
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    Table,
    and_,
    bindparam,
    case,
    delete,
    insert,
    or_,
    select,
    update,
)

from bitduel.core.match import SEATS
from bitduel.core.outcomes import Outcome
from bitduel.core.words import PLAYERS
from bitduel.players.spec import Spec
from bitduel.storage.clocks import END
from bitduel.storage.coordination import notify_listeners
from bitduel.storage.database import ClashError, Database, PreparedStatement
from bitduel.storage.errors import StoreError
from bitduel.storage.schema import (
    activities,
    class_answers,
    class_boards,
    class_teachers,
    classes,
    fold_name,
    matches,
    new_id,
    now,
    pupils,
    seats,
)
from bitduel.storage.writes import begin

T = TypeVar("T")
MOST_REMEMBERED = 200
"""The most classes whose records are remembered."""
_ATTEMPTS = 20


class UnknownClassError(StoreError):
    """A code that no class has."""


class PupilRecord(NamedTuple):
    """A pupil; `owner` and `pin` are hashes."""

    id: int
    name: str
    pin: str | None
    failures: int
    owner: str | None
    approved: bool
    removed: bool
    joined: int
    here: int
    """The time until which the pupil counted as present when the row was read."""
    link: str | None
    link_until: int | None


class BoardKey(NamedTuple):
    """The place of a match in an activity."""

    round: int
    board: int
    game: int


class BoardRecord(NamedTuple):
    """A match of a class, or a bye."""

    key: BoardKey
    kind: str
    pupils: tuple[int | None, int | None]
    """The pupil on each seat; seat 1 moves first."""
    level: str | None
    match_id: str | None
    over: int | None
    winner: int | None
    reason: str | None
    insight: dict[str, Any] | None

    def seat_of(self, pupil: int) -> int | None:
        """Return the seat of a pupil."""
        return next((seat for seat in SEATS if self.pupils[seat - 1] == pupil), None)


class AnswerRecord(NamedTuple):
    """The answers of a pupil to a puzzle or a step of a lesson."""

    events: str
    wrong: int
    result: str | None


@dataclass(frozen=True)
class ActivityRecord:
    """An activity of a class."""

    number: int
    kind: str
    settings: dict[str, Any]
    round: int
    started: int
    ends: int | None
    finished: int | None


@dataclass(frozen=True)
class ClassRecord:
    """A class at one version, with its newest activity."""

    code: str
    title: str
    version: int
    expires: int
    locked: bool
    approval: bool
    paused: int | None
    activity_number: int
    pupil_count: int
    teachers: frozenset[str] = frozenset()
    pupils: Mapping[int, PupilRecord] = field(default_factory=dict)
    activity: ActivityRecord | None = None
    boards: Mapping[BoardKey, BoardRecord] = field(default_factory=dict)
    answers: Mapping[tuple[int, int], AnswerRecord] = field(default_factory=dict)
    """The answers to the items of the activity, by pupil and item."""


_CLASS = PreparedStatement(select(classes).where(classes.c.code == bindparam("code")))
_CLASS_LOCKED = select(classes).where(classes.c.code == bindparam("code")).with_for_update()
_MEMBER = select(pupils.c.id).where(pupils.c.owner == bindparam("owner"), pupils.c.removed == 0).limit(1)
_TEACHER = select(class_teachers.c.code).where(class_teachers.c.owner == bindparam("owner")).limit(1)

_running_flag = and_(matches.c.flag.is_not(None), matches.c.running.is_not(None))
_rest = matches.c.flag - bindparam("moment")
_PAUSE = update(matches).values(
    paused=1,
    token=bindparam("mark"),
    left_1=case((and_(_running_flag, matches.c.running == 1), _rest), else_=matches.c.left_1),
    left_2=case((and_(_running_flag, matches.c.running == 2), _rest), else_=matches.c.left_2),
    flag=None,
)
_RESUME = update(matches).values(
    paused=0,
    token=bindparam("mark"),
    flag=case(
        (matches.c.running == 1, bindparam("moment") + matches.c.left_1),
        (matches.c.running == 2, bindparam("moment") + matches.c.left_2),
        else_=None,
    ),
)


class ClassChanges:
    """The changes of one transaction; rows that change get the new version of their class."""

    def __init__(self, connection: Connection, record: ClassRecord) -> None:
        self.connection = connection
        self.record = record
        self.version = record.version + 1
        self.match_ids: list[str] = []
        """The matches that have changed, whose subscribers have to be notified."""
        self.has_changed = False
        self._class: dict[str, Any] = {}
        self._pupil_count = record.pupil_count

    def set_class(self, **values: Any) -> None:
        """Change columns of the class."""
        self._class |= values
        self.has_changed = True

    def add_teacher(self, owner: str) -> None:
        """Add the hash of a teacher's secret."""
        self.connection.execute(insert(class_teachers), {"code": self.record.code, "owner": owner, "since": now()})
        self.has_changed = True

    def drop_old_teacher(self) -> None:
        """Delete the oldest of the teacher's secrets but the first, with which the class was created."""
        this = class_teachers.c.code == self.record.code
        oldest = select(class_teachers.c.owner).where(this).order_by(class_teachers.c.since).offset(1).limit(1)
        owner = self.connection.execute(oldest).scalar()
        self.connection.execute(delete(class_teachers).where(this, class_teachers.c.owner == owner))

    def add_pupil(self, **values: Any) -> int:
        """Add a pupil and return the new id."""
        self._pupil_count += 1
        defaults = {"pin": None, "owner": None, "failures": 0, "approved": 1, "removed": 0, "joined": now(), "here": 0}
        row = {"code": self.record.code, "id": self._pupil_count, "changed": self.version, **defaults, **values}
        self.connection.execute(insert(pupils), row)
        self.set_class(pupils=self._pupil_count)
        return self._pupil_count

    def set_pupil(self, pupil: int, **values: Any) -> None:
        """Change columns of a pupil."""
        this = update(pupils).where(pupils.c.code == self.record.code, pupils.c.id == pupil)
        self.connection.execute(this.values(changed=self.version, **values))
        self.has_changed = True

    def add_activity(self, kind: str, settings: Mapping[str, Any], round_number: int, ends: int | None) -> int:
        """Begin an activity and return its number."""
        number = self.record.activity_number + 1
        row = {"code": self.record.code, "number": number, "kind": kind, "settings": json.dumps(settings)}
        times = {"round": round_number, "started": now(), "ends": ends, "finished": None}
        self.connection.execute(insert(activities), {**row, **times})
        self.set_class(activity=number)
        return number

    def set_activity(self, **values: Any) -> None:
        """Change columns of the activity."""
        if "settings" in values:
            values["settings"] = json.dumps(values["settings"])
        this = and_(activities.c.code == self.record.code, activities.c.number == self.record.activity_number)
        self.connection.execute(update(activities).where(this).values(values))
        self.has_changed = True

    def add_board(self, activity: int, key: BoardKey, **values: Any) -> None:
        """Add a board, or a bye."""
        defaults = {"level": None, "match_id": None, "over": None, "winner": None, "reason": None, "insight": None}
        place = {"code": self.record.code, "activity": activity, **key._asdict(), "changed": self.version}
        self.connection.execute(insert(class_boards), {**place, **defaults, **values})
        self.has_changed = True

    def set_board(self, key: BoardKey, **values: Any) -> None:
        """Change columns of a board of the activity."""
        this = and_(
            class_boards.c.code == self.record.code,
            class_boards.c.activity == self.record.activity_number,
            class_boards.c.round == key.round,
            class_boards.c.board == key.board,
            class_boards.c.game == key.game,
        )
        self.connection.execute(update(class_boards).where(this).values(changed=self.version, **values))
        self.has_changed = True

    def put_answer(self, pupil: int, item: int, answer: AnswerRecord) -> None:
        """Record the answers of a pupil to an item of the activity."""
        place = {"code": self.record.code, "activity": self.record.activity_number, "pupil": pupil, "item": item}
        values = {"changed": self.version, **answer._asdict()}
        if (pupil, item) in self.record.answers:
            this = and_(*(class_answers.c[name] == value for name, value in place.items()))
            self.connection.execute(update(class_answers).where(this).values(values))
        else:
            self.connection.execute(insert(class_answers), {**place, **values})
        self.has_changed = True

    def begin_match(self, row: Mapping[str, Any], owners: Mapping[int, str]) -> str:
        """Begin a match with the holders of its seats, and return its id."""
        match_id = new_id()
        begin({**row, "id": match_id, "sitting": match_id, "round": 1, "rounds": 1}, ())(self.connection, False)
        moment = now()
        held = [{"sitting": match_id, "seat": seat, "owner": owner, "taken": moment} for seat, owner in owners.items()]
        if held:
            self.connection.execute(insert(seats), held)
        return match_id

    def end_match(self, match_id: str, outcome: Outcome) -> None:
        """End a match that is still open."""
        values = {"now": now(), "mark": token_hex(8), "won_by": outcome.winner, "because": outcome.reason}
        self.connection.execute(END, {"match": match_id, **values})
        self.match_ids.append(match_id)

    def let_computer_play(self, match_id: str, seat: int, computer: Spec, name: str) -> None:
        """Give a seat to the computer."""
        values = {
            f"player_{seat}": str(computer),
            f"name_{seat}": name,
            f"folded_{seat}": fold_name(name),
            "token": token_hex(8),
            "clock": None,
            "running": None,
            "flag": None,
        }
        self.connection.execute(update(matches).where(matches.c.id == match_id).values(values))
        self.connection.execute(delete(seats).where(seats.c.sitting == match_id, seats.c.seat == seat))
        self.match_ids.append(match_id)

    def move_seats(self, pupil: int, before: str, owner: str) -> None:
        """Give the seats of a pupil in matches of the class to another secret."""
        ids = self._matches_of(pupil)
        if ids:
            held = update(seats).where(seats.c.sitting.in_(ids), seats.c.owner == before)
            self.connection.execute(held.values(owner=owner, moved=seats.c.moved + 1))
            self.match_ids += self._open_ids(ids)

    def rename_in_matches(self, pupil: int, name: str) -> None:
        """Set the name of a pupil in all matches of the class."""
        for seat in SEATS:
            column = class_boards.c.pupil_1 if seat == 1 else class_boards.c.pupil_2
            ids = self._ids(select(class_boards.c.match_id).where(self._this_class, column == pupil))
            if ids:
                values = {f"name_{seat}": name, f"folded_{seat}": fold_name(name)}
                self.connection.execute(update(matches).where(matches.c.id.in_(ids)).values(values))
                self.match_ids += self._open_ids(ids)

    def pause_matches(self) -> None:
        """Let all open matches stand still, with the time that is left on their clocks."""
        self._set_running(_PAUSE)

    def resume_matches(self) -> None:
        """Let all open matches go on."""
        self._set_running(_RESUME)

    def delete_class(self) -> None:
        """Delete everything about the class, and the names in its matches."""
        for seat in SEATS:
            column = class_boards.c.pupil_1 if seat == 1 else class_boards.c.pupil_2
            ids = self._ids(select(class_boards.c.match_id).where(self._this_class, column.is_not(None)))
            for begin_at in range(0, len(ids), 500):
                named = update(matches).where(matches.c.id.in_(ids[begin_at : begin_at + 500]))
                name = PLAYERS[seat - 1]
                values = {f"name_{seat}": name, f"folded_{seat}": fold_name(name)}
                self.connection.execute(named.values(**values, token=token_hex(8), paused=0))
        for table in (class_answers, class_boards, activities, pupils, class_teachers, classes):
            self.connection.execute(delete(table).where(table.c.code == self.record.code))
        self.has_changed = False

    def write_class(self) -> None:
        """Write the new version of the class, if anything has changed."""
        if self.has_changed:
            this = update(classes).where(classes.c.code == self.record.code)
            self.connection.execute(this.values(version=self.version, **self._class))

    def finished_matches(self) -> list[tuple[BoardKey, int | None, str]]:
        """Return the boards of the activity that are open although their matches are over, with winner and reason."""
        return _finished(self.connection, self.record)

    @property
    def _this_class(self) -> ColumnElement[bool]:
        return class_boards.c.code == self.record.code

    def _ids(self, query: Select[Any]) -> list[str]:
        found = self.connection.execute(query.where(class_boards.c.match_id.is_not(None)))
        return list(found.scalars())

    def _matches_of(self, pupil: int) -> list[str]:
        is_there = or_(class_boards.c.pupil_1 == pupil, class_boards.c.pupil_2 == pupil)
        return self._ids(select(class_boards.c.match_id).where(self._this_class, is_there))

    def _open_ids(self, ids: Sequence[str]) -> list[str]:
        is_open = select(matches.c.id).where(matches.c.id.in_(ids), matches.c.reason.is_(None))
        return list(self.connection.execute(is_open).scalars())

    def _set_running(self, change: Any) -> None:
        open_boards = self._ids(select(class_boards.c.match_id).where(self._this_class, class_boards.c.over.is_(None)))
        values = {"mark": token_hex(8), "moment": now()}
        for match_id in open_boards:
            this = change.where(matches.c.id == bindparam("match"), matches.c.reason.is_(None))
            self.connection.execute(this, {**values, "match": match_id})
        self.match_ids += open_boards


class ClassStore:
    """Classes in a database; a change is on disk when its method returns."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._records: dict[str, ClassRecord] = {}
        self._lock = Lock()

    def create(self, new_code: Callable[[], str], title: str, owner: str, expires: int, is_local: bool) -> str:
        """Create a class, and return the code that was free."""
        moment = now()
        values = {"version": 1, "created": moment, "expires": expires, "locked": 0, "approval": 0, "paused": None}
        for _ in range(_ATTEMPTS):
            code = new_code()
            row = {"code": code, "title": title, "activity": 0, "pupils": 0, "is_local": int(is_local), **values}

            def work(connection: Connection, again: bool, row: Mapping[str, Any] = row) -> None:
                this = and_(class_teachers.c.code == row["code"], class_teachers.c.owner == owner)
                if again and connection.execute(select(class_teachers.c.code).where(this)).first():
                    return
                connection.execute(insert(classes), row)
                connection.execute(insert(class_teachers), {"code": row["code"], "owner": owner, "since": moment})

            try:
                self._database.write(work)
            except ClashError:
                continue
            return code
        raise StoreError(f"{self._database.label} has no free code for one more class.")

    def get(self, code: str) -> ClassRecord:
        """Return a class as it is now; raise UnknownClassError if there is none."""
        return self._database.read(
            lambda connection, _: self._load(connection, _CLASS.rows(connection, {"code": code}))
        )

    def change(self, code: str, work: Callable[[ClassRecord, ClassChanges], T]) -> tuple[T, list[str]]:
        """Change a class in one transaction; return the answer of the work, and the matches that have changed."""

        def transaction(connection: Connection, _again: bool) -> tuple[T, list[str]]:
            record = self._load(connection, connection.execute(_CLASS_LOCKED, {"code": code}).all())
            changes = ClassChanges(connection, record)
            answer = work(record, changes)
            changes.write_class()
            keys = [event_key(code)] if changes.has_changed else []
            notify_listeners(connection, [*dict.fromkeys(changes.match_ids), *keys])
            return answer, list(dict.fromkeys(changes.match_ids))

        for _ in range(_ATTEMPTS):
            try:
                return self._database.write(transaction)
            except ClashError:  # a match id that is taken, or another transaction was first
                continue
        raise StoreError(f"{self._database.label} has no free id for one more match.")

    def forget(self, code: str) -> None:
        """Forget the record of a class that was deleted."""
        with self._lock:
            self._records.pop(code, None)

    def is_member(self, owner: str) -> bool:
        """Return whether somebody is a pupil or a teacher of any class."""

        def work(connection: Connection, _again: bool) -> bool:
            return any(connection.execute(each, {"owner": owner}).first() for each in (_MEMBER, _TEACHER))

        return self._database.read(work)

    def find_by_match(self, match_id: str) -> str | None:
        """Return the code of the class in which a match is played."""
        code = select(class_boards.c.code).where(class_boards.c.match_id == match_id)
        return self._database.read(lambda connection, _: connection.execute(code).scalar())

    def unsettled(self) -> list[str]:
        """Return the classes with boards that are open although their matches are over."""
        ended = select(class_boards.c.code).distinct().join(matches, matches.c.id == class_boards.c.match_id)
        ended = ended.where(class_boards.c.over.is_(None), matches.c.reason.is_not(None))
        return self._database.read(lambda connection, _: list(connection.execute(ended).scalars()))

    def active(self) -> list[str]:
        """Return the classes whose newest activity is not finished."""
        newest = and_(activities.c.code == classes.c.code, activities.c.number == classes.c.activity)
        query = select(classes.c.code).join(activities, newest).where(activities.c.finished.is_(None))
        return self._database.read(lambda connection, _: list(connection.execute(query).scalars()))

    def has_finished(self, record: ClassRecord) -> bool:
        """Return whether boards of the activity are open although their matches are over."""
        return bool(self._database.read(lambda connection, _: _finished(connection, record)))

    def expired(self, moment: int) -> list[str]:
        """Return the classes whose days are over."""
        query = select(classes.c.code).where(classes.c.expires <= moment)
        return self._database.read(lambda connection, _: list(connection.execute(query).scalars()))

    def newest_local(self) -> str | None:
        """Return the code of the class that the command on this machine created last."""
        query = select(classes.c.code).where(classes.c.is_local == 1).order_by(classes.c.created.desc()).limit(1)
        return self._database.read(lambda connection, _: connection.execute(query).scalar())

    def set_present(self, rows: Iterable[tuple[str, int, int]]) -> None:
        """Record until when pupils, by code and id, count as present."""
        values = [{"of": code, "who": pupil, "until": until} for code, pupil, until in sorted(rows)]
        this = update(pupils).where(pupils.c.code == bindparam("of"), pupils.c.id == bindparam("who"))
        statement = this.where(pupils.c.here < bindparam("until")).values(here=bindparam("until"))
        if values:
            self._database.write(lambda connection, _: connection.execute(statement, values))

    def presence(self, code: str) -> dict[int, int]:
        """Return until when each pupil counts as present."""
        query = select(pupils.c.id, pupils.c.here).where(pupils.c.code == code)
        rows = self._database.read(lambda connection, _: connection.execute(query).all())
        return {row.id: row.here for row in rows}

    def all_activities(self, code: str) -> list[ClassRecord]:
        """Return the class once for each of its activities, with the boards and answers of that activity."""

        def work(connection: Connection, _again: bool) -> list[ClassRecord]:
            record = self._load(connection, _CLASS.rows(connection, {"code": code}))
            earlier = range(1, record.activity_number)
            return [_with_activity(connection, replace(record, activity_number=number), 0) for number in earlier] + (
                [record] if record.activity else []
            )

        return self._database.read(work)

    def _load(self, connection: Connection, rows: Sequence[Any]) -> ClassRecord:
        if not rows:
            raise UnknownClassError("There is no class with this code. Please check it with your teacher.")
        row = rows[0]
        with self._lock:
            known = self._records.get(row.code)
        if known and known.version == row.version:
            return known
        since = known.version if known and known.version < row.version else 0
        record = ClassRecord(
            code=row.code,
            title=row.title,
            version=row.version,
            expires=row.expires,
            locked=bool(row.locked),
            approval=bool(row.approval),
            paused=row.paused,
            activity_number=row.activity,
            pupil_count=row.pupils,
            teachers=_teachers(connection, row.code),
            pupils={**(known.pupils if known and since else {}), **_pupils(connection, row.code, since)},
            boards=known.boards if known and since and known.activity_number == row.activity else {},
            answers=known.answers if known and since and known.activity_number == row.activity else {},
        )
        record = _with_activity(connection, record, since if known and known.activity_number == row.activity else 0)
        with self._lock:
            self._records.pop(record.code, None)
            self._records[record.code] = record
            while len(self._records) > MOST_REMEMBERED:
                del self._records[next(iter(self._records))]
        return record


def event_key(code: str) -> str:
    """Return the key by which the changes of a class are announced."""
    return f"class-{code}"


def _teachers(connection: Connection, code: str) -> frozenset[str]:
    return frozenset(connection.execute(select(class_teachers.c.owner).where(class_teachers.c.code == code)).scalars())


def _changed_rows(connection: Connection, table: Table, since: int, *conditions: ColumnElement[bool]) -> list[Any]:
    query = select(table).where(*conditions)
    return list(connection.execute(query.where(table.c.changed > since) if since else query))


def _pupils(connection: Connection, code: str, since: int) -> dict[int, PupilRecord]:
    rows = _changed_rows(connection, pupils, since, pupils.c.code == code)
    return {
        row.id: PupilRecord(
            row.id,
            row.name,
            row.pin,
            row.failures,
            row.owner,
            bool(row.approved),
            bool(row.removed),
            row.joined,
            row.here,
            row.link,
            row.link_until,
        )
        for row in sorted(rows, key=lambda row: int(row.id))
    }


def _with_activity(connection: Connection, record: ClassRecord, since: int) -> ClassRecord:
    """Return the record with its activity, and with the boards and answers that changed since a version."""
    this = and_(activities.c.code == record.code, activities.c.number == record.activity_number)
    row = connection.execute(select(activities).where(this)).first()
    if row is None:
        return replace(record, activity=None, boards={}, answers={})
    settings = json.loads(row.settings)
    activity = ActivityRecord(row.number, row.kind, settings, row.round, row.started, row.ends, row.finished)
    boards = _changed_rows(
        connection,
        class_boards,
        since,
        class_boards.c.code == record.code,
        class_boards.c.activity == record.activity_number,
    )
    answers = _changed_rows(
        connection,
        class_answers,
        since,
        class_answers.c.code == record.code,
        class_answers.c.activity == record.activity_number,
    )
    return replace(
        record,
        activity=activity,
        boards={**(record.boards if since else {}), **{each.key: each for each in map(_board, boards)}},
        answers={
            **(record.answers if since else {}),
            **{(row.pupil, row.item): AnswerRecord(row.events, row.wrong, row.result) for row in answers},
        },
    )


def _board(row: Any) -> BoardRecord:
    return BoardRecord(
        key=BoardKey(row.round, row.board, row.game),
        kind=row.kind,
        pupils=(row.pupil_1, row.pupil_2),
        level=row.level,
        match_id=row.match_id,
        over=row.over,
        winner=row.winner,
        reason=row.reason,
        insight=json.loads(row.insight) if row.insight else None,
    )


def _finished(connection: Connection, record: ClassRecord) -> list[tuple[BoardKey, int | None, str]]:
    query = (
        select(class_boards.c.round, class_boards.c.board, class_boards.c.game, matches.c.winner, matches.c.reason)
        .join(matches, matches.c.id == class_boards.c.match_id)
        .where(
            class_boards.c.code == record.code,
            class_boards.c.activity == record.activity_number,
            class_boards.c.over.is_(None),
            matches.c.reason.is_not(None),
        )
    )
    rows = connection.execute(query).all()
    return [(BoardKey(row.round, row.board, row.game), row.winner, row.reason) for row in rows]
