"""Views: what one seat, or a spectator, may see of a match."""

from dataclasses import dataclass
from typing import Any

from bitduel.core.options import OptionValue
from bitduel.core.outcomes import Outcome

UNSEEN = "?"
"""A move in a history that the viewer may not know."""


@dataclass(frozen=True, slots=True)
class View:
    """The part of a match that a seat may know; a player is given nothing else."""

    game: str
    options: dict[str, OptionValue]
    seat: int | None
    first: int
    to_move: int | None
    board: Any
    history: tuple[str, ...]
    legal: tuple[str, ...]
    over: Outcome | None
    deal: str | None
    repeating: tuple[str, ...] = ()
    """The legal moves that end the match by repetition."""
    position: Any = None
    """The position, in a game with perfect information."""

    @property
    def ply(self) -> int:
        """The number of moves made."""
        return len(self.history)

    @property
    def information_state(self) -> Any:
        """The key of what the player to move knows; what moves are worth depends on nothing else.

        It is the position, or what is seen of it and the number of moves made; and, if there are any, the moves
        that end the match by repetition.
        """
        seen = (self.board, self.ply) if self.position is None else self.position
        return (seen, self.repeating) if self.repeating else seen

    def as_dict(self) -> dict[str, object]:
        """Return the view as JSON-ready data."""
        return {
            "game": self.game,
            "options": dict(self.options),
            "seat": self.seat,
            "first": self.first,
            "to_move": self.to_move,
            "ply": self.ply,
            "board": self.board._asdict(),
            "history": list(self.history),
            "legal": list(self.legal),
            "over": self.over and self.over._asdict(),
            "deal": self.deal,
        }
