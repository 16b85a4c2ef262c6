"""The open table."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from battle_by_hand import open_bound
from bitduel.games.binary_battle.equilibrium import OpenSolution
from bitduel.games.binary_battle.equilibrium.open_table import _dtype

SHARES = [(1, 1), (3, 4), (5, 8), (5, 8), (9, 16), (35, 64)]
VALUES = {bits: Fraction(*parts) for bits, parts in enumerate(SHARES, start=1)}


@cache
def table(bits: int) -> OpenSolution:
    return OpenSolution(bits)


@pytest.mark.parametrize("bits", VALUES)
def test_value_does_not_depend_on_endless_play(bits: int) -> None:
    start = (0, 0, 0, (1 << bits) - 1)
    assert table(bits).start == VALUES[bits]
    lower, upper, _ = table(bits).bounds(*start)
    assert lower == upper == VALUES[bits] * 2 * (1 << bits)
    assert max(value for _, value in table(bits).choices(*start)) == VALUES[bits]


@pytest.mark.parametrize(("bits", "plies"), [(1, 4), (2, 8), (3, 14)])
def test_plain_search_agrees(bits: int, plies: int) -> None:
    assert open_bound(bits, plies, 0) == open_bound(bits, plies, 1) == VALUES[bits]


def winner(game: OpenSolution, secret: int) -> int:
    numbers, low, high = [0, 0], 0, game.size - 1
    for turn in range(200):
        seat = turn % 2
        bit = game.best(numbers[seat], numbers[1 - seat], low, high)
        numbers[seat] ^= 1 << (game.bits - bit)
        if numbers[seat] == secret:
            return seat
        if low <= numbers[seat] <= high:
            low, high = (numbers[seat] + 1, high) if numbers[seat] < secret else (low, numbers[seat] - 1)
    raise AssertionError("endless play")


@pytest.mark.parametrize("bits", VALUES)
def test_best_play_ends_and_gives_the_value(bits: int) -> None:
    won = sum(winner(table(bits), secret) == 0 for secret in range(1 << bits))
    assert Fraction(won, 1 << bits) == VALUES[bits]


@pytest.mark.parametrize("bits", [1, 2, 3, 4])
def test_value_is_the_best_choice_everywhere(bits: int) -> None:
    game = table(bits)
    for low in range(game.size):
        for high in range(low, game.size):
            for mine in range(game.size):
                choices = game.choices(mine, low, low, high)
                assert max(value for _, value in choices) == game.value(mine, low, low, high)


def test_nonsense_is_refused() -> None:
    with pytest.raises(ValueError, match="position"):
        table(2).value(0, 4, 0, 3)
    with pytest.raises(ValueError, match="bits"):
        OpenSolution(8)


@pytest.mark.parametrize(("length", "kind"), [(1, np.uint8), (127, np.uint8), (128, np.uint16), (1024, np.uint16)])
def test_shares_are_kept_in_the_smallest_numbers_that_hold_two_for_every_secret(length: int, kind: type) -> None:
    assert _dtype(length) is kind
    assert np.iinfo(_dtype(length)).max >= 2 * length
