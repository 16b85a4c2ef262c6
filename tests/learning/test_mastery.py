"""Mastery: won from the better seat against perfect play, or played without a slip where that cannot be done."""

from random import Random

import pytest

from bitduel.core.match import Match
from bitduel.core.outcomes import AGREED_DRAW, RESIGNATION, Outcome
from bitduel.games.registry import BUILT_IN, GameClass, find, make
from bitduel.learning.mastery import DRAW_RULE, mastery_task, should_start, shows_mastery
from bitduel.players import drive, player


def played(kind: GameClass, names: tuple[str, str] = ("perfect", "perfect"), seed: int = 2) -> Match:
    """A match in which seat 1 has the better place."""
    game, rng = kind(), Random(seed)
    match = Match(game, 1 if should_start(game) else 2, game.deal(rng))
    drive(match, {seat: player(name, game, rng) for seat, name in enumerate(names, 1)})
    return match


@pytest.mark.parametrize("kind", BUILT_IN, ids=lambda kind: kind.short)
def test_perfect_play_from_the_better_seat_shows_mastery_and_that_from_the_other_does_not(kind: GameClass) -> None:
    match = played(kind)
    assert shows_mastery(match, 1)
    assert not shows_mastery(match, 2)


@pytest.mark.parametrize("kind", BUILT_IN, ids=lambda kind: kind.short)
def test_a_slip_shows_none(kind: GameClass) -> None:
    assert not all(shows_mastery(played(kind, ("random", "perfect"), seed), 1) for seed in range(9))


def test_the_seat_and_the_goal_are_named() -> None:
    assert {kind.short for kind in BUILT_IN if not should_start(kind())} == {"double", "bits"}
    assert "You go second, and from there you can win." in mastery_task(make("double"))
    assert "Nobody can force a win here." in mastery_task(make("bits"))
    assert "Luck may decide it." in mastery_task(make("battle"))


def test_a_draw_in_a_few_moves_shows_none_and_the_task_says_so() -> None:
    match = Match(make("bits"), 2, moves=("flip 1", "reset 1"))
    assert match.outcome == Outcome(None, "stalemate")
    assert not shows_mastery(match, 1)
    for kind in BUILT_IN:
        assert (DRAW_RULE in mastery_task(kind())) == (kind.short == "bits")


def test_neither_another_size_nor_an_ending_by_agreement_counts() -> None:
    small = Match(find("64")(target=16), 1)
    drive(small, {seat: player("perfect", small.game, Random(1)) for seat in (1, 2)})
    assert small.outcome is not None
    assert not shows_mastery(small, 1)
    match = Match(make("bits"), 1)
    assert not shows_mastery(match, 1)
    match.outcome = Outcome(None, AGREED_DRAW)
    assert not shows_mastery(match, 1)
    resigned = Match(make("64"), 1)
    resigned.outcome = Outcome(1, RESIGNATION)
    assert not shows_mastery(resigned, 1)
