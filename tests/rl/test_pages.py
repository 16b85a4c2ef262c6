"""The pages for learners: their examples run, and their tables are what the games say."""

import doctest
from pathlib import Path
from typing import Any

import pytest

from bitduel.core.game import Game
from bitduel.games.registry import BUILT_IN

PAGE = Path(__file__).parents[2] / "docs" / "learners.md"


def table(game: Game[Any]) -> str:
    """What is observed in a game, as a table."""
    rows = [f"| {feature.name} | {feature.low} | {feature.high} |" for feature in game.features]
    head = [
        f"### {game.title}",
        "",
        f"Actions: {', '.join(game.moves)}.",
        "",
        "| feature | from | to |",
        "| --- | --- | --- |",
    ]
    return "\n".join([*head, *rows])


def test_the_examples_run() -> None:
    for package in ("pettingzoo", "gymnasium", "pyspiel"):
        pytest.importorskip(package, reason="an extra for learners is not installed")
    results = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert results.attempted > 20
    assert results.failed == 0


@pytest.mark.parametrize("kind", BUILT_IN, ids=lambda kind: kind.slug)
def test_the_page_has_the_table_of_every_game(kind: Any) -> None:
    assert table(kind()) + "\n" in PAGE.read_text(encoding="utf-8")
