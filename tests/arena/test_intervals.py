"""How many games it takes to tell two players apart: what is said is what comes of playing."""

from random import Random

import pytest

from bitduel.arena.intervals import games_to_tell


def test_the_numbers_are_those_of_the_textbook() -> None:
    assert games_to_tell(0.10) == 784
    assert games_to_tell(0.05) == 3138
    assert games_to_tell(0.10, power=0.9) > games_to_tell(0.10) > games_to_tell(0.20)


def test_so_many_games_do_find_such_a_difference_as_often_as_is_said() -> None:
    rng, difference = Random(1), 0.2
    games = games_to_tell(difference)
    found = 0
    for _ in range(2000):
        wins = sum(rng.random() < (1 + difference) / 2 for _ in range(games))
        found += abs(wins - games / 2) > 1.96 * (games**0.5) / 2
    assert found / 2000 == pytest.approx(0.8, abs=0.04)
