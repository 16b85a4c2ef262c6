"""Checks that hidden means hidden, by comparing matches that differ only in what is hidden."""

from collections.abc import Iterator
from typing import Any

from bitduel.core.match import Match
from bitduel.core.view import View
from bitduel.testing.sample import NAMES, Check, Sample


def the_start(sample: Sample) -> Iterator[str]:
    """Before the first move nobody sees anything of the deal."""
    for seat in (1, 2, None):
        seen = {_all_of(sample, Match(sample.game, deal=deal), seat) for deal in sample.deals}
        sample.tried["view"] += len(sample.deals)
        if len(seen) != 1:
            yield f"seat {seat} sees {len(seen)} different starts"


def the_other_seat(sample: Sample) -> Iterator[str]:
    """In a hidden game nobody sees what the other seat does."""
    game = sample.game
    if not game.hidden:
        return
    for deal in sample.deals:
        after = [Match(game, deal=deal, moves=[move]) for move in game.opening(deal).legal]
        for seat in (2, None):
            seen = {_all_of(sample, match, seat) for match in after if match.to_move}
            sample.tried["view"] += len(after)
            if len(seen) > 1:
                yield f"with {deal!r} dealt, seat {seat} can tell the first moves apart"


def spectators(sample: Sample) -> Iterator[str]:
    """A spectator of a hidden game sees only that it goes on."""
    if not sample.game.hidden:
        return
    seen: dict[tuple[int, int], set[object]] = {}
    for match in sample.moments():
        if match.to_move:
            seen.setdefault((match.first, match.ply), set()).add(_all_of(sample, match, None))
    yield from (f"after {ply} moves there are {len(views)} views" for (_, ply), views in seen.items() if len(views) > 1)


def _all_of(sample: Sample, match: Match, seat: int | None) -> object:
    """Everything that reaches a seat: its view, its picture, its words, its features."""
    view = match.view(seat)
    return repr(view), sample.game.picture(view, NAMES), _row(sample, view), repr(match) if seat is None else ""


def _row(sample: Sample, view: View) -> Any:
    return sample.game.row_of(view) if view.seat else None


CHECKS: tuple[Check, ...] = (the_start, the_other_seat, spectators)
