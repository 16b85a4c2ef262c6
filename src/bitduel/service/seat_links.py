"""Links that move a seat to another device; each works once and for a short time, and opening it changes nothing."""

import hmac
from hashlib import sha256
from typing import NamedTuple

from bitduel.service.credentials import hashed
from bitduel.service.match_service import OVER, MatchService
from bitduel.service.match_session import (
    LateError,
    MatchSession,
    NotYourSeatError,
    SeatTakenError,
    WrongInvitationError,
)
from bitduel.storage.schema import SECOND, now
from bitduel.storage.seats import SeatTransfer

MINUTES = 10
"""The time for which a link can be used."""
GONE = "This link has been used or has expired. Make a new one on the device you were playing on."


class SeatLink(NamedTuple):
    """The secret part of a link, and the minutes for which it can still be used."""

    secret: str
    minutes: int


class SeatLinks:
    """The links of all matches; only the browser that made a link can compute its secret again."""

    def __init__(self, service: MatchService) -> None:
        self.service = service
        self.transfers = service.store.seat_transfers

    def make(self, match_id: str, token: str | None) -> SeatLink:
        """Make a new link, in place of any before."""
        session = self.service.session(match_id)
        owner = self._owner(session, token)
        self.service.check_not_in_class(match_id, "move a single match to another device")
        if session.match.outcome:
            raise LateError(OVER)
        if session.free_seat:
            raise LateError("Please wait until your friend has joined.")
        moment = now()
        transfer = SeatTransfer(owner, moment, moment + MINUTES * 60 * SECOND)
        secret = _secret(token or "", session.stored.sitting, transfer)
        self.transfers.issue(session.stored.sitting, transfer, hashed(secret))
        self.service.links.add(match_id, secret)
        return SeatLink(secret, MINUTES)

    def own(self, session: MatchSession, token: str | None) -> SeatLink | None:
        """Return the link that this browser has made, while it can be used."""
        transfer = self.transfers.find_by_owner(session.stored.sitting, self._owner(session, token))
        if transfer is None or session.match.outcome:
            return None
        left = transfer.expires - now()
        return SeatLink(_secret(token or "", session.stored.sitting, transfer), -(-left // (60 * SECOND)))

    def look(self, match_id: str, secret: str) -> tuple[MatchSession, str]:
        """Return the match of a link and the owner who made it; raise LateError if the match is over."""
        session = self.service.session(match_id)
        transfer = self.transfers.find_by_secret(session.stored.sitting, hashed(secret))
        if transfer is None or not session.seats(transfer.owner):
            raise WrongInvitationError(GONE)
        if session.match.outcome:
            raise LateError(OVER)
        self.service.links.add(match_id, secret)
        return session, transfer.owner

    def use(self, match_id: str, secret: str, owner: str) -> None:
        """Move the seats of the link to this browser; the one that had them becomes a spectator."""
        session, _ = self.look(match_id, secret)
        if session.seats(owner):
            raise SeatTakenError("You have a seat in this match already.")
        is_moved = self.transfers.use(session.stored.sitting, hashed(secret), owner)
        if not is_moved and owner not in self.service.store.seats.owners(session.stored.sitting).values():
            raise WrongInvitationError(GONE)
        self.service.presence.mark_playing(owner)
        self.service.hub.publish(match_id)

    def _owner(self, session: MatchSession, token: str | None) -> str:
        if not token or not session.seats(hashed(token)):
            raise NotYourSeatError("You have no seat in this match.")
        return hashed(token)


def _secret(token: str, sitting: str, transfer: SeatTransfer) -> str:
    # The text is part of secrets that are in use, so it stays as it is.
    text = f"seat of {sitting} moves, since {transfer.made}"
    return hmac.new(token.encode(), text.encode(), sha256).hexdigest()[:32]
