"""What every painter of SVG uses: elements, texts, and the signs of the two seats."""

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from markupsafe import Markup, escape

WIDE = 340
EDGE = 14
LONGEST_TITLE = 20


class Part(NamedTuple):
    """A piece of a picture, how high it is, and what lies over it to be pressed."""

    svg: Markup
    height: float
    over: Markup = Markup("")


def shape(seat: int | None, size: float, wide: float = 0) -> Markup:
    """The sign of a seat: round for the first, a diamond for the second."""
    if seat == 2:
        points = f"{-size - wide - 3:g},0 {-wide:g},{-size - 1:g} {wide:g},{-size - 1:g} {size + wide + 3:g},0 "
        return tag("polygon", class_="sign", points=points + f"{wide:g},{size + 1:g} {-wide:g},{size + 1:g}")
    box = {"x": rounded(-size - wide), "y": -size, "width": rounded(2 * (size + wide)), "height": 2 * size}
    return tag("rect", class_="sign", rx=size if seat == 1 else 6, **box)


def heading(title: str, seat: int | None, y: float) -> Markup:
    """A name, after the sign of its seat."""
    short = title if len(title) <= LONGEST_TITLE else title[: LONGEST_TITLE - 1] + "…"
    if seat is None:
        return write(EDGE, y, short, "name")
    return tag("g", shape(seat, 6), transform=shifted(EDGE + 8, y - 5)) + write(EDGE + 24, y, short, "name")


def seated(kind: str, seat: int | None) -> str:
    """The class of something that belongs to a seat, or to both."""
    return kind if seat is None else f"{kind} seat-{seat}"


def write(x: float, y: float, said: object, kind: str, **attributes: object) -> Markup:
    """A text of some kind at a place."""
    return tag("text", said, class_=kind, x=rounded(x), y=rounded(y), **attributes)


def shifted(x: float, y: float) -> str:
    """The transformation that moves something to a place."""
    return f"translate({rounded(x)} {rounded(y)})"


def rounded(number: float) -> str:
    """A length, no more exact than anybody sees."""
    return f"{number:.1f}".removesuffix(".0")


def join(parts: Iterable[Markup]) -> Markup:
    """One piece after the other."""
    return Markup("".join(parts))


def tag(name: str, /, *content: object, **attributes: object) -> Markup:
    """An element; everything in it that is not markup is escaped."""
    given = "".join([f' {_named(key)}="{_safe(value)}"' for key, value in attributes.items()])
    return Markup(f"<{name}{given}>{''.join([_safe(each) for each in content])}</{name}>")


def _safe(value: object) -> str:
    """The same as markupsafe's escape, three times as fast for the many short texts of a picture."""
    if type(value) is Markup:
        return value
    if type(value) is not str:
        return str(value) if type(value) is int else escape(value)
    text = value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&#34;").replace("'", "&#39;")


@cache
def _named(key: str) -> str:
    """An attribute's name from a Python one: class_ is class, font_size is font-size."""
    return key.rstrip("_").replace("_", "-")
