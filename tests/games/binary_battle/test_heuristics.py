"""Heuristics of levels with hidden information: chances within a horizon, and priors, at any size."""

from dataclasses import replace
from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitduel.core.match import Match
from bitduel.core.view import View
from bitduel.games.binary_battle import heuristics
from bitduel.games.binary_battle.heuristics import LUCK, choices, priors
from bitduel.games.registry import make


def view_of(bits: int, number: int, low: int, high: int, table: str = "hidden") -> View:
    game = make("battle", bits=bits, table=table)
    view = Match(game, deal="0" * bits).view(1)
    return replace(view, board=view.board._replace(mine=format(number, f"0{bits}b"), low=low, high=high))


@cache
def most(bits: int, number: int, low: int, high: int, turns: int) -> float:
    """How many secrets can be hit in time, by trying everything."""
    if turns == 0 or low > high:
        return 0
    return max(arriving(bits, number ^ 1 << place, low, high, turns) for place in range(bits))


def arriving(bits: int, number: int, low: int, high: int, turns: int) -> float:
    if not low <= number <= high:
        return (1 - LUCK) * most(bits, number, low, high, turns - 1)
    both = most(bits, number, low, number - 1, turns - 1) + most(bits, number, number + 1, high, turns - 1)
    return 1 + (1 - LUCK) * both


@st.composite
def knowledge(draw: st.DrawFn, most_bits: int) -> tuple[int, int, int, int]:
    bits = draw(st.integers(1, most_bits))
    top = (1 << bits) - 1
    low, high = sorted((draw(st.integers(0, top)), draw(st.integers(0, top))))
    return bits, draw(st.integers(0, top)), low, high


@given(knowledge(8), st.integers(0, 6))
def test_the_chance_to_hit_soon_is_what_trying_everything_gives(known: tuple[int, int, int, int], plies: int) -> None:
    bits, number, low, high = known
    turns = (plies + 1) // 2
    expected = [
        arriving(bits, number ^ 1 << bits - bit, low, high, turns) / (high - low + 1) if turns else 0
        for bit in range(1, bits + 1)
    ]
    judged = choices(bits, view_of(*known), plies)
    assert [choice.move for choice in judged] == [f"toggle {bit}" for bit in range(1, bits + 1)]
    assert [choice.evaluation.win_probability for choice in judged] == pytest.approx(expected)


@pytest.mark.parametrize(("bits", "turns"), [(7, 3), (10, 3), (16, 2), (31, 2)])
def test_with_many_bits_nobody_sees_further_than_a_few_turns(bits: int, turns: int) -> None:
    view = view_of(bits, 5, 3, (1 << bits) - 9)
    assert choices(bits, view, 1_000_000) == choices(bits, view, 2 * turns)
    assert choices(bits, view, 2 * turns) != choices(bits, view, 2 * turns - 2)


def test_with_few_bits_there_is_an_end_to_what_can_be_seen() -> None:
    view = view_of(5, 0, 0, 31)
    assert choices(5, view, 1_000_000) == choices(5, view, 60)


@given(knowledge(31))
def test_every_toggle_has_some_promise_and_a_certain_hit_has_most(known: tuple[int, int, int, int]) -> None:
    bits, number, *_ = known
    found = priors(bits, view_of(*known))
    assert list(found) == [f"toggle {bit}" for bit in range(1, bits + 1)]
    assert min(found.values()) > 0
    secret = number ^ 1
    sure = priors(bits, view_of(bits, number, secret, secret))
    assert max(sure, key=lambda move: sure[move]) == f"toggle {bits}"


@pytest.mark.parametrize("bits", [5, 7, 10, 16, 31])
def test_who_follows_the_priors_finds_any_secret_in_about_one_and_a_half_turns_for_each_bit(bits: int) -> None:
    rng = Random(bits)
    turns = []
    for secret in [0, (1 << bits) - 1, *(rng.randrange(1 << bits) for _ in range(30))]:
        number, low, high, count = 0, 0, (1 << bits) - 1, 0
        while (number != secret or not count) and count < 5 * bits:
            found = priors(bits, view_of(bits, number, low, high))
            number ^= 1 << bits - int(max(found, key=lambda move: found[move]).split()[1])
            count += 1
            if low <= number <= high:
                low, high = (number + 1, high) if number < secret else (low, number - 1)
        turns.append(count)
    assert max(turns) < 2.5 * bits
    assert sum(turns) / len(turns) < 1.6 * bits


def test_both_tables_are_seen_alike() -> None:
    for table in ("hidden", "open"):
        assert priors(5, view_of(5, 9, 4, 20, table)) == priors(5, view_of(5, 9, 4, 20))


def test_the_roundest_number_is_the_one_with_most_zeros_at_its_end() -> None:
    for low in range(40):
        for high in range(low, 40):
            found = heuristics._halving(low, high)
            zeros = {number: (number & -number).bit_length() for number in range(max(low, 1), high + 1)}
            assert zeros[found] == max(zeros.values()) if high else found == 0
