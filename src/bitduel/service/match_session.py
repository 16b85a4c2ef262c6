"""A match with who sits at it, and what can be wrong with what somebody wants there."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple

from bitduel.core.errors import BitduelError
from bitduel.core.match import Match, other
from bitduel.core.view import View
from bitduel.storage import StoredMatch
from bitduel.storage.seats import Holder
from bitduel.storage.stored_match import Players
from bitduel.storage.writes import MatchMoment


class NotYourSeatError(BitduelError):
    """Somebody who has no seat, or not the one to move."""


class SeatTakenError(BitduelError):
    """A seat that another has taken."""


class WrongInvitationError(BitduelError):
    """A link that invites nobody."""


class LateError(BitduelError):
    """A request about a position that is no longer there."""


FEW = 2
"""With fewer moves a match can still be called off: each player has at most one move, as on the large sites."""


@dataclass(frozen=True)
class MatchSession:
    """A match with its seats: who holds them, and whether one is still free."""

    kept: StoredMatch
    match: Match
    holders: Mapping[int, Holder] = field(default_factory=dict)

    @property
    def moment(self) -> MatchMoment:
        """Where the match is."""
        return MatchMoment(self.match.ply, self.kept.backs)

    def seats(self, owner: str | None) -> tuple[int, ...]:
        """The seats that a browser holds."""
        if not owner:
            return ()
        first, second = self.holders.get(1), self.holders.get(2)
        if first and first.owner == owner:
            return (1, 2) if second and second.owner == owner else (1,)
        return (2,) if second and second.owner == owner else ()

    @cached_property
    def computers(self) -> tuple[int, ...]:
        """The seats that programs play."""
        return _computers(self.kept.players)

    def is_computer(self, seat: int) -> bool:
        """Whether a program plays this seat."""
        return seat in self.computers

    @property
    def free_seat(self) -> int | None:
        """A seat for a person that nobody has taken, while the match goes on."""
        if self.match.outcome:
            return None
        for seat in (1, 2):
            if seat not in self.holders and seat not in self.computers:
                return seat
        return None

    @cached_property
    def two_people(self) -> bool:
        """Whether two play each other who are not at one keyboard, or will once the free seat is taken."""
        one_keyboard = len(self.holders) == 2 and self.holders[1].owner == self.holders[2].owner
        return not (self.computers or one_keyboard)

    def partner(self, owner: str | None) -> int | None:
        """The seat of another person to whom a browser with one seat can say something; None where there is nobody."""
        mine = self.seats(owner)
        across = other(mine[0]) if len(mine) == 1 else 0
        return across if across in self.holders else None

    @property
    def can_call_off(self) -> bool:
        """Whether the match has hardly begun, or nobody has come to play it."""
        return not self.match.outcome and (self.match.ply < FEW or self.free_seat is not None)

    @property
    def can_resign(self) -> bool:
        """Whether there is somebody who would win by it."""
        return not self.match.outcome and self.free_seat is None

    @property
    def can_play_again(self) -> bool:
        """Whether the match is over and somebody has played on either seat."""
        return self.match.outcome is not None and all(self.is_computer(s) or s in self.holders for s in (1, 2))

    def round_after(self, rounds: Iterable[StoredMatch]) -> str | None:
        """The id of the round after this one among those of the sitting, once it has begun."""
        for kept in rounds:
            if kept.round == self.kept.round + 1:
                return kept.id
        return None

    @property
    def coached(self) -> bool:
        """Whether both people have agreed to have the coach."""
        return self.two_people and len(self.holders) == 2 and all(held.coach for held in self.holders.values())

    def view(self, owner: str | None, wanted: int | None = None) -> View:
        """What a browser may see: its seat's view, and with both seats that of the player to move."""
        mine = self.seats(owner)
        if not mine:
            return self.match.view(None)
        if len(mine) == 1:
            return self.match.view(mine[0])
        if self.match.game.hidden and not self.match.outcome:
            return self.match.view(wanted if wanted in mine else None)
        return self.match.view(self.match.next_seat)


@lru_cache(maxsize=256)
def _computers(players: Players) -> tuple[int, ...]:
    return tuple([seat for seat, spec in enumerate(players, 1) if not spec.is_human])


class HeldSitting(NamedTuple):
    """The newest match of a sitting, and all its rounds."""

    newest: MatchSession
    rounds: list[StoredMatch]
