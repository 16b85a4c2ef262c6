"""What the solver says of a match: won positions kept, and mistakes."""

import json

from bitduel.classroom.insight import insight_text
from bitduel.core.match import Match
from bitduel.games.registry import make


def test_a_win_that_is_thrown_away_is_a_mistake() -> None:
    match = Match(make("double", {"target": 5}), moves=["add"])
    while not match.outcome:
        match.play(match.legal[0])
    found = json.loads(insight_text(match))
    assert set(found) == {"1", "2"}
    for seat in found.values():
        assert 0 <= seat["kept"] <= seat["met"] <= seat["decisions"]
        assert seat["mistakes"] >= seat["met"] - seat["kept"]


def test_resigning_a_won_position_is_one_too() -> None:
    match = Match(make("double", {"target": 4}), moves=["add"])
    match.resign(2)
    found = json.loads(insight_text(match))
    assert (found["2"]["met"], found["2"]["kept"], found["2"]["mistakes"]) == (1, 0, 1)


def test_a_game_of_chance_has_no_won_positions() -> None:
    match = Match(make("battle", {"bits": 4}), deal="1010", moves=["toggle 1"])
    match.resign(2)
    assert json.loads(insight_text(match))["1"]["met"] == 0
