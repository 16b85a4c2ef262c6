"""What one player asks the other, each question in one transaction with the match that it is about."""

from collections.abc import Callable

from sqlalchemy import Connection, bindparam, select, update

from bitduel.storage import statements as sql
from bitduel.storage.database import Database, Work
from bitduel.storage.errors import NoLongerError, OverError, PlyTakenError
from bitduel.storage.schema import seats
from bitduel.storage.seats import Holder, Offer, holder
from bitduel.storage.writes import Guard, unknown_match

_ONE = (seats.c.sitting == bindparam("of"), seats.c.seat == bindparam("at"))
_SAME = (
    *_ONE,
    seats.c.asks == bindparam("kind"),
    seats.c.asks_in == bindparam("match"),
    seats.c.asks_at == bindparam("ply"),
    seats.c.asks_after == bindparam("backs"),
)
_ASK = (
    update(seats)
    .where(*_ONE, seats.c.owner == bindparam("who"))
    .values(
        asks=bindparam("kind"),
        asks_in=bindparam("match"),
        asks_at=bindparam("ply"),
        asks_after=bindparam("backs"),
        declined=0,
    )
)
_DECLINE = update(seats).where(*_SAME).values(declined=1)
_WITHDRAW = update(seats).where(*_SAME).values(asks=None)
_TABLE = select(seats).where(seats.c.sitting == bindparam("of"))
_LOCKED = select(seats).where(*_ONE).with_for_update()


Agreed = Callable[[dict[int, Holder]], Work[None] | None]
"""What is done where both players have asked the same, from what each has asked."""


class OfferStore:
    """Questions between the two players of a sitting; a player has one at a time."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def ask(
        self, sitting: str, seat: int, owner: str, asked: Offer, over: bool, agreed: Agreed = lambda _said: None
    ) -> dict[int, Holder]:
        """Ask, at the moment named in the question, or once the match is over; what both have asked then.

        Of two who ask the same at once, the second sees that the first has; what both have agreed on by that is done
        in the same transaction.
        """

        def work(connection: Connection, again: bool) -> dict[int, Holder]:
            state = connection.execute(sql.STATE_LOCKED, {"match": asked.match_id}).first()
            if state is None:
                raise unknown_match(asked.match_id)
            if (state.reason is not None) != over:
                raise OverError(f"Match {asked.match_id} is {'not over yet' if over else 'over'}.")
            if not over and (state.plies, state.backs) != (asked.ply, asked.backs):
                raise PlyTakenError(f"Match {asked.match_id} has {state.plies} moves now, so nothing was asked.")
            if not connection.execute(_ASK, {**_values(sitting, seat, asked), "who": owner}).rowcount:
                raise NoLongerError("The seat has gone to another device.")
            said = {row.seat: holder(row) for row in connection.execute(_TABLE, {"of": sitting})}
            if deed := agreed(said):
                deed(connection, again)
            return said

        return self._database.write(work)

    def decline(self, sitting: str, seat: int, asked: Offer) -> None:
        """Say no to what the seat asks; NoLongerError if it asks that no more."""
        values = _values(sitting, seat, asked)
        if not self._database.write(lambda connection, _: connection.execute(_DECLINE, values).rowcount):
            raise _gone()

    def withdraw(self, sitting: str, seat: int, asked: Offer) -> None:
        """The seat asks that no more; whatever has become of it stays."""
        values = _values(sitting, seat, asked)
        self._database.write(lambda connection, _: connection.execute(_WITHDRAW, values))


def stands(sitting: str, seat: int, asked: Offer) -> Guard:
    """Lets a change through only while the seat asks just that."""

    def guard(connection: Connection) -> None:
        row = connection.execute(_LOCKED, {"of": sitting, "at": seat}).first()
        if row is None or holder(row).asked != asked._replace(declined=False):
            raise _gone()

    return guard


def still_away(sitting: str, seat: int, here: int) -> Guard:
    """Lets a change through only if nobody has been at the seat since it was last looked at."""

    def guard(connection: Connection) -> None:
        row = connection.execute(_LOCKED, {"of": sitting, "at": seat}).first()
        if row is None or row.here != here:
            raise NoLongerError("The other player is here again.")

    return guard


def _values(sitting: str, seat: int, asked: Offer) -> dict[str, object]:
    return {
        "of": sitting,
        "at": seat,
        "kind": asked.kind,
        "match": asked.match_id,
        "ply": asked.ply,
        "backs": asked.backs,
    }


def _gone() -> NoLongerError:
    return NoLongerError("That is not asked any more.")
