from xml.etree import ElementTree

import pytest

from bitduel.core.errors import OptionError, UnknownNameError
from bitduel.games import find
from bitduel.rendering.chart import chart_svg
from bitduel.solver.atlas import axis, chart, survey
from bitduel.solver.chart import chart as whole
from bitduel.solver.evaluators import TableEvaluator
from laws import first_player_loses_by_one, first_player_loses_by_two


@pytest.mark.parametrize(("name", "loses"), [("double", first_player_loses_by_one), ("64", first_player_loses_by_two)])
def test_the_lost_targets_are_those_of_the_pattern(name: str, loses: object) -> None:
    kind = find(name)
    cells = survey(kind, [axis(kind, "target=2..600")], {})
    assert callable(loses)
    for cell in cells:
        assert cell.worth
        assert (cell.worth.value == "loss") == loses(cell.options["target"]), cell


def test_two_axes_make_a_grid_and_impossible_choices_stay_empty() -> None:
    kind = find("64")
    axes = [axis(kind, "start=1..5"), axis(kind, "target=3,4")]
    cells = survey(kind, axes, {})
    found = chart(kind, axes, cells)
    assert found.across == ("3", "4")
    assert found.down == ("1", "2", "3", "4", "5")
    assert [spot is None for spot in found.spots[2]] == [True, False]
    assert [spot is None for spot in found.spots[3]] == [True, True]


def test_a_value_that_is_said_twice_is_one() -> None:
    assert axis(find("double"), "target=2,2,05,5").values == (2, 5)


def test_readings_are_an_axis_too() -> None:
    kind = find("31")
    cells = survey(kind, [axis(kind, "finish=sample,any,exact")], {"length": 31})
    assert [(cell.worth.value, cell.worth.plies) for cell in cells if cell.worth] == [
        ("win", 3),
        ("win", 3),
        ("win", 9),
    ]


def test_the_dark_is_measured_in_probabilities() -> None:
    kind = find("battle")
    cells = survey(kind, [axis(kind, "bits=1..3")], {})
    wins = [cell.worth.win_probability for cell in cells if cell.worth]
    assert wins == pytest.approx([1, 7 / 8, 43 / 56])
    assert ">.77<" in chart_svg(chart(kind, [axis(kind, "bits=1..3")], cells))


@pytest.mark.parametrize("text", ["target=9..2", "target=2..x", "target=", "edge=open", "finish=a..b"])
def test_a_wrong_axis_gets_a_sentence(text: str) -> None:
    kind = find("31" if text.startswith("finish") else "64")
    with pytest.raises((OptionError, UnknownNameError)):
        axis(kind, text)


@pytest.mark.parametrize("over", [["target=2..40"], ["step=1..3", "target=2..20"]])
def test_the_picture_is_sound_and_says_everything_without_colour(over: list[str]) -> None:
    kind = find("64")
    axes = [axis(kind, text) for text in over]
    picture = chart_svg(chart(kind, axes, survey(kind, axes, {})))
    root = ElementTree.fromstring(picture)
    texts = [node.text or "" for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "the player to move wins" in texts
    assert texts.count("W") > 10
    assert texts.count("L") > 1
    assert root[0].text == "Binary Race to 64: who wins when both play best"


@pytest.mark.parametrize("name", ["64", "double", "31", "bits"])
def test_a_small_game_is_charted_whole(name: str) -> None:
    judge = TableEvaluator(find(name)())
    found = whole(judge)
    assert found
    spots = [spot for row in found.spots for spot in row if spot]
    assert {spot.worth.value for spot in spots} <= {"win", "loss", "draw"}
    assert len(spots) <= len(judge.solution.table)
    assert ElementTree.fromstring(chart_svg(found)) is not None


def test_a_large_game_is_not_charted() -> None:
    assert whole(TableEvaluator(find("64")(target=100_000))) is None
