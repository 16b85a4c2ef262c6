"""How long the races of every step take, by zones and by plain search."""

from random import Random

import pytest

from bitduel.games import number_law as law
from bitduel.games.number_zones import MOST_KEPT, Zones


def search(target: int, step: int) -> dict[int, tuple[bool, int]]:
    """By the rules alone: number -> is it lost, and in how many moves."""
    found = {target: (True, 0)}
    for number in range(target - 1, 0, -1):
        # Who passes the target has lost at once: it is as if the other had already won.
        after = [found.get(reached, (False, 0)) for reached in (number + step, 2 * number)]
        fast = [plies + 1 for lost, plies in after if lost]
        found[number] = (False, min(fast)) if fast else (True, 1 + max(plies for _, plies in after))
    return found


@pytest.mark.parametrize("step", [*range(1, 25), 31, 64, 97])
def test_values_and_plies_of_every_step_agree_with_search(step: int) -> None:
    for target in [*range(1, 120), 255, 256, 341, 512, 682]:
        zones = Zones(target, step)
        for number, (lost, plies) in search(target, step).items():
            assert (zones.lost(number), zones.plies(number)) == (lost, plies), (number, target)


@pytest.mark.slow
@pytest.mark.parametrize("step", range(1, 101))
def test_values_and_plies_of_every_step_agree_with_search_up_to_hundreds(step: int) -> None:
    for target in range(1, 700, 1 + step % 3):
        zones = Zones(target, step)
        for number, expected in search(target, step).items():
            assert (zones.lost(number), zones.plies(number)) == expected, (number, target)


@pytest.mark.parametrize("step", [1, 2, 3, 4, 7, 12, 1000, 999_983, 10**9])
def test_at_a_thousand_million_the_plies_keep_the_rules(step: int) -> None:
    rng = Random(step)
    for _ in range(12):
        target = rng.randrange(5 * 10**8, 10**9)
        zones = Zones(target, step)
        for number in (1, rng.randrange(1, 1000), rng.randrange(1, target), target // 2 ** rng.randrange(1, 20)):
            after = [then for then in (number + step, 2 * number) if then <= target]
            fast = [zones.plies(then) + 1 for then in after if zones.lost(then)]
            slow = [zones.plies(then) + 1 for then in after] + [1] * (2 - len(after))
            assert zones.plies(number) == (min(fast) if fast else max(slow))
            assert zones.lost(number) == (not fast) == (not law.mover_wins(number, target, step))


@pytest.mark.parametrize("step", [1, 2])
def test_the_short_laws_are_the_same(step: int) -> None:
    rng = Random(7)
    for target in (rng.randrange(2, 10**9) for _ in range(60)):
        zones, number = Zones(target, step), rng.randrange(1, target)
        assert zones.plies(number) == law.PLIES[step](number, target)


def test_what_a_number_rests_on_is_enough_to_know_it() -> None:
    for step, target in ((1, 100), (2, 64), (3, 500), (7, 1000), (12, 997)):
        zones = Zones(target, step)
        for number in range(1, target + 1):
            needs = zones.needs(number)
            assert all(number < above <= target for above in needs)
            assert bool(needs) == (2 * number <= target)
            move = zones.move(number)
            assert (move is None) == zones.lost(number)
            if move:
                made = number + step if move == "add" else 2 * number
                assert zones.lost(made)
                assert zones.plies(made) == zones.plies(number) - 1


def test_no_more_is_kept_than_fits() -> None:
    zones = Zones(10**9, 3)
    zones._plies = dict.fromkeys(range(-MOST_KEPT, 0), 0)
    assert zones.plies(10**9 - 3) == 1
    assert len(zones._plies) == 1


@pytest.mark.parametrize("step", [1, 2, 3, 5, 7, 12, 61, 1000])
def test_asked_about_are_doubles_one_step_further_and_first_numbers_above_a_zone(step: int) -> None:
    kinds = set()
    for target in (99, 1000, 999_999_937, 975_356_439):
        zones, asked, todo = Zones(target, step), set[int](), [1]
        for number in todo:
            for other in zones.needs(number):
                kind = {number + step: "step", zones.way(number).out: "above", 2 * number: "double"}[other]
                kinds.add(kind)
                if kind == "step":
                    assert zones.lost(other)
                todo += [other] if other not in asked else []
                asked.add(other)
        assert len(asked) <= 2 * target.bit_length() ** 3
    assert kinds == {"double", "above", "step"}
