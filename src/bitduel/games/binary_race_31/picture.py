"""The picture of Binary Race to 31: two tokens on a track."""

from bitduel.core.match import other
from bitduel.core.picture import Picture, Place, Scale, Token
from bitduel.core.view import View


def draw(length: int, view: View, names: tuple[str, str]) -> Picture:
    """Both tokens between the beginning and the end of the track."""
    seat = view.seat or 1
    at = {seat: view.board.mine, other(seat): view.board.theirs}
    tokens = tuple(Token(names[s - 1], at[s], s) for s in (1, 2))
    caption = " ".join(f"{t.title} is at {t.at} of {length}." for t in tokens)
    places = tuple(Place(move, view.board.mine + int(move), seat) for move in view.legal)
    return Picture(caption, scale=Scale(0, length, tokens, places=places))
