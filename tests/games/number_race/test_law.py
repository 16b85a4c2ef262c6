"""The law of the number races against plain search, at every step, and on very long numbers."""

import random
from dataclasses import replace

import pytest

from bitduel.core.match import Match
from bitduel.games.binary_race_64 import BinaryRace64
from bitduel.games.number_race.law import MOST_CACHED, NumberLaw, fence
from bitduel.games.number_race.rules import NumberBoard, NumberEvaluator
from bitduel.solver.evaluators import TableEvaluator, within_horizon
from laws import first_player_loses_by_one, first_player_loses_by_two

LONG = 10**60


def search(target: int, step: int) -> dict[int, tuple[bool, int]]:
    """By the rules alone: number -> is it lost, and in how many moves."""
    found = {target: (True, 0)}
    for number in range(target - 1, 0, -1):
        # Whoever passes the target has lost at once: it is as if the other had already won.
        after = [found.get(reached, (False, 0)) for reached in (number + step, 2 * number)]
        fast = [plies + 1 for lost, plies in after if lost]
        found[number] = (False, min(fast)) if fast else (True, 1 + max(plies for _, plies in after))
    return found


def plies_by_one(number: int, target: int) -> int:
    """The moves left with step 1, by the short formula of docs/number-races.md."""
    plies = 0
    while target % 2 == 0 and 4 * number <= target:
        plies += target - 2 * (target // 4)
        target //= 4
    if target % 2 == 0 and 2 * number <= target:
        return plies + 1 + target - 2 * number
    return plies + target - number


def plies_by_two(number: int, target: int) -> int:
    """The moves left with step 2, by the short formula of docs/number-races.md."""
    if number == 1 and target in (3, 5):
        return target - 2
    overshoot = (target - number) % 2
    if number % 2 == 0:
        return plies_by_one(number // 2, target // 2) + overshoot
    if number <= fence(target):
        return 1 + plies_by_one(number, target // 2) + target % 2
    return (target - number) // 2 + overshoot


SHORT = {1: plies_by_one, 2: plies_by_two}


@pytest.mark.parametrize("step", [*range(1, 25), 31, 64, 97])
def test_values_and_plies_of_every_step_agree_with_search(step: int) -> None:
    for target in [*range(1, 120), 255, 256, 341, 512, 682]:
        law = NumberLaw(target, step)
        for number, (lost, plies) in search(target, step).items():
            assert (law.is_lost(number), law.plies(number)) == (lost, plies), (number, target)


@pytest.mark.slow
@pytest.mark.parametrize("step", range(1, 101))
def test_values_and_plies_of_every_step_agree_with_search_up_to_hundreds(step: int) -> None:
    for target in range(1, 700, 1 + step % 3):
        law = NumberLaw(target, step)
        for number, expected in search(target, step).items():
            assert (law.is_lost(number), law.plies(number)) == expected, (number, target)


@pytest.mark.parametrize("step", [1, 2, 3, 4, 7, 12, 1000, 999_983, 10**9])
def test_at_a_thousand_million_the_plies_keep_the_rules(step: int) -> None:
    rng = random.Random(step)
    for _ in range(12):
        target = rng.randrange(5 * 10**8, 10**9)
        law = NumberLaw(target, step)
        for number in (1, rng.randrange(1, 1000), rng.randrange(1, target), target // 2 ** rng.randrange(1, 20)):
            after = [then for then in (number + step, 2 * number) if then <= target]
            fast = [law.plies(then) + 1 for then in after if law.is_lost(then)]
            slow = [law.plies(then) + 1 for then in after] + [1] * (2 - len(after))
            assert law.plies(number) == (min(fast) if fast else max(slow))
            assert law.is_lost(number) == (not fast)


@pytest.mark.parametrize("step", [1, 2, 3, 4, 6, 7, 12, 31])
def test_hundreds_of_digits_keep_the_rules(step: int) -> None:
    rng = random.Random(step)
    for _ in range(20):
        target = rng.randrange(LONG // 10, LONG) * 4 ** rng.randrange(6)
        number = target // 2 ** rng.randrange(2, 190) + 1 + rng.randrange(4 * step)
        law = NumberLaw(target, step)
        wins = [after <= target and law.is_lost(after) for after in (number + step, 2 * number)]
        assert law.is_lost(number) != any(wins)


def test_a_step_as_long_as_the_target() -> None:
    step = 10**50 + 7
    law = NumberLaw(LONG, step)
    assert not law.is_lost(LONG - step)
    assert law.is_lost(LONG - 2 * step)


@pytest.mark.parametrize("step", SHORT)
def test_the_short_formulas_of_the_document_are_the_same(step: int) -> None:
    rng = random.Random(7)
    for target in [*range(2, 100), *(rng.randrange(2, 10**9) for _ in range(60))]:
        number = rng.randrange(1, target)
        assert NumberLaw(target, step).plies(number) == SHORT[step](number, target), (number, target)


def test_lost_targets_from_one() -> None:
    for target in range(1, 5000):
        assert first_player_loses_by_one(target) == NumberLaw(target, 1).is_lost(1)
        assert first_player_loses_by_two(target) == NumberLaw(target, 2).is_lost(1)


@pytest.mark.parametrize("power", range(1, 7))
def test_how_many_targets_are_lost(power: int) -> None:
    targets = range(2, 4**power + 1)
    assert sum(map(first_player_loses_by_one, targets)) == 4**power - 2**power
    assert sum(map(first_player_loses_by_two, targets)) == 2 ** (power - 1) - 1


def test_the_games_as_their_rulebooks_have_them() -> None:
    double, race = NumberLaw(20, 1), NumberLaw(64, 2)
    assert [double.fastest_win(number) for number in (1, 2, 6, 10)] == [None, "add", "double", "double"]
    assert [race.fastest_win(number) for number in (1, 6)] == ["add", "double"]
    assert (double.plies(1), race.plies(1)) == (14, 32)


@pytest.mark.parametrize("step", [1, 2, 3, 5, 7, 12, 25, 50])
def test_the_cap_of_a_lost_number_is_what_the_law_says_part_by_part(step: int) -> None:
    for target in (*range(2, 90), 500, 997):
        law, caps, top = NumberLaw(target, step), [target] * step, target
        while top:
            part = range(top // 2 + 1, top + 1)
            fallen = {number % step for number in part if 2 * number <= target and law.is_lost(2 * number)}
            caps = [part.start - 1 if rest in fallen else cap for rest, cap in enumerate(caps)]
            for number in filter(law.is_lost, part):
                assert law.cap(number) == caps[number % step], (number, target)
                assert (law.cap(number) - number) // step % 2 == 0
            top //= 2


def test_what_a_number_rests_on_is_enough_to_know_it() -> None:
    for step, target in ((1, 100), (2, 64), (3, 500), (7, 1000), (12, 997)):
        law = NumberLaw(target, step)
        for number in range(1, target + 1):
            premises = law.premises(number)
            assert all(number < above <= target for above in premises)
            assert bool(premises) == (2 * number <= target)
            move = law.fastest_win(number)
            assert (move is None) == law.is_lost(number)
            if move:
                made = number + step if move == "add" else 2 * number
                assert law.is_lost(made)
                assert law.plies(made) == law.plies(number) - 1


@pytest.mark.parametrize("step", [1, 2, 3, 5, 7, 12, 61, 1000])
def test_asked_about_are_doubles_one_step_further_and_first_numbers_above_a_zone(step: int) -> None:
    kinds = set()
    for target in (99, 1000, 999_999_937, 975_356_439):
        law, asked, todo = NumberLaw(target, step), set[int](), [1]
        for number in todo:
            for other in law.premises(number):
                kind = {number + step: "step", law.climb(number)[1]: "above", 2 * number: "double"}[other]
                kinds.add(kind)
                if kind == "step":
                    assert law.is_lost(other)
                todo += [other] if other not in asked else []
                asked.add(other)
        assert len(asked) <= 2 * target.bit_length() ** 3
    assert kinds == {"double", "above", "step"}


def test_no_more_is_cached_than_fits() -> None:
    law = NumberLaw(10**9, 3)
    assert law._cached_plies.cache_info().maxsize == law._cached_tops.cache_info().maxsize == MOST_CACHED


@pytest.mark.parametrize("step", [1, 2, 3, 5, 7])
def test_levels_see_by_the_law_what_they_would_see_by_the_table(step: int) -> None:
    for target in (20, 33, 64, 100):
        game = BinaryRace64(start=1, target=target, step=step)
        by_law, by_table = NumberEvaluator(game), TableEvaluator(game)
        table = by_table.solution.table
        for index in range(len(table)):
            number = int(table.positions.number[index])
            view = replace(Match(game).view(1), board=NumberBoard(number), legal=game.moves if number < target else ())
            for horizon in (0, 1, 2, 3, 8, 20, 1000):
                expected = [within_horizon(choice, horizon) for choice in by_table.solution.choices(index)]
                assert by_law.choices(view, horizon) == expected, (target, number, horizon)
