"""How well somebody plays: how often a won position was kept."""

from typing import NamedTuple

from bitduel.core.errors import BitduelError
from bitduel.core.judge import WIN, best
from bitduel.core.match import Match
from bitduel.solve.oracle import oracle


class Kept(NamedTuple):
    """Positions that were won for a player to move, and how many of them still were after the move."""

    kept: int
    won: int


def kept_wins(match: Match, seat: int) -> Kept | None:
    """How often a seat kept a won position; None where that cannot be told."""
    if match.game.chance:
        return None
    try:
        judge = oracle(match.game)
    except BitduelError:
        return None
    kept = won = 0
    for ply, move in enumerate(match.moves):
        if match.seat_at(ply) != seat:
            continue
        view = Match(match.game, match.first, match.deal, match.moves[:ply]).view(seat)
        choices = {choice.move: choice for choice in judge.choices(view)}
        if best(list(choices.values()))[0].value == WIN:
            won += 1
            kept += choices[move].value == WIN
    return Kept(kept, won)
