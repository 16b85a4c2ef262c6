"""Looking into SVG pictures."""

import re
from xml.etree import ElementTree

NASTY = '<script>alert("&")</script>'
NUMBER = re.compile(r"-?[\d.]+")


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def of_class(svg: str, name: str) -> list[ElementTree.Element]:
    return [element for element in parsed(svg).iter() if name in element.get("class", "").split()]
