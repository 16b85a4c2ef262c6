"""Neutral drawing data: what to draw, never how; each interface has one painter for all games."""

from enum import Enum
from typing import NamedTuple

from bitduel.core.evaluation import Evaluation

PER_ROW = 16
"""Spots of a chart in a row, a power of two."""


class Mark(Enum):
    """What a cell or token means; a painter gives each a sign of its own and, where it can, a colour."""

    ON = "on"
    OFF = "off"


class Cell(NamedTuple):
    """One square of a row, with the label that names it."""

    text: str
    label: str
    mark: Mark
    note: str = ""
    """Something quieter below the label."""
    move: str = ""
    """The move that switches it, where the one who looks can make it now."""


class Row(NamedTuple):
    """Cells side by side; whose says which seat they belong to (None for both)."""

    title: str
    cells: tuple[Cell, ...]
    whose: int | None = None


class Token(NamedTuple):
    """Something that stands on a scale; whose says which seat it belongs to (None for both)."""

    title: str
    at: int
    whose: int | None = None


class Place(NamedTuple):
    """Where on a scale a move leads that the one who looks can make now; whose token it moves (None for both)."""

    move: str
    at: int
    whose: int | None = None


class Scale(NamedTuple):
    """A line from low to high with tokens on it; span is the part that is still possible."""

    low: int
    high: int
    tokens: tuple[Token, ...]
    span: tuple[int, int] | None = None
    goal: bool = True
    """Whether the high end is what is to be reached."""
    places: tuple[Place, ...] = ()


class Picture(NamedTuple):
    """A whole picture, with a caption that says the same in words."""

    caption: str
    rows: tuple[Row, ...] = ()
    scale: Scale | None = None
    bare_caption: str = ""
    """The caption without the notes that a player could also keep in mind; empty where there are none."""

    def without_notes(self) -> "Picture":
        """The picture as a player sees it who keeps the notes in mind."""
        if not self.bare_caption:
            return self
        return Picture(self.bare_caption, self.rows)

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves that can be made on the picture itself."""
        switched = [cell.move for row in self.rows for cell in row.cells if cell.move]
        return (*switched, *(place.move for place in (self.scale.places if self.scale else ())))


class Spot(NamedTuple):
    """One place of a chart: what it is called and what it is worth."""

    label: str
    worth: Evaluation
    key: str = ""
    """How the position, or the choice of options, is written in an address; empty where the spot leads nowhere."""


class Chart(NamedTuple):
    """Who wins, over one thing (one row of spots) or over two (across and down)."""

    title: str
    across_title: str
    across: tuple[str, ...]
    spots: tuple[tuple[Spot | None, ...], ...]
    down_title: str = ""
    down: tuple[str, ...] = ()

    def wrapped(self, per_row: int = PER_ROW) -> tuple[tuple[Spot | None, ...], ...]:
        """One row of spots folded, numbers below each other that differ by a row: patterns live in binary."""
        spots, numbers = self.spots[0], self.across
        counted = all(label.isdigit() for label in numbers) and len(numbers) > per_row
        shift = int(numbers[0]) % per_row if counted else 0
        padded = (None,) * shift + spots
        return tuple(padded[i : i + per_row] for i in range(0, len(padded), per_row))
