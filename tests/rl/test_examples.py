"""The worked examples do what their page says."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from bitduel.games.registry import make

ROOT = Path(__file__).parents[2]


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples" / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("name", "options"), [("double", {}), ("double", {"target": 50}), ("64", {}), ("bits", {}), ("31", {"length": 8})]
)
def test_a_learner_that_knows_no_rules_comes_to_perfect_play(name: str, options: dict[str, object]) -> None:
    moments = list(example("learn").learn(make(name, options), seed=3))
    assert moments[0].matches == 0
    assert moments[0].regret > 0
    assert moments[-1].regret == 0


@pytest.mark.parametrize(("bits", "walks", "near"), [(2, 100, 2e-4), pytest.param(3, 60, 2e-3, marks=pytest.mark.slow)])
def test_openspiels_cfr_comes_to_our_exact_value(bits: int, walks: int, near: float) -> None:
    pytest.importorskip("pyspiel", reason="the extra open-spiel is not installed")
    cfr = example("cfr")
    *_, last = cfr.learn(bits, walks)
    assert last.walks == walks
    assert last.value == pytest.approx(cfr.exact(bits), abs=near)
    assert 0 <= last.gain < 10 * near


def test_the_exact_value_is_the_one_that_is_proved() -> None:
    pytest.importorskip("pyspiel", reason="the extra open-spiel is not installed")
    assert example("cfr").exact(3) == pytest.approx(2 * 43 / 56 - 1, abs=1e-12)
