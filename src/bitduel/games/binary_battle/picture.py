"""The picture of Binary Battle: one's own bits, and the interval the secret can still be in."""

from bitduel.core.match import other
from bitduel.core.picture import Cell, Mark, Picture, Row, Scale, Token
from bitduel.core.view import View


def draw(bits: int, view: View, names: tuple[str, str]) -> Picture:
    """The rows that may be seen, above the scale of all numbers with the possible ones marked."""
    seat = view.seat or 1
    seen = [(seat, view.board.mine), (other(seat), view.board.theirs)]
    rows = tuple(
        Row(names[s - 1], cells(row, view.legal if s == view.seat else ()), s)
        for s, row in sorted(seen)
        if row is not None
    )
    tokens = tuple(Token(names[s - 1], int(row, 2), s) for s, row in sorted(seen) if row is not None)
    scale = Scale(0, (1 << bits) - 1, tokens, span=(view.board.low, view.board.high), goal=False)
    numbers = " ".join(f"{token.title} has {token.at}." for token in tokens)
    return Picture(f"{numbers} {known(view)}".strip(), rows, scale, bare_caption=numbers if not view.over else "")


def cells(row: str, legal: tuple[str, ...]) -> tuple[Cell, ...]:
    """One cell for each bit, labelled by its position from the left, with what it is worth as a note."""
    size = len(row)
    toggles = [move if (move := f"toggle {place}") in legal else "" for place in range(1, size + 1)]
    return tuple(
        Cell(bit, str(place), Mark.ON if bit == "1" else Mark.OFF, str(1 << size - place), toggles[place - 1])
        for place, bit in enumerate(row, 1)
    )


def known(view: View) -> str:
    """Where the secret can be, in words."""
    low, high = view.board.low, view.board.high
    return f"The secret is {low}." if low == high else f"The secret is from {low} to {high}."
