from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest

from bitduel.core.errors import OptionError, UnknownNameError
from bitduel.core.game import Verdict
from bitduel.core.options import IntegerOption
from bitduel.games.registry import find, make
from bitduel.rendering.charts import chart_svg
from bitduel.solver.atlas import atlas_chart, has_position_chart, parse_axis, position_chart, survey
from bitduel.solver.atlas import position_chart as whole
from bitduel.solver.evaluators import TableEvaluator
from laws import first_player_loses_by_one, first_player_loses_by_two
from sixth_game.little_nim import LittleNim


@pytest.mark.parametrize(("name", "loses"), [("double", first_player_loses_by_one), ("64", first_player_loses_by_two)])
def test_the_lost_targets_are_those_of_the_pattern(name: str, loses: object) -> None:
    kind = find(name)
    cells = survey(kind, [parse_axis(kind, "target=2..600")], {})
    assert callable(loses)
    for cell in cells:
        assert cell.evaluation
        assert (cell.evaluation.value == "loss") == loses(cell.options["target"]), cell


def test_two_axes_make_a_grid_and_impossible_choices_stay_empty() -> None:
    kind = find("64")
    axes = [parse_axis(kind, "start=1..5"), parse_axis(kind, "target=3,4")]
    cells = survey(kind, axes, {})
    found = atlas_chart(kind, axes, cells)
    assert found.across == ("3", "4")
    assert found.down == ("1", "2", "3", "4", "5")
    assert [spot is None for spot in found.cells[2]] == [True, False]
    assert [spot is None for spot in found.cells[3]] == [True, True]


def test_a_value_that_is_said_twice_is_one() -> None:
    assert parse_axis(find("double"), "target=2,2,05,5").values == (2, 5)


def test_readings_are_an_axis_too() -> None:
    kind = find("31")
    cells = survey(kind, [parse_axis(kind, "finish=sample,any,exact")], {"length": 31})
    assert [(cell.evaluation.value, cell.evaluation.plies) for cell in cells if cell.evaluation] == [
        ("win", 3),
        ("win", 3),
        ("win", 9),
    ]


def test_the_dark_is_measured_in_probabilities() -> None:
    kind = find("battle")
    cells = survey(kind, [parse_axis(kind, "bits=1..3")], {})
    wins = [cell.evaluation.win_probability for cell in cells if cell.evaluation]
    assert wins == pytest.approx([1, 7 / 8, 43 / 56])
    assert ">77%<" in chart_svg(atlas_chart(kind, [parse_axis(kind, "bits=1..3")], cells))


@pytest.mark.parametrize("text", ["target=9..2", "target=2..x", "target=", "edge=open", "finish=a..b"])
def test_a_wrong_axis_gets_a_sentence(text: str) -> None:
    kind = find("31" if text.startswith("finish") else "64")
    with pytest.raises((OptionError, UnknownNameError)):
        parse_axis(kind, text)


@pytest.mark.parametrize("over", [["target=2..40"], ["step=1..3", "target=2..20"]])
def test_the_picture_is_sound_and_says_everything_without_colour(over: list[str]) -> None:
    kind = find("64")
    axes = [parse_axis(kind, text) for text in over]
    picture = chart_svg(atlas_chart(kind, axes, survey(kind, axes, {})))
    root = ElementTree.fromstring(picture)
    texts = [node.text or "" for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "the player to move wins" in texts
    assert texts.count("W") > 10
    assert texts.count("L") > 1
    assert root[0].text == "Binary Race to 64: who wins with perfect play"


@pytest.mark.parametrize("name", ["64", "double", "31", "bits"])
def test_a_small_game_is_charted_whole(name: str) -> None:
    evaluator = TableEvaluator(find(name)())
    found = whole(evaluator)
    assert found
    spots = [spot for row in found.cells for spot in row if spot]
    assert {spot.evaluation.value for spot in spots} <= {"win", "loss", "draw"}
    assert len(spots) <= len(evaluator.solution.table)
    assert ElementTree.fromstring(chart_svg(found)) is not None


def test_a_large_game_is_not_charted() -> None:
    assert whole(TableEvaluator(find("64")(target=100_000))) is None


def test_a_chart_has_room_for_4096_positions() -> None:
    largest, larger = (TableEvaluator(find("double")(target=target)) for target in (4097, 4098))
    assert has_position_chart(largest)
    assert not has_position_chart(larger)
    found = whole(largest)
    assert found
    assert sum(map(len, found.cells)) == 4096
    assert whole(larger) is None


class Position(NamedTuple):
    sticks: Any
    taken: Any
    moves_made: Any


class CountingNim(LittleNim):
    """Little Nim with two fields more, one of which is never the same twice."""

    slug, short = "counting-nim", "counting"
    declared_options = (IntegerOption("sticks", 7, "how many sticks there are", 1, 1000),)
    ranges = (8, 4, 8)

    def start(self, deal: str = "") -> Any:
        return Position(7, 0, 0)

    def legal(self, position: Any, move: str) -> Any:
        return position.sticks >= int(move)

    def play(self, position: Any, move: str) -> Any:
        return Position(position.sticks - int(move), int(move) + 0 * position.taken, position.moves_made + 1)

    def verdict(self, position: Any) -> Any:
        return Verdict.WON * (position.sticks == 0)

    def observe(self, position: Any, to_move: bool, over: bool) -> Any:
        return Position(f"{position.sticks} sticks", f"took {position.taken}", position.moves_made)


def test_every_pair_of_the_first_two_fields_has_a_spot_whatever_the_others_are() -> None:
    evaluator = TableEvaluator(CountingNim())
    table = evaluator.solution.table
    still = table.verdict == 0
    pairs = {*zip(*(field[still].tolist() for field in table.positions[:2]), strict=True)}
    found = position_chart(evaluator)
    assert found
    assert sum(spot is not None for row in found.cells for spot in row) == len(pairs) > 10
    assert found.across == tuple(f"{sticks} sticks" for sticks in sorted({pair[0] for pair in pairs}))
    assert found.down == tuple(f"took {taken}" for taken in sorted({pair[1] for pair in pairs}))
    assert found.title.endswith("moves made)")
    losing = {spot.label for row in found.cells for spot in row if spot and spot.evaluation.value == "loss"}
    assert losing == {"4 sticks"}


@pytest.mark.parametrize("bits", [2, 3, 4])
def test_a_game_of_rows_shows_both_players_rows_and_its_start(bits: int) -> None:
    found = position_chart(TableEvaluator(make("bits", bits=bits)))
    assert found
    assert found.cells[0][0] is not None
    assert found.down[0] == found.across[0] == "0" * bits
