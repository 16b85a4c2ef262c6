"""The positions of puzzles on the track: both players' places, the moves each needs, and the moves before."""

from dataclasses import dataclass
from functools import cached_property

from bitduel.core.lesson import LessonPosition
from bitduel.core.puzzle import Puzzle
from bitduel.games.binary_race_31.rules import LONGEST, TrackRules, moves_needed


@dataclass(frozen=True, kw_only=True)
class TrackPuzzle(Puzzle):
    """The base of all puzzles on the track: both players' places, and the moves that each needs."""

    game: TrackRules

    @cached_property
    def theirs(self) -> int:
        """The square of the opponent."""
        return int(self.parameters["theirs"])

    @cached_property
    def mine(self) -> int:
        """The square of the solver."""
        return int(self.parameters["mine"])

    @property
    def is_exact(self) -> bool:
        """Whether the end may not be passed."""
        return self.game.finish == "exact"

    @property
    def position(self) -> LessonPosition:
        """The race, after the fewest moves that lead both players there."""
        return LessonPosition(self.game, path_to(self.mine, self.theirs))

    def needed(self, square: int) -> int:
        """Count the moves from a square to the end."""
        return moves_needed(self.game.length - square, self.is_exact)

    @property
    def track(self) -> str:
        """The track and its finish, in words."""
        return f"The track has {self.game.length} steps. {_FINISH[str(self.game.finish)]}"

    @property
    def places(self) -> str:
        """The places of both players, in words."""
        return f"{self.track} You are at {self.mine}, your opponent at {self.theirs}. It's your move."

    @property
    def counting(self) -> str:
        """The way to count moves, in words."""
        length = self.game.length
        return f"count the 16s, then the 1s of the rest in binary, of {length} minus your square"


_FINISH = {
    "sample": "You may go past the end, but with 3 steps or fewer to go you may not move further than you need to.",
    "any": "You may go past the end.",
    "exact": "You must land exactly on the end.",
}


def moves_phrase(count: int) -> str:
    """Return a number of moves in words."""
    return "1 move" if count == 1 else f"{count} moves"


def path_to(mine: int, theirs: int) -> tuple[str, ...]:
    """Return the fewest moves that bring the player to move to one square and the other to another.

    If the other has moved once more, the player to move is Player 2.
    """
    for count in range(min(mine, theirs) + 1):
        for more in (0, 1):
            own, other = _parts(mine, count), _parts(theirs, count + more)
            if own is not None and other is not None:
                first, second = (other, own) if more else (own, other)
                return tuple(str(move) for pair in zip(first, (*second, 0), strict=False) for move in pair if move)
    raise ValueError(f"no moves lead to {mine} and {theirs}")


def _parts(steps: int, count: int) -> list[int] | None:
    """Split steps into a number of moves, as long as possible, the longest first; None if that cannot be done."""
    whole, rest = divmod(steps, LONGEST)
    parts = [LONGEST] * whole + [1 << bit for bit in reversed(range(4)) if rest >> bit & 1]
    if not len(parts) <= count <= steps:
        return None
    while len(parts) < count:
        split = max(parts) // 2
        parts.remove(2 * split)
        parts = sorted([*parts, split, split], reverse=True)
    return parts
