"""The picture of Binary Race with bits: two rows of lamps."""

from bitduel.core.match import other
from bitduel.core.picture import Cell, Mark, Picture, Row
from bitduel.core.view import View


def draw(view: View, names: tuple[str, str]) -> Picture:
    """Both rows, lamp by lamp."""
    seat = view.seat or 1
    bits = {seat: view.board.mine, other(seat): view.board.theirs}
    kind = {seat: "flip", other(seat): "reset"}
    rows = tuple(Row(names[s - 1], lamps(bits[s], kind[s], view.legal), s) for s in (1, 2))
    caption = " ".join(f"{names[s - 1]} has {' '.join(bits[s])}." for s in (1, 2))
    return Picture(caption, rows=rows)


def lamps(bits: str, kind: str, legal: tuple[str, ...]) -> tuple[Cell, ...]:
    """One cell for each bit, labelled by its position, with what can be done to it now."""
    marks = [Mark.ON if bit == "1" else Mark.OFF for bit in bits]
    moves = [move if (move := f"{kind} {i}") in legal else "" for i in range(1, len(bits) + 1)]
    return tuple(
        Cell(bit, str(i), mark, move=move)
        for i, (bit, mark, move) in enumerate(zip(bits, marks, moves, strict=True), 1)
    )
