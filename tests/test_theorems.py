"""The theorems of docs/theorems.md, each tried over a wide range; the track and the laws have tests of their own."""

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from battle_by_hand import pure_strategies, solved
from bitduel.core.game import PASS, Verdict
from bitduel.games.binary_battle.equilibrium import OpenSolution, RealizationPlan
from bitduel.games.binary_battle.equilibrium.information_states import start, successors, toggled
from bitduel.games.binary_battle.equilibrium.strategies import best_response, rewards
from bitduel.games.binary_race_bits import BinaryRaceBits
from bitduel.solver.retrograde import solve
from bitduel.solver.table import explore

PAGE = Path(__file__).parents[1] / "docs" / "theorems.md"
FIRST, EDGE = ("turn", "game", "flip", "empty"), ("open", "strict")


def rows(heading: str) -> list[list[str]]:
    """The rows of the first table below a heading of the page."""
    part = PAGE.read_text(encoding="utf-8").split(f"### {heading}\n")[1]
    lines = re.split(r"\n(?!\|)", part[part.index("| ---") :])[0].splitlines()[1:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


# Binary Race with bits


@pytest.mark.parametrize("bits", range(2, 10))
def test_bits_are_a_draw_in_every_reading(bits: int) -> None:
    for first, edge in product(FIRST, EDGE):
        table = explore(BinaryRaceBits(bits=bits, first_move=first, edge=edge))
        assert solve(table).value[0] == 0


def test_one_bit_is_won_at_once() -> None:
    for first, edge in product(FIRST, EDGE):
        values = solve(explore(BinaryRaceBits(bits=1, first_move=first, edge=edge)))
        assert (values.value[0], values.plies[0]) == (1, 1)


def holding(game: BinaryRaceBits, position: Any) -> list[str]:
    """The moves of the strategy that holds the draw: the reset beside the bit that is missing, or anything."""
    legal = [move for move in game.moves if game.legal(position, move)]
    missing = game.full & ~position.theirs
    if missing.bit_count() > 1:
        return legal
    return [m for m in legal if m.startswith("reset") and game.bit_of[m.split()[1]] in (missing << 1, missing >> 1)]


@pytest.mark.parametrize("bits", range(2, 8))
def test_the_strategy_never_loses_whatever_the_other_does(bits: int) -> None:
    for first, edge, holder in product(FIRST, EDGE, (0, 1)):
        game = BinaryRaceBits(bits=bits, first_move=first, edge=edge)
        todo, seen = [(game.start(), 0)], set()
        while todo:
            position, seat = todo.pop()
            if (position, seat) in seen:
                continue
            seen.add((position, seat))
            verdict = game.verdict(position)
            assert not (verdict == Verdict.WON and seat == holder), (first, edge, position)
            if verdict == Verdict.OPEN:
                legal = [move for move in game.moves if game.legal(position, move)]
                moves = holding(game, position) if seat == holder else legal
                assert moves
                assert moves != [PASS] or legal == [PASS]
                todo += [(game.play(position, move), 1 - seat) for move in moves]


def test_rows_stay_one_block() -> None:
    for first, edge in product(FIRST, EDGE):
        table = explore(BinaryRaceBits(bits=7, first_move=first, edge=edge))
        for row in (table.positions.mine, table.positions.theirs):
            filled = row | (row - 1) * (row > 0)
            assert ((filled & (filled + 1)) == 0).all()


# The number races, by doubling or by another factor


@cache
def lost_numbers(target: int, step: int, factor: int) -> bytes:
    """By the rules alone: for each number whether the player to move loses."""
    lost = bytearray(factor * target + step + 1)
    for number in range(target, 0, -1):
        lost[number] = not (lost[number + step] or lost[number * factor])
    return bytes(lost[: target + 1])


def zones(target: int, factor: int) -> Iterator[int]:
    """The tops of the zones, from the target down."""
    while target:
        yield target
        target //= factor


def members(top: int, factor: int, step: int, rest: int) -> range:
    """The numbers of a class in a zone, from the highest down."""
    return range(top - (top - rest) % step, top // factor, -step)


@pytest.mark.parametrize("step", range(1, 6))
@pytest.mark.parametrize("factor", [2, 4, 6])
def test_by_an_even_factor_multiplying_wins_from_all_members_or_from_none(factor: int, step: int) -> None:
    for target in range(1, 300):
        lost = lost_numbers(target, step, factor)
        for top in list(zones(target, factor))[1:]:
            for rest in range(step):
                assert len({lost[factor * number] for number in members(top, factor, step, rest)}) <= 1


@pytest.mark.parametrize("step", range(1, 6))
@pytest.mark.parametrize("factor", [3, 5, 7])
def test_by_an_odd_factor_lost_and_won_alternate_from_the_third_member_on(factor: int, step: int) -> None:
    for target in range(1, 500):
        lost = lost_numbers(target, step, factor)
        for top, rest in product(zones(target, factor), range(step)):
            for number in members(top, factor, step, rest)[2:]:
                if number * factor <= target:
                    assert lost[number] != lost[number * factor]
                if number - step > top // factor:
                    assert lost[number] != lost[number - step]


def test_the_counterexamples_for_times_3_are_the_smallest() -> None:
    def split(target: int) -> bool:
        lost = lost_numbers(target, 1, 3)
        return any(len({lost[3 * n] for n in members(top, 3, 1, 0)}) > 1 for top in list(zones(target, 3))[1:])

    assert next(target for target in range(1, 10) if split(target)) == 6
    assert [lost_numbers(37, 1, 3)[number] for number in (4, 3, 2)] == [1, 0, 0]


def test_the_lost_targets_for_times_3_come_in_runs() -> None:
    found, low, high = {1}, 6, 10
    while low <= 3000:
        found |= set(range(low, high + 1, 2))
        low, high = 3 * low + 3, 3 * high + 7
    assert found & set(range(3001)) == {target for target in range(1, 3001) if lost_numbers(target, 1, 3)[1]}
    lost_numbers.cache_clear()


@pytest.mark.parametrize(("factor", "step"), [(2, 1), (2, 2), (2, 3), (2, 5), (3, 1), (3, 2), (4, 3)])
def test_a_face_follows_from_the_face_above_so_that_an_automaton_can_carry_it(factor: int, step: int) -> None:
    follows: dict[Any, Any] = {}
    for target in range(1, 1200):
        lost = lost_numbers(target, step, factor)

        def face(top: int, lost: bytes = lost) -> tuple[Any, ...]:
            return tuple(tuple(lost[n] for n in members(top, factor, step, rest)[:3]) for rest in range(step))

        tops = [(top, face(top)) for top in zones(target, factor) if top >= 6 * factor * step]
        for (above, upper), (top, lower) in pairwise(tops):
            known = (upper, above - factor * top, above % (2 * step), top % (2 * step))
            assert follows.setdefault(known, lower) == lower
    assert follows
    lost_numbers.cache_clear()


def automaton_by_one(target: int) -> bool:
    seen = False
    while target:
        target, digit = divmod(target, 4)
        seen = seen or digit in (1, 3)
    return seen


def automaton_by_two(target: int) -> bool:
    state = "at the end"
    while target:
        target, digit = divmod(target, 4)
        fine = digit == 1 if state == "at the end" else digit < 2 and state == "fine"
        state = "fine" if fine else "won"
    return state == "fine"


def test_the_automata_for_steps_1_and_2_tell_the_lost_targets() -> None:
    for target in range(1, 1500):
        assert automaton_by_one(target) == lost_numbers(target, 1, 2)[1]
        assert automaton_by_two(target) == lost_numbers(target, 2, 2)[1]
    lost_numbers.cache_clear()


# Binary Battle

KNOWN = range(1, 6)


def plain_turn(bits: int, secret: int) -> int:
    """When plain binary search hits a secret."""
    row = format(secret, f"0{bits}b").rstrip("0")
    return len(row) + row.count("0") if secret else 2


def plain(bits: int) -> RealizationPlan:
    """Plain binary search: set the next bit, take it back if that was too much."""
    weights, todo = {}, [start(bits)]
    while todo:
        state = todo.pop()
        number = state.number
        ones = [place for place in range(bits) if number >> place & 1]
        fits = [place for place in range(bits) if not number >> place & 1 and number + (1 << place) <= state.high]
        bit = bits - (min(ones) if state.high < number else max(fits))
        weights[state] = tuple(int(place == bit) for place in range(1, bits + 1))
        todo += successors(state, toggled(bits, number, bit))
    return RealizationPlan(bits, 1, weights)


def value(bits: int) -> Fraction:
    exact = solved(bits).exact
    assert exact is not None
    return exact


def plans(bits: int) -> tuple[RealizationPlan, RealizationPlan]:
    proof = solved(bits).proof
    assert proof
    return proof.plans


def test_the_values_of_the_page_are_what_is_proved() -> None:
    table = {int(row[0]): Fraction(row[2]) for row in rows("Exact values")}
    assert [float(row[1]) for row in rows("Exact values")] == [
        pytest.approx(float(exact), abs=1e-9) for exact in table.values()
    ]
    assert list(table) == [1, 2, 3, 4, 5, 6, 7]
    assert all(table[bits] == value(bits) for bits in KNOWN)


def test_the_bounds_hold_and_parity_is_what_the_proof_says() -> None:
    for row in rows("Exact values")[1:]:
        bits, exact = int(row[0]), Fraction(row[2])
        assert Fraction(1, 2) + Fraction(3, 16 * (2 * bits - 1)) <= exact <= 1 - (1 - Fraction(1, bits)) / 2**bits
    for bits in KNOWN:
        for plan in (*plans(bits), plain(bits)):
            hits = ((t, s) for t, hit in enumerate(plan.hits, 1) for s, parts in enumerate(hit) if parts)
            assert all((turn - secret.bit_count()) % 2 == 0 for turn, secret in hits)


@pytest.mark.parametrize("bits", range(1, 8))
def test_plain_binary_search_hits_when_it_is_said_to(bits: int) -> None:
    search = plain(bits)
    search.check()
    found = {secret: turn for turn, hits in enumerate(search.hits, 1) for secret, parts in enumerate(hits) if parts}
    assert found == {secret: plain_turn(bits, secret) for secret in range(1 << bits)}
    assert max(found.values()) == max(2, 2 * bits - 1)


@pytest.mark.parametrize("bits", KNOWN)
def test_what_plain_binary_search_gives_away(bits: int) -> None:
    first, second = plans(bits)
    row = rows("The cost of plain binary search")[bits - 1]
    for seat, other, cells in ((1, second, row[1:4]), (2, first, row[4:7])):
        paid = rewards(seat, other)
        turns = [plain_turn(bits, secret) for secret in range(1 << bits)]
        won = sum(paid[turn - 1][secret] for secret, turn in enumerate(turns) if turn <= len(paid))
        share = Fraction(won, other.scale << bits)
        best = value(bits) if seat == 1 else 1 - value(bits)
        assert float(share) == pytest.approx(float(cells[0]), abs=6e-5)
        assert float(best - share) == pytest.approx(float(cells[1]), abs=6e-5)
        assert 1 - best_response(3 - seat, plain(bits)) == Fraction(cells[2])


@pytest.mark.parametrize("bits", KNOWN)
def test_ties_bound_the_value_as_the_page_says(bits: int) -> None:
    cells = rows("The limit")[bits - 1]
    ties = [
        Fraction(sum(parts**2 for hits in plan.hits for parts in hits), plan.scale**2 << bits) for plan in plans(bits)
    ]
    assert Fraction(1, 2) + ties[1] / 2 <= value(bits) <= Fraction(1, 2) + ties[0] / 2
    expected = (value(bits) - Fraction(1, 2), float(value(bits) - Fraction(1, 2)) * bits**0.5, ties[1], ties[0])
    assert [float(cell) for cell in cells[1:5]] == [pytest.approx(float(number), abs=6e-4) for number in expected]
    means = [
        sum(turn * parts for turn, hits in enumerate(plan.hits, 1) for parts in hits) / plan.scale / 2**bits
        for plan in plans(bits)
    ]
    assert [float(cell) for cell in cells[5].split(",")] == [pytest.approx(mean, abs=6e-3) for mean in means]


def first_toggles(bits: int) -> tuple[Fraction, set[int]]:
    table = OpenSolution(bits)
    choices = table.choices(0, 0, 0, (1 << bits) - 1)
    lower, upper, _ = table.bounds(0, 0, 0, (1 << bits) - 1)
    assert lower == upper
    return table.start, {bit for bit, share in choices if share == table.start}


OPEN = {1: {1}, 2: {1, 2}, 3: {1, 2, 3}, 4: {2}, 5: {1, 2, 3, 5}, 6: {2, 3, 4, 6}, 7: {3, 4}}


@pytest.mark.parametrize("bits", [1, 2, 3, 4, 5, 6, pytest.param(7, marks=pytest.mark.slow)])
def test_the_open_table_of_the_page(bits: int) -> None:
    assert first_toggles(bits) == (Fraction(rows("The open table")[bits - 1][1]), OPEN[bits])


@pytest.mark.parametrize(("bits", "left", "count"), [(1, 4, 1), (2, 7, 2), (3, 10, 12), (4, 15, 608)])
def test_so_many_vectors_of_hitting_turns_are_not_dominated(bits: int, left: int, count: int) -> None:
    assert len(pure_strategies(bits, 0, 0, (1 << bits) - 1, left)) == count
    assert np.array(list(pure_strategies(bits, 0, 0, (1 << bits) - 1, left))).max() <= left


@pytest.mark.slow
@pytest.mark.parametrize("bits", [6, 7])
def test_the_largest_values_of_the_page(bits: int) -> None:
    assert value(bits) == Fraction(rows("Exact values")[bits - 1][2])
