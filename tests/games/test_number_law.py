"""Check the laws of the number races against plain search, and on very long numbers."""

import random
from dataclasses import replace

import pytest

from bitduel.core.match import Match
from bitduel.games import number_law as law
from bitduel.games.binary_race_64 import BinaryRace64
from bitduel.games.number_evaluator import NumberJudge
from bitduel.games.number_race import NumberBoard
from bitduel.solver.evaluators import TableEvaluator, seen
from laws import first_player_loses_by_one, first_player_loses_by_two, winning_moves

LONG = 10**1000


def search(target: int, step: int) -> dict[int, bool]:
    """Solve one race by the rules alone: number -> does the mover win."""
    wins = {target: False}
    for number in range(target - 1, 0, -1):
        reached = (number + step, 2 * number)
        wins[number] = any(after <= target and not wins[after] for after in reached)
    return wins


def search_plies(target: int, step: int) -> dict[int, int]:
    """Count the moves left by the rules alone: the winner hurries, the loser delays."""
    wins = search(target, step)
    plies = {target: 0}
    for number in range(target - 1, 0, -1):
        reached = (number + step, 2 * number)
        if wins[number]:
            good = [after for after in reached if after <= target and not wins[after]]
            plies[number] = 1 + min(plies[after] for after in good)
        else:
            plies[number] = 1 + max(plies.get(after, 0) for after in reached)
    return plies


def long_races(step: int, seed: int) -> list[tuple[int, int]]:
    """Draw numbers of every size under targets of a thousand digits."""
    dice = random.Random(seed)
    races = []
    for _ in range(20):
        target = dice.randrange(LONG // 10, LONG) * 4 ** dice.randrange(6)
        number = target // 2 ** dice.randrange(2, 3300) + 1 + dice.randrange(4 * step)
        races.append((number, target))
    return races


@pytest.mark.parametrize("step", range(1, 25))
def test_law_agrees_with_search(step: int) -> None:
    for target in range(1, 101):
        for number, wins in search(target, step).items():
            assert law.mover_wins(number, target, step) == wins, (number, target)
            assert law.wins_by_caps(number, target, step) == wins, (number, target)


@pytest.mark.parametrize("step", [1, 2])
def test_short_laws_agree_with_search_further_up(step: int) -> None:
    for target in range(2, 601):
        for number, wins in search(target, step).items():
            assert law.mover_wins(number, target, step) == wins, (number, target)


def test_plies_agree_with_search() -> None:
    for target in range(1, 301):
        for number, plies in search_plies(target, 1).items():
            assert law.plies_by_one(number, target) == plies, (number, target)
        for number, plies in search_plies(target, 2).items():
            assert law.plies_by_two(number, target) == plies, (number, target)


def test_lost_targets_from_one() -> None:
    for target in range(1, 5000):
        assert first_player_loses_by_one(target) != law.mover_wins(1, target, 1)
        assert first_player_loses_by_two(target) != law.mover_wins(1, target, 2)


@pytest.mark.parametrize("power", range(1, 7))
def test_how_many_targets_are_lost(power: int) -> None:
    targets = range(2, 4**power + 1)
    assert sum(map(first_player_loses_by_one, targets)) == 4**power - 2**power
    assert sum(map(first_player_loses_by_two, targets)) == 2 ** (power - 1) - 1


@pytest.mark.parametrize("step", [1, 2, 3, 4, 6, 7, 12, 31])
def test_a_thousand_digits_keep_the_rules(step: int) -> None:
    for number, target in long_races(step, seed=step):
        reached = [number + step, 2 * number]
        answers = [after <= target and not law.mover_wins(after, target, step) for after in reached]
        assert law.mover_wins(number, target, step) == any(answers)


@pytest.mark.parametrize("step", [1, 2])
def test_a_thousand_digits_short_law_and_caps_agree(step: int) -> None:
    for number, target in long_races(step, seed=10 + step):
        short = law.mover_wins(number, target, step)
        assert short == law.wins_by_caps(number, target, step)


def test_a_step_as_long_as_the_target() -> None:
    step = 10**900 + 7
    assert law.mover_wins(LONG - step, LONG, step)
    assert not law.mover_wins(LONG - 2 * step, LONG, step)


def test_double_or_nothing() -> None:
    assert not law.mover_wins(1, 20, 1)
    assert winning_moves(1, 20, 1) == []
    assert winning_moves(2, 20, 1) == ["add"]
    assert winning_moves(6, 20, 1) == ["double"]
    assert winning_moves(10, 20, 1) == ["double"]
    assert law.plies_by_one(1, 20) == 14


def test_binary_race() -> None:
    assert law.mover_wins(1, 64, 2)
    assert winning_moves(1, 64, 2) == ["add"]
    assert winning_moves(6, 64, 2) == ["double"]
    assert law.plies_by_two(1, 64) == 32


@pytest.mark.parametrize(("number", "target", "step"), [(0, 9, 1), (9, 8, 1), (1, 9, 0)])
def test_no_such_race(number: int, target: int, step: int) -> None:
    with pytest.raises(ValueError, match="no such race"):
        law.mover_wins(number, target, step)


@pytest.mark.slow
@pytest.mark.parametrize("step", [1, 2])
def test_short_laws_agree_with_search_for_every_start_and_target_up_to_thousands(step: int) -> None:
    for target in range(2, 3001):
        for number, wins in search(target, step).items():
            assert law.mover_wins(number, target, step) == wins, (number, target)


@pytest.mark.parametrize("step", [1, 2, 3, 5, 7])
def test_levels_see_by_the_law_what_they_would_see_by_the_table(step: int) -> None:
    for target in (20, 33, 64, 100):
        game = BinaryRace64(start=1, target=target, step=step)
        by_law, by_table = NumberJudge(game), TableEvaluator(game)
        table = by_table.solution.table
        for index in range(len(table)):
            number = int(table.positions.number[index])
            view = replace(Match(game).view(1), board=NumberBoard(number), legal=game.moves if number < target else ())
            for horizon in (0, 1, 2, 3, 8, 20, 1000):
                expected = [seen(choice, horizon) for choice in by_table.solution.choices(index)]
                assert by_law.choices(view, horizon) == expected, (target, number, horizon)
