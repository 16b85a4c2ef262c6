"""A whole match as one small moving picture in a file of its own: what does not change is drawn once."""

import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from bitduel.core.picture import Picture
from bitduel.rendering.board import miniature_svg
from bitduel.rendering.style import style_sheet

SECONDS = 1.3
"""How long a position stands."""

LINGER = 3
"""So much longer stands the last one."""

GLIDE = 0.35
"""The part of that time in which things move to the next place."""

DARK = "@media (prefers-color-scheme: dark)"
PLACE = re.compile(r"translate\((\S+ \S+)\)")


def film_svg(pictures: Sequence[Picture], dark: bool = False) -> str:
    """The pictures one after the other, again and again; alone, they are one that stands still."""
    frames = [ElementTree.fromstring(miniature_svg(picture)) for picture in pictures]
    clock = _Clock(len(frames))
    (film,) = _merged(frames, clock)
    film.set("xmlns", "http://www.w3.org/2000/svg")
    del film.attrib["focusable"]
    style = Element("style")
    style.text = _style(dark)
    film.insert(0, style)
    return ElementTree.tostring(film, encoding="unicode")


@cache
def _style(dark: bool) -> str:
    """The colours of one theme: a picture in a page cannot ask the page which one it has."""
    sheet = style_sheet().replace(DARK, "@media all" if dark else "@media not all").replace(":root", ".picture")
    sheet = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)
    return re.sub(r"\s*([{};:,])\s+", r"\1", sheet).replace(";}", "}").strip()


class _Clock:
    """When each frame comes; nothing moves where there is only one."""

    def __init__(self, count: int) -> None:
        self.total = count + LINGER
        self.seconds = f"{self.total * SECONDS:g}s"

    def at(self, frame: float) -> str:
        """The moment of a frame as a part of the whole."""
        return f"{frame / self.total:.4f}".rstrip("0").rstrip(".").removeprefix("0") or "0"

    def steps(self, name: str, values: Sequence[str]) -> Element:
        """An attribute that changes at once, told only when it does."""
        changes = [at for at, value in enumerate(values) if not at or value != values[at - 1]]
        times, told = ";".join(map(self.at, changes)), ";".join(values[at] for at in changes)
        return self._element("animate", attributeName=name, calcMode="discrete", values=told, keyTimes=times)

    def glides(self, places: Sequence[str]) -> Element:
        """A place that something moves to."""
        told, times = [places[0]], ["0"]
        for at, (before, after) in enumerate(pairwise(places), 1):
            if before != after:
                told += [before, after]
                times += [self.at(at), self.at(at + GLIDE)]
        told, times = [*told, told[-1]], [*times, "1"]
        given = {"attributeName": "transform", "type": "translate"}
        return self._element("animateTransform", values=";".join(told), keyTimes=";".join(times), **given)

    def _element(self, tag: str, **attributes: str) -> Element:
        return Element(tag, {**attributes, "dur": self.seconds, "repeatCount": "indefinite"})


def _merged(nodes: Sequence[Element], clock: _Clock) -> list[Element]:
    """The same element of every frame as one that changes, or where they are not alike, one after the other."""
    first = nodes[0]
    if any(node.tag != first.tag or len(node) != len(first) for node in nodes) or _changes_as_one(nodes):
        return _alternating(nodes, clock, lambda node: ElementTree.tostring(node, encoding="unicode"))
    if any(node.text != first.text for node in nodes):
        return _alternating(nodes, clock, lambda node: node.text or "")
    return [_changing(nodes, clock)]


def _changes_as_one(nodes: Sequence[Element]) -> bool:
    """Whether a thing without parts changes in more ways than it has looks: then it is shorter to draw each look."""
    if len(nodes[0]) or nodes[0].get("transform"):
        return False
    looks = {tuple(sorted(node.items())) for node in nodes}
    return sum(len({node.get(name) for node in nodes}) > 1 for name in nodes[0].attrib) >= len(looks) > 1


def _changing(nodes: Sequence[Element], clock: _Clock) -> Element:
    """One element whose attributes and parts change."""
    first = nodes[0]
    made = Element(first.tag, first.attrib)
    made.text = first.text
    for name in first.attrib:
        values = [node.get(name, "") for node in nodes]
        if len(set(values)) > 1:
            places = [PLACE.fullmatch(value) for value in values]
            moving = name == "transform" and all(places)
            made.append(clock.glides([place[1] for place in places if place]) if moving else clock.steps(name, values))
    for parts in zip(*nodes, strict=True):
        made.extend(_merged(parts, clock))
    return made


def _alternating(nodes: Sequence[Element], clock: _Clock, told: Callable[[Element], str]) -> list[Element]:
    """As many elements as there are different ones, each seen when its time has come."""
    said = [told(node) for node in nodes]
    made = []
    for each in dict.fromkeys(said):
        alike = [node if text == each else nodes[said.index(each)] for node, text in zip(nodes, said, strict=True)]
        element = _changing(alike, clock)
        element.append(clock.steps("display", ["inline" if text == each else "none" for text in said]))
        made.append(element)
    return made
