"""The curves of the learning pictures."""

import importlib
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"


@pytest.fixture
def curve(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    return importlib.import_module("curve")


def test_values_are_placed_along_their_axis_and_never_beyond_it(curve: Any) -> None:
    plain, logarithmic = curve.CurveAxis("a", (0, 5, 10)), curve.CurveAxis("b", (1, 10, 100), logarithmic=True)
    assert [plain.part(value) for value in (0, 5, 10, 20, -1)] == [0, 0.5, 1, 1, 0]
    assert [logarithmic.part(value) for value in (1, 10, 100, 0)] == [0, 0.5, 1, 0]


def test_a_curve_is_a_whole_picture_with_its_title_ticks_and_goal(curve: Any) -> None:
    across, up = curve.CurveAxis("across", (0, 10)), curve.CurveAxis("up", (0, 1))
    root = ElementTree.fromstring(curve.curve_svg("A & B", [(0, 0), (10, 1)], across, up, (1, "here")))
    texts = [element.text for element in root.iter() if element.text]
    assert {"A & B", "across", "up", "10", "1", "here"} <= set(texts)
    assert len(root.findall(".//{http://www.w3.org/2000/svg}circle")) == 2
