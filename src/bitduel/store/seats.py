"""Who holds the seats of a sitting that is played over the network; only hashes of secrets are kept."""

from sqlalchemy import Connection, bindparam, insert, select, update

from bitduel.store.database import ClashError, Database
from bitduel.store.moments import now
from bitduel.store.schema import invitations, matches, seats
from bitduel.store.statements import folded

_OWNERS = select(seats.c.seat, seats.c.owner).where(seats.c.sitting == bindparam("of"))
_INVITED = select(invitations.c.secret).where(invitations.c.sitting == bindparam("of"))
MOST = 100
"""So many sittings of one owner are listed, the newest first."""


class Seats:
    """Seats and invitations; of two who want one seat, the primary key lets one win."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def owners(self, sitting: str) -> dict[int, str]:
        """The hash of each seat's holder."""
        return self._database.read(
            lambda connection, _: {row.seat: row.owner for row in connection.execute(_OWNERS, {"of": sitting})}
        )

    def claim(self, sitting: str, seat: int, owner: str) -> bool:
        """Take a seat; False if another was first, True if the owner has it now."""
        row = {"sitting": sitting, "seat": seat, "owner": owner, "taken": now()}
        try:
            self._database.write(lambda connection, _: connection.execute(insert(seats), row))
        except ClashError:
            return self.owners(sitting).get(seat) == owner
        return True

    def sittings(self, owner: str) -> list[str]:
        """The sittings in which somebody has a seat, the newest first."""
        found = select(seats.c.sitting, seats.c.taken).where(seats.c.owner == owner).order_by(seats.c.taken.desc())
        rows = self._database.read(lambda connection, _: connection.execute(found.limit(2 * MOST)).all())
        return list(dict.fromkeys(row.sitting for row in rows))[:MOST]

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
