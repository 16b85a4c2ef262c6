"""The puzzles on the track from which a deck may choose, in a fixed order."""

from collections.abc import Iterator

from bitduel.core.errors import BitduelError
from bitduel.core.lesson import LessonPosition
from bitduel.core.puzzle import Puzzle
from bitduel.games.binary_race_31.puzzle_positions import path_to
from bitduel.games.binary_race_31.puzzles import Route, Thrift, WinningSquares
from bitduel.games.binary_race_31.rules import TrackRules, moves_needed

LENGTHS = (31, 41, 47, 63)
"""The tracks of the puzzles, the usual one first."""
WINDOWS = (12, 16, 24)
THRIFT_ODDS = 8
"""The odds against guessing the moves of a thrifty win, at least."""


def generate_track_puzzles(kind: type[TrackRules]) -> Iterator[Puzzle]:
    """Yield thrifty wins, routes and windows of squares on several tracks, in all readings of the finish."""
    for length in LENGTHS:
        for finish in ("sample", "any", "exact"):
            game = kind(length=length, finish=finish)
            yield from _thrifty(game)
            if finish != "any":
                yield from _windows(game)
        yield from _routes(game)


def _pairs(game: TrackRules) -> Iterator[tuple[int, int]]:
    """Yield a reachable pair of squares for each square of the solver and number of moves that the opponent needs."""
    seen = set()
    for mine in range(game.length):
        for theirs in range(game.length):
            key = mine, moves_needed(game.length - theirs, game.finish == "exact")
            if key not in seen and _can_be_reached(game, mine, theirs):
                seen.add(key)
                yield mine, theirs


def _can_be_reached(game: TrackRules, mine: int, theirs: int) -> bool:
    try:
        return LessonPosition(game, path_to(mine, theirs)).match.outcome is None
    except (ValueError, BitduelError):
        return False


def _thrifty(game: TrackRules) -> Iterator[Puzzle]:
    for mine, theirs in _pairs(game):
        puzzle = Thrift(game=game, parameters={"mine": str(mine), "theirs": str(theirs)})
        is_won = puzzle.needed(mine) <= puzzle.needed(theirs)
        if is_won and len({move for move, _ in puzzle.moves}) > 1 and puzzle.odds * THRIFT_ODDS <= 1:
            yield puzzle


def _routes(game: TrackRules) -> Iterator[Puzzle]:
    for mine, theirs in _pairs(game):
        puzzle = Route(game=game, parameters={"mine": str(mine), "theirs": str(theirs)})
        if 2 <= puzzle.needed(mine) == puzzle.needed(theirs):
            yield puzzle


def _windows(game: TrackRules) -> Iterator[Puzzle]:
    seen = set()
    for theirs in range(1, game.length):
        for length in WINDOWS:
            for low in range(0, game.length - length + 1, 4):
                parameters = {"theirs": str(theirs), "from": str(low), "to": str(low + length - 1)}
                puzzle = WinningSquares(game=game, parameters=parameters)
                key = puzzle.needed(theirs), low, length
                if key not in seen and 2 <= len(puzzle.marks) <= length - 2:
                    seen.add(key)
                    yield puzzle
