"""Links that move somebody's seats to another browser: used once, soon, and kept only as hashes."""

from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, bindparam, delete, insert, select, update

from bitduel.storage.database import ClashError, Database
from bitduel.storage.schema import seats, tickets
from bitduel.storage.timestamps import now

_OF = tickets.c.sitting == bindparam("of")
_LIVE = tickets.c.expires > bindparam("now")
_OWN = select(tickets).where(_OF, tickets.c.owner == bindparam("who"), _LIVE)
_BY_SECRET = select(tickets).where(_OF, tickets.c.secret == bindparam("mark"), _LIVE)
_DROP_OWN = delete(tickets).where(_OF, tickets.c.owner == bindparam("who"))
_USE = delete(tickets).where(_OF, tickets.c.secret == bindparam("mark"), _LIVE)
_SEATED = select(seats.c.seat).where(seats.c.sitting == bindparam("of"), seats.c.owner == bindparam("new"))
_MOVE = (
    update(seats)
    .where(seats.c.sitting == bindparam("of"), seats.c.owner == bindparam("old"))
    .values(owner=bindparam("new"), moved=seats.c.moved + 1)
)


class Ticket(NamedTuple):
    """Whose seats a link moves, when it was made and until when it can be used, in ticks."""

    owner: str
    made: int
    expires: int


class SeatTransfers:
    """One for each holder of seats in a sitting; a new one takes the place of the old."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def issue(self, sitting: str, ticket: Ticket, secret: str) -> None:
        """Keep the hash of a new link's secret."""
        row = {"sitting": sitting, "secret": secret, **ticket._asdict()}

        def work(connection: Connection, _again: bool) -> None:
            connection.execute(_DROP_OWN, {"of": sitting, "who": ticket.owner})
            connection.execute(insert(tickets), row)

        try:
            self._database.write(work)
        except ClashError:
            # Another page of the same browser was first; the newest counts.
            self._database.write(work)

    def of(self, sitting: str, owner: str) -> Ticket | None:
        """The link that somebody has made and that can be used now."""
        return self._find(_OWN, {"of": sitting, "who": owner})

    def find(self, sitting: str, secret: str) -> Ticket | None:
        """The link with this secret, if it can be used now."""
        return self._find(_BY_SECRET, {"of": sitting, "mark": secret})

    def use(self, sitting: str, secret: str, owner: str) -> bool:
        """Move the seats to an owner who has none yet; of two who use one link, one gets them."""
        values = {"of": sitting, "mark": secret, "now": now()}

        def work(connection: Connection, _again: bool) -> bool:
            if connection.execute(_SEATED, {"of": sitting, "new": owner}).first():
                return False
            row = connection.execute(_BY_SECRET, values).first()
            if row is None or not connection.execute(_USE, values).rowcount:
                return False
            return bool(connection.execute(_MOVE, {"of": sitting, "old": row.owner, "new": owner}).rowcount)

        return self._database.write(work)

    def _find(self, wanted: Select[Any], values: dict[str, object]) -> Ticket | None:
        row = self._database.read(lambda connection, _: connection.execute(wanted, values | {"now": now()}).first())
        return Ticket(row.owner, row.made, row.expires) if row else None
