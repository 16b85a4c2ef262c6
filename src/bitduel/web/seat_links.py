"""A seat goes to another device by a link that works once and soon; looking at it takes nothing."""

import hmac
from hashlib import sha256
from typing import NamedTuple

from bitduel.service.match_service import OVER, MatchService, hashed
from bitduel.service.match_session import (
    LateError,
    MatchSession,
    NotYourSeatError,
    SeatTakenError,
    WrongInvitationError,
)
from bitduel.service.presence import SECOND
from bitduel.storage.seat_transfer import Ticket
from bitduel.storage.timestamps import now

MINUTES = 10
"""So long a link can be used."""
GONE = "This link has been used or is too old. Make a new one on the device that has the seat."


class SeatLink(NamedTuple):
    """The secret part of a link, and for how many minutes it can still be used."""

    secret: str
    minutes: int


class SeatLinks:
    """Links that move seats; a browser can tell its own again, and nobody else can."""

    def __init__(self, desk: MatchService) -> None:
        self.desk = desk
        self.tickets = desk.store.tickets

    def make(self, match_id: str, token: str | None) -> SeatLink:
        """A new link, in place of any before."""
        seating = self.desk.seating(match_id)
        owner = self._owner(seating, token)
        if seating.match.outcome:
            raise LateError(OVER)
        if seating.free_seat:
            raise LateError("Wait until your friend has taken the other seat.")
        moment = now()
        ticket = Ticket(owner, moment, moment + MINUTES * 60 * SECOND)
        secret = _secret(token or "", seating.kept.sitting, ticket)
        self.tickets.issue(seating.kept.sitting, ticket, hashed(secret))
        self.desk.links.remember(match_id, secret)
        return SeatLink(secret, MINUTES)

    def own(self, seating: MatchSession, token: str | None) -> SeatLink | None:
        """The link that this browser has made, while it can be used."""
        ticket = self.tickets.of(seating.kept.sitting, self._owner(seating, token))
        if ticket is None or seating.match.outcome:
            return None
        left = ticket.expires - now()
        return SeatLink(_secret(token or "", seating.kept.sitting, ticket), -(-left // (60 * SECOND)))

    def look(self, match_id: str, secret: str) -> tuple[MatchSession, str]:
        """The match that a link leads to, and what is kept of the browser that has made it; LateError if it is over."""
        seating = self.desk.seating(match_id)
        ticket = self.tickets.find(seating.kept.sitting, hashed(secret))
        if ticket is None or not seating.seats(ticket.owner):
            raise WrongInvitationError(GONE)
        if seating.match.outcome:
            raise LateError(OVER)
        self.desk.links.remember(match_id, secret)
        return seating, ticket.owner

    def use(self, match_id: str, secret: str, owner: str) -> None:
        """Take the seats of the link to this browser; the one that had them watches from then on."""
        seating, _ = self.look(match_id, secret)
        if seating.seats(owner):
            raise SeatTakenError("You have a seat in this match already.")
        moved = self.tickets.use(seating.kept.sitting, hashed(secret), owner)
        if not moved and owner not in self.desk.store.seats.owners(seating.kept.sitting).values():
            raise WrongInvitationError(GONE)
        self.desk.presence.note_playing(owner)
        self.desk.hub.publish(match_id)

    def _owner(self, seating: MatchSession, token: str | None) -> str:
        if not token or not seating.seats(hashed(token)):
            raise NotYourSeatError("You have no seat in this match.")
        return hashed(token)


def _secret(token: str, sitting: str, ticket: Ticket) -> str:
    said = f"seat of {sitting} moves, since {ticket.made}"
    return hmac.new(token.encode(), said.encode(), sha256).hexdigest()[:32]
