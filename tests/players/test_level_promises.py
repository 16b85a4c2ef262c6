"""What levels promise, held against every position of the standard games, and what is said of them."""

from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from benchmarks.scores import move_chances, score
from bitduel.core.game import Game, Verdict
from bitduel.core.match import Match
from bitduel.core.view import View
from bitduel.games.registry import GameClass, all_games, make
from bitduel.players import player
from bitduel.players.evaluating_players import LEVELS, NamedLevelPlayer, PolicyPlayer
from bitduel.players.level_descriptions import WITH_HIDDEN_INFORMATION, level_about, overlooked_threats
from bitduel.players.spec import EASY, HARD, KINDS, MEDIUM, PERFECT
from bitduel.solver.evaluators import TableEvaluator, evaluator_for
from bitduel.solver.move_values import MoveValues
from helpers import all_readings

NAMED = (EASY, MEDIUM, HARD)
EVERYBODY = (*NAMED, PERFECT, "level:1", "level:2", "level:3", "level:4", "level:8")
OPEN_READINGS = [(kind, chosen) for kind, chosen in all_readings() if not kind().has_chance]
FORESEEABLE = [(kind, chosen) for kind, chosen in OPEN_READINGS if kind.longest_forced_win != 1]
PERSON = "level:1"
"""A person of easy strength: takes a win in one move, and otherwise guesses."""

BATTLE = make("battle")
OWN_STATES = [
    (number, low, high)
    for number in range(32)
    for low in range(32)
    for high in range(low, 32)
    if not low <= number <= high
]
"""Everything that a seat may know in Binary Battle: its number, and where the secret can be."""


def every_position(game: Game[Any]) -> MoveValues:
    evaluator = evaluator_for(game)
    assert isinstance(evaluator, TableEvaluator)
    return evaluator.move_values(np.flatnonzero(evaluator.solution.table.verdict == Verdict.OPEN))


@pytest.mark.parametrize(("kind", "chosen"), OPEN_READINGS)
def test_nobody_misses_a_win_in_one(kind: GameClass, chosen: dict[str, object]) -> None:
    game = kind(**chosen)
    values = every_position(game)
    wins = values.legal & (values.sign > 0) & (values.plies == 1)
    here = wins.any(axis=1)
    for name in EVERYBODY:
        assert not move_chances(game, name, values)[here][~wins[here]].any(), name


@pytest.mark.parametrize("plies", [2, 4])
@pytest.mark.parametrize(("kind", "chosen"), FORESEEABLE)
def test_medium_never_allows_a_loss_in_one_and_hard_none_within_four_plies_if_it_can_be_stopped(
    kind: GameClass, chosen: dict[str, object], plies: int
) -> None:
    game = kind(**chosen)
    values = every_position(game)
    lost = values.legal & (values.sign < 0) & (values.plies <= plies)
    can_stop = (values.legal & ~lost).any(axis=1)
    for name in NAMED:
        if LEVELS[name].foresight >= plies:
            assert not move_chances(game, name, values)[can_stop][lost[can_stop]].any(), name


@pytest.mark.parametrize(("kind", "chosen"), FORESEEABLE)
def test_hard_makes_every_win_that_takes_up_to_four_plies(kind: GameClass, chosen: dict[str, object]) -> None:
    game = kind(**chosen)
    values = every_position(game)
    wins = values.legal & (values.sign > 0) & (values.plies <= 4)
    here = wins.any(axis=1)
    assert not move_chances(game, HARD, values)[here][~wins[here]].any()


@pytest.mark.parametrize("name", [*NAMED, "level:1", "level:4"])
def test_with_a_hidden_secret_nobody_misses_a_win_in_one_that_is_certain(name: str) -> None:
    who = player(name, BATTLE, Random(1))
    assert isinstance(who, PolicyPlayer)
    for number, low, high in OWN_STATES:
        if low == high and (number ^ low).bit_count() == 1:
            assert set(who.policy(seen(number, low, high))) == {f"toggle {6 - (number ^ low).bit_length()}"}


def test_with_a_hidden_secret_hard_makes_every_certain_win_in_two_of_its_turns() -> None:
    hard = player(HARD, BATTLE, Random(1))
    assert isinstance(hard, NamedLevelPlayer)
    met = 0
    for number, low, high in OWN_STATES:
        certain = {t for bit in range(5) if is_sure(number ^ 16 >> bit, low, high) for t in [f"toggle {bit + 1}"]}
        near = low == high and (number ^ low).bit_count() == 1
        if certain and not near:
            met += 1
            assert set(hard.policy(seen(number, low, high))) <= certain
    assert met == 448


def is_sure(guess: int, low: int, high: int) -> bool:
    """Whether each secret is hit by this number or by one toggle of it that the answer tells."""
    for side in ({s for s in range(low, high + 1) if s < guess}, {s for s in range(low, high + 1) if s > guess}):
        if len(side) > 1 or any((s ^ guess).bit_count() != 1 for s in side):
            return False
    return True


def seen(number: int, low: int, high: int) -> View:
    """What a seat sees with its number, and the secret between two bounds."""
    view = Match(BATTLE, deal="00000").view(1)
    return replace(view, board=view.board._replace(mine=f"{number:05b}", low=low, high=high))


@pytest.mark.parametrize("kind", all_games())
def test_a_person_who_takes_a_win_and_otherwise_guesses_scores_40_against_easy(kind: GameClass) -> None:
    assert score(kind(), PERSON, EASY).points >= 0.4


@pytest.mark.parametrize("name", NAMED)
def test_how_often_a_threat_is_overlooked_is_counted_over_the_positions_of_the_game(name: str) -> None:
    game = make("bits")
    values = every_position(game)
    chances = move_chances(game, name, values)
    allowed = []
    for row in range(len(chances)):
        fatal = {m for m in range(len(game.moves)) if values.sign[row, m] < 0}
        legal = {m for m in range(len(game.moves)) if values.legal[row, m]}
        if fatal and legal - fatal:
            allowed.append(sum(chances[row, m] for m in fatal))
    assert len(allowed) == 6
    share = overlooked_threats(game, name)
    assert share is not None
    assert share == pytest.approx(sum(allowed) / 6)
    assert 0.05 < share < 0.5
    assert level_about(game, name) == f"takes a win in one move; overlooks a threat {100 * share:.0f}% of the time"


def test_medium_and_hard_overlook_no_threat_where_one_ply_is_not_all() -> None:
    for kind in (each for each in all_games() if each().has_perfect_information and each.longest_forced_win != 1):
        shares = [overlooked_threats(kind(), name) for name in NAMED]
        assert shares[1:] == [0, 0]


def test_a_game_that_says_how_long_its_forced_wins_are_is_right() -> None:
    for kind, chosen in OPEN_READINGS:
        if kind.longest_forced_win is not None:
            assert every_position(kind(**chosen)).plies.max() <= kind.longest_forced_win + 1


def test_what_is_said_of_a_level_follows_from_the_game() -> None:
    assert level_about(make("31"), HARD) == "sees everything within four moves, which is perfect play here"
    assert level_about(make("31", finish="exact"), HARD) == "sees everything within four moves"
    assert level_about(make("battle"), EASY) == WITH_HIDDEN_INFORMATION[EASY]
    assert level_about(make("bits"), PERFECT) == KINDS[PERFECT].about


def test_where_hard_is_perfect_play_it_scores_half_against_perfect() -> None:
    assert score(make("31"), HARD, PERFECT).points == pytest.approx(0.5)
