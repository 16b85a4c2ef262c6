"""The picture of a whole game: a spot for every pair of its first two fields, each axis with its own labels."""

from typing import Any, NamedTuple

import pytest

from bitduel.core.game import Verdict
from bitduel.core.options import Whole
from bitduel.games import make
from bitduel.solver.chart import chart
from bitduel.solver.evaluators import TableEvaluator
from sixth_game.little_nim import LittleNim


class Position(NamedTuple):
    sticks: Any
    taken: Any
    moves_made: Any


class CountingNim(LittleNim):
    """Little Nim with two fields more, one of which is never the same twice."""

    slug, short = "counting-nim", "counting"
    declared = (Whole("sticks", 7, "how many sticks there are", 1, 1000),)
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
    judge = TableEvaluator(CountingNim())
    table = judge.solution.table
    still = table.verdict == 0
    pairs = {*zip(*(field[still].tolist() for field in table.positions[:2]), strict=True)}
    found = chart(judge)
    assert found
    assert sum(spot is not None for row in found.spots for spot in row) == len(pairs) > 10
    assert found.across == tuple(f"{sticks} sticks" for sticks in sorted({pair[0] for pair in pairs}))
    assert found.down == tuple(f"took {taken}" for taken in sorted({pair[1] for pair in pairs}))
    assert found.title.endswith("moves made as low as possible")
    losing = {spot.label for row in found.spots for spot in row if spot and spot.worth.value == "loss"}
    assert losing == {"4 sticks"}


@pytest.mark.parametrize("bits", [2, 3, 4])
def test_a_game_of_rows_shows_both_players_rows_and_its_start(bits: int) -> None:
    found = chart(TableEvaluator(make("bits", bits=bits)))
    assert found
    assert found.spots[0][0] is not None
    assert found.down[0] == found.across[0] == "0" * bits
