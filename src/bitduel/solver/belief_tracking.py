"""What a player can come to know where something is dealt that nobody sees: by own moves, and what was answered."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from bitduel.core.endings import Outcome
from bitduel.core.errors import TooLargeError
from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.core.view import View
from bitduel.core.words import PLAYERS
from bitduel.solver.position import UnknownDealError

MOST_DEALS = 4096


class Feedback(NamedTuple):
    """What may be told after a move: the words, for how many deals, the first of them, and how that ends the match."""

    said: str
    deals: int
    deal: str
    over: Outcome | None


class Known(NamedTuple):
    """Where a line has led: what its player sees, and every deal that looks the same, with the match it belongs to."""

    seat: int
    line: tuple[str, ...]
    view: View
    matches: Mapping[str, Match]

    @property
    def deal(self) -> str:
        """The first of the deals, which stands for all of them."""
        return next(iter(self.matches))

    def told(self) -> list[str]:
        """What was answered to every move of the line."""
        match = self.matches[self.deal]
        plies = [ply for ply in range(match.ply) if not match.game.hidden or match.seat_at(ply) == self.seat]
        return [_said(match.at(ply + 1), match.seat_at(ply)) for ply in plies]

    def answers(self, move: str) -> list[Feedback]:
        """All that can be told after a legal move."""
        told: dict[tuple[Any, ...], Feedback] = {}
        for deal, match in self.matches.items():
            after = match.after(move)
            said = _said(after, self.seat)
            key = (said, after.outcome) if after.outcome else (said, *after.view(self.seat).board)
            first = told.get(key, Feedback(said, 0, deal, after.outcome))
            told[key] = first._replace(deals=first.deals + 1)
        return list(told.values())


def _said(match: Match, seat: int) -> str:
    """What the player who has just moved is told about it."""
    return match.game.words.played(match.view(seat), match.moves[-1], PLAYERS[seat - 1])[-1]


def know(game: Game[Any], seat: int, line: Sequence[str], deal: str = "") -> Known:
    """What the player on a seat knows after a line, having been told what fits the deal.

    Where the seats see different things the line is the player's own moves, and the other has moved in between,
    nobody knows how; where they see the same it is everybody's moves, and the seat is the one to move.
    """
    found = {text: match for text in _deals(game) if (match := _followed(game, seat, line, text))}
    base = found.get(deal) if deal else next(iter(found.values()), None)
    if base is None:
        raise UnknownDealError("The match would be over before that, or nothing like that can be dealt.")
    seat = base.next_seat
    view = base.view(seat)
    alike = {text: match for text, match in found.items() if match.view(seat) == view}
    return Known(seat, tuple(line), view, alike)


def _deals(game: Game[Any]) -> list[str]:
    deals = [deal.text for deal in islice(game.deals(), MOST_DEALS + 1)]
    if len(deals) > MOST_DEALS:
        raise TooLargeError(f"More than {MOST_DEALS} deals are too many to look at each.")
    return deals


def _followed(game: Game[Any], seat: int, line: Sequence[str], deal: str) -> Match | None:
    """A match with this deal after the line, the player of the line to move; None where it is over before."""
    match = Match(game, 1, deal)
    for move in line:
        if not _come_to(match, seat):
            return None
        match.play(move)
    return match if _come_to(match, seat) else None


def _come_to(match: Match, seat: int) -> bool:
    """Let the other player, whom nobody sees, make moves that end nothing, until it is the seat's turn."""
    while match.game.hidden and match.to_move not in (None, seat):
        quiet = next((move for move in match.legal if not match.after(move).outcome), None)
        if quiet is None:
            return False
        match.play(quiet)
    return match.outcome is None
