"""Pictures for where a link is posted: 1200 by 630, complete in themselves, and legible without any font."""

import re
from collections.abc import Sequence
from xml.etree import ElementTree

from markupsafe import Markup

from bitduel.core.picture import Picture
from bitduel.rendering.board import miniature_svg, picture_svg
from bitduel.rendering.plain import colour, plain_style
from bitduel.rendering.strokes import drawn_digits
from bitduel.rendering.svg import join, tag

WIDE, TALL = 1200, 630
MARGIN = 44
SVG = "http://www.w3.org/2000/svg"
_BOX = re.compile(r'<svg[^>]*viewBox="([^"]+)"[^>]*>(.*)</svg>', re.DOTALL)

ElementTree.register_namespace("", SVG)


def card_svg(picture: Picture, lettered: bool = True) -> str:
    """One position on a card; without letters its numbers are drawn as strokes, and words are left out."""
    frame = (MARGIN, MARGIN, WIDE - 2 * MARGIN, TALL - 2 * MARGIN)
    return _document([_framed(picture_svg(picture), frame, 28)], lettered)


def cover_svg(pictures: Sequence[Picture], lettered: bool = True) -> str:
    """A few positions side by side."""
    gap = MARGIN // 2
    wide = (WIDE - 2 * MARGIN - gap * (len(pictures) - 1)) / max(1, len(pictures))
    top, tall = 120, TALL - 2 * 120
    places = [(MARGIN + number * (wide + gap), top, wide, tall) for number in range(len(pictures))]
    framed = [
        _framed(miniature_svg(each), place, 24, "picture miniature")
        for each, place in zip(pictures, places, strict=True)
    ]
    return _document(framed, lettered)


def _framed(svg: Markup, place: tuple[float, float, float, float], inside: float, kind: str = "picture") -> Markup:
    """A drawing as large as its frame allows, in the middle of it."""
    x, y, wide, tall = place
    frame = tag("rect", x=x, y=y, width=wide, height=tall, rx=28, fill=colour("--card"), stroke=colour("--line"))
    found = _BOX.match(svg)
    assert found
    room = {"x": x + inside, "y": y + inside, "width": wide - 2 * inside, "height": tall - 2 * inside}
    return frame + tag("svg", tag("g", Markup(found[2]), class_=kind), viewBox=found[1], **room)


def _document(parts: Sequence[Markup], lettered: bool) -> str:
    ground = tag("rect", width=WIDE, height=TALL, fill=colour("--paper"))
    style = Markup("<style>{}</style>").format(Markup(plain_style()))
    box = {"viewBox": f"0 0 {WIDE} {TALL}", "width": WIDE, "height": TALL}
    svg = tag("svg", style, ground, join(parts), xmlns=SVG, font_family="sans-serif", **box)
    return str(svg) if lettered else _without_letters(str(svg))


def _without_letters(svg: str) -> str:
    root = ElementTree.fromstring(svg)
    for parent in root.iter():
        for number, child in enumerate(list(parent)):
            if child.tag == f"{{{SVG}}}text":
                parent[number] = drawn_digits(child)
    return ElementTree.tostring(root, encoding="unicode")
