"""Checks that hidden means hidden, by comparing matches that differ only in what is hidden."""

from collections.abc import Iterator

from bitduel.core.match import Match
from bitduel.testing.sample import NAMES, Check, Sample

DEPTH = 3
"""So many plies deep every match is compared with every other."""

BROAD = 50
"""So many matches are gone on with at each depth."""


def the_start(sample: Sample) -> Iterator[str]:
    """Before the first move nobody sees anything of the deal."""
    for seat in (1, 2, None):
        by_chance = {_all_of(Match(sample.game, deal=deal), seat) for deal in sample.deals}
        chosen = {_all_of(Match(sample.game.dealt(deal), deal=deal), seat) for deal in sample.deals}
        sample.tried["view"] += 2 * len(sample.deals)
        if len(by_chance) != 1 or len(chosen) != 1:
            yield f"seat {seat} sees {max(len(by_chance), len(chosen))} different starts"


def the_other_seat(sample: Sample) -> Iterator[str]:
    """In a hidden game nobody sees what the other seat does."""
    game = sample.game
    if not game.hidden:
        return
    for deal in sample.deals:
        yield from _told_apart(sample, [Match(game, deal=deal)], deal)


def _told_apart(sample: Sample, matches: list[Match], deal: str) -> Iterator[str]:
    """Play on with every move, and see whether the seat that waits can tell the moves of the other apart."""
    for ply in range(DEPTH):
        after = [match.after(move) for match in matches[:BROAD] for move in match.legal]
        matches = [match for match in after if match.to_move]
        for seat in (2 - ply % 2, None):
            seen: dict[object, set[object]] = {}
            for match in matches:
                own = tuple(match.moves[1 - ply % 2 :: 2]) if seat else ()
                seen.setdefault(own, set()).add(_all_of(match, seat))
            sample.tried["view"] += len(matches)
            if any(len(views) > 1 for views in seen.values()):
                yield f"with {deal!r} dealt, seat {seat} can tell the moves of the other apart"


def spectators(sample: Sample) -> Iterator[str]:
    """A spectator of a hidden game sees only that it goes on."""
    if not sample.game.hidden:
        return
    seen: dict[tuple[int, int], set[object]] = {}
    for match in sample.moments():
        if match.to_move:
            seen.setdefault((match.first, match.ply), set()).add(_all_of(match, None))
    yield from (f"after {ply} moves there are {len(views)} views" for (_, ply), views in seen.items() if len(views) > 1)


def _all_of(match: Match, seat: int | None) -> object:
    """Everything that reaches a seat: its view, its picture, its words, its features."""
    game, view = match.game, match.view(seat)
    row = game.row_of(view) if seat else None
    asked = seat == match.to_move and not match.must_pass
    words = (game.words.turn(view, NAMES[0]), game.words.prompt(view, NAMES[0])) if asked else ()
    return repr(view), game.picture(view, NAMES), row, repr(words), repr(match) if seat is None else ""


CHECKS: tuple[Check, ...] = (the_start, the_other_seat, spectators)
