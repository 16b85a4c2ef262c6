"""What can be done on the site: open a table, take a seat, move; all of it through the store, nothing kept here."""

import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from random import SystemRandom
from typing import Any

from bitduel.core.errors import BitduelError, OptionError
from bitduel.core.game import PASS, Game
from bitduel.core.match import Match, other
from bitduel.core.options import Whole
from bitduel.core.view import View
from bitduel.core.words import check_names
from bitduel.games import Kind
from bitduel.players import COMPUTERS, HUMAN, Player, player
from bitduel.store import Kept, OverError, PlyTakenError, RoundTakenError, Store, UnknownMatchError
from bitduel.web.hub import Hub

FRIEND, HERE = "friend", "here"
COMPUTER = "Computer"
MOST_PLIES = 400
"""No game needs nearly as many; beyond, looking back would take too long."""
RNG = SystemRandom()
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
class Table:
    """A match with its seats: who holds them, and whether one is still free."""

    kept: Kept
    match: Match
    owners: Mapping[int, str]

    def seats(self, owner: str | None) -> tuple[int, ...]:
        """The seats that a browser holds."""
        return tuple(seat for seat, held in sorted(self.owners.items()) if owner and held == owner)

    def is_computer(self, seat: int) -> bool:
        """Whether a program plays this seat."""
        return self.kept.players[seat - 1] != HUMAN

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
    for option in kind.declared:
        value = game.options[option.name]
        if isinstance(option, Whole) and option.quick and isinstance(value, int) and value > option.quick:
            raise OptionError(f"{option.name} is at most {option.quick} here, not {value}")
    return game


class Desk:
    """Everything that changes a match, each in one place."""

    def __init__(self, store: Store, hub: Hub) -> None:
        self.store = store
        self.hub = hub

    def table(self, match_id: str) -> Table:
        """A match by its whole id; a program whose turn it is moves first, whatever interrupted it before."""
        try:
            kept = self.store.get(match_id)
        except UnknownMatchError:
            raise UnknownMatchError("There is no such match.") from None
        if kept.id != match_id:
            raise UnknownMatchError("There is no such match.")
        table = Table(kept, kept.match(), self.store.seats.owners(kept.sitting))
        return self._let_computers_move(table)

    def create(self, game: Game[Any], opponent: str, first: str, names: Wishes, token: str) -> str:
        """Open a table and take its first seat, or both; the id of the match."""
        if opponent not in (FRIEND, HERE, *(computer.name for computer in COMPUTERS)):
            raise BitduelError("Choose whom to play against.")
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
        self.table(match_id)
        return match_id

    def join(self, match_id: str, given: str, name: str | None, owner: str) -> int:
        """Take the free seat; of two who try, exactly one gets it."""
        table = self.table(match_id)
        self.check_invitation(table, given)
        if table.seats(owner):
            return table.seats(owner)[0]
        seat = table.free_seat
        if seat is None:
            raise SeatTakenError("Somebody else has taken this seat.")
        names = list(table.kept.names)
        if name and name.strip():
            names[seat - 1] = name
        called = check_names(names[0], names[1])
        if not self.store.seats.claim(table.kept.sitting, seat, owner):
            raise SeatTakenError("Somebody else has taken this seat.")
        self.store.seats.rename(table.kept.sitting, seat, called[seat - 1])
        self.hub.publish(match_id)
        return seat

    def check_invitation(self, table: Table, given: str) -> None:
        """Raises WrongInvitationError unless the link is the one that was given out."""
        known = self.store.seats.invited(table.kept.sitting)
        if known is None or not secrets.compare_digest(known, hashed(given)):
            raise WrongInvitationError("This invitation is not valid.")

    def move(self, match_id: str, owner: str | None, ply: int, move: str) -> Table:
        """Make a move at the expected ply; one that was made already by the same seat is not made again."""
        table = self.table(match_id)
        seat = self._seat_for(table, owner, ply)
        match = table.match
        if ply < match.ply and match.moves[ply] == move and match.seat_at(ply) == seat:
            return table
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

    def resign(self, match_id: str, owner: str | None) -> Table:
        """Give up; between two at one keyboard, for the player to move."""
        table = self.table(match_id)
        mine = table.seats(owner)
        if not mine:
            raise NotYourSeatError("You have no seat in this match.")
        if table.match.outcome:
            raise LateError("The match is over.")
        table.match.resign(mine[0] if len(mine) == 1 else table.match.next_seat)
        assert table.match.outcome
        self.store.end(match_id, table.match.outcome)
        return self._after_change(match_id)

    def next_round(self, match_id: str, owner: str | None) -> str:
        """Begin the next round of a sitting, the other player starting; whoever asks second gets the same one."""
        table = self.table(match_id)
        if not table.seats(owner):
            raise NotYourSeatError("You have no seat in this match.")
        if not table.match.outcome:
            raise LateError("The match is not over yet.")
        kept, game = table.kept, table.match.game
        match = Match(game, other(kept.first), game.deal(RNG))
        number = kept.round + 1
        try:
            found = self.store.begin(match, kept.players, kept.names, kept.sitting, number, number)
        except RoundTakenError:
            found = self.store.sitting(kept.sitting)[number - 1].id
        self.hub.publish(match_id)
        self.table(found)
        return found

    def mine(self, owner: str) -> list[Table]:
        """The newest match of every sitting that a browser has a seat in."""
        sittings = self.store.seats.sittings(owner)
        rounds = [self.store.sitting(sitting) for sitting in sittings]
        newest = [each[-1] for each in rounds if each]
        return [Table(kept, kept.match(), self.store.seats.owners(kept.sitting)) for kept in newest]

    def _seat_for(self, table: Table, owner: str | None, ply: int) -> int:
        mine = table.seats(owner)
        if not mine:
            raise NotYourSeatError("You have no seat in this match.")
        if not 0 <= ply <= table.match.ply:
            raise LateError("The match has not come that far.")
        seat = table.match.seat_at(ply)
        if seat not in mine:
            raise NotYourSeatError("It is not your turn.")
        return seat

    def _after_change(self, match_id: str) -> Table:
        table = self.table(match_id)
        self.hub.publish(match_id)
        return table

    def _let_computers_move(self, table: Table) -> Table:
        """Programs answer at once, and who has no move passes."""
        match, kept = table.match, table.kept
        players: dict[int, Player | None] = {}
        while match.to_move and (match.must_pass or table.is_computer(match.to_move)):
            seat = match.to_move
            if match.must_pass:
                move = PASS
            else:
                players.setdefault(seat, player(kept.players[seat - 1], match.game, RNG))
                who = players[seat]
                assert who
                move = who.choose(match.view(seat))
            match.play(move)
            try:
                self.store.add(kept.id, match.ply - 1, move, match.outcome)
            except (PlyTakenError, OverError):
                return self.table(kept.id)
        return table
