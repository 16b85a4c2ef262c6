"""The store of matches: each is stored from its first move, and each move is on disk before it is shown."""

import atexit
import os
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple, Self

from sqlalchemy import Connection, Select, select

from bitduel.core.errors import printable
from bitduel.core.signals import uninterrupted
from bitduel.storage.address import find_address
from bitduel.storage.classes import ClassStore
from bitduel.storage.clocks import Clocks
from bitduel.storage.coordination import ChangeCounter, Notifications, UsageCounts
from bitduel.storage.database import Database
from bitduel.storage.errors import UnknownMatchError
from bitduel.storage.group_commit import GroupCommit
from bitduel.storage.lobby import Lobby
from bitduel.storage.schema import matches, migrate, seats
from bitduel.storage.seats import Holder, Offers, Seats, SeatTransfers, read_holder, sittings_of
from bitduel.storage.stored_match import (
    BY_ID,
    FIND,
    FIND_MOVES,
    FINGERPRINT,
    NEWEST,
    SITTING,
    UNFINISHED,
    StoredMatch,
    history_conditions,
    id_begins_with,
    load_matches,
    read_match,
)
from bitduel.storage.writes import MatchWriter, unknown_match


class MatchFingerprint(NamedTuple):
    """The values that differ when a match has changed, and the holders of its seats."""

    token: str
    names: tuple[str, str]
    holders: dict[int, Holder]


class StoredSitting(NamedTuple):
    """A sitting in which somebody has a seat: its rounds in order, and the holders of its seats."""

    rounds: list[StoredMatch]
    holders: dict[int, Holder]


_MAX_PARAMETERS = 500
_MAX_SHOWN = 5


def open_store(url: str | None = None, patience: float = 10.0) -> "Store":
    """Open the store at a URL, at BITDUEL_DB or in the data folder; patience, in seconds, is for locks and restarts."""
    database = Database(find_address(url), patience)
    try:
        migrate(database)
    except BaseException:
        database.close()
        raise
    return Store(database)


class Store(MatchWriter):
    """Matches in a database; a write is on disk when its method returns, and all errors are StoreErrors."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.seats = Seats(database)
        self.offers = Offers(database)
        self.seat_transfers = SeatTransfers(database)
        self.counts = UsageCounts(database)
        self.clocks = Clocks(database)
        self.lobby = Lobby(database)
        self.classes = ClassStore(database)
        self.notifications = Notifications(database) if database.has_notifications else None
        """Notifications between processes, where the database has them."""
        self.change_counter = ChangeCounter(database)
        """The counter of writes, where the database has no notifications."""
        self._process = os.getpid()
        atexit.register(self._close_at_exit)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Finish running writes and close the database, whatever signals come meanwhile."""
        with uninterrupted():
            if isinstance(self._moves, GroupCommit):
                self._moves.close()
            self.change_counter.close()
            self._database.close()
            atexit.unregister(self._close_at_exit)

    def _close_at_exit(self) -> None:
        """Close the store if it is still open; a store of another process is left alone."""
        if os.getpid() == self._process:
            self.close()

    def get(self, prefix: str) -> StoredMatch:
        """Return the match with this id, or with an id that alone begins so."""
        wanted = prefix.strip().lower()
        if not (wanted.isascii() and wanted.isalnum()):
            raise UnknownMatchError(f"'{printable(prefix)}' is not the id of a match.")
        matching = self._load(BY_ID.where(id_begins_with(wanted)).limit(_MAX_SHOWN + 1))
        if not matching:
            raise unknown_match(printable(wanted))
        if len(matching) > 1 and matching[0].id != wanted:
            raise _ambiguous(wanted, [stored.id for stored in matching])
        return matching[0]

    def find(self, match_id: str) -> StoredMatch:
        """Return the match with exactly this id."""

        def work(connection: Connection, _again: bool) -> StoredMatch:
            rows = FIND.rows(connection, {"match": match_id})
            if not rows:
                raise unknown_match(printable(match_id))
            played = [(row[0], row[1], row[2]) for row in FIND_MOVES.rows(connection, {"match": match_id})]
            return read_match(rows[0]._asdict(), played, self._database.label)

        return self._database.read(work)

    def fingerprint(self, match_id: str) -> MatchFingerprint | None:
        """Return the least that shows whether anything about a match has changed; None for an unknown id."""
        rows = self._database.read(lambda connection, _: FINGERPRINT.rows(connection, {"match": match_id}))
        if not rows:
            return None
        first, holders = rows[0], {row.seat: read_holder(row) for row in rows if row.seat}
        return MatchFingerprint(first.token, (first.name_1, first.name_2), holders)

    def tokens(self, ids: Sequence[str]) -> dict[str, str]:
        """Return the token of the last write of each match."""

        def work(connection: Connection, _again: bool) -> dict[str, str]:
            tokens: dict[str, str] = {}
            for begin in range(0, len(ids), _MAX_PARAMETERS):
                part = matches.c.id.in_(ids[begin : begin + _MAX_PARAMETERS])
                rows = connection.execute(select(matches.c.id, matches.c.token).where(part))
                tokens |= {row.id: row.token for row in rows}
            return tokens

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
        """Return the matches that meet all conditions, newest first; result is open, 1, 2 or draw."""
        conditions = history_conditions(game, player, result, since, until)
        return self._load(NEWEST.where(*conditions).limit(limit))

    def unfinished(self) -> StoredMatch | None:
        """Return the match to resume: the open one played last, or a finished one whose sitting has a round to come.

        A match with seats that are held, on the site for example, is left to their holders.
        """
        return next(iter(self.all_unfinished(1)), None)

    def all_unfinished(self, limit: int | None = None) -> list[StoredMatch]:
        """Return the matches to resume, those played last first."""
        return self._load(UNFINISHED.limit(limit))

    def sitting(self, sitting_id: str) -> list[StoredMatch]:
        """Return the rounds of a sitting, in order."""
        return self._load(SITTING.where(matches.c.sitting == sitting_id))

    def held_by(self, owner: str) -> list[StoredSitting]:
        """Return the sittings in which somebody has a seat, those first in which it was taken last."""

        def work(connection: Connection, _again: bool) -> list[StoredSitting]:
            ids = sittings_of(connection, owner)
            sittings = {each: StoredSitting([], {}) for each in ids}
            for stored in load_matches(connection, SITTING.where(matches.c.sitting.in_(ids)), self._database.label):
                sittings[stored.sitting].rounds.append(stored)
            for row in connection.execute(select(seats).where(seats.c.sitting.in_(ids))):
                sittings[row.sitting].holders[row.seat] = read_holder(row)
            return [sitting for sitting in sittings.values() if sitting.rounds]

        return self._database.read(work)

    def _load(self, query: Select[Any]) -> list[StoredMatch]:
        return self._database.read(lambda connection, _: load_matches(connection, query, self._database.label))


def _ambiguous(prefix: str, ids: list[str]) -> UnknownMatchError:
    more = " and others" if len(ids) > _MAX_SHOWN else ""
    return UnknownMatchError(f"Several matches begin with '{prefix}': {', '.join(ids[:_MAX_SHOWN])}{more}.")
