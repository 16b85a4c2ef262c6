"""What one seat, or a spectator, may see of a match."""

from dataclasses import dataclass
from typing import Any

from bitduel.core.endings import Outcome
from bitduel.core.options import Setting

UNSEEN = "?"
"""Stands in a history for a move that the viewer may not know."""


@dataclass(frozen=True, slots=True)
class View:
    """All that a seat may know; nothing else ever reaches a player."""

    game: str
    options: dict[str, Setting]
    seat: int | None
    first: int
    to_move: int | None
    board: Any
    history: tuple[str, ...]
    legal: tuple[str, ...]
    over: Outcome | None
    deal: str | None
    repeating: tuple[str, ...] = ()
    """Of the legal moves those that end the match by repetition."""
    position: Any = None
    """The position itself, in a game that hides nothing from anybody."""

    @property
    def ply(self) -> int:
        """How many moves have been made."""
        return len(self.history)

    @property
    def sight(self) -> Any:
        """What the player to move goes by, as a key: what moves are worth does not depend on how it came about.

        It is the position, or what is seen of it and how many moves were made; and which moves end the match by
        repetition, where any do.
        """
        seen = (self.board, self.ply) if self.position is None else self.position
        return (seen, self.repeating) if self.repeating else seen

    def as_dict(self) -> dict[str, object]:
        """The view as JSON-ready data."""
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
