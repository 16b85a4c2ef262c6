"""A whole match as one animated SVG file: what does not change is drawn once."""

import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from bitduel.core.picture import Picture
from bitduel.rendering.board import miniature_svg
from bitduel.rendering.svg import style_sheet

FRAME_SECONDS = 1.3
LINGER_FRAMES = 3
"""The last frame is shown this much longer."""

GLIDE = 0.35
"""The part of a frame in which elements move to their next place."""

DARK_THEME = "@media (prefers-color-scheme: dark)"
TRANSLATION = re.compile(r"translate\((\S+ \S+)\)")


def animation_svg(pictures: Sequence[Picture], is_dark: bool = False) -> str:
    """Draw the pictures one after another in a loop; a single one does not move."""
    frames = [ElementTree.fromstring(miniature_svg(picture)) for picture in pictures]
    (root,) = _merged(frames, _Timeline(len(frames)))
    root.set("xmlns", "http://www.w3.org/2000/svg")
    del root.attrib["focusable"]
    style = Element("style")
    style.text = _style(is_dark)
    root.insert(0, style)
    return ElementTree.tostring(root, encoding="unicode")


@cache
def _style(is_dark: bool) -> str:
    """Return the colours of one theme: a picture in a page cannot ask the page for its theme."""
    media = "@media all" if is_dark else "@media not all"
    sheet = style_sheet().replace(DARK_THEME, media).replace(":root", ".picture")
    sheet = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)
    return re.sub(r"\s*([{};:,])\s+", r"\1", sheet).replace(";}", "}").strip()


class _Timeline:
    """The times of the frames, and animations over them."""

    def __init__(self, count: int) -> None:
        self.total = count + LINGER_FRAMES
        self.seconds = f"{self.total * FRAME_SECONDS:g}s"

    def time(self, frame: float) -> str:
        """Return the time of a frame as a fraction of the whole."""
        return f"{frame / self.total:.4f}".rstrip("0").rstrip(".").removeprefix("0") or "0"

    def steps(self, name: str, values: Sequence[str]) -> Element:
        """Return the animation of an attribute that jumps from value to value."""
        changes = [at for at, value in enumerate(values) if not at or value != values[at - 1]]
        frames, times = ";".join(values[at] for at in changes), ";".join(map(self.time, changes))
        return self._element("animate", attributeName=name, calcMode="discrete", values=frames, keyTimes=times)

    def glides(self, places: Sequence[str]) -> Element:
        """Return the animation of an element that moves from place to place."""
        values, times = [places[0]], ["0"]
        for at, (before, after) in enumerate(pairwise(places), 1):
            if before != after:
                values += [before, after]
                times += [self.time(at), self.time(at + GLIDE)]
        keys = {"values": ";".join([*values, values[-1]]), "keyTimes": ";".join([*times, "1"])}
        return self._element("animateTransform", **keys, attributeName="transform", type="translate")

    def _element(self, tag: str, **attributes: str) -> Element:
        return Element(tag, {**attributes, "dur": self.seconds, "repeatCount": "indefinite"})


def _merged(nodes: Sequence[Element], timeline: _Timeline) -> list[Element]:
    """Return the same element of every frame as one that changes, or as one after the other if they differ."""
    first = nodes[0]
    if any(node.tag != first.tag or len(node) != len(first) for node in nodes) or _is_shorter_apart(nodes):
        return _alternating(nodes, timeline, lambda node: ElementTree.tostring(node, encoding="unicode"))
    if any(node.text != first.text for node in nodes):
        return _alternating(nodes, timeline, lambda node: node.text or "")
    return [_changing(nodes, timeline)]


def _is_shorter_apart(nodes: Sequence[Element]) -> bool:
    """Return whether a childless element has more attributes that change than it has different states."""
    if len(nodes[0]) or nodes[0].get("transform"):
        return False
    states = {tuple(sorted(node.items())) for node in nodes}
    return sum(len({node.get(name) for node in nodes}) > 1 for name in nodes[0].attrib) >= len(states) > 1


def _changing(nodes: Sequence[Element], timeline: _Timeline) -> Element:
    """Return one element whose attributes and children change."""
    first = nodes[0]
    element = Element(first.tag, first.attrib)
    element.text = first.text
    for name in first.attrib:
        values = [node.get(name, "") for node in nodes]
        if len(set(values)) > 1:
            places = [place[1] for value in values if (place := TRANSLATION.fullmatch(value))]
            is_moving = name == "transform" and len(places) == len(values)
            element.append(timeline.glides(places) if is_moving else timeline.steps(name, values))
    for children in zip(*nodes, strict=True):
        element.extend(_merged(children, timeline))
    return element


def _alternating(nodes: Sequence[Element], timeline: _Timeline, key: Callable[[Element], str]) -> list[Element]:
    """Return one element for each different key, displayed in its own frames only."""
    keys = [key(node) for node in nodes]
    elements = []
    for each in dict.fromkeys(keys):
        stand_in = nodes[keys.index(each)]
        alike = [node if other == each else stand_in for node, other in zip(nodes, keys, strict=True)]
        element = _changing(alike, timeline)
        element.append(timeline.steps("display", ["inline" if other == each else "none" for other in keys]))
        elements.append(element)
    return elements
