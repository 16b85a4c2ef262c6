"""The service of matches: create them, take seats, move, resign; everything goes through the store."""

import logging
import secrets
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import replace
from random import SystemRandom
from time import perf_counter, sleep
from typing import Any, TypeVar

from bitduel.core.errors import BitduelError, OptionError
from bitduel.core.game import PASS, Game
from bitduel.core.match import Match
from bitduel.core.outcomes import CALLED_OFF, ENDINGS, TIME, Outcome
from bitduel.core.view import View
from bitduel.core.words import check_names
from bitduel.players import HUMAN, Listener, Player, Spec, build, drive
from bitduel.service.credentials import KnownLinks, hashed, invitation
from bitduel.service.hub import Hub, MatchUpdate
from bitduel.service.match_session import (
    HeldSitting,
    InClassError,
    LateError,
    MatchCache,
    MatchSession,
    NotYourSeatError,
    SeatTakenError,
    WrongInvitationError,
)
from bitduel.service.new_match import FRIEND, HERE, MOST_PLIES, check_fair, check_size, new_match, opponent_of
from bitduel.service.presence import Presence
from bitduel.storage import NoLongerError, OverError, PausedError, PlyTakenError, Store, StoredMatch
from bitduel.storage.clocks import ClockSettings
from bitduel.storage.presentation import replay_all
from bitduel.storage.schema import now
from bitduel.storage.writes import MatchMoment, SeatClaim, is_paused

T = TypeVar("T")
COMPUTER = "Computer"
STEP = 0.002
"""Seconds; a hundred times the difference between the decisions of one program with hidden information."""
RNG = SystemRandom()
log = logging.getLogger("bitduel.service")
OVER = "The match is over."
GONE_ON = "The match has moved on. Please look at the new position."


def computer_name(kind: str) -> str:
    """Return the name of the computer on the site: its kind or level in brackets."""
    return f"{COMPUTER} ({kind})"


def in_constant_time(
    work: Callable[[], T], clock: Callable[[], float] = perf_counter, wait: Callable[[float], None] = sleep
) -> T:
    """Do something and return at the end of a whole step, so that the time it took reveals nothing."""
    began = clock()
    result = work()
    wait(STEP - (clock() - began) % STEP)
    return result


class _ComputerMoves(Listener):
    """A listener that stores each move of a program before it is shown."""

    def __init__(self, service: "MatchService", session: MatchSession) -> None:
        self.service = service
        self.session = session

    def moved(self, match: Match, view: View, move: str) -> None:
        """Store a move; raise PlyTakenError if another was first."""
        self.session = self.service.record_move(self.session, copy(match))

    def ended(self, match: Match, fault: str) -> None:
        """Store the loss of a program that failed, and log its fault."""
        self.session = replace(self.session, match=copy(match))
        stored = self.session.stored
        log.error("a player of match %s failed: %s", stored.id, fault)
        assert match.outcome
        self.service.store.end(stored.id, match.outcome)
        self.service.cache.discard(stored.id)


class _LazyPlayer:
    """A program that is created only on its first turn."""

    def __init__(self, spec: Spec, game: Game[Any]) -> None:
        self.spec = spec
        self.game = game
        self.player: Player | None = None

    def choose(self, view: View) -> str:
        """Return the program's move; with hidden information in constant time."""
        self.player = player = self.player or build(self.spec, self.game, RNG)
        assert player
        if self.game.has_perfect_information:
            return player.choose(view)
        return in_constant_time(lambda: player.choose(view))


class MatchService:
    """Matches over a store: every change of a match is a method here or of OfferService."""

    def __init__(self, store: Store, hub: Hub) -> None:
        self.store = store
        self.hub = hub
        self.cache = MatchCache(store)
        self.presence = Presence(store, hub)
        self.links = KnownLinks()
        self.update_of: Callable[[MatchSession], MatchUpdate] = moves_only
        """Describes the state of a match for its subscribers."""
        self.on_end: Callable[[str], None] = lambda _match_id: None
        """Called with the id of a match that has ended, here or elsewhere."""

    def session(self, match_id: str) -> MatchSession:
        """Return a match by its whole id, after the moves of programs whose turn it is."""
        session = self.cache.get(match_id)
        if session.stored.clock and session.stored.clock.is_up(now()):
            self.announce(self.store.clocks.end_if_up(match_id))
            session = self.cache.get(match_id)
        return self._let_computers_move(session)

    def visit(self, match_id: str, owner: str | None) -> MatchSession:
        """Return a match to a visitor, and mark the holder of a seat as present."""
        session = self.session(match_id)
        if session.stored.clock:
            session = self._see(session, owner)
        return self.presence.mark_present(session, owner)

    def _see(self, session: MatchSession, owner: str | None) -> MatchSession:
        """Return a match with a clock that its visitor has seen; once both have, the clock runs."""
        clock, own_seats, match_id = session.stored.clock, session.seats(owner), session.stored.id
        is_full = session.free_seat is None and not session.match.outcome and not session.stored.paused
        if not (clock and own_seats and is_full) or clock.has_seen(own_seats[0]):
            return session
        self.announce(self.store.clocks.see(match_id, own_seats[0]))
        return self.session(match_id)

    def announce(self, match_ids: Iterable[str]) -> None:
        """Notify the subscribers of matches that the storage has changed; a shared hub is notified by the storage."""
        for match_id in match_ids:
            self.cache.discard(match_id)
            if not self.hub.is_shared:
                self.hub.publish(match_id)
            self.on_end(match_id)

    def create(
        self,
        game: Game[Any],
        opponent: str,
        first: str,
        names: tuple[str | None, str | None],
        token: str,
        moves: Sequence[str] = (),
        clock: ClockSettings | None = None,
    ) -> str:
        """Begin a match, after some moves or none, take its first seat, or both, and return its id."""
        if clock and opponent != FRIEND:
            raise BitduelError("You can use a clock only if two people each play on their own device.")
        if opponent not in (FRIEND, HERE):
            opponent = str(opponent_of(opponent))
        if first not in ("1", "2", "toss"):
            raise BitduelError("Choose who starts: 1, 2 or toss.")
        if opponent != HERE:
            check_fair(game)
        kind = HUMAN if opponent in (FRIEND, HERE) else opponent
        checked = check_names(names[0], names[1] if kind == HUMAN else computer_name(kind))
        starter = RNG.choice((1, 2)) if first == "toss" else int(first)
        match = new_match(game, starter, RNG, moves)
        match_id = self.store.begin(match, (HUMAN, kind), checked, clock=clock)
        for seat in (1, 2) if opponent == HERE else (1,):
            self.store.seats.claim(match_id, seat, hashed(token))
        if opponent == FRIEND:
            secret = invitation(token, match_id)
            self.store.seats.invite(match_id, hashed(secret))
            self.links.add(match_id, secret)
        self.presence.mark_playing(hashed(token))
        self.session(match_id)
        return match_id

    def join(self, match_id: str, given: str, name: str | None, owner: str) -> int:
        """Take the free seat and return it; of two who try, exactly one gets it."""
        session = self.session(match_id)
        self.check_invitation(session, given)
        if session.seats(owner):
            return session.seats(owner)[0]
        if session.match.outcome:
            raise LateError(OVER)
        seat = session.free_seat
        if seat is None:
            raise SeatTakenError("Someone else has already joined.")
        names = list(session.stored.names)
        if name and name.strip():
            names[seat - 1] = name
        checked = check_names(names[0], names[1])
        if not self.store.seats.claim(session.stored.sitting, seat, owner):
            raise SeatTakenError("Someone else has already joined.")
        self.store.seats.rename(session.stored.sitting, seat, checked[seat - 1])
        self.presence.mark_playing(owner)
        self.hub.publish(match_id)
        return seat

    def check_invitation(self, session: MatchSession, given: str) -> None:
        """Raise WrongInvitationError unless the link is the one that was given out."""
        known = self.store.seats.invitation(session.stored.sitting)
        if known is None or not secrets.compare_digest(known, hashed(given)):
            raise WrongInvitationError("This invitation is not valid.")
        self.links.add(session.stored.id, given)

    def move(self, match_id: str, owner: str | None, ply: int, move: str, backs: int | None = None) -> MatchSession:
        """Make a move at the expected ply; one that was made already by the same seat is not made again.

        The cached match is trusted first: the store refuses the move where it is outdated.
        """
        cached = self.cache.peek(match_id)
        if cached and owner and _is_next_move(cached, owner, ply, move, backs):
            with suppress(PlyTakenError, OverError):
                return self._play(self.presence.mark_present(cached, owner), owner, move)
            self.cache.discard(match_id)
        session = self.visit(match_id, owner)
        match, moment = session.match, session.moment
        if session.seats(owner) and backs is not None and backs != moment.backs:
            raise LateError(GONE_ON)
        seat = self._seat_for(session, owner, ply)
        if ply < match.ply and match.moves[ply] == move and match.seat_at(ply) == seat:
            return session
        if match.outcome and match.outcome.reason == TIME:
            raise LateError(ENDINGS[TIME].sentence(match.outcome, session.stored.names))
        if ply != match.ply or match.outcome:
            raise LateError(GONE_ON)
        if ply >= MOST_PLIES:
            raise LateError(f"A match can have at most {MOST_PLIES} moves here. Resign and start a new one.")
        assert owner
        try:
            return self._play(session, owner, move)
        except (PlyTakenError, OverError):
            self.cache.discard(match_id)
            return self.move(match_id, owner, ply, move, moment.backs)  # by another, or by the same click

    def _play(self, session: MatchSession, owner: str, move: str) -> MatchSession:
        """Return the match after a move of a seat's holder, on disk, and after the moves of programs."""
        match, seat = session.match.after(move), session.match.next_seat
        return self._let_computers_move(self.record_move(session, match, (seat, owner)))

    def record_move(self, session: MatchSession, match: Match, by: SeatClaim | None = None) -> MatchSession:
        """Store the last move of a match, and notify; raise PlyTakenError if another was first."""
        stored, move, shared = session.stored, match.moves[-1], self.hub.is_shared
        payload = None
        if shared:  # with a clock, readers look themselves: its state is known once the move is written
            update = None if stored.clock else self.update_of(replace(session, match=match))
            payload = self.hub.payload(stored.id, update) if update else stored.id
        written = self.store.add(stored.id, len(match.moves) - 1, move, match.outcome, stored.backs, by, payload)
        session = replace(
            session,
            match=match,
            stored=replace(
                stored,
                moves=(*stored.moves, move),
                outcome=match.outcome,
                changed_at=written.changed,
                token=written.token,
                clock=written.clock,
            ),
        )
        self.cache.put(session)
        if not shared and stored.id in self.hub.subscribers:
            self.hub.wake(stored.id, self.update_of(session))
        if match.outcome:
            self.on_end(stored.id)
        return session

    def resign(self, match_id: str, owner: str | None) -> MatchSession:
        """Resign; if two people share a keyboard, for the player to move."""
        session = self.session(match_id)
        own_seats = session.seats(owner)
        if not own_seats:
            raise NotYourSeatError("You have no seat in this match.")
        if session.match.outcome:
            raise LateError(OVER)
        if not session.can_resign:
            raise LateError("Nobody has joined yet, so you can't resign. Cancel the match instead.")
        if session.stored.paused:
            raise is_paused()
        match = copy(session.match)
        match.resign(own_seats[0] if len(own_seats) == 1 else match.next_seat)
        assert match.outcome
        self.store.end(match_id, match.outcome)
        return self.refresh(match_id)

    def call_off(self, match_id: str, owner: str | None, at: MatchMoment) -> MatchSession:
        """Leave a match that has hardly begun, or that nobody has joined; it does not count."""
        session = self.visit(match_id, owner)
        if not session.seats(owner):
            raise NotYourSeatError("You have no seat in this match.")
        self.check_not_in_class(match_id, "cancel the match")
        if session.match.outcome:
            raise LateError(OVER)
        if session.moment != at:
            raise LateError(GONE_ON)
        if not session.can_call_off:
            raise LateError("The match has begun, so it can't be cancelled any more.")
        try:
            self.store.settle(match_id, Outcome(None, CALLED_OFF), at)
        except (PlyTakenError, OverError, NoLongerError):
            raise LateError(GONE_ON) from None
        return self.refresh(match_id)

    def is_in_class(self, match_id: str) -> bool:
        """Return whether a match is played in a class, where nobody is helped and the teacher decides what is next."""
        return self.store.classes.find_by_match(match_id) is not None

    def check_not_in_class(self, match_id: str, deed: str) -> None:
        """Raise InClassError for a match of a class, with what nobody can do there."""
        if self.is_in_class(match_id):
            raise InClassError(f"You can't {deed} when you play in a class.")

    def rounds(self, session: MatchSession) -> list[StoredMatch]:
        """Return the rounds of a sitting; until the first is over there is no other."""
        is_alone = session.stored.round == 1 and not session.match.outcome
        return [session.stored] if is_alone else self.store.sitting(session.stored.sitting)

    def held_sittings(self, owner: str, only_running: bool = False) -> list[HeldSitting]:
        """Return every sitting in which a browser has a seat, the newest first, all read at once."""
        found = [each for each in self.store.held_by(owner) if not (only_running and each.rounds[-1].outcome)]
        held = {each.rounds[-1].id: each for each in found}
        newest, _ = replay_all(each.rounds[-1] for each in held.values())
        return [
            HeldSitting(MatchSession(stored, match, held[stored.id].holders), held[stored.id].rounds)
            for stored, match in newest
        ]

    def _seat_for(self, session: MatchSession, owner: str | None, ply: int) -> int:
        own_seats = session.seats(owner)
        if not own_seats:
            raise NotYourSeatError("You have no seat in this match.")
        if not 0 <= ply <= session.match.ply:
            raise LateError("The match hasn't reached that move yet.")
        seat = session.match.seat_at(ply)
        if seat not in own_seats:
            raise NotYourSeatError("It is not your turn.")
        return seat

    def refresh(self, match_id: str) -> MatchSession:
        """Return the match after a change that is not a move, and notify everybody."""
        self.cache.discard(match_id)
        session = self.session(match_id)
        self.hub.publish(match_id)
        if session.match.outcome:
            self.on_end(match_id)
        return session

    def _let_computers_move(self, session: MatchSession) -> MatchSession:
        """Let programs answer a person at once, and pass for a player who has no other move."""
        stored, match = session.stored, session.match
        is_persons_turn = match.next_seat not in session.computers and match.legal != (PASS,)
        if match.outcome or stored.paused or is_persons_turn or len(session.computers) == 2 or not _fits(match.game):
            return session
        programs = {seat: stored.players[seat - 1] for seat in session.computers}
        players = {seat: _LazyPlayer(spec, match.game) for seat, spec in programs.items() if spec.is_safe}
        recorder = _ComputerMoves(self, session)
        try:
            drive(copy(match), players, recorder, most_plies=MOST_PLIES)
        except (PlyTakenError, OverError, PausedError):
            self.cache.discard(stored.id)
            return self.session(stored.id)
        return recorder.session


def moves_only(session: MatchSession) -> MatchUpdate:
    """Return an update that tells the number of moves."""
    return MatchUpdate(session.stored.backs, session.match.ply, str(session.match.ply))


def _is_next_move(session: MatchSession, owner: str, ply: int, move: str, backs: int | None) -> bool:
    match = session.match
    is_expected = ply == len(match.moves) < MOST_PLIES and backs in (None, session.stored.backs)
    return is_expected and not match.outcome and match.next_seat in session.seats(owner) and move in match.legal


def _fits(game: Game[Any]) -> bool:
    try:
        check_size(game)
    except OptionError:
        return False
    return True
