"""The picture of Binary Race with bits: two rows of lamps."""

from bitduel.core.match import other
from bitduel.core.picture import Cell, Mark, Picture, Row
from bitduel.core.view import View


def draw(view: View, names: tuple[str, str]) -> Picture:
    """Both rows, lamp by lamp."""
    seat = view.seat or 1
    bits = {seat: view.board.mine, other(seat): view.board.theirs}
    rows = tuple(Row(names[s - 1], lamps(bits[s]), s) for s in (1, 2))
    caption = " ".join(f"{names[s - 1]} has {' '.join(bits[s])}." for s in (1, 2))
    return Picture(caption, rows=rows)


def lamps(bits: str) -> tuple[Cell, ...]:
    """One cell for each bit, labelled by its position."""
    return tuple(Cell(bit, str(i), Mark.ON if bit == "1" else Mark.OFF) for i, bit in enumerate(bits, 1))
