"""What the players settle between them: take back, agree on a draw, call off, claim, play again, have the coach."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bitduel.core.endings import ABANDONED, AGREED_DRAW, Outcome
from bitduel.core.errors import BitduelError, MoveError
from bitduel.core.game import Game
from bitduel.core.match import Match, other
from bitduel.service.match_service import GONE_ON, RNG, MatchService
from bitduel.service.match_session import LateError, MatchSession, NotYourSeatError
from bitduel.storage import NoLongerError, OverError, PlyTakenError, RoundTakenError
from bitduel.storage.database import Work
from bitduel.storage.offers import stands, still_away
from bitduel.storage.seats import Holder, Offer
from bitduel.storage.writes import MatchMoment, settle, take_back

DRAW, BACK, AGAIN = "draw", "take-back", "rematch"
KINDS = (DRAW, BACK, AGAIN)
"""What one player can ask the other."""


def asked(seating: MatchSession, seat: int) -> Offer | None:
    """What the player on a seat asks the other now, or was just refused; a move of the other is an answer too."""
    held = seating.holders.get(seat)
    question = held.asked if held else None
    if question is None or question.match_id != seating.kept.id or not seating.two_people:
        return None
    match, over = seating.match, seating.match.outcome is not None
    if question.kind == AGAIN or over:
        return question if question.kind == AGAIN and over else None
    if question.backs != seating.kept.backs:
        return None
    since = range(question.ply, match.ply)
    answered = since if question.kind == BACK else [ply for ply in since if match.seat_at(ply) != seat]
    return None if answered else question


def turn_back(seating: MatchSession, owner: str | None) -> int | None:
    """How many moves stay if somebody takes back: up to the last turn of their own, at one keyboard of anybody."""
    match = seating.match
    if match.outcome or not match.game.transparent:
        return None
    turns = [match.last_turn(seat) for seat in seating.seats(owner)]
    return max((turn for turn in turns if turn is not None), default=None)


def agreement(seating: MatchSession, kind: str) -> Work[None]:
    """What two have agreed on who ask each other the same: a draw, or to take back what both would at least."""
    match_id, at = seating.kept.id, seating.moment
    if kind == DRAW:
        return settle(match_id, Outcome(None, AGREED_DRAW), at)
    keep = max(seating.match.last_turn(seat) or 0 for seat in (1, 2))
    return take_back(match_id, keep, at.plies, at.backs)


def dealt_anew(game: Game[Any]) -> Game[Any]:
    """The same game without what was chosen in secret: every round has a deal of its own."""
    return type(game)(**game.open_options)


class OfferService:
    """Everything that takes the word of a player and not a move; what two must agree on waits for the second."""

    def __init__(self, desk: MatchService) -> None:
        self.desk = desk
        self.store = desk.store

    def take_back(self, match_id: str, owner: str | None, at: MatchMoment) -> MatchSession:
        """Take back at once against a program or at one keyboard; between two people ask for it."""
        seating = self._current(match_id, owner, at)
        if not seating.match.game.transparent:
            raise MoveError("Moves cannot be taken back in a game with hidden information.")
        keep = turn_back(seating, owner)
        if keep is None:
            raise LateError("There is no move of yours to take back.")
        if seating.two_people:
            return self._ask(seating, owner, BACK)
        self._write(lambda: self.store.take_back(match_id, keep, at.plies, at.backs))
        return self.desk.changed(match_id)

    def offer_draw(self, match_id: str, owner: str | None, at: MatchMoment) -> MatchSession:
        """Offer a draw; where the other offers one already, or at the same time, that is a yes."""
        seating = self._current(match_id, owner, at)
        if not seating.two_people:
            raise BitduelError("A draw can be offered only to another person.")
        if seating.partner(owner) and seating.can_call_off:
            raise LateError("The match has hardly begun; it can be called off.")
        return self._ask(seating, owner, DRAW)

    def answer(self, match_id: str, owner: str | None, kind: str, yes: bool, at: MatchMoment) -> MatchSession:
        """Say yes or no to what the other asks."""
        seating = self.desk.look(match_id, owner)
        seat = seating.partner(owner) if self._mine(seating, owner) else None
        question = asked(seating, seat) if seat else None
        if seat is None or question is None or question.kind != kind or question.declined:
            raise LateError("That is not asked any more.")
        if kind == AGAIN and yes:
            self.play_again(match_id, owner)
            return self.desk.seating(match_id)
        if kind != AGAIN:
            self._check(seating, at)
        sitting = seating.kept.sitting
        if not yes:
            self._write(lambda: self.store.asking.decline(sitting, seat, question))
        elif kind == DRAW:
            agreed = Outcome(None, AGREED_DRAW)
            self._write(lambda: self.store.settle(match_id, agreed, at, stands(sitting, seat, question)))
        else:
            keep = seating.match.last_turn(seat) or 0
            guard = stands(sitting, seat, question)
            self._write(lambda: self.store.take_back(match_id, keep, at.plies, at.backs, guard))
        return self.desk.changed(match_id)

    def withdraw(self, match_id: str, owner: str | None) -> MatchSession:
        """Ask no longer."""
        seating = self.desk.look(match_id, owner)
        for seat in self._mine(seating, owner):
            question = asked(seating, seat)
            if question and not question.declined:
                self.store.asking.withdraw(seating.kept.sitting, seat, question)
        return self.desk.changed(match_id)

    def call_off(self, match_id: str, owner: str | None, at: MatchMoment) -> MatchSession:
        """Leave a match that has hardly begun, or that nobody has joined; it does not count."""
        return self.desk.call_off(match_id, owner, at)

    def claim(self, match_id: str, owner: str | None, win: bool, at: MatchMoment) -> MatchSession:
        """Win, or call a draw, a match that the other has left for long."""
        seating = self._current(match_id, owner, at)
        seat = seating.partner(owner)
        if seat is None or not self.desk.presence.left_for_long(seating, seat):
            raise LateError("The other player has not been away for long enough.")
        outcome = Outcome(other(seat) if win else None, ABANDONED)
        guard = still_away(seating.kept.sitting, seat, seating.holders[seat].here)
        self._write(lambda: self.store.settle(match_id, outcome, at, guard))
        return self.desk.changed(match_id)

    def agree_to_coach(self, match_id: str, owner: str | None, wanted: bool) -> MatchSession:
        """Say whether one would have the coach in a match between two people; it comes when both have said so."""
        seating = self.desk.look(match_id, owner)
        self._mine(seating, owner)
        if not seating.two_people:
            raise BitduelError("Here everybody can ask the coach alone.")
        self.store.seats.agree(seating.kept.sitting, owner or "", wanted)
        return self.desk.changed(match_id)

    def play_again(self, match_id: str, owner: str | None) -> str | None:
        """Begin the next round at once, or ask the other for it; its id, or None while the other has not said yes."""
        seating = self.desk.look(match_id, owner)
        seat = self._mine(seating, owner)[0]
        if not seating.match.outcome:
            raise LateError("The match is not over yet.")
        if not seating.can_play_again:
            raise LateError("Nobody joined this match, so it has no other round. Start a new match.")
        found = self.next_round(seating)
        if found or not self._agreed(seating, seat, owner or ""):
            return found
        kept, game = seating.kept, dealt_anew(seating.match.game)
        match = Match(game, other(kept.first), game.deal(RNG))
        number = kept.round + 1
        try:
            found = self.store.begin(match, kept.players, kept.names, kept.sitting, number, number)
        except RoundTakenError:
            found = self.next_round(seating)
        self.desk.hub.publish(match_id)
        self.desk.seating(found or match_id)
        return found

    def next_round(self, seating: MatchSession) -> str | None:
        """The round after a match, once it has begun."""
        return seating.round_after(self.store.sitting(seating.kept.sitting))

    def _agreed(self, seating: MatchSession, seat: int, owner: str) -> bool:
        """Say that one would play again; whether nobody else has to be asked, or the other has said so too."""
        partner = seating.partner(owner)
        if partner is None:
            return True
        mine, theirs = asked(seating, seat), asked(seating, partner)
        if mine and mine.declined and not (theirs and not theirs.declined):
            raise LateError("The other has just said no.")
        question = Offer(AGAIN, seating.kept.id, *seating.moment)
        said = self.store.asking.ask(seating.kept.sitting, seat, owner, question, over=True)
        self.desk.hub.publish(seating.kept.id)
        found = asked(replace(seating, holders=said), partner)
        return found is not None and not found.declined

    def _ask(self, seating: MatchSession, owner: str | None, kind: str) -> MatchSession:
        """Ask the other; where the other asks the same, however it crossed on the way, both have agreed."""
        (seat,) = seating.seats(owner)
        partner = seating.partner(owner)
        if partner is None:
            raise LateError("There is nobody at the other seat to ask yet.")
        before = asked(seating, seat)
        if before and before.kind == kind:
            raise LateError("You have asked that already." if not before.declined else "The other has just said no.")
        question = Offer(kind, seating.kept.id, *seating.moment)

        def agreed(said: Mapping[int, Holder]) -> Work[None] | None:
            theirs = asked(replace(seating, holders=said), partner)
            return agreement(seating, kind) if theirs and theirs.kind == kind and not theirs.declined else None

        sitting = seating.kept.sitting
        self._write(lambda: self.store.asking.ask(sitting, seat, owner or "", question, over=False, agreed=agreed))
        return self.desk.changed(seating.kept.id)

    def _current(self, match_id: str, owner: str | None, at: MatchMoment) -> MatchSession:
        """A match that goes on, at the moment that somebody with a seat thinks it is at."""
        seating = self.desk.look(match_id, owner)
        self._mine(seating, owner)
        self._check(seating, at)
        return seating

    def _mine(self, seating: MatchSession, owner: str | None) -> tuple[int, ...]:
        mine = seating.seats(owner)
        if not mine:
            raise NotYourSeatError("You have no seat in this match.")
        return mine

    def _check(self, seating: MatchSession, at: MatchMoment) -> None:
        if seating.match.outcome:
            raise LateError("The match is over.")
        if seating.moment != at:
            raise LateError(GONE_ON)

    def _write(self, work: Any) -> None:
        try:
            work()
        except (PlyTakenError, OverError):
            raise LateError(GONE_ON) from None
        except NoLongerError as error:
            raise LateError(str(error)) from None
