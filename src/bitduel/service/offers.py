"""Offers between the players of a match: take-backs, draws, rematches, the coach; and claims of matches left."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from bitduel.core.errors import BitduelError, MoveError
from bitduel.core.game import Game
from bitduel.core.match import Match, other_seat
from bitduel.core.outcomes import ABANDONED, AGREED_DRAW, Outcome
from bitduel.service.hub import MatchUpdate
from bitduel.service.match_service import GONE_ON, RNG, MatchService
from bitduel.service.match_session import LateError, MatchSession, NotYourSeatError
from bitduel.service.presence import Presence
from bitduel.storage import NoLongerError, OverError, PlyTakenError, RoundTakenError, StoredMatch
from bitduel.storage.database import Work
from bitduel.storage.seats import Holder, Offer, absence_guard, offer_guard
from bitduel.storage.writes import MatchMoment, settle, take_back

DRAW, BACK, AGAIN = "draw", "take-back", "rematch"
KINDS = (DRAW, BACK, AGAIN)
"""The kinds of offers that one player can make the other."""
CALL_OFF, CLAIM, ANSWER, DEVICE = "call-off", "claim", "answer", "device"
"""Further actions beside moving."""
NOT_IN_CLASS = (BACK, CALL_OFF, AGAIN, DEVICE)
"""The actions that no match of a class allows."""
TAKE_BACK, USE_COACH, PLAY_AGAIN = "take moves back", "use the coach", "play another round"
"""What nobody can do in a class, for a sentence."""
PRESENT, AWAY = "here", "away"


def current_offers(session: MatchSession) -> dict[int, Offer]:
    """Return the offer of each seat that has one."""
    offers = {}
    for seat in (1, 2):
        held = session.holders.get(seat)
        if held and held.offer and (offer := current_offer(session, seat)):
            offers[seat] = offer
    return offers


def current_offer(session: MatchSession, seat: int) -> Offer | None:
    """Return the offer of a seat that is open or was just declined; a move of the other answers it too."""
    held = session.holders.get(seat)
    offer = held.offer if held else None
    if offer is None or offer.match_id != session.stored.id or not session.is_between_people:
        return None
    match, over = session.match, session.match.outcome is not None
    if offer.kind == AGAIN or over:
        return offer if offer.kind == AGAIN and over else None
    if offer.backs != session.stored.backs:
        return None
    since = range(offer.ply, match.ply)
    answered = since if offer.kind == BACK else [ply for ply in since if match.seat_at(ply) != seat]
    return None if answered else offer


def take_back_ply(match: Match, own_seats: tuple[int, ...]) -> int | None:
    """Return the number of moves left if the holder of these seats takes back to the last turn."""
    if match.outcome or not match.game.has_perfect_information:
        return None
    latest = None
    for seat in own_seats:
        ply = match.last_turn(seat)
        if ply is not None and (latest is None or ply > latest):
            latest = ply
    return latest


class AvailableActions(NamedTuple):
    """The actions of one browser beside moving, and the current offers."""

    offers: dict[int, Offer]
    """The offer of each seat that has one."""
    own: Offer | None
    """The offer of its player that is open or was just declined."""
    theirs: Offer | None
    """The open offer of the other."""
    can: list[str]
    """The names of the other actions that are possible now."""


def available_actions(
    presence: Presence, session: MatchSession, own_seats: tuple[int, ...], rounds: list[StoredMatch]
) -> AvailableActions:
    """Return what the holder of these seats can do now beside moving."""
    partner, over, offers = session.partner(own_seats), session.match.outcome is not None, current_offers(session)
    own = offers.get(own_seats[0]) if own_seats else None
    theirs = offers.get(partner) if partner else None
    has_next_round = len(rounds) > session.stored.round
    is_playing = bool(own_seats) and not over
    can_call_off = is_playing and session.can_call_off
    can_ask = not session.is_between_people or partner is not None
    if theirs and (theirs.declined or (over and has_next_round)):
        theirs = None
    asked = own.kind if own else None
    possible = {
        BACK: is_playing and can_ask and asked != BACK and take_back_ply(session.match, own_seats) is not None,
        DRAW: is_playing and partner and not can_call_off and asked != DRAW,
        CALL_OFF: can_call_off,
        CLAIM: is_playing and partner and presence.has_left(session, partner),
        ANSWER: theirs,
        AGAIN: over and own_seats and session.can_play_again and not has_next_round and not own,
        DEVICE: is_playing and not session.free_seat,
    }
    can = [action for action, is_possible in possible.items() if is_possible]
    return AvailableActions(offers, own, theirs, can)


def presence_labels(presence: Presence, session: MatchSession, own_seats: tuple[int, ...]) -> list[str | None]:
    """Return for each seat whether its player is present; None for oneself, a program and an empty seat."""
    labels: list[str | None] = [None, None]
    if session.is_between_people:
        for seat in session.holders:
            if seat not in own_seats:
                labels[seat - 1] = PRESENT if presence.is_present(session, seat) else AWAY
    return labels


def match_update(service: MatchService, session: MatchSession) -> MatchUpdate:
    """Return the state of a match by which a page sees that it is outdated; a spectator may know all of it.

    Moves, whether it is over, taken seats, rounds; then pauses, the clock, offers, presence, the coach and moved seats.
    """
    over, presence = session.match.outcome is not None, service.presence
    parts = [str(session.match.ply), "over" if over else "open", str(len(session.holders))]
    parts.append(str(len(service.rounds(session)) if over else session.stored.round))
    parts += ["paused"] if session.stored.paused else []
    parts += [f"back{session.stored.backs}"] if session.stored.backs else []
    if (clock := session.stored.clock) and not over:
        parts.append(f"clock{clock.running or 0}.{clock.flag or 0}")
    for seat in (1, 2):
        held = session.holders.get(seat)
        if held is None:
            continue
        offer = current_offer(session, seat) if held.offer else None
        parts += [f"{'no-' if offer.declined else ''}{offer.kind}{seat}"] if offer else []
        parts += [f"here{seat}"] if session.is_between_people and presence.is_present(session, seat) else []
        parts += [f"left{seat}"] if presence.has_left(session, seat) else []
        parts += [f"coach{seat}"] if held.coach else []
        parts += [f"moved{seat}.{held.moved}"] if held.moved else []
    return MatchUpdate(session.stored.backs, session.match.ply, " ".join(parts))


def agreement(session: MatchSession, kind: str) -> Work[None]:
    """Return the work that two agree on who make the same offer: a draw, or the smaller take-back."""
    match_id, at = session.stored.id, session.moment
    if kind == DRAW:
        return settle(match_id, Outcome(None, AGREED_DRAW), at)
    keep = max(session.match.last_turn(seat) or 0 for seat in (1, 2))
    return take_back(match_id, keep, at.plies, at.backs)


def without_secrets(game: Game[Any]) -> Game[Any]:
    """Return the same game without chosen secrets: every round has a deal of its own."""
    return type(game)(**game.open_options)


class OfferService:
    """Agreements between players; what two must agree on waits for the second."""

    def __init__(self, service: MatchService) -> None:
        self.service = service
        self.store = service.store

    def take_back(self, match_id: str, owner: str | None, at: MatchMoment) -> MatchSession:
        """Take back at once against a program or at one keyboard; between two people ask for it."""
        session = self._current(match_id, owner, at)
        self.service.check_not_in_class(match_id, TAKE_BACK)
        if not session.match.game.has_perfect_information:
            raise MoveError("Moves cannot be taken back in a game with hidden information.")
        keep = take_back_ply(session.match, session.seats(owner))
        if keep is None:
            raise LateError("You have no move to take back.")
        if session.is_between_people:
            return self._ask(session, owner, BACK)
        self._write(lambda: self.store.take_back(match_id, keep, at.plies, at.backs))
        return self.service.refresh(match_id)

    def offer_draw(self, match_id: str, owner: str | None, at: MatchMoment) -> MatchSession:
        """Offer a draw; where the other offers one already, or at the same time, that is a yes."""
        session = self._current(match_id, owner, at)
        if not session.is_between_people:
            raise BitduelError("A draw can be offered only to another person.")
        if session.partner(session.seats(owner)) and session.can_call_off:
            instead = "" if self.service.is_in_class(match_id) else " You can cancel it instead."
            raise LateError(f"The match has only just begun.{instead}")
        return self._ask(session, owner, DRAW)

    def answer(self, match_id: str, owner: str | None, kind: str, yes: bool, at: MatchMoment) -> MatchSession:
        """Accept or decline the offer of the other."""
        session = self.service.visit(match_id, owner)
        seat = session.partner(self._seats(session, owner))
        offer = current_offer(session, seat) if seat else None
        if seat is None or offer is None or offer.kind != kind or offer.declined:
            raise LateError("That request is no longer open.")
        if kind == BACK and yes:
            self.service.check_not_in_class(match_id, TAKE_BACK)
        if kind == AGAIN and yes:
            self.play_again(match_id, owner)
            return self.service.session(match_id)
        if kind != AGAIN:
            self._check(session, at)
        sitting = session.stored.sitting
        if not yes:
            self._write(lambda: self.store.offers.decline(sitting, seat, offer))
        elif kind == DRAW:
            agreed = Outcome(None, AGREED_DRAW)
            self._write(lambda: self.store.settle(match_id, agreed, at, offer_guard(sitting, seat, offer)))
        else:
            keep = session.match.last_turn(seat) or 0
            guard = offer_guard(sitting, seat, offer)
            self._write(lambda: self.store.take_back(match_id, keep, at.plies, at.backs, guard))
        return self.service.refresh(match_id)

    def withdraw(self, match_id: str, owner: str | None) -> MatchSession:
        """Withdraw one's own offer."""
        session = self.service.visit(match_id, owner)
        for seat in self._seats(session, owner):
            offer = current_offer(session, seat)
            if offer and not offer.declined:
                self.store.offers.withdraw(session.stored.sitting, seat, offer)
        return self.service.refresh(match_id)

    def claim(self, match_id: str, owner: str | None, win: bool, at: MatchMoment) -> MatchSession:
        """End a match that the opponent left long ago, as a win or a draw."""
        session = self._current(match_id, owner, at)
        seat = session.partner(session.seats(owner))
        if seat is None or not self.service.presence.has_left(session, seat):
            raise LateError("Your opponent hasn't been away long enough yet.")
        outcome = Outcome(other_seat(seat) if win else None, ABANDONED)
        guard = absence_guard(session.stored.sitting, seat, session.holders[seat].present_until)
        self._write(lambda: self.store.settle(match_id, outcome, at, guard))
        return self.service.refresh(match_id)

    def agree_to_coach(self, match_id: str, owner: str | None, wanted: bool) -> MatchSession:
        """Agree to the coach, or not, in a match between two people; it comes when both agree."""
        session = self.service.visit(match_id, owner)
        self._seats(session, owner)
        self.service.check_not_in_class(match_id, USE_COACH)
        if not session.is_between_people:
            raise BitduelError("You don't need your opponent's agreement to use the coach here.")
        self.store.seats.set_coach(session.stored.sitting, owner or "", wanted)
        return self.service.refresh(match_id)

    def note_coach(self, session: MatchSession, owner: str | None) -> MatchSession:
        """Record that the coach helps somebody against a program; return the match with that."""
        own_seats = session.seats(owner)
        if session.is_between_people or session.match.outcome or not own_seats or session.was_coached(own_seats[0]):
            return session
        self.store.seats.note_coach(session.stored.sitting, owner or "", session.stored.round)
        return self.service.refresh(session.stored.id)

    def play_again(self, match_id: str, owner: str | None) -> str | None:
        """Begin the next round or offer it; return its id, or None while the other has not agreed."""
        session = self.service.visit(match_id, owner)
        seat = self._seats(session, owner)[0]
        self.service.check_not_in_class(match_id, PLAY_AGAIN)
        if not session.match.outcome:
            raise LateError("The match is not over yet.")
        if not session.can_play_again:
            raise LateError("Nobody joined this match, so there is no next round. Start a new match.")
        found = self.next_round(session)
        if found or not self._agreed(session, seat, owner or ""):
            return found
        stored, game = session.stored, without_secrets(session.match.game)
        match = Match(game, other_seat(stored.first), game.deal(RNG))
        number = stored.round + 1
        try:
            clock = stored.clock.settings if stored.clock else None
            found = self.store.begin(match, stored.players, stored.names, stored.sitting, number, number, clock=clock)
        except RoundTakenError:
            found = self.next_round(session)
        self.service.hub.publish(match_id)
        self.service.session(found or match_id)
        return found

    def next_round(self, session: MatchSession) -> str | None:
        """Return the id of the round after a match, once it has begun."""
        return session.round_after(self.store.sitting(session.stored.sitting))

    def _agreed(self, session: MatchSession, seat: int, owner: str) -> bool:
        """Offer another round; return whether both players want it, or nobody else has to agree."""
        partner = session.partner(session.seats(owner))
        if partner is None:
            return True
        own, theirs = current_offer(session, seat), current_offer(session, partner)
        if own and own.declined and not (theirs and not theirs.declined):
            raise LateError("Your opponent has just said no.")
        offer = Offer(AGAIN, session.stored.id, *session.moment)
        holders = self.store.offers.make(session.stored.sitting, seat, owner, offer, over=True)
        self.service.hub.publish(session.stored.id)
        theirs = current_offer(replace(session, holders=holders), partner)
        return theirs is not None and not theirs.declined

    def _ask(self, session: MatchSession, owner: str | None, kind: str) -> MatchSession:
        """Make an offer; where the other makes the same, even at the same time, both have agreed."""
        (seat,) = own_seats = session.seats(owner)
        partner = session.partner(own_seats)
        if partner is None:
            raise LateError("Nobody has joined yet, so there is nobody to ask.")
        before = current_offer(session, seat)
        if before and before.kind == kind:
            raise LateError("You have already asked." if not before.declined else "Your opponent has just said no.")
        offer = Offer(kind, session.stored.id, *session.moment)

        def agreed(holders: Mapping[int, Holder]) -> Work[None] | None:
            theirs = current_offer(replace(session, holders=holders), partner)
            return agreement(session, kind) if theirs and theirs.kind == kind and not theirs.declined else None

        sitting = session.stored.sitting
        self._write(lambda: self.store.offers.make(sitting, seat, owner or "", offer, over=False, on_agreement=agreed))
        return self.service.refresh(session.stored.id)

    def _current(self, match_id: str, owner: str | None, at: MatchMoment) -> MatchSession:
        """Return a running match; raise LateError unless it is at the expected moment."""
        session = self.service.visit(match_id, owner)
        self._seats(session, owner)
        self._check(session, at)
        return session

    def _seats(self, session: MatchSession, owner: str | None) -> tuple[int, ...]:
        own_seats = session.seats(owner)
        if not own_seats:
            raise NotYourSeatError("You have no seat in this match.")
        return own_seats

    def _check(self, session: MatchSession, at: MatchMoment) -> None:
        if session.match.outcome:
            raise LateError("The match is over.")
        if session.moment != at:
            raise LateError(GONE_ON)

    def _write(self, work: Any) -> None:
        try:
            work()
        except (PlyTakenError, OverError):
            raise LateError(GONE_ON) from None
        except NoLongerError as error:
            raise LateError(str(error)) from None
