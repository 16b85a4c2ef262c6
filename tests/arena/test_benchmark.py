"""The reference results in the documentation are what is played."""

from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from bitduel.arena.measures import measure
from bitduel.arena.strength import fit_strengths
from bitduel.arena.tally import RunTally

SCRIPT = Path(__file__).parents[2] / "scripts" / "benchmark.py"
SPEC = spec_from_file_location("benchmark", SCRIPT)
assert SPEC
assert SPEC.loader
benchmark = module_from_spec(SPEC)
SPEC.loader.exec_module(benchmark)


@cache
def played(name: str) -> RunTally:
    found: RunTally = benchmark.played(benchmark.RUNS[name])
    return found


@pytest.mark.parametrize("name", ["reference", pytest.param("ladder", marks=pytest.mark.thorough)])
def test_every_digit_of_the_documentation_is_played_again(name: str) -> None:
    begin, end = benchmark.marked(name)
    text = benchmark.DOCUMENT.read_text(encoding="utf-8").partition(begin)[2].partition(end)[0]
    assert text == benchmark.tables(played(name))


@pytest.mark.parametrize("name", ["reference", pytest.param("ladder", marks=pytest.mark.thorough)])
def test_strength_orders_the_players_as_they_should_be_and_perfect_gives_nothing_away(name: str) -> None:
    found = fit_strengths(played(name).clusters()).players
    assert tuple(each.player for each in found) == benchmark.RUNS[name]
    assert found[0].points.ends[0] > found[1].points.ends[1]
    for title in (None, *{pairing.title for pairing in played(name).pairs}):
        (perfect,) = (each for each in measure(played(name), title) if each.player == "perfect")
        assert perfect.play.decisions > 0
        assert perfect.play.regret_per_decision
        assert perfect.play.regret_per_decision.value == 0
