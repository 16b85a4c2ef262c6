"""Checks that hidden means hidden, by comparing matches that differ only in what is hidden."""

from collections.abc import Iterator, Sequence

from bitduel.core.game import PASS
from bitduel.core.match import SEATS, Match
from bitduel.testing.sample import NAMES, Check, GameProbe

DEPTH = 3
"""So many plies deep every match is compared with every other."""

LONG_LINE = 6
"""So many moves of a line are played with every deal."""

BROAD = 50
"""So many matches are gone on with at each depth."""


def the_start(sample: GameProbe) -> Iterator[str]:
    """Before the first move nobody sees anything of the deal."""
    for seat in (1, 2, None):
        by_chance = {_all_of(Match(sample.game, deal=deal), seat) for deal in sample.deals}
        chosen = {_all_of(Match(sample.game.dealt(deal), deal=deal), seat) for deal in sample.deals}
        sample.tried["view"] += 2 * len(sample.deals)
        if len(by_chance) != 1 or len(chosen) != 1:
            yield f"seat {seat} sees {max(len(by_chance), len(chosen))} different starts"


def every_moment(sample: GameProbe) -> Iterator[str]:
    """Deals of which a seat was told the same look the same to it at every moment."""
    game = sample.game
    if not game.chance:
        return
    lines = dict.fromkeys(tuple(match.moves[:ply]) for match in sample.matches() for ply in range(1, LONG_LINE + 1))
    for line in lines:
        by_chance = [Match(game, deal=deal) for deal in sample.deals]
        chosen = [Match(game.dealt(deal), deal=deal) for deal in sample.deals]
        for matches in (by_chance, chosen):
            there = [match for match in matches if _goes_on(match, line)]
            sample.tried["view"] += 3 * len(there)
            for seat in (1, 2, None):
                if _tells_more(there, seat):
                    yield f"after {', '.join(line)} seat {seat} sees more of the deal than it was told"


def _goes_on(match: Match, line: Sequence[str]) -> bool:
    """Play a line, and say whether it could be played and the match goes on."""
    for move in line:
        if move not in match.legal:
            return False
        match.play(move)
    return match.to_move is not None


def _tells_more(matches: list[Match], seat: int | None) -> bool:
    """Whether a seat sees different things in matches of which it was told the same."""
    seen: dict[object, set[object]] = {}
    for match in matches:
        seen.setdefault(_told(match, seat), set()).add((_all_of(match, seat), _said(match, seat)))
    return any(len(views) > 1 for views in seen.values())


def _told(match: Match, seat: int | None) -> object:
    """What the rules have told of the deal: in a hidden game nothing to whoever has not moved, else the features."""
    has_moved = match.ply > (0 if seat == match.first else 1)
    if match.game.hidden and not (seat and has_moved):
        return None
    return tuple(match.game.encode_view(match.view(each)) for each in ((seat,) if seat else SEATS))


def _said(match: Match, seat: int | None) -> object:
    """What is said to a seat after the last move, if it was its own, and about every move it can make."""
    words, view = match.game.words, match.view(seat)
    own = seat is not None and match.ply and match.seat_at(match.ply - 1) == seat and match.moves[-1] != PASS
    played = words.played(view, match.moves[-1], NAMES[0]) if own else []
    leads = [words.leads(view, move) for move in view.legal if move != PASS]
    return repr((played, leads, words.reminder(view) if seat else ""))


def the_other_seat(sample: GameProbe) -> Iterator[str]:
    """In a hidden game nobody sees what the other seat does."""
    game = sample.game
    if not game.hidden:
        return
    for deal in sample.deals:
        yield from _told_apart(sample, [Match(game, deal=deal)], deal)


def _told_apart(sample: GameProbe, matches: list[Match], deal: str) -> Iterator[str]:
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


def spectators(sample: GameProbe) -> Iterator[str]:
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
    row = game.encode_view(view) if seat else None
    asked = seat == match.to_move and not match.must_pass
    words = (game.words.turn(view, NAMES[0]), game.words.prompt(view, NAMES[0])) if asked else ()
    return repr(view), game.picture(view, NAMES), row, repr(words), repr(match) if seat is None else ""


CHECKS: tuple[Check, ...] = (the_start, every_moment, the_other_seat, spectators)
