"""Seats over the network: their holders, invitations, offers between players, and moves to another browser.

Only hashes of secrets are stored.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Update, and_, bindparam, delete, insert, or_, select, update

from bitduel.storage.clocks import STATE_LOCKED
from bitduel.storage.database import ClashError, Database, Work
from bitduel.storage.errors import NoLongerError, OverError, PlyTakenError
from bitduel.storage.schema import fold_name, invitations, matches, now, seats, tickets
from bitduel.storage.writes import Guard, unknown_match

MAX_SITTINGS = 100
"""The most sittings of one owner that are listed, the newest first."""

_PRESENCE = (
    update(seats)
    .where(seats.c.sitting == bindparam("of"), seats.c.owner == bindparam("who"))
    .values(here=bindparam("until"))
)
_EXTEND_PRESENCE = _PRESENCE.where(seats.c.here < bindparam("until"))
_CUT_PRESENCE = _PRESENCE.where(seats.c.here > bindparam("until"))


class Offer(NamedTuple):
    """An offer of one player to the other: in which match, after how many moves and take-backs."""

    kind: str
    match_id: str
    ply: int
    backs: int
    declined: bool = False


class Holder(NamedTuple):
    """The holder of a seat, and what that player has offered or agreed to."""

    owner: str
    present_until: int = 0
    """The time until which the player counts as present, in ticks."""
    coach: bool = False
    moved: int = 0
    offer: Offer | None = None
    coached_round: int = 0
    """Against a program, the last round of the sitting in which the player asked the coach; 0 for none."""


SeatOwner = tuple[str, str]
"""A sitting, and the hash of somebody who has a seat in it."""

OnAgreement = Callable[[dict[int, Holder]], Work[None] | None]
"""Returns the work to do where both players have made the same offer, from both holders."""


def read_holder(row: Any) -> Holder:
    """Return the holder in a row."""
    offer = Offer(row.asks, row.asks_in, row.asks_at, row.asks_after, bool(row.declined)) if row.asks else None
    return Holder(row.owner, row.here, bool(row.coach), row.moved, offer, row.coach)


def sittings_of(connection: Connection, owner: str) -> list[str]:
    """Return the sittings in which somebody has a seat, the newest first."""
    newest = select(seats.c.sitting, seats.c.taken).where(seats.c.owner == owner).order_by(seats.c.taken.desc())
    rows = connection.execute(newest.limit(2 * MAX_SITTINGS)).all()
    return list(dict.fromkeys(row.sitting for row in rows))[:MAX_SITTINGS]


class Seats:
    """Seats and invitations; of two who claim one seat, the primary key refuses the second."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def holders(self, sitting: str) -> dict[int, Holder]:
        """Return the holder of each seat that is taken."""
        return self._database.read(lambda connection, _: _read_holders(connection, sitting))

    def owners(self, sitting: str) -> dict[int, str]:
        """Return the hash of each seat's holder."""
        return {seat: holder.owner for seat, holder in self.holders(sitting).items()}

    def claim(self, sitting: str, seat: int, owner: str) -> bool:
        """Take a seat; return False if another was first, True if the owner has it now."""
        row = {"sitting": sitting, "seat": seat, "owner": owner, "taken": now()}
        try:
            self._database.write(lambda connection, _: connection.execute(insert(seats), row))
        except ClashError:
            return self.owners(sitting).get(seat) == owner
        return True

    def invite(self, sitting: str, secret: str) -> None:
        """Store the hash of an invitation's secret."""
        row = {"sitting": sitting, "secret": secret}
        self._database.write(lambda connection, _: connection.execute(insert(invitations), row))

    def invitation(self, sitting: str) -> str | None:
        """Return the hash of the invitation's secret, if there is one."""
        secret = select(invitations.c.secret).where(invitations.c.sitting == sitting)
        return self._database.read(lambda connection, _: connection.execute(secret).scalar())

    def rename(self, sitting: str, seat: int, name: str) -> None:
        """Set the name of the player on a seat, in every round."""
        values = {f"name_{seat}": name, f"folded_{seat}": fold_name(name)}
        statement = update(matches).where(matches.c.sitting == sitting).values(values)
        self._database.write(lambda connection, _: connection.execute(statement))

    def set_coach(self, sitting: str, owner: str, wanted: bool) -> None:
        """Set whether somebody agrees to the coach in the matches of a sitting."""
        own = update(seats).where(seats.c.sitting == sitting, seats.c.owner == owner)
        self._database.write(lambda connection, _: connection.execute(own.values(coach=int(wanted))))

    def note_coach(self, sitting: str, owner: str, number: int) -> None:
        """Record that somebody asked the coach in a round against a program."""
        own = update(seats).where(seats.c.sitting == sitting, seats.c.owner == owner, seats.c.coach < number)
        self._database.write(lambda connection, _: connection.execute(own.values(coach=number)))

    def mark_present(self, owners: Iterable[SeatOwner], until: int) -> None:
        """Record that owners are present, at least until a time."""
        self._mark(_EXTEND_PRESENCE, owners, until)

    def mark_absent(self, owners: Iterable[SeatOwner], since: int) -> None:
        """Record that owners are no longer present."""
        self._mark(_CUT_PRESENCE, owners, since)

    def presence_changes(self, match_ids: Sequence[str], since: int, until: int, patience: int) -> list[str]:
        """Return the matches in which somebody's presence, or the patience after it, ended between two times."""
        first, last = since + 1 - patience, until - patience
        has_ended = or_(
            seats.c.here.between(since + 1, until),
            seats.c.here.between(first, last),
            matches.c.changed.between(first, last),
        )
        changed = select(matches.c.id).distinct().join(seats, seats.c.sitting == matches.c.sitting)
        changed = changed.where(matches.c.id.in_(match_ids), has_ended)
        return self._database.read(lambda connection, _: list(connection.execute(changed).scalars()))

    def has_open_match(self, owner: str) -> bool:
        """Return whether somebody has a seat in a match that is not over."""
        held = select(seats.c.seat).join(matches, matches.c.sitting == seats.c.sitting)
        is_open = held.where(seats.c.owner == owner, matches.c.reason.is_(None)).limit(1)
        return self._database.read(lambda connection, _: connection.execute(is_open).first() is not None)

    def _mark(self, statement: Any, owners: Iterable[SeatOwner], until: int) -> None:
        # In one order everywhere, so that two processes never wait for each other in a circle.
        rows = [{"of": sitting, "who": owner, "until": until} for sitting, owner in sorted(owners)]
        if rows:
            self._database.write(lambda connection, _: connection.execute(statement, rows))


def _read_holders(connection: Connection, sitting: str) -> dict[int, Holder]:
    rows = connection.execute(select(seats).where(seats.c.sitting == sitting))
    return {row.seat: read_holder(row) for row in rows}


class Offers:
    """Offers between the two players of a sitting; a player has one at a time."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def make(
        self,
        sitting: str,
        seat: int,
        owner: str,
        offer: Offer,
        over: bool,
        on_agreement: OnAgreement = lambda _holders: None,
    ) -> dict[int, Holder]:
        """Make an offer at the moment that it names, or once the match is over; return both holders.

        Of two players who make the same offer at once, the second sees that of the first; the work on which they have
        agreed by that is done in the same transaction.
        """

        def work(connection: Connection, again: bool) -> dict[int, Holder]:
            state = connection.execute(STATE_LOCKED, {"match": offer.match_id}).first()
            if state is None:
                raise unknown_match(offer.match_id)
            if (state.reason is not None) != over:
                raise OverError(f"Match {offer.match_id} is {'not over yet' if over else 'over'}.")
            if not over and (state.plies, state.backs) != (offer.ply, offer.backs):
                raise PlyTakenError(f"Match {offer.match_id} has {state.plies} moves now, so the request was not sent.")
            own = update(seats).where(*_is_seat(sitting, seat), seats.c.owner == owner)
            if not connection.execute(own.values(**_offer_columns(offer), declined=0)).rowcount:
                raise NoLongerError("You are now playing on another device.")
            holders = _read_holders(connection, sitting)
            if agreed_work := on_agreement(holders):
                agreed_work(connection, again)
            return holders

        return self._database.write(work)

    def decline(self, sitting: str, seat: int, offer: Offer) -> None:
        """Decline the offer of a seat; raise NoLongerError if it does not stand any more."""
        decline = _same_offer(sitting, seat, offer).values(declined=1)
        if not self._database.write(lambda connection, _: connection.execute(decline).rowcount):
            raise _withdrawn()

    def withdraw(self, sitting: str, seat: int, offer: Offer) -> None:
        """Withdraw the offer of a seat, if it still stands."""
        withdraw = _same_offer(sitting, seat, offer).values(asks=None)
        self._database.write(lambda connection, _: connection.execute(withdraw))


def offer_guard(sitting: str, seat: int, offer: Offer) -> Guard:
    """Return a guard that lets a change through only while the offer of the seat stands."""

    def guard(connection: Connection) -> None:
        row = _locked_row(connection, sitting, seat)
        if row is None or read_holder(row).offer != offer._replace(declined=False):
            raise _withdrawn()

    return guard


def absence_guard(sitting: str, seat: int, present_until: int) -> Guard:
    """Return a guard that lets a change through only if the holder of the seat has not come back."""

    def guard(connection: Connection) -> None:
        row = _locked_row(connection, sitting, seat)
        if row is None or row.here != present_until:
            raise NoLongerError("Your opponent is back.")

    return guard


def _is_seat(sitting: str, seat: int) -> tuple[ColumnElement[bool], ...]:
    return seats.c.sitting == sitting, seats.c.seat == seat


def _locked_row(connection: Connection, sitting: str, seat: int) -> Any:
    return connection.execute(select(seats).where(*_is_seat(sitting, seat)).with_for_update()).first()


def _offer_columns(offer: Offer) -> dict[str, Any]:
    return {"asks": offer.kind, "asks_in": offer.match_id, "asks_at": offer.ply, "asks_after": offer.backs}


def _same_offer(sitting: str, seat: int, offer: Offer) -> Update:
    """Return the beginning of a change of a seat that has still made this offer."""
    same = [seats.c[name] == value for name, value in _offer_columns(offer).items()]
    return update(seats).where(*_is_seat(sitting, seat), *same)


def _withdrawn() -> NoLongerError:
    return NoLongerError("That request is no longer open.")


class SeatTransfer(NamedTuple):
    """A link that moves the seats of an owner to another browser: once, and until it expires, in ticks."""

    owner: str
    made: int
    expires: int


class SeatTransfers:
    """The links that move seats, one for each owner in a sitting; a new one replaces the old."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def issue(self, sitting: str, transfer: SeatTransfer, secret: str) -> None:
        """Store a new link with the hash of its secret."""
        row = {"sitting": sitting, "secret": secret, **transfer._asdict()}
        before = delete(tickets).where(tickets.c.sitting == sitting, tickets.c.owner == transfer.owner)

        def work(connection: Connection, _again: bool) -> None:
            connection.execute(before)
            connection.execute(insert(tickets), row)

        try:
            self._database.write(work)
        except ClashError:
            # Another page of the same browser was first; the newest counts.
            self._database.write(work)

    def find_by_owner(self, sitting: str, owner: str) -> SeatTransfer | None:
        """Return the link of an owner that can be used now."""
        return self._find(_is_valid(sitting), tickets.c.owner == owner)

    def find_by_secret(self, sitting: str, secret: str) -> SeatTransfer | None:
        """Return the link with this secret, if it can be used now."""
        return self._find(_is_valid(sitting), tickets.c.secret == secret)

    def use(self, sitting: str, secret: str, owner: str) -> bool:
        """Move the seats to an owner who has none yet; of two who use one link, one gets them."""
        link = delete(tickets).where(_is_valid(sitting), tickets.c.secret == secret).returning(tickets.c.owner)

        def work(connection: Connection, _again: bool) -> bool:
            if owner in [holder.owner for holder in _read_holders(connection, sitting).values()]:
                return False
            row = connection.execute(link).first()
            if row is None:
                return False
            held = update(seats).where(seats.c.sitting == sitting, seats.c.owner == row.owner)
            return bool(connection.execute(held.values(owner=owner, moved=seats.c.moved + 1)).rowcount)

        return self._database.write(work)

    def _find(self, *conditions: ColumnElement[bool]) -> SeatTransfer | None:
        link = select(tickets).where(*conditions)
        row = self._database.read(lambda connection, _: connection.execute(link).first())
        return SeatTransfer(row.owner, row.made, row.expires) if row else None


def _is_valid(sitting: str) -> ColumnElement[bool]:
    """Return the condition for a link in a sitting that can be used now."""
    return and_(tickets.c.sitting == sitting, tickets.c.expires > now())
