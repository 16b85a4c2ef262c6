"""The queue of people who look for an opponent, in the store, so that those on different servers meet."""

from collections.abc import Callable
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, func, insert, or_, select, text, update

from bitduel.storage.database import ClashError, Database
from bitduel.storage.errors import StoreError
from bitduel.storage.schema import SECOND, lobby, matches, new_id, now, seats
from bitduel.storage.writes import begin

PRESENT_FOR = 20 * SECOND
"""The time for which somebody counts as present after the last request."""
REMEMBERED_FOR = 600 * SECOND
"""The time for which somebody who is not present keeps the place in the queue, as while a server restarts."""
MOST_WAITING = 1_000
_ID_ATTEMPTS = 20
_LOCK = 0x6C_6F_62_62_79

NewRow = Callable[[str | None], dict[str, Any]]
"""Returns the row of a new match of a game, or of any game, without its id."""


class LobbyEntry(NamedTuple):
    """Somebody who looks for an opponent, or has found one."""

    game: str | None
    since: int
    present_until: int
    match_id: str | None


class LobbyFullError(StoreError):
    """A queue that is full."""


class Lobby:
    """The queue; a person is known by the hash of a secret and has one place in it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, owner: str) -> LobbyEntry | None:
        """Return the place of a person in the queue, or the match that was found."""
        return self._database.read(lambda connection, _: _find(connection, owner))

    def enter(self, owner: str, game: str | None, new_row: NewRow) -> LobbyEntry:
        """Pair a person with the one who has waited longest for the same game or any, or let them wait.

        Somebody who already waits for the same game keeps the place; somebody in a match found here stays in it.
        """

        def work(connection: Connection, _again: bool) -> LobbyEntry:
            moment = now()
            _lock(connection)
            connection.execute(delete(lobby).where(lobby.c.here < moment - REMEMBERED_FOR))
            own = _find(connection, owner)
            if own and own.match_id and _is_open(connection, own.match_id):
                return own
            since = own.since if own and not own.match_id and own.game == game else moment
            partner = _partner(connection, owner, game, moment)
            match_id = _begin(connection, partner, owner, new_row(game or partner.game)) if partner else None
            entry = LobbyEntry(game, since, moment + PRESENT_FOR, match_id)
            _put(connection, owner, entry, is_new=own is None)
            return entry

        for _ in range(_ID_ATTEMPTS):
            try:
                return self._database.write(work)
            except ClashError:  # an id that is taken
                continue
        raise StoreError("There is no free id for one more match.")

    def leave(self, owner: str) -> None:
        """Leave the queue."""
        self._database.write(lambda connection, _: connection.execute(delete(lobby).where(lobby.c.owner == owner)))


def _lock(connection: Connection) -> None:
    """Let only one transaction at a time look for a partner, so that two people cannot miss each other."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})


def _find(connection: Connection, owner: str) -> LobbyEntry | None:
    row = connection.execute(select(lobby).where(lobby.c.owner == owner)).first()
    return LobbyEntry(row.game, row.since, row.here, row.match_id) if row else None


def _is_open(connection: Connection, match_id: str) -> bool:
    is_open = select(matches.c.id).where(matches.c.id == match_id, matches.c.reason.is_(None))
    return connection.execute(is_open).first() is not None


def _partner(connection: Connection, owner: str, game: str | None, moment: int) -> Any:
    waiting = select(lobby).where(lobby.c.owner != owner, lobby.c.match_id.is_(None), lobby.c.here > moment)
    if game is not None:
        waiting = waiting.where(or_(lobby.c.game == game, lobby.c.game.is_(None)))
    return connection.execute(waiting.order_by(lobby.c.since, lobby.c.owner).limit(1)).first()


def _begin(connection: Connection, partner: Any, owner: str, row: dict[str, Any]) -> str:
    """Begin the match of two people, with the seats of both, and return its id."""
    match_id = new_id()
    begin(row | {"id": match_id, "sitting": match_id, "round": 1, "rounds": 1}, ())(connection, False)
    held = [{"sitting": match_id, "seat": seat, "taken": now()} for seat in (1, 2)]
    connection.execute(insert(seats), [held[0] | {"owner": partner.owner}, held[1] | {"owner": owner}])
    connection.execute(update(lobby).where(lobby.c.owner == partner.owner).values(match_id=match_id))
    return match_id


def _put(connection: Connection, owner: str, entry: LobbyEntry, is_new: bool) -> None:
    values = {"game": entry.game, "since": entry.since, "here": entry.present_until, "match_id": entry.match_id}
    if not is_new:
        connection.execute(update(lobby).where(lobby.c.owner == owner).values(values))
        return
    if connection.execute(select(func.count()).select_from(lobby)).scalar_one() >= MOST_WAITING:
        raise LobbyFullError("Too many people are looking for an opponent. Please try again in a minute.")
    connection.execute(insert(lobby), {"owner": owner, **values})
