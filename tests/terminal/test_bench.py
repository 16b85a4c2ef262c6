import json
from unittest.mock import patch

from bitduel.core.figures import Figure
from helpers import bitduel


def test_figures_are_measured_beside_their_limits() -> None:
    with patch("bitduel.games.bench.MOVES", 2000):
        data = json.loads(bitduel("bench", "games", "--json").out)
        text = bitduel("bench", "games").out
    assert len(data) == 5
    for row in data:
        assert row["ratio"] == row["measured"] / row["limit"]
        assert row["name"] in text


def test_an_unknown_area_gets_one_line() -> None:
    ran = bitduel("bench", "everything")
    assert (ran.status, ran.err.count("\n")) == (2, 1)


def test_a_ratio_is_measured_to_limit() -> None:
    assert Figure("a", 2.0, "b", 4.0, "seconds").ratio == 0.5
