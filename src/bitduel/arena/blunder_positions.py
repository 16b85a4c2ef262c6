"""Where on the board something was given away: by number on the scale, by the cell that was switched, by the move."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from bitduel.arena.game_record import GameRecord
from bitduel.core.errors import BitduelError
from bitduel.core.game import PASS, Game
from bitduel.core.match import Match
from bitduel.core.picture import Picture
from bitduel.core.words import PLAYERS

MOST_BINS = 16
"""A longer scale is cut into so many pieces."""
MOST_MOVES = 24
"""A game with more moves than this has no picture by move."""
MOST_PLIES = 20_000
"""So many moves of a game are looked at."""

SCALE, OWN, THEIRS, SHARED, MOVE = "number", "own cell", "the other's cell", "cell", "move"


class BlunderPosition(NamedTuple):
    """What happened at one place: how many moves, and what they gave away."""

    moves: int = 0
    lost: float = 0.0

    @property
    def mean(self) -> float:
        """Given away by a move there."""
        return self.lost / self.moves if self.moves else 0.0


class Where(NamedTuple):
    """The places of a kind from left to right, and everybody's moves there."""

    kind: str
    labels: tuple[str, ...]
    players: dict[str, tuple[BlunderPosition, ...]]

    def as_data(self) -> dict[str, Any]:
        """The same as JSON-ready data."""
        players = {
            name: [{"moves": place.moves, "given_away": place.lost} for place in row]
            for name, row in self.players.items()
        }
        return {"by": self.kind, "places": list(self.labels), "players": players}


def where(game: Game[Any], rows: Iterable[GameRecord]) -> list[Where]:
    """Where everybody gave something away in some games; only kinds of places that the board has."""
    found: dict[str, dict[str, dict[Any, BlunderPosition]]] = {}
    scale = (0, 0)
    left = MOST_PLIES
    for row in rows:
        for name, loss, picture, seat, move in steps(game, row):
            left -= 1
            for kind, place in _places(game, picture, seat, move):
                places = found.setdefault(kind, {}).setdefault(name, {})
                moves, lost = places.get(place, BlunderPosition())
                places[place] = BlunderPosition(moves + 1, lost + loss)
            if picture.scale:
                scale = picture.scale.low, picture.scale.high
        if left <= 0:
            break
    return [_drawn(kind, found[kind], game, scale) for kind in (SCALE, OWN, THEIRS, SHARED, MOVE) if kind in found]


def steps(game: Game[Any], row: GameRecord) -> Iterator[tuple[str, float, Picture, int, str]]:
    """Every choice of a game: whose, what it gave away, what was seen, from which seat, and the move."""
    try:
        match = Match(game, 1, row.deal or "")
        for move, loss in zip(row.moves, row.losses, strict=True):
            if loss is not None and match.to_move:
                seat = match.to_move
                yield row.seats[seat - 1], loss, game.picture(match.view(seat), PLAYERS), seat, move
            match.play(move)
    except BitduelError:
        return


def _places(game: Game[Any], picture: Picture, seat: int, move: str) -> Iterator[tuple[str, Any]]:
    tokens = picture.scale.tokens if picture.scale else ()
    own = next((token.at for token in tokens if token.whose in (None, seat)), None)
    if own is not None:
        yield SCALE, own
    cells = [(row.whose, cell.label) for row in picture.rows for cell in row.cells if cell.move == move]
    for whose, label in cells:
        yield {None: SHARED, seat: OWN}.get(whose, THEIRS), label
    if not cells and move != PASS and len(game.moves) <= MOST_MOVES:
        yield MOVE, move


def _drawn(kind: str, found: dict[str, dict[Any, BlunderPosition]], game: Game[Any], scale: tuple[int, int]) -> Where:
    if kind == SCALE:
        return _binned(found, *scale)
    met = {place for places in found.values() for place in places}
    order = game.moves if kind == MOVE else sorted(met, key=lambda label: (len(label), label))
    labels = tuple(place for place in order if place in met)
    players = {name: tuple(places.get(label, BlunderPosition()) for label in labels) for name, places in found.items()}
    return Where(kind, labels, players)


def _binned(found: dict[str, dict[Any, BlunderPosition]], low: int, high: int) -> Where:
    """The scale in pieces of equal length, up to the last on which anybody stood."""
    last = min(high, max(at for places in found.values() for at in places))
    wide = -(-(last - low + 1) // MOST_BINS)
    starts = range(low, last + 1, wide)
    ends = [min(at + wide - 1, last) for at in starts]
    labels = tuple(str(at) if at == end else f"{at}-{end}" for at, end in zip(starts, ends, strict=True))
    players = {}
    for name, places in found.items():
        row = [BlunderPosition()] * len(starts)
        for at, place in places.items():
            piece = min(max(0, (at - low) // wide), len(row) - 1)
            row[piece] = BlunderPosition(row[piece].moves + place.moves, row[piece].lost + place.lost)
        players[name] = tuple(row)
    return Where(SCALE, labels, players)
