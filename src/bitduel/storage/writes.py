"""Changes of matches, each the work of one transaction that may have to be repeated.

After a lost connection it is unknown whether the commit got through. Every write therefore leaves a token of its own,
and a repeated attempt looks for it first.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from secrets import token_hex
from typing import Any, NamedTuple

from sqlalchemy import Connection, Integer, bindparam, delete, insert, literal_column, or_, select, update

from bitduel.core.match import Match
from bitduel.core.outcomes import Outcome
from bitduel.players.spec import Spec
from bitduel.storage.clocks import (
    CLOCK_CHANGES,
    END,
    RESULT,
    SET_CLOCK,
    STAMP,
    STATE,
    STATE_LOCKED,
    Clock,
    ClockSettings,
    clock_parameters,
    read_clock,
    seat_after,
)
from bitduel.storage.coordination import count_use, with_notification
from bitduel.storage.database import ClashError, Database, PreparedStatement, Work
from bitduel.storage.errors import OverError, PausedError, PlyTakenError, RoundTakenError, StoreError, UnknownMatchError
from bitduel.storage.group_commit import GroupCommit
from bitduel.storage.schema import GIVEN, matches, moves, new_id, now, seats
from bitduel.storage.stored_match import new_row

Guard = Callable[[Connection], None]
"""A further condition of a change; raises a StoreError if it is not met."""

SeatClaim = tuple[int, str]
"""A seat, and the hash of the owner who must still have it."""

ANY_NUMBER = -1
"""A value that stands for any number of moves or take-backs."""

_ID_ATTEMPTS = 20
_TRIAL_KEY, _TRIAL_SECONDS = "trial", 60.0
"""The key of a count that is only written to check that writing works, and when it expires."""


class MatchMoment(NamedTuple):
    """A moment of a match: the number of its moves, and of its take-backs."""

    plies: int
    backs: int


class WriteStamp(NamedTuple):
    """The token, the time and the clock that a write has left in a match's row."""

    token: str
    changed: int
    clock: Clock | None = None


_this = matches.c.id == bindparam("match")
_is_open = matches.c.reason.is_(None)
_backs = bindparam("after", type_=Integer)

MOVE_TOKEN = select(moves.c.token).where(moves.c.match_id == bindparam("match"), moves.c.ply == bindparam("ply"))
INSERT_MATCH = insert(matches)
INSERT_MOVE = PreparedStatement(insert(moves))
_count_move = (
    update(matches)
    .where(
        _this,
        matches.c.plies == bindparam("ply"),
        _is_open,
        matches.c.paused == literal_column("0"),
        or_(_backs < literal_column("0"), matches.c.backs == _backs),
    )
    .values(plies=bindparam("count"), **STAMP, **RESULT)
)
_has_seat = (
    select(seats.c.seat)
    .where(seats.c.sitting == matches.c.sitting, seats.c.seat == bindparam("at"), seats.c.owner == bindparam("who"))
    .exists()
)
_without_clock = _count_move.where(matches.c.clock.is_(None))
_with_clock = _count_move.values(CLOCK_CHANGES)
COUNT_MOVE = PreparedStatement(_without_clock)
COUNT_OWN_MOVE = PreparedStatement(_without_clock.where(_has_seat))
"""The same, only while an owner still has the seat."""
COUNT_TIMED_MOVE = PreparedStatement(_with_clock)
COUNT_OWN_TIMED_MOVE = PreparedStatement(_with_clock.where(_has_seat))
TAKE_BACK = update(matches).where(_this).values(plies=bindparam("ply"), backs=matches.c.backs + 1, **STAMP)
ROUND = select(matches.c.id).where(matches.c.sitting == bindparam("of"), matches.c.round == bindparam("number"))
DELETE_MOVES = delete(moves).where(moves.c.match_id == bindparam("match"), moves.c.ply >= bindparam("ply"))


class MatchWriter:
    """The changes of matches in a store; each is on disk when its method returns, and all errors are StoreErrors."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._moves: Database | GroupCommit = database

    def check_write(self) -> None:
        """Raise a StoreError unless a write reaches the disk as a move does."""
        self._database.check_writable()
        self._moves.write(count_use(_TRIAL_KEY, _TRIAL_SECONDS))

    def share_commits(self) -> None:
        """Let moves that come at the same time share a commit from now on; for many writers in one process."""
        if self._moves is self._database:
            self._moves = GroupCommit(self._database)

    def begin(
        self,
        match: Match,
        players: Sequence[str | Spec],
        names: Sequence[str],
        sitting: str | None = None,
        round: int = 1,  # noqa: A002 - the word of the players
        rounds: int = 1,
        started: datetime | None = None,
        clock: ClockSettings | None = None,
    ) -> str:
        """Store a match with the moves it has so far, and return its id; without a sitting it begins its own."""
        row = new_row(match, players, names, started, clock) | {"round": round, "rounds": rounds}
        for _ in range(_ID_ATTEMPTS):
            match_id = new_id()
            row |= {"id": match_id, "sitting": sitting or match_id}
            try:
                self._database.write(begin(row, match.moves))
                return match_id
            except ClashError:
                if sitting:
                    self._check_round(sitting, round)
        raise StoreError(f"{self._database.label} has no free id for one more match.")

    def add(
        self,
        match_id: str,
        ply: int,
        move: str,
        outcome: Outcome | None = None,
        backs: int = ANY_NUMBER,
        by: SeatClaim | None = None,
        notification: str | None = None,
    ) -> WriteStamp:
        """Store the move of a ply, and the outcome if it ends the match; raise PlyTakenError if another was first.

        A move for the position before a take-back is refused too: `backs` is the number of take-backs. `by` is the
        owner who must still have the seat, `notification` the text that listeners get once the move is on disk.
        """
        work = add(match_id, ply, move, outcome, backs, by)
        try:
            return self._moves.write(with_notification(work, notification) if notification else work)
        except ClashError:
            raise ply_taken(match_id, ply) from None

    def take_back(
        self,
        match_id: str,
        ply: int,
        of: int | None = None,
        backs: int = ANY_NUMBER,
        guard: Guard | None = None,
    ) -> None:
        """Delete the moves from a ply on; `of` is how many there should be, so that no unseen one is lost."""
        self._database.write(take_back(match_id, ply, of, backs, guard))

    def settle(self, match_id: str, outcome: Outcome, at: MatchMoment, guard: Guard | None = None) -> None:
        """Record a result that players agree on or claim at a moment, if the guard allows it."""
        self._database.write(settle(match_id, outcome, at, guard))

    def end(self, match_id: str, outcome: Outcome) -> None:
        """Record a result; the same one again changes nothing, another one raises OverError."""
        token = token_hex(8)

        def work(connection: Connection, _again: bool) -> None:
            if connection.execute(END, _end_values(match_id, token, outcome)).rowcount:
                return
            state = connection.execute(STATE, {"match": match_id}).first()
            if state is None:
                raise unknown_match(match_id)
            if (state.winner, state.reason) != outcome:
                raise OverError(f"Match {match_id} is over.")

        self._database.write(work)

    def _check_round(self, sitting: str, number: int) -> None:
        values = {"of": sitting, "number": number}
        if self._database.read(lambda connection, _: connection.execute(ROUND, values).first()):
            raise RoundTakenError(f"Round {number} of this match has already begun elsewhere.")


def begin(row: dict[str, Any], played: Sequence[str]) -> Work[None]:
    """Return the work that stores a new match with the moves it has so far."""
    match_id, token = row["id"], token_hex(8)
    rows = [{"match_id": match_id, "ply": ply, "move": move, "token": GIVEN} for ply, move in enumerate(played)]

    def work(connection: Connection, again: bool) -> None:
        state = connection.execute(STATE, {"match": match_id}).first() if again else None
        if state and state.token == token:
            return
        connection.execute(INSERT_MATCH, row | {"token": token})
        for values in rows:
            INSERT_MOVE.run(connection, values)

    return work


def add(
    match_id: str, ply: int, move: str, outcome: Outcome | None, backs: int = ANY_NUMBER, by: SeatClaim | None = None
) -> Work[WriteStamp]:
    """Return the work that adds a move; the match's own row counts them, so that writes leave no gap.

    The time of a move is that of this call, not of its commit.
    """
    token, moment = token_hex(8), now()
    winner, reason = outcome or (None, None)
    seat, owner = by or (None, None)
    changes = {
        "match": match_id,
        "ply": ply,
        "count": ply + 1,
        "after": backs,
        "now": moment,
        "mark": token,
        "won_by": winner,
        "because": reason,
        "at": seat,
        "who": owner,
    }
    stamp = WriteStamp(token, moment)

    def work(connection: Connection, again: bool) -> WriteStamp:
        if again and connection.execute(MOVE_TOKEN, {"match": match_id, "ply": ply}).scalar() == token:
            return stamp._replace(clock=_clock_of(connection, match_id))
        clock = None
        if not (COUNT_OWN_MOVE if by else COUNT_MOVE).run(connection, changes).rowcount:
            clock = _count_timed_move(connection, changes)
        INSERT_MOVE.run(connection, {"match_id": match_id, "ply": ply, "move": move, "token": token})
        return stamp._replace(clock=clock) if clock else stamp

    return work


def _count_timed_move(connection: Connection, changes: dict[str, Any]) -> Clock:
    """Count a move of a match with a clock, and pass the turn; raise the refusal of a move that cannot be made."""
    match_id, ply, moment = changes["match"], changes["ply"], changes["now"]
    state = connection.execute(STATE_LOCKED, {"match": match_id}).first()
    clock = state and read_clock(state._asdict())
    if not state or not clock:
        raise _refusal(connection, match_id, ply)
    if state.reason is None and clock.is_up(moment):
        raise time_is_up(match_id)
    if state.paused:
        raise is_paused()
    # Who moves has seen the match.
    clock = clock.see(seat_after(state.first, ply), seat_after(state.first, ply), moment)
    clock = clock.stop(moment) if changes["because"] else clock.pass_turn(seat_after(state.first, ply + 1), moment)
    count = COUNT_OWN_TIMED_MOVE if changes["who"] else COUNT_TIMED_MOVE
    if not count.run(connection, changes | clock_parameters(clock)).rowcount:
        raise _refusal(connection, match_id, ply)
    return clock


def _clock_of(connection: Connection, match_id: str) -> Clock | None:
    state = connection.execute(STATE, {"match": match_id}).first()
    return read_clock(state._asdict()) if state else None


def take_back(
    match_id: str, ply: int, of: int | None, backs: int = ANY_NUMBER, guard: Guard | None = None
) -> Work[None]:
    """Return the work that deletes the moves from a ply on; a repeated attempt deletes what the first one saw."""
    token = token_hex(8)

    def work(connection: Connection, again: bool) -> None:
        nonlocal of
        state = connection.execute(STATE_LOCKED, {"match": match_id}).first()
        if again and state and state.token == token:
            return
        of = _check_moment(match_id, ply, MatchMoment(ANY_NUMBER if of is None else of, backs), state)
        if guard:
            guard(connection)
        moment = now()
        connection.execute(TAKE_BACK, {"match": match_id, "ply": ply, "now": moment, "mark": token})
        connection.execute(DELETE_MOVES, {"match": match_id, "ply": ply})
        if state and (clock := read_clock(state._asdict())):
            turned = clock.pass_turn(seat_after(state.first, ply), moment)
            connection.execute(SET_CLOCK, {"match": match_id, **clock_parameters(turned)})

    return work


def settle(match_id: str, outcome: Outcome, at: MatchMoment, guard: Guard | None = None) -> Work[None]:
    """Return the work that records a result which players agree on or claim at a moment."""
    token = token_hex(8)

    def work(connection: Connection, again: bool) -> None:
        state = connection.execute(STATE_LOCKED, {"match": match_id}).first()
        if again and state and state.token == token:
            return
        _check_moment(match_id, at.plies, at, state)
        if guard:
            guard(connection)
        connection.execute(END, _end_values(match_id, token, outcome))

    return work


def ply_taken(match_id: str, ply: int) -> PlyTakenError:
    """Return the error for the second of two writers of one ply."""
    return PlyTakenError(f"Move {ply + 1} of match {match_id} has already been made elsewhere.")


def unknown_match(match_id: str) -> UnknownMatchError:
    """Return the error for an id that no match has."""
    return UnknownMatchError(f"There is no match '{match_id}'.")


def time_is_up(match_id: str) -> OverError:
    """Return the error for a change of a match whose time is up."""
    return OverError(f"The time of match {match_id} is up.")


def is_paused() -> PausedError:
    """Return the error for a change of a match that is paused."""
    return PausedError("Your teacher has paused the class. Please look up front.")


def _end_values(match_id: str, token: str, outcome: Outcome) -> dict[str, Any]:
    return {"match": match_id, "now": now(), "mark": token, "won_by": outcome.winner, "because": outcome.reason}


def _refusal(connection: Connection, match_id: str, ply: int) -> StoreError:
    state = connection.execute(STATE, {"match": match_id}).first()
    if state is None:
        return unknown_match(match_id)
    if state.paused and state.reason is None and state.plies == ply:
        return is_paused()
    if state.plies > ply or (state.plies == ply and state.reason is None):
        return ply_taken(match_id, ply)
    if state.reason is not None:
        return OverError(f"Match {match_id} is over.")
    return PlyTakenError(f"Match {match_id} has {state.plies} moves now, so move {ply + 1} can't be saved.")


def _check_moment(match_id: str, ply: int, at: MatchMoment, state: Any) -> int:
    """Raise a StoreError unless the match is open and at this moment; return the number of its moves."""
    if state is None:
        raise unknown_match(match_id)
    if state.reason is not None:
        raise OverError(f"Match {match_id} is over.")
    if state.paused:
        raise is_paused()
    clock = read_clock(state._asdict())
    if clock and clock.is_up(now()):
        raise time_is_up(match_id)
    is_at_moment = at.plies in (ANY_NUMBER, state.plies) and at.backs in (ANY_NUMBER, state.backs)
    if not (0 <= ply <= state.plies and is_at_moment):
        raise PlyTakenError(f"Match {match_id} has {state.plies} moves now, so nothing was taken back.")
    return int(state.plies)
