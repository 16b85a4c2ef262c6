import json
from typing import ClassVar
from unittest.mock import patch

import pytest

from bitduel.bench import areas_there_are, modules
from bitduel.core.figures import Figure
from bitduel.games import find, shelf
from bitduel.solver import bench
from helpers import bitduel


@pytest.mark.thorough
def test_figures_are_measured_beside_their_limits() -> None:
    with patch("bitduel.games.bench.MOVES", 500), patch("bitduel.games.bench.BURSTS", 2):
        data = json.loads(bitduel("bench", "games", "--json").out)
        text = bitduel("bench", "games").out
    assert len(data) == 2 * len(shelf())
    for row in data:
        assert row["ratio"] == row["measured"] / row["limit"]
        assert row["name"] in text


def test_the_arena_is_measured_in_every_game() -> None:
    with patch("bitduel.arena.bench.GAMES", 4), patch("bitduel.arena.bench.BURSTS", 2):
        data = json.loads(bitduel("bench", "arena", "--json").out)
    assert [row["name"].split(":")[0] for row in data] == [kind.short for kind in shelf()]
    assert all(row["measured"] > 0 and row["limit"] > 0 for row in data)


def test_a_game_that_names_no_large_size_is_solved_as_it_is_and_so_are_those_after_it() -> None:
    class Plain(find("double")):  # type: ignore[misc]
        slug, short = "plain", "plain"
        large: ClassVar[dict[str, int]] = {}

    few = [Plain, find("31")]
    with patch("bitduel.solver.bench.shelf", lambda: few), patch.dict(find("31").large, {"length": 7}):
        names = [figure.name for figure in bench.figures()]
    assert {name.split(":")[0] for name in names if "solved" in name} == {"plain", "31"}


def test_every_area_that_measures_something_is_found() -> None:
    assert set(areas_there_are()) >= {"arena", "games", "rooms", "solver", "storage", "terminal", "web"}
    assert all(modules(area) for area in areas_there_are())


def test_an_unknown_area_gets_one_line() -> None:
    ran = bitduel("bench", "everything")
    assert (ran.status, ran.err.count("\n")) == (2, 1)


def test_a_ratio_is_measured_to_limit() -> None:
    assert Figure("a", 2.0, "b", 4.0, "seconds").ratio == 0.5
