"""Curves that stand alone."""

from xml.etree import ElementTree

from bitduel.rendering.curve import CurveAxis, curve_svg


def test_values_are_placed_along_their_axis_and_never_beyond_it() -> None:
    plain, logarithmic = CurveAxis("a", (0, 5, 10)), CurveAxis("b", (1, 10, 100), logarithmic=True)
    assert [plain.part(value) for value in (0, 5, 10, 20, -1)] == [0, 0.5, 1, 1, 0]
    assert [logarithmic.part(value) for value in (1, 10, 100, 0)] == [0, 0.5, 1, 0]


def test_a_curve_is_a_whole_picture_with_its_title_ticks_and_goal() -> None:
    svg = curve_svg("A & B", [(0, 0), (10, 1)], CurveAxis("across", (0, 10)), CurveAxis("up", (0, 1)), (1, "here"))
    root = ElementTree.fromstring(svg)
    texts = [element.text for element in root.iter() if element.text]
    assert {"A & B", "across", "up", "10", "1", "here"} <= set(texts)
    assert len(root.findall(".//{http://www.w3.org/2000/svg}circle")) == 2
