"""A look ahead by the rules alone sees exactly what the table knows, as far as it looks."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitduel.core.evaluation import DRAW, UNKNOWN_EVALUATION
from bitduel.core.game import Game, Verdict
from bitduel.core.match import Match
from bitduel.core.view import View
from bitduel.games.binary_race_31 import BinaryRace31
from bitduel.games.registry import make
from bitduel.solver.evaluators import TableEvaluator, depth_limited_evaluator, within_horizon
from bitduel.solver.search import MOST_POSITIONS, SearchEvaluator
from graphs import Graph, graphs

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("bits", {"bits": 3}),
    ("bits", {"bits": 4, "edge": "strict"}),
    ("31", {"length": 20}),
    ("31", {"length": 12, "finish": "exact"}),
    ("double", {}),
    ("64", {}),
]


class Lawless(BinaryRace31):
    """A long track of which nobody knows the law, as with a game from outside."""

    def evaluator(self) -> None:  # type: ignore[override]
        return None


def view_of(position: Any, legal: tuple[str, ...]) -> View:
    """As much of a view as a look ahead needs."""
    start = Match(make("31")).view(1)
    return replace(start, position=position, legal=legal)


def check(game: Game[Any], horizon: int) -> None:
    evaluator, search = TableEvaluator(game), SearchEvaluator(game)
    table = evaluator.solution.table
    for index in np.flatnonzero(table.verdict == Verdict.OPEN).tolist():
        known = evaluator.solution.choices(index)
        view = view_of(table.position_at(index), tuple(choice.move for choice in known))
        assert search.choices(view, horizon) == [within_horizon(choice, horizon) for choice in known]


@pytest.mark.parametrize("horizon", range(6))
@pytest.mark.parametrize(("name", "options"), GAMES)
def test_it_sees_what_the_table_knows(name: str, options: dict[str, Any], horizon: int) -> None:
    check(make(name, options), horizon)


@settings(deadline=None)
@given(graphs(), st.integers(0, 9))
def test_it_sees_what_the_table_knows_on_any_graph(game: Graph, horizon: int) -> None:
    check(game, horizon)


def test_without_a_horizon_it_looks_until_all_is_seen() -> None:
    game = make("double")
    view = Match(game).view(1)
    assert SearchEvaluator(game).choices(view) == TableEvaluator(game).choices(view)


def test_a_repetition_is_a_draw() -> None:
    game = make("31")
    view = replace(Match(game, moves=["16", "1"]).view(1), repeating=("16",))
    judged = {choice.move: choice.evaluation for choice in SearchEvaluator(game).choices(view, 1)}
    assert judged["16"].value == DRAW
    assert judged["8"] == UNKNOWN_EVALUATION


def test_it_looks_at_so_many_positions_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Lawless(length=20_000)
    evaluator = depth_limited_evaluator(game)
    assert isinstance(evaluator, SearchEvaluator)
    played = 0
    play = type(game).play

    def counted(self: Any, position: Any, move: str) -> Any:
        nonlocal played
        played += 1
        return play(self, position, move)

    monkeypatch.setattr(type(game), "play", counted)
    far = evaluator.choices(Match(game).view(1), 1_000_000)
    assert [choice.evaluation for choice in far] == [UNKNOWN_EVALUATION] * 5
    assert played <= (MOST_POSITIONS + 1) * len(game.moves)


def test_a_view_from_elsewhere_is_played_again() -> None:
    game = Lawless(length=20_000)
    view = Match(game, moves=["16", "1"]).view(1)
    assert depth_limited_evaluator(game).choices(replace(view, position=None), 3) == depth_limited_evaluator(
        game
    ).choices(view, 3)
