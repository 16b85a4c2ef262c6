"""Cards for link previews: 1200 by 630, for programs that know less CSS than a browser and may have no font."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from markupsafe import Markup

from bitduel.core.picture import Picture
from bitduel.rendering.board import miniature_svg, picture_svg
from bitduel.rendering.svg import join, style_sheet, tag

WIDTH, HEIGHT = 1200, 630
MARGIN = 44
SVG = "http://www.w3.org/2000/svg"
_CONTENT = re.compile(r'<svg[^>]*viewBox="([^"]+)"[^>]*>(.*)</svg>', re.DOTALL)

ElementTree.register_namespace("", SVG)


def card_svg(picture: Picture, has_font: bool = True) -> str:
    """Draw one position on a card; without a font, numbers are drawn as strokes and words left out."""
    frame = (MARGIN, MARGIN, WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN)
    return _document([_framed(picture_svg(picture), frame, 28, "picture")], has_font)


def cover_svg(pictures: Sequence[Picture], has_font: bool = True) -> str:
    """Draw a few positions side by side on a card."""
    gap = MARGIN // 2
    width = (WIDTH - 2 * MARGIN - gap * (len(pictures) - 1)) / max(1, len(pictures))
    top, height = 120, HEIGHT - 2 * 120
    framed = [
        _framed(miniature_svg(each), (MARGIN + number * (width + gap), top, width, height), 24, "picture miniature")
        for number, each in enumerate(pictures)
    ]
    return _document(framed, has_font)


def _framed(svg: Markup, frame: tuple[float, float, float, float], padding: float, css_class: str) -> Markup:
    """Return a drawing in the middle of a frame, as large as that allows."""
    x, y, width, height = frame
    content = _CONTENT.match(svg)
    assert content
    rect = tag("rect", x=x, y=y, width=width, height=height, rx=28, fill=colour("--card"), stroke=colour("--line"))
    box = {"x": x + padding, "y": y + padding, "width": width - 2 * padding, "height": height - 2 * padding}
    return rect + tag("svg", tag("g", Markup(content[2]), class_=css_class), viewBox=content[1], **box)


def _document(parts: Sequence[Markup], has_font: bool) -> str:
    ground = tag("rect", width=WIDTH, height=HEIGHT, fill=colour("--paper"))
    style = Markup("<style>{}</style>").format(Markup(plain_style()))
    box = {"viewBox": f"0 0 {WIDTH} {HEIGHT}", "width": WIDTH, "height": HEIGHT}
    svg = str(tag("svg", style, ground, join(parts), xmlns=SVG, font_family="sans-serif", **box))
    if has_font:
        return svg
    root = ElementTree.fromstring(svg)
    for parent in root.iter():
        for number, child in enumerate(list(parent)):
            if child.tag == f"{{{SVG}}}text":
                parent[number] = digit_strokes(child)
    return ElementTree.tostring(root, encoding="unicode")


FONT_SIZES = {"digit": 20.0, "number": 20.0, "goal": 13.0, "known": 14.0, "note": 10.0}
"""The size of a text by its class, if it has none of its own."""
DEFAULT_FONT_SIZE = 12.0

BARS = {
    "a": (0.0, 0.0, 0.5, 0.12),
    "b": (0.38, 0.0, 0.12, 0.42),
    "c": (0.38, 0.3, 0.12, 0.42),
    "d": (0.0, 0.6, 0.5, 0.12),
    "e": (0.0, 0.3, 0.12, 0.42),
    "f": (0.0, 0.0, 0.12, 0.42),
    "g": (0.0, 0.3, 0.5, 0.12),
}
"""The bars of a seven-segment digit as x, y, width and height, in parts of the size; y from its top."""
DIGITS = ("abcdef", "bc", "abged", "abgcd", "fgbc", "afgcd", "afgedc", "abc", "abcdefg", "abcdfg")
DIGIT_HEIGHT, DIGIT_STEP = 0.72, 0.64


def digit_strokes(text: Element) -> Element:
    """Return a path in place of a text of digits, or an empty group in place of words."""
    digits = "".join(text.itertext()).replace("\u202f", "").strip()
    if not (digits.isascii() and digits.isdigit()):
        return Element("g")
    classes = text.get("class", "").split()
    class_sizes = (FONT_SIZES[name] for name in classes if name in FONT_SIZES)
    size = float(text.get("font-size") or next(class_sizes, DEFAULT_FONT_SIZE))
    width = (DIGIT_STEP * len(digits) - (DIGIT_STEP - 0.5)) * size
    left = float(text.get("x", 0)) - (0 if "from" in classes else width if "to" in classes else width / 2)
    top = float(text.get("y", 0)) - DIGIT_HEIGHT * size
    path = "".join(_digit(int(digit), left + DIGIT_STEP * size * at, top, size) for at, digit in enumerate(digits))
    return Element("path", {"class": " ".join(classes), "d": path})


def _digit(digit: int, left: float, top: float, size: float) -> str:
    bars = (BARS[bar] for bar in DIGITS[digit])
    return "".join(
        f"M{left + size * x:.2f} {top + size * y:.2f}h{size * w:.2f}v{size * h:.2f}h{-size * w:.2f}z"
        for x, y, w, h in bars
    )


SEATS = (".seat-1", ".seat-2")
DRAWN = re.compile(r"(fill|stroke|font|opacity|text|display|visibility)\b")
"""The properties of shapes and texts; all others are for pages."""

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_AT_RULE = re.compile(r"@[^{;]*\{(?:[^{}]|\{[^{}]*\})*\}")
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_INNERMOST = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)")

Declarations = list[tuple[str, str]]
Variables = Mapping[str, str]


@cache
def plain_style() -> str:
    """Return the style sheet with its variables replaced by the light colours, if they differ for each seat."""
    lines = []
    for selectors, declarations in _rules():
        for selector in [each.strip() for each in selectors.split(",") if not set(":[>~+*") & set(each)]:
            shared = _plain(declarations, _variables(":root"))
            bodies = {selector: shared}
            for seat in SEATS:
                own = _plain(declarations, {**_variables(":root"), **_variables(seat)})
                if own != shared:
                    bodies[f"{seat} {selector.partition(' ')[2] or selector}"] = own
            lines += [f"{name} {{ {body} }}" for name, body in bodies.items() if body]
    return "\n".join(lines)


@cache
def colour(name: str) -> str:
    """Return a colour of the light palette."""
    return _variables(":root")[name]


def light_palette() -> str:
    """Return the declarations of the light palette, for a page that is light whatever the browser prefers."""
    return " ".join(f"{name}: {value};" for name, value in _variables(":root").items())


@cache
def _rules() -> list[tuple[str, Declarations]]:
    sheet = _AT_RULE.sub("", _COMMENT.sub("", style_sheet()))
    return [(selectors.strip(), _declarations(body)) for selectors, body in _RULE.findall(sheet)]


def _declarations(body: str) -> Declarations:
    parts = (declaration.partition(":") for declaration in body.split(";"))
    return [(name.strip(), value.strip()) for name, _, value in parts if name.strip()]


@cache
def _variables(selector: str) -> Variables:
    rules = (declarations for selectors, declarations in _rules() if selectors == selector)
    own = {name: value for declarations in rules for name, value in declarations if name.startswith("--")}
    known = own if selector == ":root" else {**_variables(":root"), **own}
    return {name: _resolved(value, known) for name, value in own.items()}


def _plain(declarations: Declarations, variables: Variables) -> str:
    """Return the body of a rule without what only a browser knows."""
    resolved = [(name, _resolved(value, variables)) for name, value in declarations if DRAWN.match(name)]
    known = [(name, value) for name, value in resolved if "(" not in value and value != "inherit"]
    return "; ".join(f"{name}: {_font_weight(value) if name == 'font-weight' else value}" for name, value in known)


def _font_weight(weight: str) -> str:
    """Return the next weight that fonts have."""
    return str(-(-int(weight) // 100) * 100) if weight.isdigit() else weight


def _resolved(value: str, variables: Variables) -> str:
    """Replace variables from the innermost out; an unknown one leaves a parenthesis."""

    def replacement(match: re.Match[str]) -> str:
        return variables.get(match[1]) or (match[2] or "").strip() or "unknown()"

    while (changed := _INNERMOST.sub(replacement, value)) != value:
        value = changed
    return value
