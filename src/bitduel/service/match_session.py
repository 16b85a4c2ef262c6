"""A match with the holders of its seats, and a cache of such matches."""

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from threading import Lock
from typing import NamedTuple

from bitduel.core.errors import BitduelError
from bitduel.core.match import Match, other_seat
from bitduel.core.view import View
from bitduel.storage import Store, StoredMatch, UnknownMatchError
from bitduel.storage.clocks import BOTH_SEEN
from bitduel.storage.seats import Holder
from bitduel.storage.stored_match import Players
from bitduel.storage.writes import MatchMoment


class NotYourSeatError(BitduelError):
    """A request for a seat that the sender does not hold, or that is not to move."""


class SeatTakenError(BitduelError):
    """A seat that another has taken."""


class WrongInvitationError(BitduelError):
    """A link that invites nobody."""


class LateError(BitduelError):
    """A request about a position that is no longer there."""


class InClassError(BitduelError):
    """A request that no match of a class allows."""


FEW = 2
"""With fewer moves a match can still be called off: each player has made at most one, as on the large sites."""
MOST_CACHED = 2_000
"""The most matches in a cache; those used longest ago are dropped."""


@dataclass(frozen=True)
class MatchSession:
    """A match with its seats, as it was at one moment: nobody changes it, and a move makes another one."""

    stored: StoredMatch
    match: Match
    holders: Mapping[int, Holder] = field(default_factory=dict)

    @property
    def moment(self) -> MatchMoment:
        """The number of moves, and how often some were taken back."""
        return MatchMoment(self.match.ply, self.stored.backs)

    def seats(self, owner: str | None) -> tuple[int, ...]:
        """Return the seats that a browser holds."""
        if not owner:
            return ()
        first, second = self.holders.get(1), self.holders.get(2)
        if first and first.owner == owner:
            return (1, 2) if second and second.owner == owner else (1,)
        return (2,) if second and second.owner == owner else ()

    @cached_property
    def computers(self) -> tuple[int, ...]:
        """The seats that programs play."""
        return _computers(self.stored.players)

    @cached_property
    def free_seat(self) -> int | None:
        """A person's seat that is still free, unless the match is over."""
        if self.match.outcome:
            return None
        for seat in (1, 2):
            if seat not in self.holders and seat not in self.computers:
                return seat
        return None

    @cached_property
    def is_between_people(self) -> bool:
        """Whether two play each other who are not at one keyboard, or will once the free seat is taken."""
        one_keyboard = len(self.holders) == 2 and self.holders[1].owner == self.holders[2].owner
        return not (self.computers or one_keyboard)

    def partner(self, own_seats: tuple[int, ...]) -> int | None:
        """Return the seat of the other person in a match between people; None if there is nobody."""
        across = other_seat(own_seats[0]) if len(own_seats) == 1 else 0
        return across if across in self.holders else None

    @cached_property
    def listed_moves(self) -> tuple[str, ...]:
        """The moves with what they lead to; for games in which nothing is hidden."""
        return self.match.listed_moves()

    @property
    def is_waiting_for_players(self) -> bool:
        """Whether both seats are taken, and the clock waits until both players have opened the match."""
        clock = self.stored.clock
        return clock is not None and len(self.holders) == 2 and not self.match.outcome and clock.seen != BOTH_SEEN

    @property
    def can_call_off(self) -> bool:
        """Whether the match has hardly begun, or nobody has joined it."""
        return not self.match.outcome and (self.match.ply < FEW or self.free_seat is not None)

    @property
    def can_resign(self) -> bool:
        """Whether there is an opponent who would win."""
        return not self.match.outcome and self.free_seat is None

    @property
    def can_play_again(self) -> bool:
        """Whether the match is over and somebody has played on either seat."""
        return self.match.outcome is not None and all(s in self.computers or s in self.holders for s in (1, 2))

    def round_after(self, rounds: Iterable[StoredMatch]) -> str | None:
        """Return the id of the round after this one, once it has begun."""
        for stored in rounds:
            if stored.round == self.stored.round + 1:
                return stored.id
        return None

    @property
    def is_coached(self) -> bool:
        """Whether both people have agreed to have the coach."""
        both_seated = self.is_between_people and len(self.holders) == 2
        return both_seated and self.holders[1].coach and self.holders[2].coach

    def was_coached(self, seat: int, number: int = 0) -> bool:
        """Return whether the coach may have helped somebody on a seat in this match, or in a round of its sitting."""
        holder = self.holders.get(seat)
        return self.is_coached or (holder is not None and (number or self.stored.round) <= holder.coached_round)

    def view(self, own_seats: tuple[int, ...], wanted: int | None = None) -> View:
        """Return what the holder of these seats may see: one's own view, and with both that of the player to move."""
        if not own_seats:
            return self.match.view(None)
        if len(own_seats) == 1:
            return self.match.view(own_seats[0])
        if self.match.game.is_hidden and not self.match.outcome:
            return self.match.view(wanted if wanted in own_seats else None)
        return self.match.view(self.match.next_seat)


@lru_cache(maxsize=256)
def _computers(players: Players) -> tuple[int, ...]:
    return tuple([seat for seat, spec in enumerate(players, 1) if not spec.is_human])


class HeldSitting(NamedTuple):
    """The newest match of a sitting, and all its rounds."""

    newest: MatchSession
    rounds: list[StoredMatch]


class MatchCache:
    """Matches as they were last read or written; the store tells whether they are still up to date."""

    def __init__(self, store: Store, most: int = MOST_CACHED) -> None:
        self._store = store
        self._most = most
        self._sessions: OrderedDict[str, MatchSession] = OrderedDict()
        self._last_writes: dict[str, str] = {}
        self._lock = Lock()

    def get(self, match_id: str) -> MatchSession:
        """Return a match by its whole id, as it is in the store now; raise UnknownMatchError if there is none."""
        state = self._store.fingerprint(match_id)
        if state is None:
            raise UnknownMatchError("There is no such match.")
        session = self.peek(match_id)
        if session is None or (session.stored.token, session.stored.names) != (state.token, state.names):
            stored = self._store.find(match_id)
            session = MatchSession(stored, stored.match(), state.holders)
        elif session.holders != state.holders:
            session = replace(session, holders=state.holders)
        self.put(session, is_written=False)
        return session

    def peek(self, match_id: str) -> MatchSession | None:
        """Return a match that may be outdated, for a write that the store refuses in that case."""
        with self._lock:
            return self._sessions.get(match_id)

    def put(self, session: MatchSession, is_written: bool = True) -> None:
        """Remember a match as it was just written here, or read; who writes notifies its subscribers."""
        match_id = session.stored.id
        with self._lock:
            self._sessions[match_id] = session
            self._sessions.move_to_end(match_id)
            if is_written:
                self._last_writes[match_id] = session.stored.token
            while len(self._sessions) > self._most:
                self._last_writes.pop(self._sessions.popitem(last=False)[0], None)

    def last_write(self, match_id: str) -> str | None:
        """Return the token of the last write from here; a change that was only read here may be unannounced."""
        with self._lock:
            return self._last_writes.get(match_id)

    def discard(self, match_id: str) -> None:
        """Forget a match that has changed."""
        with self._lock:
            self._sessions.pop(match_id, None)
            self._last_writes.pop(match_id, None)
