"""Information sets of games with a hidden deal: the deals that fit a player's moves and the feedback to them."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from bitduel.core.errors import TooLargeError
from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.core.outcomes import Outcome
from bitduel.core.view import View
from bitduel.core.words import PLAYERS
from bitduel.solver.analysis import UnknownDealError

MOST_DEALS = 4096


class Feedback(NamedTuple):
    """A possible answer to a move: its words, how many deals give it, the first of them, and the outcome if any."""

    text: str
    deal_count: int
    deal: str
    outcome: Outcome | None


class InformationSet(NamedTuple):
    """A player's view after a line of moves, and a match for every deal that looks the same."""

    seat: int
    line: tuple[str, ...]
    view: View
    matches: Mapping[str, Match]

    @property
    def deal(self) -> str:
        """The first of the deals, which represents all of them."""
        return next(iter(self.matches))

    def feedback(self) -> list[str]:
        """Return the feedback to every move of the line."""
        match = self.matches[self.deal]
        plies = [ply for ply in range(match.ply) if not match.game.is_hidden or match.seat_at(ply) == self.seat]
        return [_feedback_text(match.at(ply + 1), match.seat_at(ply)) for ply in plies]

    def possible_feedback(self, move: str) -> list[Feedback]:
        """Return every feedback that a legal move can get."""
        possible: dict[tuple[Any, ...], Feedback] = {}
        for deal, match in self.matches.items():
            after = match.after(move)
            text = _feedback_text(after, self.seat)
            key = (text, after.outcome) if after.outcome else (text, *after.view(self.seat).board)
            feedback = possible.get(key, Feedback(text, 0, deal, after.outcome))
            possible[key] = feedback._replace(deal_count=feedback.deal_count + 1)
        return list(possible.values())


def _feedback_text(match: Match, seat: int) -> str:
    """Return the feedback to the player who has just moved."""
    return match.game.words.played(match.view(seat), match.moves[-1], PLAYERS[seat - 1])[-1]


def information_set(game: Game[Any], seat: int, line: Sequence[str], deal: str = "") -> InformationSet:
    """Return what a player knows after a line of moves with feedback that fits the deal.

    Where the seats see different things, the line is the player's own moves, and the opponent has moved in between.
    Where they see the same, it is everybody's moves, and the seat is the one to move.
    """
    matches = {text: match for text in _deals(game) if (match := _follow(game, seat, line, text))}
    base = matches.get(deal) if deal else next(iter(matches.values()), None)
    if base is None:
        raise UnknownDealError("The match would end before that, or no possible secret fits.")
    seat = base.next_seat
    view = base.view(seat)
    alike = {text: match for text, match in matches.items() if match.view(seat) == view}
    return InformationSet(seat, tuple(line), view, alike)


def _deals(game: Game[Any]) -> list[str]:
    deals = [deal.text for deal in islice(game.deals(), MOST_DEALS + 1)]
    if len(deals) > MOST_DEALS:
        raise TooLargeError(f"There are more than {MOST_DEALS} possible secrets, which is too many to explore.")
    return deals


def _follow(game: Game[Any], seat: int, line: Sequence[str], deal: str) -> Match | None:
    """Return a match with this deal after the line, with its player to move; None if it is over before."""
    match = Match(game, 1, deal)
    for move in line:
        if not _reach_turn(match, seat):
            return None
        match.play(move)
    return match if _reach_turn(match, seat) else None


def _reach_turn(match: Match, seat: int) -> bool:
    """Play hidden moves of the opponent that end nothing until it is the seat's turn; return whether that works."""
    while match.game.is_hidden and match.to_move not in (None, seat):
        quiet = next((move for move in match.legal if not match.after(move).outcome), None)
        if quiet is None:
            return False
        match.play(quiet)
    return match.outcome is None
