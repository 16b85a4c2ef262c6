"""What can be done at a table: open it, take a seat, move; all of it through the store, nothing kept here."""

import hmac
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from random import SystemRandom
from threading import Lock
from typing import Any

from bitduel.core.endings import CALLED_OFF, Outcome
from bitduel.core.errors import BitduelError, OptionError
from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.core.options import Whole
from bitduel.core.view import View
from bitduel.core.words import check_names
from bitduel.games import Kind
from bitduel.players import COMPUTERS, HUMAN, Listener, Player, Spec, build, drive
from bitduel.players.spec import parse_kept
from bitduel.service.constant_time import evenly
from bitduel.service.hub import Hub, News
from bitduel.service.match_cache import MatchCache, advanced
from bitduel.service.match_session import (
    HeldSitting,
    LateError,
    MatchSession,
    NotYourSeatError,
    SeatTakenError,
    WrongInvitationError,
)
from bitduel.service.new_match import begun, check_here
from bitduel.service.presence import Presence
from bitduel.storage import NoLongerError, OverError, PlyTakenError, Store, StoredMatch
from bitduel.storage.presentation import replayed
from bitduel.storage.writes import By, MatchMoment

__all__ = ["LateError", "MatchService", "MatchSession", "NotYourSeatError", "SeatTakenError", "WrongInvitationError"]

FRIEND, HERE = "friend", "here"
COMPUTER = "Computer"
MOST_PLIES = 400
"""No game needs nearly as many; beyond, looking back would take too long."""
OPPONENTS = tuple(kind.name for kind in COMPUTERS)
"""The programs that can be played against here."""
RNG = SystemRandom()
log = logging.getLogger("bitduel.service")
OVER = "The match is over."
GONE_ON = "The match has gone on since. Look at it again."
Wishes = tuple[str | None, str | None]
"""What the two players would like to be called."""


def new_token() -> str:
    """A secret of 256 random bits."""
    return secrets.token_urlsafe(32)


def hashed(token: str) -> str:
    """What is kept of a secret."""
    return sha256(token.encode("utf-8", "replace")).hexdigest()


def invitation(token: str, sitting: str) -> str:
    """The secret part of an invitation: the inviter's browser can tell it again, and nobody else."""
    return hmac.new(token.encode(), f"invitation to {sitting}".encode(), sha256).hexdigest()[:32]


def make_game(kind: Kind, options: Mapping[str, object]) -> Game[Any]:
    """A game of a size that is answered at once."""
    check_here(kind.declared, options)
    game = kind(**dict(options))
    check_size(game)
    return game


def check_size(game: Game[Any]) -> None:
    """Raises OptionError for a game that is not answered at once; a match from elsewhere can be of any size."""
    for option in game.declared:
        value = game.options[option.name]
        if isinstance(option, Whole) and option.quick and isinstance(value, int) and value > option.quick:
            raise OptionError(f"{option.name} is at most {option.quick} here, not {value}")


def check_fair(game: Game[Any]) -> None:
    """Raises OptionError for a game with a chosen secret; who chose it would know it."""
    for option in game.declared:
        if option.secret and game.options[option.name] != option.default:
            raise OptionError(f"{option.name} can be chosen only by two at one keyboard; against others it is dealt.")


def opponent_of(text: str) -> Spec:
    """The program that a text names, if it can be played against here."""
    spec = parse_kept(text)
    if spec.is_human or not spec.is_safe:
        raise BitduelError(f"Choose whom to play against: {', '.join(OPPONENTS)}.")
    return spec


class _Keeper(Listener):
    """Keeps the moves of programs, each before anybody sees it."""

    def __init__(self, desk: "MatchService", seating: MatchSession) -> None:
        self.desk = desk
        self.seating = seating

    def moved(self, match: Match, view: View, move: str) -> None:
        """On disk, or PlyTakenError where another was first."""
        self.seating = self.desk.keep(replace(self.seating, match=match), move)

    def ended(self, match: Match, fault: str) -> None:
        """A program of ours that fails loses its match; whoever runs the site is told."""
        kept = self.seating.kept
        log.error("a player of match %s failed: %s", kept.id, fault)
        assert match.outcome
        self.desk.store.end(kept.id, match.outcome)
        self.desk.live.forget(kept.id)


class _OnCall:
    """A program that is made only when its turn comes."""

    def __init__(self, spec: Spec, game: Game[Any]) -> None:
        self.spec = spec
        self.game = game
        self.player: Player | None = None

    def choose(self, view: View) -> str:
        """What the program says; in the dark nobody learns from the time it takes what it has seen."""
        self.player = player = self.player or build(self.spec, self.game, RNG)
        assert player
        return player.choose(view) if self.game.transparent else evenly(lambda: player.choose(view))


class KnownLinks:
    """Links that were made or found to be valid here lately, so that they need not wait for those that are not."""

    def __init__(self, most: int = 20_000) -> None:
        self._most = most
        self._known: OrderedDict[tuple[str, str], None] = OrderedDict()
        self._lock = Lock()

    def remember(self, match_id: str, secret: str) -> None:
        """Keep a valid link in mind, and forget the oldest of too many."""
        with self._lock:
            self._known[match_id, hashed(secret)] = None
            if len(self._known) > self._most:
                self._known.popitem(last=False)

    def knows(self, match_id: str, secret: str) -> bool:
        """Return whether a link was valid when it was last looked at."""
        return (match_id, hashed(secret)) in self._known


class MatchService:
    """Everything that changes a match, each in one place."""

    def __init__(self, store: Store, hub: Hub) -> None:
        self.store = store
        self.hub = hub
        self.live = MatchCache(store)
        self.presence = Presence(store, hub)
        self.links = KnownLinks()
        self.news: Callable[[MatchSession], News] = bare_news
        """Where a match is, as pages compare it."""

    def seating(self, match_id: str) -> MatchSession:
        """A match by its whole id; a program whose turn it is moves first, whatever interrupted it before."""
        return self._let_computers_move(self.live.get(match_id))

    def look(self, match_id: str, owner: str | None) -> MatchSession:
        """A match as somebody comes to look at it; whoever has a seat is seen to be there."""
        return self.presence.seen(self.seating(match_id), owner)

    def create(
        self, game: Game[Any], opponent: str, first: str, names: Wishes, token: str, moves: Sequence[str] = ()
    ) -> str:
        """Open a table, some moves already made or none, and take its first seat, or both; the id of the match."""
        if opponent not in (FRIEND, HERE):
            opponent = str(opponent_of(opponent))
        if first not in ("1", "2", "toss"):
            raise BitduelError("Choose who starts: 1, 2 or toss.")
        if opponent != HERE:
            check_fair(game)
        kind = HUMAN if opponent in (FRIEND, HERE) else opponent
        called = check_names(names[0], names[1] if kind == HUMAN else f"{COMPUTER} ({kind})")
        starter = RNG.choice((1, 2)) if first == "toss" else int(first)
        match = begun(game, starter, RNG, moves, MOST_PLIES)
        match_id = self.store.begin(match, (HUMAN, kind), called)
        for seat in (1, 2) if opponent == HERE else (1,):
            self.store.seats.claim(match_id, seat, hashed(token))
        if opponent == FRIEND:
            secret = invitation(token, match_id)
            self.store.seats.invite(match_id, hashed(secret))
            self.links.remember(match_id, secret)
        self.presence.note_playing(hashed(token))
        self.seating(match_id)
        return match_id

    def join(self, match_id: str, given: str, name: str | None, owner: str) -> int:
        """Take the free seat; of two who try, exactly one gets it."""
        seating = self.seating(match_id)
        self.check_invitation(seating, given)
        if seating.seats(owner):
            return seating.seats(owner)[0]
        if seating.match.outcome:
            raise LateError(OVER)
        seat = seating.free_seat
        if seat is None:
            raise SeatTakenError("Somebody else has taken this seat.")
        names = list(seating.kept.names)
        if name and name.strip():
            names[seat - 1] = name
        called = check_names(names[0], names[1])
        if not self.store.seats.claim(seating.kept.sitting, seat, owner):
            raise SeatTakenError("Somebody else has taken this seat.")
        self.store.seats.rename(seating.kept.sitting, seat, called[seat - 1])
        self.presence.note_playing(owner)
        self.hub.publish(match_id)
        return seat

    def check_invitation(self, seating: MatchSession, given: str) -> None:
        """Raises WrongInvitationError unless the link is the one that was given out."""
        known = self.store.seats.invited(seating.kept.sitting)
        if known is None or not secrets.compare_digest(known, hashed(given)):
            raise WrongInvitationError("This invitation is not valid.")
        self.links.remember(seating.kept.id, given)

    def move(self, match_id: str, owner: str | None, ply: int, move: str, backs: int | None = None) -> MatchSession:
        """Make a move at the expected ply; one that was made already by the same seat is not made again.

        What is remembered of the match is trusted first: the store refuses the move where it is no longer so.
        """
        known = self.live.known(match_id)
        if known and owner and _ready(known, owner, ply, move, backs):
            with suppress(PlyTakenError, OverError):
                return self._made(self.presence.seen(known, owner), owner, ply, move)
            self.live.forget(match_id)
        seating = self.look(match_id, owner)
        seat = self._seat_for(seating, owner, ply)
        match, moment = seating.match, seating.moment
        if backs is not None and backs != moment.backs:
            raise LateError(GONE_ON)
        if ply < match.ply and match.moves[ply] == move and match.seat_at(ply) == seat:
            return seating
        if ply != match.ply or match.outcome:
            raise LateError(GONE_ON)
        if ply >= MOST_PLIES:
            raise LateError(f"A match here has at most {MOST_PLIES} moves. Resign it and begin another.")
        assert owner
        try:
            return self._made(seating, owner, ply, move)
        except (PlyTakenError, OverError):
            self.live.forget(match_id)
            return self.move(match_id, owner, ply, move, moment.backs)  # by another, or by the same click

    def _made(self, seating: MatchSession, owner: str, ply: int, move: str) -> MatchSession:
        """The match after a move of a seat's holder, on disk, and after what programs answer."""
        seat = seating.match.seat_at(ply)
        seating.match.play(move)
        return self._let_computers_move(self.keep(seating, move, (seat, owner)))

    def keep(self, seating: MatchSession, move: str, by: By | None = None) -> MatchSession:
        """Keep a move that the match has made, and tell everybody; PlyTakenError where another was first."""
        kept, match = seating.kept, seating.match
        news = self.news(seating)
        written = self.store.add(
            kept.id, match.ply - 1, move, match.outcome, kept.backs, by, self.hub.payload(kept.id, news)
        )
        seating = replace(seating, kept=advanced(kept, move, match.outcome, written))
        self.live.keep(seating)
        self.hub.published(kept.id, news)
        return seating

    def resign(self, match_id: str, owner: str | None) -> MatchSession:
        """Give up; between two at one keyboard, for the player to move."""
        seating = self.seating(match_id)
        mine = seating.seats(owner)
        if not mine:
            raise NotYourSeatError("You have no seat in this match.")
        if seating.match.outcome:
            raise LateError(OVER)
        if not seating.can_resign:
            raise LateError("Nobody has taken the other seat yet, so you cannot resign. Call the match off instead.")
        seating.match.resign(mine[0] if len(mine) == 1 else seating.match.next_seat)
        assert seating.match.outcome
        self.store.end(match_id, seating.match.outcome)
        return self.changed(match_id)

    def call_off(self, match_id: str, owner: str | None, at: MatchMoment) -> MatchSession:
        """Leave a match that has hardly begun, or that nobody has joined; it does not count."""
        seating = self.look(match_id, owner)
        if not seating.seats(owner):
            raise NotYourSeatError("You have no seat in this match.")
        if seating.match.outcome:
            raise LateError(OVER)
        if seating.moment != at:
            raise LateError(GONE_ON)
        if not seating.can_call_off:
            raise LateError("The match has begun, so it cannot be called off any more.")
        try:
            self.store.settle(match_id, Outcome(None, CALLED_OFF), at)
        except (PlyTakenError, OverError, NoLongerError):
            raise LateError(GONE_ON) from None
        return self.changed(match_id)

    def rounds(self, seating: MatchSession) -> list[StoredMatch]:
        """The rounds of a sitting; the first one alone needs no look, for while it goes on there is no other."""
        alone = seating.kept.round == 1 and not seating.match.outcome
        return [seating.kept] if alone else self.store.sitting(seating.kept.sitting)

    def mine(self, owner: str) -> list[HeldSitting]:
        """Every sitting that a browser has a seat in, the newest first, all read at once."""
        held = {each.rounds[-1].id: each for each in self.store.held_by(owner)}
        newest, _ = replayed(each.rounds[-1] for each in held.values())
        return [
            HeldSitting(MatchSession(kept, match, held[kept.id].holders), held[kept.id].rounds)
            for kept, match in newest
        ]

    def _seat_for(self, seating: MatchSession, owner: str | None, ply: int) -> int:
        mine = seating.seats(owner)
        if not mine:
            raise NotYourSeatError("You have no seat in this match.")
        if not 0 <= ply <= seating.match.ply:
            raise LateError("The match has not come that far.")
        seat = seating.match.seat_at(ply)
        if seat not in mine:
            raise NotYourSeatError("It is not your turn.")
        return seat

    def changed(self, match_id: str) -> MatchSession:
        """The match after something has happened in it, and everybody told."""
        self.live.forget(match_id)
        seating = self.seating(match_id)
        self.hub.publish(match_id)
        return seating

    def _let_computers_move(self, seating: MatchSession) -> MatchSession:
        """Programs answer a person at once, and who has no move passes; nobody is waited for beyond the limits."""
        kept, match = seating.kept, seating.match
        is_persons_turn = match.next_seat not in seating.computers and not match.must_pass
        if match.outcome or is_persons_turn or len(seating.computers) == 2 or not _fits(match.game):
            return seating
        programs = {seat: kept.players[seat - 1] for seat in seating.computers}
        players = {seat: _OnCall(spec, match.game) for seat, spec in programs.items() if spec.is_safe}
        keeper = _Keeper(self, seating)
        try:
            drive(match, players, keeper, most_plies=MOST_PLIES)
        except (PlyTakenError, OverError):
            self.live.forget(kept.id)
            return self.seating(kept.id)
        return keeper.seating if keeper.seating.kept.moves == tuple(match.moves) else seating


def bare_news(seating: MatchSession) -> News:
    """The moves and no more."""
    return News(seating.kept.backs, seating.match.ply, str(seating.match.ply))


def _ready(seating: MatchSession, owner: str, ply: int, move: str, backs: int | None) -> bool:
    """Whether a move is just the next one, by whose turn it is."""
    match = seating.match
    expected = ply == match.ply < MOST_PLIES and backs in (None, seating.kept.backs)
    return expected and not match.outcome and match.next_seat in seating.seats(owner) and move in match.legal


def _fits(game: Game[Any]) -> bool:
    try:
        check_size(game)
    except OptionError:
        return False
    return True
