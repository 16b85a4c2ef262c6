"""The store: every match from its first move, each move on disk before it is shown as played."""

import atexit
import os
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple, Self

from sqlalchemy import Connection, Select, select

from bitduel.core.endings import Outcome
from bitduel.core.errors import shown
from bitduel.core.match import Match
from bitduel.core.signals import uninterrupted
from bitduel.players.spec import Spec
from bitduel.storage import statements as sql
from bitduel.storage import writes
from bitduel.storage.address import find_address
from bitduel.storage.change_counter import ChangeCounter
from bitduel.storage.counts import Counts, counting
from bitduel.storage.database import ClashError, Database
from bitduel.storage.errors import RoundTakenError, StoreError, UnknownMatchError
from bitduel.storage.group_commit import GroupCommit, Writer
from bitduel.storage.ids import new_id
from bitduel.storage.migrate import bring_up_to_date
from bitduel.storage.notifications import Notifications, telling
from bitduel.storage.offers import OfferStore
from bitduel.storage.schema import matches, seats
from bitduel.storage.seat_transfer import SeatTransfers
from bitduel.storage.seats import Holder, Seats, holder, sittings_of
from bitduel.storage.stored_match import StoredMatch, from_row


class Glance(NamedTuple):
    """What tells an old picture of a match from a new one, and who holds its seats."""

    token: str
    names: tuple[str, str]
    holders: dict[int, Holder]


class Held(NamedTuple):
    """A sitting in which somebody has a seat: its rounds in order, and who holds its seats."""

    rounds: list[StoredMatch]
    holders: dict[int, Holder]


_ATTEMPTS = 20
_AT_ONCE = 500
_SHOWN = 5
_TRIAL, _TRIAL_SECONDS = "trial", 60.0
"""What is counted to try whether writing works, and for how long the count is kept."""


def open_store(url: str | None = None, patience: float = 10.0) -> "Store":
    """The store at a URL, at BITDUEL_DB or in the user's data folder; patience (in s) is for locks and restarts."""
    database = Database(find_address(url), patience)
    try:
        bring_up_to_date(database)
    except BaseException:
        database.close()
        raise
    return Store(database)


class Store:
    """Matches in a database; what a method has written is on disk when it returns, and it raises only StoreErrors."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._moves: Writer = database
        self.seats = Seats(database)
        self.asking = OfferStore(database)
        self.tickets = SeatTransfers(database)
        self.counts = Counts(database)
        self.notifier = Notifications(database) if database.carries_events else None
        """What carries events between processes, where the database can."""
        self.stirrings = ChangeCounter(database)
        """Whether anything was written, where the database carries no events."""
        self._process = os.getpid()
        atexit.register(self._close_at_exit)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Finish what is under way and let go of the database, whatever signals come meanwhile."""
        with uninterrupted():
            if isinstance(self._moves, GroupCommit):
                self._moves.close()
            self.stirrings.close()
            self._database.close()
            atexit.unregister(self._close_at_exit)

    def _close_at_exit(self) -> None:
        """Close what nobody has closed, or was interrupted in closing; what another process has opened is not ours."""
        if os.getpid() == self._process:
            self.close()

    def try_write(self) -> None:
        """Raise a StoreError unless a write goes the whole way of a move to the disk."""
        self._database.check_writable()
        self._moves.write(counting(_TRIAL, _TRIAL_SECONDS))

    def gather(self) -> None:
        """From now on, moves that come at the same time share a commit; for many writers in one process."""
        if self._moves is self._database:
            self._moves = GroupCommit(self._database)

    def begin(
        self,
        match: Match,
        players: Sequence[str | Spec],
        names: Sequence[str],
        sitting: str | None = None,
        round: int = 1,  # noqa: A002 - what the players call it
        rounds: int = 1,
        started: datetime | None = None,
    ) -> str:
        """Keep a match with the moves it has so far, and give it an id; without a sitting it begins its own."""
        row = writes.first_row(match, players, names, started) | {"round": round, "rounds": rounds}
        for _ in range(_ATTEMPTS):
            match_id = new_id()
            row |= {"id": match_id, "sitting": sitting or match_id}
            try:
                self._database.write(writes.begin(row, match.moves))
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
        backs: int = writes.ANY,
        by: writes.By | None = None,
        news: str | None = None,
    ) -> writes.Written:
        """Keep the move of this ply, and the outcome if it ends the match; PlyTakenError if another was first.

        A move that was meant for the position before moves were taken back is late too: `backs` says how often. `by`
        says who must still have the seat, `news` what others hear of as soon as it is on disk.
        """
        try:
            return self._moves.write(telling(writes.add(match_id, ply, move, outcome, backs, by), news))
        except ClashError:
            raise writes.taken(match_id, ply) from None

    def take_back(
        self,
        match_id: str,
        ply: int,
        of: int | None = None,
        backs: int = writes.ANY,
        guard: writes.Guard | None = None,
    ) -> None:
        """Forget the moves from this ply on; `of` is how many there should be, so that no unseen one is lost."""
        self._database.write(writes.take_back(match_id, ply, of, backs, guard))

    def settle(
        self, match_id: str, outcome: Outcome, at: writes.MatchMoment, guard: writes.Guard | None = None
    ) -> None:
        """Record what the players agree on or claim, if the match is at this moment still and the guard lets it."""
        self._database.write(writes.settle(match_id, outcome, at, guard))

    def end(self, match_id: str, outcome: Outcome) -> None:
        """Record how a match ended; doing so twice changes nothing, another outcome later is an OverError."""
        self._database.write(writes.end(match_id, outcome))

    def get(self, prefix: str) -> StoredMatch:
        """The match with this id; a beginning that no other has is enough."""
        wanted = prefix.strip().lower()
        if not (wanted.isascii() and wanted.isalnum()):
            raise UnknownMatchError(f"'{shown(prefix)}' is not the id of a match.")
        found = self._load(sql.BY_ID.where(sql.beginning_with(wanted)).limit(_SHOWN + 1))
        if not found:
            raise writes.unknown_match(shown(wanted))
        if len(found) > 1 and found[0].id != wanted:
            raise _several(wanted, [kept.id for kept in found])
        return found[0]

    def find(self, match_id: str) -> StoredMatch:
        """The match with just this id."""

        def work(connection: Connection, _again: bool) -> StoredMatch:
            rows = sql.FIND.rows(connection, {"match": match_id})
            if not rows:
                raise writes.unknown_match(shown(match_id))
            made = dict(tuple(row) for row in sql.FIND_MOVES.rows(connection, {"match": match_id}))
            return from_row(rows[0]._asdict(), made, self._database.label)

        return self._database.read(work)

    def glance(self, match_id: str) -> Glance | None:
        """As little as tells whether anything about a match has changed, and who holds its seats."""
        rows = self._database.read(lambda connection, _: sql.GLANCE.rows(connection, {"match": match_id}))
        if not rows:
            return None
        first = rows[0]
        return Glance(first.token, (first.name_1, first.name_2), {r.seat: holder(r) for r in rows if r.seat})

    def tokens(self, ids: Sequence[str]) -> dict[str, str]:
        """The mark of the last write of each of some matches."""

        def work(connection: Connection, _again: bool) -> dict[str, str]:
            found: dict[str, str] = {}
            for begin in range(0, len(ids), _AT_ONCE):
                wanted = select(matches.c.id, matches.c.token).where(matches.c.id.in_(ids[begin : begin + _AT_ONCE]))
                found |= {row.id: row.token for row in connection.execute(wanted)}
            return found

        return self._database.read(work)

    def matches(
        self,
        game: str | None = None,
        player: str | None = None,
        result: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int | None = None,
    ) -> list[StoredMatch]:
        """The matches that meet all conditions, newest first; result is open, 1, 2 or draw; until is not included."""
        conditions = sql.conditions(game, player, result, since, until)
        return self._load(sql.NEWEST.where(*conditions).limit(limit))

    def unfinished(self) -> StoredMatch | None:
        """What to resume: the open match played last, or a finished one whose sitting has a round to come.

        Where seats are taken, on the site for example, the match is left to those who have them.
        """
        return next(iter(self._load(sql.UNFINISHED)), None)

    def sitting(self, sitting_id: str) -> list[StoredMatch]:
        """The rounds of a sitting, in order."""
        return self._load(sql.SITTING.where(matches.c.sitting == sitting_id))

    def held_by(self, owner: str) -> list[Held]:
        """The sittings in which somebody has a seat, those first in which it was taken last, in one transaction."""

        def work(connection: Connection, _again: bool) -> list[Held]:
            ids = sittings_of(connection, owner)
            found = {each: Held([], {}) for each in ids}
            for kept in sql.load(connection, sql.SITTING.where(matches.c.sitting.in_(ids)), self._database.label):
                found[kept.sitting].rounds.append(kept)
            for row in connection.execute(select(seats).where(seats.c.sitting.in_(ids))):
                found[row.sitting].holders[row.seat] = holder(row)
            return [held for held in found.values() if held.rounds]

        return self._database.read(work)

    def _load(self, wanted: Select[Any]) -> list[StoredMatch]:
        return self._database.read(lambda connection, _: sql.load(connection, wanted, self._database.label))

    def _check_round(self, sitting: str, number: int) -> None:
        place = {"of": sitting, "number": number}
        if self._database.read(lambda connection, _: connection.execute(sql.ROUND, place).first()):
            raise RoundTakenError(f"Round {number} of this sitting has already been begun elsewhere.")


def _several(prefix: str, ids: list[str]) -> UnknownMatchError:
    more = " and others" if len(ids) > _SHOWN else ""
    return UnknownMatchError(f"Several matches begin with '{prefix}': {', '.join(ids[:_SHOWN])}{more}.")
