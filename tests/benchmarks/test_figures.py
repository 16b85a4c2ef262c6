import json
from typing import Any, ClassVar
from unittest.mock import patch

import pytest
from click.testing import CliRunner

from benchmarks import solver
from benchmarks.__main__ import AREAS, command
from benchmarks.figure import Figure
from bitduel.games.registry import all_games, find
from helpers import bitduel


def bench(*arguments: str) -> str:
    return CliRunner().invoke(command, arguments, catch_exceptions=False).output


def bench_json(*arguments: str) -> Any:
    return json.loads(bench(*arguments, "--json"))


@pytest.mark.thorough
def test_figures_are_measured_beside_their_limits() -> None:
    with patch("benchmarks.games.MOVES", 500), patch("benchmarks.games.BURSTS", 2):
        rows, text = bench_json("games"), bench("games")
    assert len(rows) == 2 * len(all_games())
    for row in rows:
        assert set(row) == {"name", "measured", "limit_name", "limit", "unit", "ratio"}
        assert row["ratio"] == row["measured"] / row["limit"]
        assert row["name"] in text


def test_the_arena_is_measured_in_every_game() -> None:
    with patch("benchmarks.arena.GAMES", 4), patch("benchmarks.arena.BURSTS", 2):
        rows = bench_json("arena")
    assert [row["name"].split(":")[0] for row in rows] == [kind.short for kind in all_games()]
    assert all(row["measured"] > 0 and row["limit"] > 0 for row in rows)


@pytest.mark.thorough
def test_a_game_that_names_no_large_size_is_solved_as_it_is_and_so_are_those_after_it() -> None:
    class Plain(find("double")):  # type: ignore[misc]
        slug, short = "plain", "plain"
        large: ClassVar[dict[str, int]] = {}

    few = [Plain, find("31")]
    with patch("benchmarks.solver.all_games", lambda: few), patch.dict(find("31").benchmark_options, {"length": 7}):
        names = [figure.name for figure in solver.figures()]
    assert {name.split(":")[0] for name in names if "solved" in name} == {"plain", "31"}


@pytest.mark.parametrize("area", AREAS)
def test_every_area_has_figures(area: str) -> None:
    assert callable(__import__(f"benchmarks.{area}", fromlist=["figures"]).figures)


def test_an_unknown_area_is_refused() -> None:
    ran = CliRunner().invoke(command, ["everything"])
    assert ran.exit_code == 2
    assert "everything" in ran.output


def test_the_program_itself_has_no_benchmarks() -> None:
    ran = bitduel("bench")
    assert (ran.status, ran.err.count("\n")) == (2, 1)


def test_a_ratio_is_measured_to_limit() -> None:
    assert Figure("a", 2.0, "b", 4.0, "seconds").ratio == 0.5
