"""Digits of seven bars, for where no font is installed."""

from xml.etree.ElementTree import Element

SIZES = {"digit": 20.0, "number": 20.0, "goal": 13.0, "known": 14.0, "note": 10.0}
"""How large a text is by its class, where it does not say so itself."""
USUAL = 12.0

BARS = {
    "a": (0.0, 0.0, 0.5, 0.12),
    "b": (0.38, 0.0, 0.12, 0.42),
    "c": (0.38, 0.3, 0.12, 0.42),
    "d": (0.0, 0.6, 0.5, 0.12),
    "e": (0.0, 0.3, 0.12, 0.42),
    "f": (0.0, 0.0, 0.12, 0.42),
    "g": (0.0, 0.3, 0.5, 0.12),
}
"""Each bar as x, y, width and height, in parts of the size; y from the top of the digit."""
LIT = {
    "0": "abcdef",
    "1": "bc",
    "2": "abged",
    "3": "abgcd",
    "4": "fgbc",
    "5": "afgcd",
    "6": "afgedc",
    "7": "abc",
    "8": "abcdefg",
    "9": "abcdfg",
}
TALL, STEP = 0.72, 0.64


def drawn_digits(text: Element) -> Element:
    """A path in place of a text of digits, in the same place and colour; an empty group in place of words."""
    said = "".join(text.itertext()).replace("\u202f", "").strip()
    if not (said.isascii() and said.isdigit()):
        return Element("g")
    kinds = text.get("class", "").split()
    size = float(text.get("font-size") or next((SIZES[kind] for kind in kinds if kind in SIZES), USUAL))
    wide = (STEP * len(said) - (STEP - 0.5)) * size
    left = float(text.get("x", 0)) - (0 if "from" in kinds else wide if "to" in kinds else wide / 2)
    top = float(text.get("y", 0)) - TALL * size
    path = "".join(_digit(digit, left + STEP * size * at, top, size) for at, digit in enumerate(said))
    return Element("path", {"class": " ".join(kinds), "d": path})


def _digit(digit: str, left: float, top: float, size: float) -> str:
    return "".join(
        _bar(left + size * x, top + size * y, size * w, size * h) for x, y, w, h in (BARS[bar] for bar in LIT[digit])
    )


def _bar(x: float, y: float, wide: float, tall: float) -> str:
    return f"M{x:.2f} {y:.2f}h{wide:.2f}v{tall:.2f}h{-wide:.2f}z"
