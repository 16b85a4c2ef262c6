"""Who holds the seats of a sitting that is played over the network; only hashes of secrets are kept."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, insert, or_, select, update

from bitduel.storage.database import ClashError, Database
from bitduel.storage.schema import invitations, matches, seats
from bitduel.storage.statements import folded
from bitduel.storage.timestamps import now

_HOLDERS = select(seats).where(seats.c.sitting == bindparam("of"))
_OWN = (seats.c.sitting == bindparam("of"), seats.c.owner == bindparam("who"))
_SEEN = update(seats).where(*_OWN, seats.c.here < bindparam("until")).values(here=bindparam("until"))
_GONE = update(seats).where(*_OWN, seats.c.here > bindparam("until")).values(here=bindparam("until"))
_COACH = update(seats).where(*_OWN).values(coach=bindparam("wanted"))
_INVITED = select(invitations.c.secret).where(invitations.c.sitting == bindparam("of"))
_PLAYS = (
    select(seats.c.seat)
    .join(matches, matches.c.sitting == seats.c.sitting)
    .where(seats.c.owner == bindparam("who"), matches.c.reason.is_(None))
    .limit(1)
)
MOST = 100
"""So many sittings of one owner are listed, the newest first."""


class Offer(NamedTuple):
    """What one player has asked the other: in which match, after how many moves and take-backs."""

    kind: str
    match_id: str
    ply: int
    backs: int
    declined: bool = False


class Holder(NamedTuple):
    """Who holds a seat, and what that player has said."""

    owner: str
    here: int = 0
    """Until when the player counts as present, in ticks."""
    coach: bool = False
    moved: int = 0
    asked: Offer | None = None


Owned = tuple[str, str]
"""A sitting, and the hash of somebody who has a seat in it."""


class Seats:
    """Seats and invitations; of two who want one seat, the primary key lets one win."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def holders(self, sitting: str) -> dict[int, Holder]:
        """All that is known of the seats."""
        return self._database.read(
            lambda connection, _: {row.seat: holder(row) for row in connection.execute(_HOLDERS, {"of": sitting})}
        )

    def owners(self, sitting: str) -> dict[int, str]:
        """The hash of each seat's holder."""
        return {seat: held.owner for seat, held in self.holders(sitting).items()}

    def claim(self, sitting: str, seat: int, owner: str) -> bool:
        """Take a seat; False if another was first, True if the owner has it now."""
        row = {"sitting": sitting, "seat": seat, "owner": owner, "taken": now()}
        try:
            self._database.write(lambda connection, _: connection.execute(insert(seats), row))
        except ClashError:
            return self.owners(sitting).get(seat) == owner
        return True

    def invite(self, sitting: str, secret: str) -> None:
        """Keep the hash of an invitation's secret."""
        row = {"sitting": sitting, "secret": secret}
        self._database.write(lambda connection, _: connection.execute(insert(invitations), row))

    def invited(self, sitting: str) -> str | None:
        """The hash of the invitation's secret, if there is one."""
        return self._database.read(lambda connection, _: connection.execute(_INVITED, {"of": sitting}).scalar())

    def rename(self, sitting: str, seat: int, name: str) -> None:
        """Say what the player on a seat is called, in every round."""
        values = {f"name_{seat}": name, f"folded_{seat}": folded(name)}

        def work(connection: Connection, _again: bool) -> None:
            connection.execute(update(matches).where(matches.c.sitting == sitting).values(values))

        self._database.write(work)

    def agree(self, sitting: str, owner: str, coach: bool) -> None:
        """Say whether somebody agrees to have the coach in the matches of a sitting."""
        values = {"of": sitting, "who": owner, "wanted": int(coach)}
        self._database.write(lambda connection, _: connection.execute(_COACH, values))

    def seen(self, those: Iterable[Owned], until: int) -> None:
        """They are here, at least until then."""
        self._mark(_SEEN, those, until)

    def gone(self, those: Iterable[Owned], since: int) -> None:
        """They are no longer here."""
        self._mark(_GONE, those, since)

    def turned(self, among: Sequence[str], since: int, until: int, patience: int) -> list[str]:
        """Those of some matches in which somebody's time at the table, or patience after it, ran out in between."""
        first, last = since + 1 - patience, until - patience
        ended = or_(
            seats.c.here.between(since + 1, until),
            seats.c.here.between(first, last),
            matches.c.changed.between(first, last),
        )
        found = select(matches.c.id).distinct().join(seats, seats.c.sitting == matches.c.sitting)
        found = found.where(matches.c.id.in_(among), ended)
        return self._database.read(lambda connection, _: list(connection.execute(found).scalars()))

    def plays(self, owner: str) -> bool:
        """Return whether somebody has a seat in a match that goes on."""
        return self._database.read(lambda connection, _: connection.execute(_PLAYS, {"who": owner}).first() is not None)

    def _mark(self, statement: Any, those: Iterable[Owned], until: int) -> None:
        """In one order everywhere, so that two who do so never wait for each other in a circle."""
        rows = [{"of": sitting, "who": owner, "until": until} for sitting, owner in sorted(those)]
        if rows:
            self._database.write(lambda connection, _: connection.execute(statement, rows))


def sittings_of(connection: Connection, owner: str) -> list[str]:
    """The sittings in which somebody has a seat, the newest first."""
    found = select(seats.c.sitting, seats.c.taken).where(seats.c.owner == owner).order_by(seats.c.taken.desc())
    rows = connection.execute(found.limit(2 * MOST)).all()
    return list(dict.fromkeys(row.sitting for row in rows))[:MOST]


def holder(row: Any) -> Holder:
    """The holder in a row."""
    asked = Offer(row.asks, row.asks_in, row.asks_at, row.asks_after, bool(row.declined)) if row.asks else None
    return Holder(row.owner, row.here, bool(row.coach), row.moved, asked)
