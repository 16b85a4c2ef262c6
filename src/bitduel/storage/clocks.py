"""Clocks of matches: seconds for each move or for the whole match, kept as a deadline in the match's row.

A clock starts when both players have seen the match. Only a transaction decides whether time is up. Time in which no
server was at work is given back.
"""

from collections.abc import Mapping
from secrets import token_hex
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, case, insert, select, update

from bitduel.core.outcomes import CALLED_OFF, TIME, Outcome
from bitduel.storage.coordination import notify_listeners
from bitduel.storage.database import ClashError, Database, Work
from bitduel.storage.schema import SECOND, heartbeats, matches, now

MOVE, MATCH = "move", "match"
"""The scope of a clock's seconds: one move, or the whole match."""
BOTH_SEEN = 3
BEAT = 3 * SECOND
"""The time between two heartbeats while a clock runs."""
GAP = 10 * SECOND
"""The time without a heartbeat after which no server was at work; it is given back to the players."""
_NAME = "clocks"
_MOST_DUE = 100


class ClockSettings(NamedTuple):
    """The seconds that each player has, for each move or for the whole match."""

    kind: str
    seconds: int


class Clock(NamedTuple):
    """The clock of a match; times are in ticks."""

    kind: str
    seconds: int
    left: tuple[int, int]
    """The time of each seat when its clock starts."""
    running: int | None = None
    """The seat whose clock runs."""
    flag: int | None = None
    """The timestamp at which its time is up; until a clock runs, the deadline for both players to open the match."""
    seen: int = 0
    """A bit for each seat whose holder has seen the match since both seats are taken."""

    @property
    def settings(self) -> ClockSettings:
        """The settings as for a new match."""
        return ClockSettings(self.kind, self.seconds)

    def has_seen(self, seat: int) -> bool:
        """Return whether the player on a seat has seen the match."""
        return bool(self.seen & seat)

    def is_up(self, moment: int) -> bool:
        """Return whether the time is up."""
        return self.flag is not None and self.flag <= moment

    def remaining(self, moment: int) -> tuple[int, int]:
        """Return the time of each seat."""
        first, second = (self._left_at(seat, moment) for seat in (1, 2))
        return first, second

    def see(self, seat: int, to_move: int, moment: int) -> "Clock":
        """Return the clock after a player has seen the match; with the second it starts."""
        clock = self._replace(seen=self.seen | seat)
        if clock.running or clock.seen != BOTH_SEEN:
            return clock
        return clock._replace(running=to_move, flag=moment + clock.left[to_move - 1])

    def pass_turn(self, to_move: int, moment: int) -> "Clock":
        """Return the clock after the turn has passed to a seat."""
        if self.running is None:
            return self
        stopped = self.stop(moment)
        full = (self.seconds * SECOND,) * 2
        left = stopped.left if self.kind == MATCH else full
        return stopped._replace(left=left, running=to_move, flag=moment + left[to_move - 1])

    def stop(self, moment: int) -> "Clock":
        """Return the clock while it does not run."""
        return self._replace(left=self.remaining(moment), running=None, flag=None)

    def outcome(self) -> Outcome:
        """Return the outcome of a match whose time is up; one that was never opened by both does not count."""
        return Outcome(3 - self.running, TIME) if self.running else Outcome(None, CALLED_OFF)

    def _left_at(self, seat: int, moment: int) -> int:
        if seat != self.running or self.flag is None:
            return self.left[seat - 1]
        return max(0, self.flag - moment)


def new_clock(settings: ClockSettings | None, come_until: int | None = None) -> dict[str, Any]:
    """Return the columns of a new match's clock; the match is called off unless both open it in time."""
    if settings is None:
        return {}
    full = settings.seconds * SECOND
    clock = Clock(*settings, (full, full), flag=come_until)
    return {"clock": clock.kind, "clock_seconds": clock.seconds, **_changing(clock)}


def read_clock(row: Mapping[str, Any]) -> Clock | None:
    """Return the clock in a row, if it has one."""
    if row["clock"] is None:
        return None
    left = row["left_1"], row["left_2"]
    return Clock(row["clock"], row["clock_seconds"], left, row["running"], row["flag"], row["seen"])


def is_valid_clock(row: Mapping[str, Any]) -> bool:
    """Return whether a row has no clock, or a whole one."""
    if row["clock"] is None:
        return True
    is_complete = None not in (row["clock_seconds"], row["left_1"], row["left_2"])
    return is_complete and row["clock"] in (MOVE, MATCH) and row["running"] in (None, 1, 2)


def clock_parameters(clock: Clock) -> dict[str, Any]:
    """Return the parameters of CLOCK_CHANGES."""
    return {f"new_{name}": value for name, value in _changing(clock).items()}


def seat_after(first: int, plies: int) -> int:
    """Return the seat to move after this number of moves."""
    return first if plies % 2 == 0 else 3 - first


def _changing(clock: Clock) -> dict[str, Any]:
    left_1, left_2 = clock.left
    return {"left_1": left_1, "left_2": left_2, "running": clock.running, "flag": clock.flag, "seen": clock.seen}


CLOCK_CHANGES: dict[str, Any] = {
    name: bindparam(f"new_{name}") for name in ("left_1", "left_2", "running", "flag", "seen")
}
_rest = matches.c.flag - bindparam("now")
STOPPED: dict[str, Any] = {
    "left_1": case((matches.c.running == 1, _rest), else_=matches.c.left_1),
    "left_2": case((matches.c.running == 2, _rest), else_=matches.c.left_2),
    "running": None,
    "flag": None,
}
"""The changes at the end of a match; without a clock all of these are null before and after."""

_this = matches.c.id == bindparam("match")
STATE = select(matches).where(_this)
STATE_LOCKED = STATE.with_for_update()
SET_CLOCK = update(matches).where(_this).values(CLOCK_CHANGES)
STAMP: dict[str, Any] = {"changed": bindparam("now"), "token": bindparam("mark")}
RESULT: dict[str, Any] = {"winner": bindparam("won_by"), "reason": bindparam("because")}
END = update(matches).where(_this, matches.c.reason.is_(None)).values(**STAMP, **RESULT, **STOPPED)

_SEEN = SET_CLOCK.values(token=bindparam("mark"))
_has_flag = matches.c.flag.is_not(None)
_DUE = select(matches.c.id, matches.c.flag).where(_has_flag).order_by(matches.c.flag).limit(_MOST_DUE)
_ALIVE = select(heartbeats.c.at).where(heartbeats.c.name == _NAME).with_for_update()
_turn_began = case(
    (matches.c.running == 1, matches.c.flag - matches.c.left_1),
    (matches.c.running == 2, matches.c.flag - matches.c.left_2),
    else_=matches.c.changed,
)
_last_work = case((_turn_began > bindparam("alive"), _turn_began), else_=bindparam("alive"))
_is_late = (_has_flag, _last_work < bindparam("now") - GAP)
_LATE = select(matches.c.id).where(*_is_late)
_GIVE_BACK = (
    update(matches)
    .where(*_is_late)
    .values(flag=matches.c.flag + (bindparam("now") - _last_work), token=bindparam("mark"))
)


class Deadline(NamedTuple):
    """A match, and the timestamp at which time is up in it."""

    match_id: str
    flag: int


class Clocks:
    """The clocks of all matches; methods that change some return their ids, and listeners elsewhere are notified."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def see(self, match_id: str, seat: int) -> list[str]:
        """Record that the player on a seat has seen a match in which both seats are taken; the second starts it."""

        def work(connection: Connection, _again: bool) -> list[str]:
            moment = now()
            state = connection.execute(STATE_LOCKED, {"match": match_id}).first()
            clock = read_clock(state._asdict()) if state and state.reason is None else None
            if not state or not clock or state.paused or clock.has_seen(seat) or clock.is_up(moment):
                return []
            seen = clock.see(seat, seat_after(state.first, state.plies), moment)
            connection.execute(_SEEN, {"match": match_id, "mark": token_hex(8), **clock_parameters(seen)})
            return notify_listeners(connection, [match_id])

        return self._database.write(work)

    def deadlines(self) -> list[Deadline]:
        """Return the next deadlines, the first of them first."""
        rows = self._database.read(lambda connection, _: connection.execute(_DUE).all())
        return [Deadline(row.id, row.flag) for row in rows]

    def beat(self) -> list[str]:
        """Record that a server is at work, and give back the time in which none was."""
        return self._write(_beat)

    def end_if_up(self, match_id: str) -> list[str]:
        """End a match whose time is up, after giving back the time in which no server was at work."""

        def work(connection: Connection, again: bool) -> list[str]:
            changed, moment = _beat(connection, again), now()
            state = connection.execute(STATE_LOCKED, {"match": match_id}).first()
            clock = read_clock(state._asdict()) if state else None
            if not clock or not clock.is_up(moment):
                return changed
            winner, reason = clock.outcome()
            values = {"match": match_id, "now": moment, "mark": token_hex(8), "won_by": winner, "because": reason}
            connection.execute(END, values)
            return [*changed, *notify_listeners(connection, [match_id])]

        return self._write(work)

    def _write(self, work: Work[list[str]]) -> list[str]:
        try:
            return self._database.write(work)
        except ClashError:  # of two first heartbeats
            return self._database.write(work)


def _beat(connection: Connection, _again: bool) -> list[str]:
    moment, alive = now(), connection.execute(_ALIVE).scalar()
    values: dict[str, Any] = {"now": moment, "alive": alive or 0}
    if alive is None:
        connection.execute(insert(heartbeats), {"name": _NAME, "at": moment})
    elif moment - alive >= BEAT:
        connection.execute(update(heartbeats).where(heartbeats.c.name == _NAME).values(at=moment))
    late = list(connection.execute(_LATE, values).scalars())
    if late:
        connection.execute(_GIVE_BACK, {**values, "mark": token_hex(8)})
    return notify_listeners(connection, late)
