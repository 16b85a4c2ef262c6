"""What a hint says by the law of a game is so, at every position of many sizes."""

import re
from functools import cache
from itertools import product

import pytest

from bitduel.core.evaluation import DRAW, WIN
from bitduel.core.match import Match
from bitduel.games.number_race.words import why_lost
from bitduel.games.registry import make
from bitduel.solver.evaluators import TableEvaluator
from bitduel.solver.table import position_key, shortest_path

STEPS = range(1, 8)
TARGETS = (*range(2, 90), 128, 170, 200, 257)


@cache
def lost(target: int, step: int) -> dict[int, bool]:
    """Every number by whether whoever must move loses, by nothing but the rules."""
    found = {target: True}
    for number in range(target - 1, 0, -1):
        found[number] = not any(found.get(then, False) for then in (number + step, 2 * number))
    return found


@pytest.mark.parametrize("step", STEPS)
def test_exactly_the_lost_numbers_have_a_reason(step: int) -> None:
    for target in TARGETS:
        for number in range(1, target):
            assert bool(why_lost(number, target, step)) == lost(target, step)[number], (number, target, step)


@pytest.mark.parametrize("step", STEPS)
def test_every_count_in_a_reason_is_even(step: int) -> None:
    for target in TARGETS:
        for number in range(1, target):
            counts = re.findall(r"fits (\d+) times", why_lost(number, target, step))
            assert all(int(count) % 2 == 0 and int(count) > 0 for count in counts)


def test_where_only_adding_is_left_it_fits_as_often_as_is_said() -> None:
    for target, step in product(TARGETS, STEPS):
        for number in range(target // 2 + 1, target):
            said = re.match(
                rf"From {number}, doubling goes past {target}\. .* fits (\d+) times", why_lost(number, target, step)
            )
            if said:
                fits = int(said[1])
                assert number + fits * step <= target < number + (fits + 1) * step


def test_whoever_first_passes_the_quartered_target_loses() -> None:
    for target in TARGETS:
        for number in range(1, target):
            goal = re.match(
                r"Whoever first goes past (\d+) loses\. \(\1 is (\d+) divided by 4(?: (twice|(\d+) times))?, rounded",
                why_lost(number, target, 1),
            )
            assert bool(goal) == why_lost(number, target, 1).startswith("Whoever")
            if goal:
                high = int(goal[1])
                assert high == target // 4 ** (2 if goal[3] == "twice" else int(goal[4] or 1))
                assert int(goal[2]) == target
                moves = [then for here in range(1, high + 1) for then in (here + 1, 2 * here) if then > high]
                assert number <= high
                assert not any(lost(target, 1)[then] for then in moves), "who is left there wins"


def test_an_odd_number_on_the_way_to_an_odd_one_is_lost_as_is_said() -> None:
    for target in TARGETS:
        for number in range(1, target):
            if re.search(r"(\d+) is odd\. Every move from an odd number", why_lost(number, target, 1)):
                assert number % 2 == 1


def test_doubling_an_odd_number_loses_where_a_reason_says_so() -> None:
    for target in TARGETS:
        for number in range(1, target, 2):
            said = re.match(r"Doubling an odd number loses (here|above (\d+))", why_lost(number, target, 2))
            if said:
                above = int(said[2] or 0)
                odd = [here for here in range(1, target // 2 + 1, 2) if here > above]
                assert number > above
                assert not any(lost(target, 2)[2 * here] for here in odd)


def test_a_cap_tells_all_numbers_below_it_that_are_whole_steps_apart() -> None:
    for target, step in product(TARGETS, (3, 5, 7)):
        for number in range(1, target):
            said = re.match(
                r"Doubling (\d+) loses\. So does .* goes past (\d+)|Whoever doubles here .* adds past (\d+)\.",
                why_lost(number, target, step),
            )
            if said:
                cap = int(said[2] or said[3])
                assert number <= cap <= target
                assert ((cap - number) // step == 0) == bool(said[1])
                here = range(number, cap + 1, step)
                assert not any(lost(target, step).get(2 * each, False) for each in here), "whoever doubles loses"
                assert not lost(target, step).get(here[-1] + step, False), "whoever adds past it loses"


def test_a_reason_says_who_makes_the_last_move_to_whoever_hears_it() -> None:
    match = Match(make("64", start=56))
    assert "your opponent makes the last addition" in match.game.words.reason(match.view(1))
    assert "you make the last addition" in match.game.words.reason(match.view(2))


def alone(length: int, finish: str) -> list[int]:
    """How many moves every place needs, by trying everything; the tests of the law say the same in other words."""
    game = make("31", length=length, finish=finish)
    needs = [0] * (length + 1)
    for place in range(length - 1, -1, -1):
        position = type(game.start())(place, 0)
        ends = [game.play(position, move).theirs for move in game.moves if game.legal(position, move)]
        needs[place] = 1 + min(needs[min(end, length)] for end in ends)
    return needs


@pytest.mark.parametrize("finish", ["sample", "any", "exact"])
@pytest.mark.parametrize("length", [1, 5, 16, 17, 31, 40])
def test_the_moves_that_both_still_need_are_counted_right(length: int, finish: str) -> None:
    game, needs = make("31", length=length, finish=finish), alone(length, finish)
    evaluator = TableEvaluator(game)
    table = evaluator.solution.table
    for index in range(0, len(table), 7):
        if table.verdict[index]:
            continue
        match = Match(game, moves=shortest_path(table, position_key(table, index)))
        view = match.view(match.to_move)
        said = game.words.reason(view)
        mine, theirs = map(int, re.findall(r"\d+", said))
        assert (mine, theirs) == (needs[view.board.mine], needs[view.board.theirs])
        assert ("it is your turn" in said) == (mine == theirs)
        assert (evaluator.solution.evaluation_at(index).value == WIN) == (mine <= theirs)


@pytest.mark.parametrize("bits", [1, 2, 3, 4, 5])
def test_a_row_of_bits_is_held_exactly_where_a_reason_says_so(bits: int) -> None:
    for first, edge in product(("turn", "game", "flip", "empty"), ("open", "strict")):
        game = make("bits", {"bits": bits, "first-move": first, "edge": edge})
        evaluator = TableEvaluator(game)
        table = evaluator.solution.table
        for index in range(0, len(table), 5):
            if table.verdict[index]:
                continue
            match = Match(game, moves=shortest_path(table, position_key(table, index)))
            held = bool(game.words.reason(match.view(match.to_move)))
            assert held == (evaluator.solution.evaluation_at(index).value == DRAW)
