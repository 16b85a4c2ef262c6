"""SVG elements, the signs of the two seats, choices of moves, and the style sheets of the pictures."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from markupsafe import Markup, escape

WIDTH = 340
MARGIN = 14
LONGEST_TITLE = 20
STANDALONE = (
    "display: block; max-width: 420px; padding: 8px; background: var(--paper); font-family: system-ui, sans-serif"
)


_has_special = re.compile("[&<>\"']").search


class BoardChoice(NamedTuple):
    """A move on a board: its name, if it leads, and its evaluation if that may be shown."""

    move: str
    label: str
    leads: str
    key: str = ""
    evaluation: str = ""
    """win, loss or draw, or a chance in percent."""
    is_best: bool = False
    symbol: str = ""
    """The move as short as can be, such as +2."""
    is_legal: bool = True


BoardChoices = Mapping[str, BoardChoice]


class Part(NamedTuple):
    """A part of a picture, its height, and the places to which moves lead, drawn over it."""

    svg: Markup
    height: float
    landings: Markup = Markup("")


def tag(name: str, /, *content: object, **attributes: object) -> Markup:
    """Return an element; everything in it that is not markup is escaped."""
    parts = [f"<{name}"]
    for key, value in attributes.items():
        parts.append(f' {_attribute_name(key)}="{value if type(value) is int else _escape(value)}"')
    parts.append(">")
    for each in content:
        parts.append(each if type(each) is Markup else _escape(each))
    parts.append(f"</{name}>")
    return join(parts)


def _escape(value: object) -> str:
    """Return the same as markupsafe's escape, three times as fast for the many short texts of a picture."""
    if type(value) is Markup:
        return value
    if type(value) is not str:
        return str(value) if type(value) is int else escape(value)
    if not _has_special(value):
        return value
    text = value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&#34;").replace("'", "&#39;")


@cache
def _attribute_name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def join(parts: Iterable[str]) -> Markup:
    """Return the parts one after the other; all of them are markup."""
    return str.__new__(Markup, "".join(parts))  # Markup() would look for parts that know their own markup


def text_at(x: float, y: float, text: object, css_class: str, **attributes: object) -> Markup:
    """Return a text of a class at a point."""
    return tag("text", text, class_=css_class, x=rounded(x), y=rounded(y), **attributes)


def translate(x: float, y: float) -> str:
    """Return the transformation that moves an element to a point."""
    return f"translate({rounded(x)} {rounded(y)})"


def rounded(number: float) -> str:
    """Return a length with at most one decimal place."""
    return f"{number:.1f}".removesuffix(".0")


def seat_class(css_class: str, seat: int | None) -> str:
    """Return the classes of an element that belongs to a seat, or to both (None)."""
    return css_class if seat is None else f"{css_class} seat-{seat}"


def seat_sign(seat: int | None, size: float, extra: float = 0) -> Markup:
    """Return the sign of a seat, widened by `extra` on both sides: round for the first, a diamond for the second."""
    if seat == 2:
        points = f"{-size - extra - 3:g},0 {-extra:g},{-size - 1:g} {extra:g},{-size - 1:g} {size + extra + 3:g},0 "
        return tag("polygon", class_="sign", points=points + f"{extra:g},{size + 1:g} {-extra:g},{size + 1:g}")
    box = {"x": rounded(-size - extra), "y": -size, "width": rounded(2 * (size + extra)), "height": 2 * size}
    return tag("rect", class_="sign", rx=size if seat == 1 else 6, **box)


@cache
def seat_mark(seat: int | None) -> Markup:
    """Return the sign of a seat as a small picture for the text of a page; nothing for both seats."""
    if seat is None:
        return Markup("")
    hidden = {"aria_hidden": "true", "focusable": "false"}
    return tag("svg", seat_sign(seat, 8), class_=f"mark seat-{seat}", viewBox="-12 -12 24 24", **hidden)


def heading(title: str, seat: int | None, y: float) -> Markup:
    """Return a name after the sign of its seat."""
    short = title if len(title) <= LONGEST_TITLE else title[: LONGEST_TITLE - 1] + "…"
    if seat is None:
        return text_at(MARGIN, y, short, "name")
    sign = tag("g", seat_sign(seat, 6), transform=translate(MARGIN + 8, y - 5))
    return sign + text_at(MARGIN + 24, y, short, "name")


@cache
def style_sheet() -> str:
    """Return the colours and the rules of the pictures, for a page."""
    return "\n".join(files(__package__).joinpath(name).read_text("utf-8") for name in ("palette.css", "pictures.css"))


def standalone(svg: Markup) -> str:
    """Return a picture that needs no page: its colours are inside and touch nothing around it."""
    style = f"<style>{style_sheet().replace(':root', '.picture')}</style>"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" style="{STANDALONE}"'
    return str(svg).replace("<svg", head, 1).replace("</title>", f"</title>{style}", 1)
