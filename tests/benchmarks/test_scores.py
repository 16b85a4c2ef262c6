"""What players score against each other: by calculation, as the documentation says, and each level below the next."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from benchmarks.scores import DEVIATIONS, ScoreBound, play_side_by_side, score
from bitduel.core.evaluation import LOSS, WIN, Policy
from bitduel.core.game import Game, Verdict
from bitduel.core.match import Match
from bitduel.games.binary_battle.evaluator import HiddenEvaluator
from bitduel.games.registry import GameClass, all_games, make
from bitduel.players import drive, player
from bitduel.players.evaluating_players import PolicyPlayer
from bitduel.players.level_descriptions import level_about
from bitduel.players.spec import EASY, HARD, MEDIUM, PERFECT, RANDOM
from bitduel.solver.evaluators import TableEvaluator, evaluator_for
from helpers import all_readings, readings

PLAYERS = (RANDOM, EASY, MEDIUM, HARD, PERFECT)
LADDER = list(pairwise(PLAYERS[1:]))
SOLVING = Path(__file__).parents[2] / "docs" / "solving.md"

ALL_DRAWN = {"first-move": "game"}
"""Every position is a draw."""
IN_TIME = {"first-move": "empty", "repetition": 0}
"""Nothing but a win ends it, and only who starts can win, so that whoever can err does."""


def fits(chosen: Mapping[str, object], some: Mapping[str, object]) -> bool:
    return some.items() <= chosen.items()


@cache
def scored(game: Game[Any], one: str, two: str) -> ScoreBound:
    return score(game, one, two)


MATTERS = [
    (kind, chosen) for kind, chosen in all_readings() if not fits(chosen, ALL_DRAWN) and not fits(chosen, IN_TIME)
]
FIRST = dict(reversed(MATTERS))
ONE_OF_EACH_GAME = [
    pytest.param(kind, chosen, marks=[] if chosen is FIRST[kind] else pytest.mark.thorough) for kind, chosen in MATTERS
]
"""In the first tier one reading of each game."""


@pytest.mark.parametrize(("kind", "chosen"), ONE_OF_EACH_GAME)
def test_each_level_scores_less_than_45_against_the_next_wherever_it_can(
    kind: GameClass, chosen: dict[str, object]
) -> None:
    game = kind(**chosen)
    for one, two in LADDER:
        found = scored(game, one, two)
        if (one, two) == (HARD, PERFECT) and "perfect play" in level_about(game, HARD):
            assert found.points == pytest.approx(0.5)
            continue
        assert found.points - found.error < 0.45, (one, two)  # where it is counted in samples, within their error
        assert found.error < (0.05 if chosen.get("table") == "open" else 0.01)
    assert scored(game, RANDOM, EASY).points < 0.49


BITS_READINGS = list(readings(next(kind for kind in all_games() if kind.short == "bits")))


@pytest.mark.parametrize("chosen", [chosen for chosen in BITS_READINGS if fits(chosen, ALL_DRAWN)])
def test_where_every_position_is_a_draw_everybody_scores_half(chosen: dict[str, object]) -> None:
    game = make("bits", chosen)
    judge = evaluator_for(game)
    assert isinstance(judge, TableEvaluator)
    assert not judge.solution.values.value.any()
    for one, two in combinations(PLAYERS, 2):
        assert score(game, one, two) == ScoreBound(0.5)


@pytest.mark.parametrize("chosen", [chosen for chosen in BITS_READINGS if fits(chosen, IN_TIME)])
def test_where_nothing_but_a_win_ends_a_match_whoever_errs_loses_in_time(chosen: dict[str, object]) -> None:
    game = make("bits", chosen)
    judge = evaluator_for(game)
    assert isinstance(judge, TableEvaluator)
    assert Verdict.DRAWN not in judge.solution.table.verdict
    for one, two in combinations(PLAYERS[:-1], 2):
        assert score(game, one, two).points == pytest.approx(0.5)
    for name in PLAYERS[:-1]:
        assert score(game, name, PERFECT).points == pytest.approx(0.25)


@pytest.mark.parametrize("chosen", BITS_READINGS)
def test_the_second_player_cannot_win_with_bits_whatever_is_played(chosen: dict[str, object]) -> None:
    judge = evaluator_for(make("bits", chosen))
    assert isinstance(judge, TableEvaluator)
    table = judge.solution.table
    front, met = {(0, 0)}, {(0, 0)}
    while front:
        then = {(int(after), 1 - mover) for at, mover in front for after in table.after[at] if after >= 0}
        front = then - met
        met |= front
    assert {mover for at, mover in met if table.verdict[at] == Verdict.WON} <= {1}


def documented() -> dict[tuple[str, str, str], str]:
    """The table of scores on the page: by game, player and opponent."""
    page = SOLVING.read_text(encoding="utf-8")
    head = re.search(r"^\| game \| \| (.*) \|$", page, re.MULTILINE)
    assert head
    opponents, found, game = head[1].split(" | "), {}, ""
    for line in page[head.end() :].splitlines()[2:]:
        if not line:
            break
        slug, name, *cells = (cell.strip(" `") for cell in line.strip("|").split("|"))
        game = slug or game
        found.update({(game, name, other): cell for other, cell in zip(opponents, cells, strict=True) if cell})
    return found


def test_the_page_tells_of_everybody_against_everybody_stronger_in_every_game() -> None:
    pairs = {(kind.slug, one, two) for kind in all_games() for one, two in combinations(PLAYERS, 2)}
    assert set(documented()) == pairs


@pytest.mark.parametrize("kind", all_games())
def test_the_scores_on_the_page_are_what_comes_out(kind: GameClass) -> None:
    for (slug, one, two), told in documented().items():
        if slug == kind.slug:
            assert f"{100 * scored(kind(), one, two).points:.1f}" == told, (one, two)


@pytest.mark.parametrize("finish", ["sample", "any"])
def test_a_race_to_31_is_decided_by_who_first_plays_16(finish: str) -> None:
    game = make("31", finish=finish)
    judge = evaluator_for(game)
    for moves in ([], ["1"], ["2"], ["4"], ["8"]):
        judged = {c.move: c.evaluation.value for c in judge.choices(Match(game, moves=moves).view(1 + len(moves)))}
        assert judged == {"1": LOSS, "2": LOSS, "4": LOSS, "8": LOSS, "16": WIN}
    assert {(c.evaluation.value, c.evaluation.plies) for c in judge.choices(Match(game, moves=["16"]).view(2))} == {
        (LOSS, 2)
    }


def test_under_exact_finish_every_first_move_wins() -> None:
    game = make("31", finish="exact")
    assert {choice.evaluation.value for choice in evaluator_for(game).choices(Match(game).view(1))} == {WIN}


def known(name: str, game: Game[Any]) -> PolicyPlayer:
    found = player(name, game, Random(1))
    assert isinstance(found, PolicyPlayer)
    return found


def by_playing(match: Match, players: dict[int, PolicyPlayer]) -> float:
    """What seat 1 scores on average, move by move through every match there is."""
    if match.outcome:
        return {1: 1.0, 2: 0.0}.get(match.outcome.winner or 0, 0.5)
    assert match.to_move
    chances = players[match.to_move].policy(match.view(match.to_move))
    return sum(share * by_playing(match.after(move), players) for move, share in chances.items())


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("double", {"target": 9}),
        ("64", {"target": 14}),
        ("31", {"length": 6}),
        ("31", {"length": 5, "finish": "exact"}),
    ],
)
@pytest.mark.parametrize(("one", "two"), [(EASY, HARD), (MEDIUM, PERFECT)])
def test_a_score_is_what_comes_of_all_matches(name: str, options: dict[str, Any], one: str, two: str) -> None:
    game = make(name, options)
    seats = {1: known(one, game), 2: known(two, game)}
    expected = sum(by_playing(Match(game, first), seats) for first in (1, 2)) / 2
    assert score(game, one, two).points == pytest.approx(expected)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        pytest.param(*pair, marks=[] if pair in ((EASY, PERFECT), (MEDIUM, HARD)) else pytest.mark.thorough)
        for pair in combinations((EASY, MEDIUM, HARD, PERFECT), 2)
    ],
)
def test_with_loops_a_score_is_what_a_long_wait_gives(one: str, two: str) -> None:
    game = make("bits", {"repetition": 0, "edge": "strict"})
    judge = evaluator_for(game)
    assert isinstance(judge, TableEvaluator)
    assert score(game, one, two).points == pytest.approx(waited(judge, one, two), abs=1e-4)


def waited(judge: TableEvaluator, one: str, two: str) -> float:
    """What one scores when play that has not ended after very many plies is a draw."""
    table, start = judge.solution.table, Match(judge.game).view(1)
    plans = {}
    for name in (one, two):
        who = known(name, judge.game)
        rows = np.zeros(table.after.shape)
        for at in np.flatnonzero(table.verdict == Verdict.OPEN).tolist():
            legal = tuple(m for m, then in zip(judge.game.moves, table.after[at], strict=True) if then >= 0)
            for move, share in who.policy(replace(start, position=table.position_at(at), legal=legal)).items():
                rows[at, judge.game.moves.index(move)] = share
        plans[name] = rows
    won = dict.fromkeys(plans, 0.0)
    for names in ((one, two), (two, one)):
        there = np.zeros(len(table))
        there[0] = 1
        for ply in range(40_000):
            spread = there[:, None] * plans[names[ply % 2]]
            there = np.bincount(table.after.clip(0).ravel(), spread.ravel(), len(table)).astype(float)
            won[names[ply % 2]] += float(there[table.verdict == Verdict.WON].sum())
            there[table.verdict != Verdict.OPEN] = 0
            if there.sum() < 1e-9:
                break
    return 0.5 + (won[one] - won[two]) / 4


@pytest.mark.parametrize(("one", "two"), [(EASY, MEDIUM), (HARD, PERFECT)])
def test_matches_side_by_side_score_like_matches_one_by_one(one: str, two: str) -> None:
    game = make("bits")
    rng = Random(1)
    seats = {1: player(one, game, rng), 2: player(two, game, rng)}
    points = []
    for number in range(600):
        outcome = drive(Match(game, 1 + number % 2), seats)
        assert outcome
        points.append({1: 1.0, 2: 0.0}.get(outcome.winner or 0, 0.5))
    assert np.mean(points) == pytest.approx(scored(game, one, two).points, abs=DEVIATIONS * 0.35 / 600**0.5)


def test_a_score_and_that_of_the_other_make_one() -> None:
    for name in ("double", "31", "battle"):
        game = make(name, bits=3) if name == "battle" else make(name)
        total = score(game, EASY, HARD).points + score(game, HARD, EASY).points
        assert total == pytest.approx(1)


@pytest.mark.parametrize("bits", [1, 2, 3, 4])
def test_two_perfect_players_in_the_dark_score_the_value_of_the_game(bits: int) -> None:
    game = make("battle", bits=bits)
    judge = evaluator_for(game)
    assert isinstance(judge, HiddenEvaluator)
    habit = Policy(judge.policy, is_stationary=False)
    assert judge.policy_value(habit, habit) == pytest.approx(judge.equilibrium.value)


def test_a_duel_in_the_dark_goes_like_matches_one_by_one() -> None:
    game = make("battle", bits=3)
    rng = Random(2)
    seats = {1: player(EASY, game, rng), 2: player(HARD, game, rng)}
    outcomes = [drive(Match(game, 1 + number % 2, game.deal(rng)), seats) for number in range(1500)]
    points = [outcome.winner == 1 for outcome in outcomes if outcome]
    assert np.mean(points) == pytest.approx(score(game, EASY, HARD).points, abs=DEVIATIONS * 0.5 / 1500**0.5)


def test_a_move_back_to_the_start_can_repeat_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    judge = TableEvaluator(make("bits", {"bits": 2, "first-move": "empty"}))
    known, back = judge.move_values, set[bool]()

    def noted(at: Any, repeating: Any) -> Any:
        to_start = judge.solution.table.after[at] == 0
        back.update(repeating[to_start].tolist())
        return known(at, repeating)

    monkeypatch.setattr(judge, "move_values", noted)
    play_side_by_side(judge, (RANDOM, RANDOM), 500, np.random.default_rng(1))
    assert back == {False, True}
