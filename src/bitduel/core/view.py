"""What one seat, or a spectator, may see of a match."""

from dataclasses import dataclass
from typing import Any

from bitduel.core.game import Outcome
from bitduel.core.options import Value

UNSEEN = "?"
"""Stands in a history for a move that the viewer may not know."""


@dataclass(frozen=True, slots=True)
class View:
    """All that a seat may know; nothing else ever reaches a player."""

    game: str
    options: dict[str, Value]
    seat: int | None
    first: int
    to_move: int | None
    board: Any
    history: tuple[str, ...]
    legal: tuple[str, ...]
    over: Outcome | None
    deal: str | None

    @property
    def ply(self) -> int:
        """How many moves have been made."""
        return len(self.history)

    def as_dict(self) -> dict[str, object]:
        """The view as JSON-ready data."""
        over = self.over and {"winner": self.over.winner, "reason": self.over.reason}
        return {
            "game": self.game,
            "options": self.options,
            "seat": self.seat,
            "first": self.first,
            "to_move": self.to_move,
            "ply": self.ply,
            "board": self.board._asdict(),
            "history": list(self.history),
            "legal": list(self.legal),
            "over": over,
            "deal": self.deal,
        }
