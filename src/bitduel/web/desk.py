"""What can be done on the site: open a table, take a seat, move; all of it through the store, nothing kept here."""

import hmac
import logging
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from random import SystemRandom
from typing import Any

from bitduel.core.errors import BitduelError, OptionError
from bitduel.core.game import Game
from bitduel.core.match import Match, other
from bitduel.core.options import Whole
from bitduel.core.view import View
from bitduel.core.words import check_names
from bitduel.games import Kind
from bitduel.players import COMPUTERS, HUMAN, Listener, Player, Spec, build, drive
from bitduel.players.spec import parse_kept
from bitduel.store import Kept, OverError, PlyTakenError, RoundTakenError, Store, UnknownMatchError
from bitduel.store.telling import replayed
from bitduel.web.hub import Hub

FRIEND, HERE = "friend", "here"
COMPUTER = "Computer"
MOST_PLIES = 400
"""No game needs nearly as many; beyond, looking back would take too long."""
OPPONENTS = tuple(kind.name for kind in COMPUTERS)
"""The programs that can be played against here."""
RNG = SystemRandom()
log = logging.getLogger("bitduel.web")
Wishes = tuple[str | None, str | None]
"""What the two players would like to be called."""


class NotYourSeatError(BitduelError):
    """Somebody who has no seat, or not the one to move."""


class SeatTakenError(BitduelError):
    """A seat that another has taken."""


class WrongInvitationError(BitduelError):
    """A link that invites nobody."""


class LateError(BitduelError):
    """A request about a position that is no longer there."""


@dataclass(frozen=True)
class Seating:
    """A match with its seats: who holds them, and whether one is still free."""

    kept: Kept
    match: Match
    owners: Mapping[int, str]

    def seats(self, owner: str | None) -> tuple[int, ...]:
        """The seats that a browser holds."""
        return tuple(seat for seat, held in sorted(self.owners.items()) if owner and held == owner)

    def is_computer(self, seat: int) -> bool:
        """Whether a program plays this seat."""
        return not self.kept.players[seat - 1].is_human

    @property
    def free_seat(self) -> int | None:
        """A seat for a person that nobody has taken."""
        return next((s for s in (1, 2) if not self.is_computer(s) and s not in self.owners), None)

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
    game = kind(**dict(options))
    check_size(game)
    return game


def check_size(game: Game[Any]) -> None:
    """Raises OptionError for a game that is not answered at once; a match from elsewhere can be of any size."""
    for option in game.declared:
        value = game.options[option.name]
        if isinstance(option, Whole) and option.quick and isinstance(value, int) and value > option.quick:
            raise OptionError(f"{option.name} is at most {option.quick} here, not {value}")


def opponent_of(text: str) -> Spec:
    """The program that a text names, if it can be played against here."""
    spec = parse_kept(text)
    if spec.is_human or not spec.is_safe:
        raise BitduelError(f"Choose whom to play against: {', '.join(OPPONENTS)}.")
    return spec


class _Keeper(Listener):
    """Keeps the moves of programs, each before anybody sees it."""

    def __init__(self, store: Store, match_id: str) -> None:
        self.store = store
        self.match_id = match_id

    def moved(self, match: Match, view: View, move: str) -> None:
        """On disk, or PlyTakenError where another was first."""
        self.store.add(self.match_id, match.ply - 1, move, match.outcome)

    def ended(self, match: Match, fault: str) -> None:
        """A program of ours that fails loses its match; whoever runs the site is told."""
        log.error("a player of match %s failed: %s", self.match_id, fault)
        assert match.outcome
        self.store.end(self.match_id, match.outcome)


class _OnCall:
    """A program that is made only when its turn comes."""

    def __init__(self, spec: Spec, game: Game[Any]) -> None:
        self.spec = spec
        self.game = game
        self.player: Player | None = None

    def choose(self, view: View) -> str:
        """What the program says."""
        self.player = self.player or build(self.spec, self.game, RNG)
        assert self.player
        return self.player.choose(view)


class Desk:
    """Everything that changes a match, each in one place."""

    def __init__(self, store: Store, hub: Hub) -> None:
        self.store = store
        self.hub = hub

    def seating(self, match_id: str) -> Seating:
        """A match by its whole id; a program whose turn it is moves first, whatever interrupted it before."""
        try:
            kept = self.store.get(match_id)
        except UnknownMatchError:
            raise UnknownMatchError("There is no such match.") from None
        if kept.id != match_id:
            raise UnknownMatchError("There is no such match.")
        seating = Seating(kept, kept.match(), self.store.seats.owners(kept.sitting))
        return self._let_computers_move(seating)

    def create(self, game: Game[Any], opponent: str, first: str, names: Wishes, token: str) -> str:
        """Open a table and take its first seat, or both; the id of the match."""
        if opponent not in (FRIEND, HERE):
            opponent = str(opponent_of(opponent))
        if first not in ("1", "2", "toss"):
            raise BitduelError("Choose who starts: 1, 2 or toss.")
        kind = HUMAN if opponent in (FRIEND, HERE) else opponent
        called = check_names(names[0], names[1] if kind == HUMAN else COMPUTER)
        starter = RNG.choice((1, 2)) if first == "toss" else int(first)
        match = Match(game, starter, game.deal(RNG))
        match_id = self.store.begin(match, (HUMAN, kind), called)
        for seat in (1, 2) if opponent == HERE else (1,):
            self.store.seats.claim(match_id, seat, hashed(token))
        if opponent == FRIEND:
            self.store.seats.invite(match_id, hashed(invitation(token, match_id)))
        self.seating(match_id)
        return match_id

    def join(self, match_id: str, given: str, name: str | None, owner: str) -> int:
        """Take the free seat; of two who try, exactly one gets it."""
        seating = self.seating(match_id)
        self.check_invitation(seating, given)
        if seating.seats(owner):
            return seating.seats(owner)[0]
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
        self.hub.publish(match_id)
        return seat

    def check_invitation(self, seating: Seating, given: str) -> None:
        """Raises WrongInvitationError unless the link is the one that was given out."""
        known = self.store.seats.invited(seating.kept.sitting)
        if known is None or not secrets.compare_digest(known, hashed(given)):
            raise WrongInvitationError("This invitation is not valid.")

    def move(self, match_id: str, owner: str | None, ply: int, move: str) -> Seating:
        """Make a move at the expected ply; one that was made already by the same seat is not made again."""
        seating = self.seating(match_id)
        seat = self._seat_for(seating, owner, ply)
        match = seating.match
        if ply < match.ply and match.moves[ply] == move and match.seat_at(ply) == seat:
            return seating
        if ply != match.ply or match.outcome:
            raise LateError("The match has gone on since. Look at it again.")
        if ply >= MOST_PLIES:
            raise LateError(f"A match here has at most {MOST_PLIES} moves. Resign it and begin another.")
        match.play(move)
        try:
            self.store.add(match_id, ply, move, match.outcome)
        except PlyTakenError:
            raise LateError("The match has gone on since. Look at it again.") from None
        return self._after_change(match_id)

    def resign(self, match_id: str, owner: str | None) -> Seating:
        """Give up; between two at one keyboard, for the player to move."""
        seating = self.seating(match_id)
        mine = seating.seats(owner)
        if not mine:
            raise NotYourSeatError("You have no seat in this match.")
        if seating.match.outcome:
            raise LateError("The match is over.")
        seating.match.resign(mine[0] if len(mine) == 1 else seating.match.next_seat)
        assert seating.match.outcome
        self.store.end(match_id, seating.match.outcome)
        return self._after_change(match_id)

    def next_round(self, match_id: str, owner: str | None) -> str:
        """Begin the next round of a sitting, the other player starting; whoever asks second gets the same one."""
        seating = self.seating(match_id)
        if not seating.seats(owner):
            raise NotYourSeatError("You have no seat in this match.")
        if not seating.match.outcome:
            raise LateError("The match is not over yet.")
        kept, game = seating.kept, seating.match.game
        match = Match(game, other(kept.first), game.deal(RNG))
        number = kept.round + 1
        try:
            found = self.store.begin(match, kept.players, kept.names, kept.sitting, number, number)
        except RoundTakenError:
            found = self.store.sitting(kept.sitting)[number - 1].id
        self.hub.publish(match_id)
        self.seating(found)
        return found

    def mine(self, owner: str) -> list[Seating]:
        """The newest match of every sitting that a browser has a seat in."""
        sittings = self.store.seats.sittings(owner)
        rounds = [self.store.sitting(sitting) for sitting in sittings]
        newest, _ = replayed(each[-1] for each in rounds if each)
        return [Seating(kept, match, self.store.seats.owners(kept.sitting)) for kept, match in newest]

    def _seat_for(self, seating: Seating, owner: str | None, ply: int) -> int:
        mine = seating.seats(owner)
        if not mine:
            raise NotYourSeatError("You have no seat in this match.")
        if not 0 <= ply <= seating.match.ply:
            raise LateError("The match has not come that far.")
        seat = seating.match.seat_at(ply)
        if seat not in mine:
            raise NotYourSeatError("It is not your turn.")
        return seat

    def _after_change(self, match_id: str) -> Seating:
        seating = self.seating(match_id)
        self.hub.publish(match_id)
        return seating

    def _let_computers_move(self, seating: Seating) -> Seating:
        """Programs answer a person at once, and who has no move passes; nobody is waited for beyond the limits."""
        kept, match = seating.kept, seating.match
        programs = {seat: spec for seat, spec in enumerate(kept.players, 1) if not spec.is_human}
        if len(programs) == 2 or not _fits(match.game):
            return seating
        players = {seat: _OnCall(spec, match.game) for seat, spec in programs.items() if spec.is_safe}
        try:
            drive(match, players, _Keeper(self.store, kept.id), most_plies=MOST_PLIES)
        except (PlyTakenError, OverError):
            return self.seating(kept.id)
        return seating


def _fits(game: Game[Any]) -> bool:
    try:
        check_size(game)
    except OptionError:
        return False
    return True
