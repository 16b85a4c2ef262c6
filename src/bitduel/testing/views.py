"""Checks of views, words, pictures and features, and that nothing hidden shows in them."""

import json
from collections.abc import Hashable, Iterable, Iterator, Sequence

import numpy as np

from bitduel.core.game import PASS
from bitduel.core.match import SEATS, Match
from bitduel.testing.probe import NAMES, GameProbe

COMPARED_PLIES = 3
"""Plies up to which every match of a hidden game is compared with every other."""

LINE_LENGTH = 6
"""Moves of a line that are played with every deal."""

COMPARED_MATCHES = 50
"""Matches that are continued at each ply."""


def check_start(probe: GameProbe) -> Iterator[str]:
    """Yield seats that see something of the deal before the first move."""
    for seat in (1, 2, None):
        starts = [{_everything(match, seat) for match in matches} for matches in _matches_of_deals(probe)]
        probe.tried["view"] += 2 * len(probe.deals)
        if max(map(len, starts)) != 1:
            yield f"seat {seat} sees {max(map(len, starts))} different starts"


def check_hidden_deal(probe: GameProbe) -> Iterator[str]:
    """Yield lines after which a seat sees more of the deal than the rules have revealed to it."""
    if not probe.game.has_chance:
        return
    lines = dict.fromkeys(tuple(match.moves[:ply]) for match in probe.matches() for ply in range(1, LINE_LENGTH + 1))
    for line in lines:
        for matches in _matches_of_deals(probe):
            open_matches = [match for match in matches if _stays_open(match, line)]
            probe.tried["view"] += 3 * len(open_matches)
            for seat in (1, 2, None):
                seen = ((_revealed(m, seat), (_everything(m, seat), _replies(m, seat))) for m in open_matches)
                if _are_told_apart(seen):
                    yield f"after {', '.join(line)}, seat {seat} sees more of the deal than the rules reveal"


def check_hidden_moves(probe: GameProbe) -> Iterator[str]:
    """Yield seats that can tell apart the moves of the other seat in a hidden game."""
    for deal in probe.deals if probe.game.is_hidden else []:
        matches = [Match(probe.game, deal=deal)]
        for ply in range(COMPARED_PLIES):
            after = [match.after(move) for match in matches[:COMPARED_MATCHES] for move in match.legal]
            matches = [match for match in after if match.to_move]
            for seat in (2 - ply % 2, None):
                probe.tried["view"] += len(matches)
                own = slice(1 - ply % 2, None, 2) if seat else slice(0)
                if _are_told_apart((tuple(match.moves[own]), _everything(match, seat)) for match in matches):
                    yield f"with the deal {deal!r}, seat {seat} can distinguish the other seat's moves"


def check_spectators(probe: GameProbe) -> Iterator[str]:
    """Yield plies of a hidden game at which a spectator can tell matches apart."""
    seen: dict[tuple[int, int], set[object]] = {}
    for match in probe.moments() if probe.game.is_hidden else ():
        if match.to_move:
            seen.setdefault((match.first, match.ply), set()).add(_everything(match, None))
    yield from (
        f"after {ply} moves there are {len(views)} different views"
        for (_, ply), views in seen.items()
        if len(views) > 1
    )


def _matches_of_deals(probe: GameProbe) -> tuple[list[Match], list[Match]]:
    """Return a match of each deal, drawn by chance in one list and chosen by an option in the other."""
    game = probe.game
    by_chance = [Match(game, deal=deal) for deal in probe.deals]
    return by_chance, [Match(game.with_deal(deal), deal=deal) for deal in probe.deals]


def _stays_open(match: Match, line: Sequence[str]) -> bool:
    """Play a line; return whether it was legal and has not ended the match."""
    for move in line:
        if move not in match.legal:
            return False
        match.play(move)
    return match.to_move is not None


def _are_told_apart(pairs: Iterable[tuple[Hashable, object]]) -> bool:
    """Return whether a seat sees different things where it knows the same; pairs are what it knows and sees."""
    seen: dict[Hashable, set[object]] = {}
    for known, shown in pairs:
        seen.setdefault(known, set()).add(shown)
    return any(len(views) > 1 for views in seen.values())


def _revealed(match: Match, seat: int | None) -> Hashable:
    """Return what the rules reveal of the deal: the features, but nothing in a hidden game before the first move."""
    has_moved = match.ply > (0 if seat == match.first else 1)
    if match.game.is_hidden and not (seat and has_moved):
        return None
    return tuple(match.game.encode_view(match.view(each)) for each in ((seat,) if seat else SEATS))


def _replies(match: Match, seat: int | None) -> str:
    """Return the words for a seat after its own last move, and for every move that it can make."""
    words, view = match.game.words, match.view(seat)
    own = seat is not None and match.ply and match.seat_at(match.ply - 1) == seat and match.moves[-1] != PASS
    played = words.played(view, match.moves[-1], NAMES[0]) if own else []
    leads_to = [words.leads_to(view, move) for move in view.legal if move != PASS]
    return repr((played, leads_to, words.reminder(view) if seat else ""))


def _everything(match: Match, seat: int | None) -> object:
    """Return everything that reaches a seat: its view, picture, words and features."""
    game, view = match.game, match.view(seat)
    features = game.encode_view(view) if seat else None
    is_asked = seat == match.to_move and not match.must_pass
    words = (game.words.turn(view, NAMES[0]), game.words.prompt(view, NAMES[0])) if is_asked else ()
    return repr(view), game.picture(view, NAMES), features, repr(words), repr(match) if seat is None else ""


def check_views(probe: GameProbe) -> Iterator[str]:
    """Yield problems with views, pictures and the words of turns and endings."""
    for match in probe.moments():
        for seat in (1, 2, None):
            view = match.view(seat)
            json.dumps(view.as_dict())
            picture = probe.game.picture(view, NAMES)
            hash(picture)
            if not picture.caption:
                yield f"{match!r} has no caption"
            yield from (f"{match!r} shows {move} although it is not legal" for move in {*picture.moves} - {*view.legal})
            hash(view.board)
        yield from _turn_problems(match) if match.to_move and not match.must_pass else ()
        if match.outcome and not probe.game.words.end(match.outcome, NAMES):
            yield f"{match!r} has no text for its end"


def _turn_problems(match: Match) -> Iterator[str]:
    words, view = match.game.words, match.view(match.to_move)
    words.turn(view, NAMES[0])
    if not words.prompt(view, NAMES[0]) or not words.invalid_answer(view):
        yield f"{match!r} asks nothing"
    for move in view.legal:
        if words.understand(view, words.answer(view, move)) != move:
            yield f"{words.answer(view, move)!r} is not understood as {move}"
        after, phrase = match.after(move).view(view.seat), words.move_phrase(view, move)
        said = (words.leads_to(view, move), phrase.gerund, phrase.infinitive, words.played(after, move, NAMES[0]))
        if not all(said):
            yield f"{move} has no text"
        hints = [words.position_phrase(view), words.reason(view), words.remark(view, move)]
        hints += [] if after.over else [words.position_phrase(after), words.reason(after)]
        yield from (f"{hint!r} is not a text for a hint" for hint in hints if not isinstance(hint, str))


def check_words(probe: GameProbe) -> Iterator[str]:
    """Yield rules, variants, laws and other lines that have no words."""
    words = probe.game.words
    probe.tried["paragraph"] += len(words.rules())
    if not words.rules() or not all(_is_text(paragraph) for paragraph in words.rules()):
        yield "the rules have no text"
    if not all(_is_text(reading.point) and _is_text(reading.default) for reading in words.readings):
        yield "a variant has no text"
    if not all(_is_text(text) for law in words.laws() for text in (*law.proof, law.title, law.statement, law.why)):
        yield "a law has no text"
    if not (_is_text(words.passed(NAMES[0])) and _is_text(words.unseen_move(NAMES[0]))):
        yield "a pass or a hidden move has no text"
    list(words.opening())
    for match in probe.matches(2):
        list(words.reveal(match.view(None)))
        str(words.hindsight(match.position, *NAMES))


def _is_text(text: object) -> bool:
    return isinstance(text, str) and bool(text.strip()) and text.isprintable()


def check_independence(probe: GameProbe) -> Iterator[str]:
    """Yield a problem where a change of a view changes the game."""
    for match in probe.matches(1):
        before = dict(probe.game.options), dict(probe.game.open_options)
        for seat in (1, 2, None):
            match.view(seat).options.clear()
            match.at(0).view(seat).options.clear()
        if before != (probe.game.options, probe.game.open_options):
            yield "its options can be changed through a view"


def check_features(probe: GameProbe) -> Iterator[str]:
    """Yield features that are out of range, or differ between views, positions and arrays."""
    game = probe.game
    ranges = [(feature.low, feature.high) for feature in game.features]
    names = {feature.name for feature in game.features}
    if len(names) != len(ranges) or not all(names):
        yield "features need different names"
    rows: dict[bool, list[tuple[int, ...]]] = {True: [], False: []}
    moments = list(probe.moments())
    for match in moments:
        for to_move, seat in ((True, match.next_seat), (False, 3 - match.next_seat)):
            row = tuple(map(int, game.encode_view(match.view(seat))))
            rows[to_move].append(row)
            if row != tuple(map(int, game.encode_positions(match.position, match.ply, to_move))):
                yield f"for seat {seat}, {match!r} has different features from a view and from a position"
            if len(row) != len(ranges) or not all(a <= n <= b for n, (a, b) in zip(row, ranges, strict=True)):
                yield f"{row} is not within {ranges}"
    arrays = type(moments[0].position)(*np.array([match.position for match in moments], dtype=np.int64).T)
    plies = np.array([match.ply for match in moments])
    for to_move, expected in rows.items():
        columns = [np.broadcast_to(column, len(moments)) for column in game.encode_positions(arrays, plies, to_move)]
        if np.stack(columns, axis=1).tolist() != [list(row) for row in expected]:
            yield "arrays give different results from single positions"
