"""Drawing data of games and charts: what to draw, not how; each interface draws it in one place."""

from enum import Enum
from typing import NamedTuple

from bitduel.core.evaluation import Evaluation

PER_ROW = 16
"""Cells of a chart in a row: a power of two, because the patterns are binary."""


class Mark(Enum):
    """The state of a cell; each has its own sign and colour."""

    ON = "on"
    OFF = "off"


class Cell(NamedTuple):
    """One square of a row, with its label."""

    text: str
    label: str
    mark: Mark
    note: str = ""
    """A smaller text below the label."""
    move: str = ""
    """The move that switches the cell, where the viewer can make it now."""
    makes: str = ""
    """The number that the move makes, where the cells are the digits of one."""
    is_safe: bool | None = None
    """Whether nobody can switch the cell off now; None where the game has no such cells."""


class Row(NamedTuple):
    """A row of cells, and the seat that it belongs to (None for both)."""

    title: str
    cells: tuple[Cell, ...]
    seat: int | None = None


class Token(NamedTuple):
    """A token on a scale, and the seat that it belongs to (None for both)."""

    title: str
    at: int
    seat: int | None = None


class MoveTarget(NamedTuple):
    """The place on a scale to which a move of the viewer leads, and the seat of the token (None for both)."""

    move: str
    at: int
    seat: int | None = None


class Scale(NamedTuple):
    """A line from low to high with tokens on it; the span is the part that is still possible."""

    low: int
    high: int
    tokens: tuple[Token, ...]
    span: tuple[int, int] | None = None
    has_goal: bool = True
    """Whether the high end is the goal."""
    targets: tuple[MoveTarget, ...] = ()
    trail: tuple[Token, ...] = ()
    """The places where a shared token has been, each with the seat that moved it there."""


class Picture(NamedTuple):
    """A picture of a view, with a caption that says the same in words."""

    caption: str
    rows: tuple[Row, ...] = ()
    scale: Scale | None = None
    bare_caption: str = ""
    """The caption without notes that a player could also remember; empty if there are none."""

    def without_safety(self) -> "Picture":
        """Return the picture without what says which cells are safe."""
        rows = (row._replace(cells=tuple(cell._replace(is_safe=None) for cell in row.cells)) for row in self.rows)
        return self._replace(rows=tuple(rows))

    def without_notes(self) -> "Picture":
        """Return the picture without the notes that a player could remember."""
        if not self.bare_caption:
            return self
        return Picture(self.bare_caption, self.rows)

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves that can be made on the picture."""
        on_cells = [cell.move for row in self.rows for cell in row.cells if cell.move]
        return (*on_cells, *(target.move for target in (self.scale.targets if self.scale else ())))


class ChartCell(NamedTuple):
    """One cell of a chart, with its label and its evaluation."""

    label: str
    evaluation: Evaluation
    key: str = ""
    """The position, or the options, as written in an address; empty where the cell leads nowhere."""


class Chart(NamedTuple):
    """A chart of who wins, over one variable (one row of cells) or two (across and down)."""

    title: str
    across_title: str
    across: tuple[str, ...]
    cells: tuple[tuple[ChartCell | None, ...], ...]
    down_title: str = ""
    down: tuple[str, ...] = ()

    def wrapped(self, per_row: int = PER_ROW) -> tuple[tuple[ChartCell | None, ...], ...]:
        """Return the single row of a chart in rows of equal length, aligned so that a column is a remainder."""
        labels = self.across
        is_numbered = all(label.isdigit() for label in labels) and len(labels) > per_row
        padded = (None,) * (int(labels[0]) % per_row if is_numbered else 0) + self.cells[0]
        return tuple(padded[i : i + per_row] for i in range(0, len(padded), per_row))
