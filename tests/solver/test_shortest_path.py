import contextlib
from collections import deque
from typing import Any

import pytest

from bitduel.core.match import Match
from bitduel.games import find
from bitduel.solver.chart import chart, has_chart
from bitduel.solver.evaluators import TableEvaluator, evaluator_for
from bitduel.solver.shortest_path import UnknownPositionError, shortest_path
from bitduel.solver.table import PositionTable

GAMES = ["64", "double", "31", "bits"]


def depths(table: PositionTable[Any]) -> list[int]:
    """How many moves every position is away from the start, step by step."""
    found = {0: 0}
    queue = deque([0])
    while queue:
        at = queue.popleft()
        for then in table.after[at].tolist():
            if then >= 0 and then not in found:
                found[then] = found[at] + 1
                queue.append(then)
    return [found[index] for index in range(len(table))]


@pytest.mark.parametrize("name", GAMES)
def test_every_spot_of_a_chart_has_a_shortest_line_that_leads_there(name: str) -> None:
    judge = TableEvaluator(find(name)())
    found, table = chart(judge), judge.solution.table
    assert found
    assert has_chart(judge)
    depth = depths(table)
    for spot in (spot for row in found.spots for spot in row if spot):
        match = Match(judge.game, moves=shortest_path(table, spot.key))
        assert ",".join(map(str, match.position)) == spot.key
        index = table.index_of(match.position)
        assert index is not None
        assert match.ply == depth[index]
        assert judge.solution.worth_at(index) == spot.worth


@pytest.mark.parametrize("key", ["", "x", "1,1", "-1", "999999", "1" * 5000, "\N{ARABIC-INDIC DIGIT ONE}", "0"])
def test_what_play_cannot_reach_has_no_line(key: str) -> None:
    with pytest.raises(UnknownPositionError):
        shortest_path(TableEvaluator(find("64")()).solution.table, key)


@pytest.mark.parametrize(("name", "options"), [("64", {"target": 100_000}), ("31", {"length": 200}), ("battle", {})])
def test_whether_there_is_a_chart_is_known_without_drawing_it(name: str, options: dict[str, object]) -> None:
    judge = evaluator_for(find(name)(**options))
    assert not has_chart(judge)
    assert not isinstance(judge, TableEvaluator) or chart(judge) is None


@pytest.mark.parametrize("name", GAMES)
def test_a_line_ends_with_the_turn_of_the_seat_that_was_asked_for(name: str) -> None:
    table = TableEvaluator(find(name)()).solution.table
    for index in range(0, len(table), max(1, len(table) // 40)):
        key = ",".join(map(str, table.position_at(index)))
        shortest, found = shortest_path(table, key), []
        for seat in (1, 2):
            with contextlib.suppress(UnknownPositionError):
                match = Match(table.game, moves=shortest_path(table, key, seat))
                assert match.next_seat == seat
                assert match.position == table.position_at(index)
                found.append(match.ply)
        assert min(found) == len(shortest)
