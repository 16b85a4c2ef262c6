"""What is asked of the database, put together once so that it is compiled once."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any
from unicodedata import normalize

from sqlalchemy import (
    ColumnElement,
    Connection,
    CursorResult,
    Insert,
    Integer,
    Row,
    Select,
    Update,
    and_,
    bindparam,
    case,
    delete,
    insert,
    literal_column,
    or_,
    select,
    update,
)

from bitduel.core.endings import ENDINGS
from bitduel.core.errors import unknown
from bitduel.storage.ids import AFTER_ALL
from bitduel.storage.schema import matches, moves, seats
from bitduel.storage.stored_match import StoredMatch, from_row
from bitduel.storage.timestamps import day_only, since_midnight, to_ticks


class Prepared:
    """A statement whose text is kept for each kind of database; looking it up would take as long as running it."""

    def __init__(self, statement: Insert | Update | Select[Any]) -> None:
        self._statement = statement
        self._texts: dict[str, tuple[str, list[str] | None]] = {}

    def run(self, connection: Connection, values: dict[str, Any]) -> int:
        """Say how many rows it touched."""
        return self._executed(connection, values).rowcount

    def rows(self, connection: Connection, values: dict[str, Any]) -> Sequence[Row[Any]]:
        """The rows that were asked for."""
        return self._executed(connection, values).all()

    def _executed(self, connection: Connection, values: dict[str, Any]) -> CursorResult[Any]:
        dialect = connection.dialect
        if dialect.name not in self._texts:
            compiled = self._statement.compile(dialect=dialect)
            self._texts[dialect.name] = str(compiled), compiled.positiontup
        text, order = self._texts[dialect.name]
        given = values if order is None else tuple([values[name] for name in order])
        return connection.exec_driver_sql(text, given)


_this = matches.c.id == bindparam("match")
_open = matches.c.reason.is_(None)
_stamp: dict[str, Any] = {"changed": bindparam("now"), "token": bindparam("mark")}
_result: dict[str, Any] = {"winner": bindparam("won_by"), "reason": bindparam("because")}

_after = matches.c.backs == bindparam("after", type_=Integer)

BEGIN = insert(matches)
KEEP_MOVE = Prepared(insert(moves))
_KEEP_PLY = (
    update(matches)
    .where(
        _this,
        matches.c.plies == bindparam("ply"),
        _open,
        or_(bindparam("after", type_=Integer) < literal_column("0"), _after),
    )
    .values(plies=bindparam("count"), **_stamp, **_result)
)
_seated = select(seats.c.seat).where(
    seats.c.sitting == matches.c.sitting, seats.c.seat == bindparam("at"), seats.c.owner == bindparam("who")
)
KEEP_PLY = Prepared(_KEEP_PLY)
KEEP_OWN_PLY = Prepared(_KEEP_PLY.where(_seated.exists()))
"""The same, only while somebody still has the seat."""
SET_BACK = update(matches).where(_this).values(plies=bindparam("ply"), backs=matches.c.backs + 1, **_stamp)
DROP_MOVES = delete(moves).where(moves.c.match_id == bindparam("match"), moves.c.ply >= bindparam("ply"))
END = update(matches).where(_this, _open).values(**_stamp, **_result)

STATE = select(matches.c.plies, matches.c.backs, matches.c.winner, matches.c.reason, matches.c.token).where(_this)
STATE_LOCKED = STATE.with_for_update()
MOVE_TOKEN = select(moves.c.token).where(moves.c.match_id == bindparam("match"), moves.c.ply == bindparam("ply"))
ROUND = select(matches.c.id).where(matches.c.sitting == bindparam("of"), matches.c.round == bindparam("number"))

FIND = Prepared(select(matches).where(_this))
FIND_MOVES = Prepared(
    select(moves.c.ply, moves.c.move).where(moves.c.match_id == bindparam("match")).order_by(moves.c.ply)
)
GLANCE = Prepared(
    select(matches.c.token, matches.c.name_1, matches.c.name_2, matches.c.round, seats)
    .select_from(matches.outerjoin(seats, seats.c.sitting == matches.c.sitting))
    .where(_this)
)
"""As little as tells whether anything about a match has changed."""

NEWEST = select(matches).order_by(matches.c.started.desc(), matches.c.id)
BY_ID = select(matches).order_by(matches.c.id)
SITTING = select(matches).order_by(matches.c.round)

_later = matches.alias()
_goes_on = and_(
    matches.c.round < matches.c.rounds,
    ~select(_later.c.id).where(_later.c.sitting == matches.c.sitting, _later.c.round > matches.c.round).exists(),
)
_owned = select(seats.c.sitting).where(seats.c.sitting == matches.c.sitting).exists()
UNFINISHED = (
    select(matches).where(or_(_open, _goes_on), ~_owned).order_by(matches.c.changed.desc(), matches.c.id).limit(1)
)

_no_result = [ending.reason for ending in ENDINGS.values() if not ending.counts]
RESULTS: dict[str, ColumnElement[bool]] = {
    "open": _open,
    "1": matches.c.winner == 1,
    "2": matches.c.winner == 2,
    "draw": and_(matches.c.winner.is_(None), matches.c.reason.not_in(_no_result)),
}


def folded(name: str) -> str:
    """A name as it is compared: SQL folds case in some alphabets only, so it is done here."""
    return normalize("NFKC", name.strip()).casefold()


def beginning_with(prefix: str) -> ColumnElement[bool]:
    """Whether an id begins so."""
    return and_(matches.c.id >= prefix, matches.c.id < prefix + AFTER_ALL)


def conditions(
    game: str | None, player: str | None, result: str | None, since: datetime | None, until: datetime | None
) -> Iterator[ColumnElement[bool]]:
    """What a match in a history has to meet."""
    if game is not None:
        yield matches.c.game == game
    if player is not None:
        yield or_(matches.c.folded_1 == folded(player), matches.c.folded_2 == folded(player))
    if result is not None:
        if result not in RESULTS:
            raise unknown("result", result, RESULTS)
        yield RESULTS[result]
    if since is not None:
        yield ~_before(since)
    if until is not None:
        yield _before(until)


def _before(moment: datetime) -> ColumnElement[bool]:
    """Whether a match was begun before a moment; where only its day is known, before the day of the moment here."""
    day = day_only(moment.astimezone().date())
    without_hour = since_midnight(matches.c.started) == 0
    return case((without_hour, matches.c.started < to_ticks(day)), else_=matches.c.started < to_ticks(moment))


def load(connection: Connection, wanted: Select[Any], label: str) -> list[StoredMatch]:
    """The matches that are wanted, in that order, with their moves."""
    rows = connection.execute(wanted).all()
    chosen = wanted.with_only_columns(matches.c.id).subquery()
    made = select(moves.c.match_id, moves.c.ply, moves.c.move).join(chosen, chosen.c.id == moves.c.match_id)
    played = _by_match(connection.execute(made.order_by(moves.c.match_id, moves.c.ply)))
    return [from_row(row._asdict(), played.get(row.id, {}), label) for row in rows]


def _by_match(rows: Iterable[Row[str, int, str]]) -> dict[str, dict[int, str]]:
    found: dict[str, dict[int, str]] = {}
    for match_id, ply, move in rows:
        found.setdefault(match_id, {})[ply] = move
    return found
