"""Values against an independent brute force, and perfect play against every possible opponent."""

from dataclasses import replace
from itertools import chain, combinations, product
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from numpy.typing import NDArray

import brute
from bitduel.core.errors import NotSolvedError
from bitduel.core.evaluation import BY_SIGN, DRAW, LOSS, WIN, best_choices
from bitduel.core.game import Game, Verdict
from bitduel.core.match import Match
from bitduel.core.view import View
from bitduel.games.binary_battle import BinaryBattle
from bitduel.games.binary_race_64 import BinaryRace64
from bitduel.games.law_evaluator import LawEvaluator
from bitduel.games.number_race.rules import NumberEvaluator
from bitduel.games.registry import make
from bitduel.solver.analysis import analyse_position
from bitduel.solver.evaluators import TableEvaluator, evaluator_for
from bitduel.solver.retrograde import Solution, solve
from bitduel.solver.table import explore
from helpers import bitduel

BITS = [
    {"bits": bits, "first-move": first, "edge": edge}
    for bits, first, edge in product((1, 2, 3, 4, 5), ("turn", "game", "flip", "empty"), ("open", "strict"))
]
TRACK = [{"length": n, "finish": f} for n, f in product((1, 2, 3, 4, 7, 16, 31), ("sample", "any", "exact"))]
RACES = [
    {"start": start, "target": target, "step": step}
    for start, target, step in [(1, 20, 1), (1, 64, 2), (3, 50, 4), (2, 33, 7), (1, 2, 1), (5, 6, 9), (1, 200, 1)]
]
GAMES: list[tuple[str, dict[str, Any]]] = [
    *(("binary-race-bits", options) for options in BITS),
    *(("binary-race-31", options) for options in TRACK),
    *((slug, options) for slug in ("binary-race-64", "double-or-nothing") for options in RACES),
]
IDS = [f"{slug} {' '.join(map(str, options.values()))}" for slug, options in GAMES]


def essence(game: Game[Any], position: Any) -> tuple[object, ...]:
    """A position as the brute force sees it."""
    bits = game.options.get("bits")
    if not bits:
        return tuple(position)
    rows = tuple(format(row, f"0{bits}b") for row in position[:2])
    free = tuple("1" not in row for row in rows) if game.options["first-move"] == "empty" else tuple(position[2:])
    return rows + free


@pytest.mark.parametrize(("slug", "options"), GAMES, ids=IDS)
def test_values_and_plies_of_every_position_agree_with_the_brute_force(slug: str, options: dict[str, Any]) -> None:
    game = make(slug, options)
    table = explore(game)
    values = solve(table)
    expected = brute.solve(slug, **{name.replace("-", "_"): value for name, value in options.items()})
    found = {}
    for index in range(len(table)):
        plies = int(values.plies[index])
        key = essence(game, table.position_at(index))
        found[key] = (BY_SIGN[int(values.value[index])], None if plies < 0 else plies)
    assert normal(found) == normal(expected)


def normal(values: Any) -> dict[tuple[object, ...], object]:
    """Exceptions as 0 and 1 or as nothing, whoever wrote them."""
    return {tuple(int(x) if isinstance(x, bool) else x for x in key if x is not None): v for key, v in values.items()}


def perfect_moves(solution: Solution[Any]) -> NDArray[np.bool_]:
    """Positions by moves: which moves are perfect, also in plies."""
    value, plies = solution.values
    perfect = np.empty(solution.table.after.shape, np.bool_)
    for move, then in enumerate(solution.table.after.T):
        on_the_way = (value == DRAW.sign) | (plies[then] == plies - 1)
        perfect[:, move] = (then >= 0) & (value[then] == -value) & on_the_way
    return perfect


@pytest.mark.parametrize(("slug", "options"), GAMES, ids=IDS)
def test_perfect_play_never_gives_anything_away_against_any_opponent(slug: str, options: dict[str, Any]) -> None:
    game = make(slug, options)
    table = explore(game)
    solution = Solution(table, solve(table))
    value, plies = solution.values
    chosen = perfect_moves(solution)
    legal = table.after >= 0
    assert (chosen <= legal).all()
    assert (chosen.any(axis=1) == legal.any(axis=1)).all(), "there is a perfect move wherever there is a move"
    for move in range(len(game.moves)):
        then = table.after[:, move]
        kept = chosen[:, move]
        assert (value[then[kept]] == -value[kept]).all(), "a perfect move keeps the value"
        won = kept & (value == 1)
        assert (plies[then[won]] < plies[won]).all(), "and comes nearer to the win, so that it is reached"


@pytest.mark.parametrize("name", ["64", "double", "bits", "31"])
def test_the_judge_says_what_the_table_says(name: str) -> None:
    game = make(name)
    evaluator = evaluator_for(game)
    assert isinstance(evaluator, TableEvaluator)
    match = Match(game)
    while match.to_move and match.ply < 12:
        view = match.view(match.to_move)
        choices = evaluator.choices(view)
        assert [choice.move for choice in choices] == list(match.legal)
        assert set(evaluator.policy(view)) <= {choice.move for choice in best_choices(choices)}
        assert sum(evaluator.policy(view).values()) == pytest.approx(1)
        match.play(match.legal[-1])


def test_a_horizon_hides_what_is_further_away() -> None:
    game = make("double")
    view = Match(game, moves=["double", "double", "double", "double"]).view(1)
    evaluator = evaluator_for(game)
    assert [choice.evaluation.value for choice in evaluator.choices(view)] == [LOSS, LOSS]
    assert [choice.evaluation.value for choice in evaluator.choices(view, horizon=1)] == [None, LOSS]


def test_a_third_repetition_is_judged_a_draw() -> None:
    moves = ["flip 2", "flip 3", "flip 1", "flip 2", "reset 2", "reset 1"]
    view = Match(make("bits"), moves=moves).view(1)
    judged = {choice.move: choice for choice in evaluator_for(make("bits")).choices(view)}
    assert judged["flip 1"].evaluation.value == DRAW


def standing(evaluator: TableEvaluator, index: int, repeating: tuple[str, ...] = ()) -> View:
    """What the player to move sees at some position, where some moves would repeat it too often."""
    table = evaluator.solution.table
    legal = tuple(move for move, then in zip(evaluator.game.moves, table.after[index], strict=True) if then >= 0)
    start, position = Match(evaluator.game).view(1), table.position_at(index)
    board = evaluator.game.observe(position, True, False)
    return replace(start, position=position, board=board, legal=legal, repeating=repeating)


def ends_drawn(evaluator: TableEvaluator, index: int, move: str) -> bool:
    """Whether a move ends the match, drawn, by the rules."""
    table = evaluator.solution.table
    return bool(table.verdict[table.after[index, evaluator.game.moves.index(move)]] == Verdict.DRAWN)


@pytest.mark.parametrize(("slug", "options"), GAMES, ids=IDS)
def test_what_perfect_really_plays_is_perfect_wherever_one_can_stand(slug: str, options: dict[str, Any]) -> None:
    evaluator = TableEvaluator(make(slug, options))
    table = evaluator.solution.table
    perfect = perfect_moves(evaluator.solution)
    for index in np.flatnonzero(table.verdict == Verdict.OPEN).tolist():
        mixture = evaluator.policy(standing(evaluator, index))
        assert sum(mixture.values()) == pytest.approx(1)
        good = {move for move, is_good in zip(evaluator.game.moves, perfect[index].tolist(), strict=True) if is_good}
        assert set(mixture) <= good
        assert not any(ends_drawn(evaluator, index, move) for move in mixture) or all(
            ends_drawn(evaluator, index, move) for move in good
        )


@pytest.mark.parametrize("first", ["turn", "flip", "empty"])
@pytest.mark.parametrize("edge", ["open", "strict"])
def test_whatever_would_repeat_too_often_perfect_keeps_the_value_and_the_match_alive(first: str, edge: str) -> None:
    evaluator = TableEvaluator(make("bits", {"first-move": first, "edge": edge}))
    for index in np.flatnonzero(evaluator.solution.table.verdict == Verdict.OPEN).tolist():
        legal = standing(evaluator, index).legal
        for repeating in chain.from_iterable(combinations(legal, count) for count in range(len(legal) + 1)):
            view = standing(evaluator, index, repeating)
            good = {choice.move for choice in best_choices(evaluator.choices(view))}
            played = set(evaluator.policy(view))
            drawn = {move for move in good if ends_drawn(evaluator, index, move) or move in repeating}
            assert played <= good
            assert not played & drawn or good == drawn


def test_in_a_drawn_match_perfect_goes_on_setting_traps() -> None:
    evaluator = evaluator_for(make("bits"))
    view = Match(make("bits"), moves=["flip 2", "flip 2", "flip 3", "flip 3"]).view(1)
    assert {choice.move for choice in best_choices(evaluator.choices(view))} == {
        "flip 1",
        "flip 4",
        "reset 2",
        "reset 3",
    }
    assert evaluator.policy(view) == {"flip 1": 0.5, "flip 4": 0.5}


def test_a_large_race_is_judged_by_its_law() -> None:
    assert isinstance(evaluator_for(make("64", {"target": 10**9})), LawEvaluator)
    assert isinstance(evaluator_for(make("64")), TableEvaluator)


def test_the_judge_of_a_game_is_kept() -> None:
    assert evaluator_for(make("31")) is evaluator_for(make("31"))


@pytest.mark.parametrize("step", [1, 2, 3, 5, 12])
def test_the_law_agrees_with_the_table(step: int) -> None:
    for target in [*range(2, 80), 255, 256, 1000, 1023, 1364, 2730]:
        game = BinaryRace64(step=step, target=target)
        by_law, by_table = NumberEvaluator(game), TableEvaluator(game)
        table = by_table.solution.table
        for index in np.flatnonzero(table.verdict == 0).tolist():
            view = standing(by_table, index)
            assert by_law.choices(view) == by_table.solution.choices(index), (target, view.position)


def test_a_race_beyond_the_table_has_its_plies_like_one_within_it() -> None:
    found = [analyse_position(make("64", {"target": target, "step": 3})).plies for target in (1_333_333, 1_333_334)]
    assert found == [444_445, 444_445]


def test_a_loser_holds_out_by_the_law_of_any_step() -> None:
    out = bitduel("solve", "64", "--set", "step=3", "--set", "target=1333340", "--set", "start=666670").out
    assert "Player 1 to move: wins with the next move." in out
    assert "Perfect play: double." in out
    lost = analyse_position(make("64", {"start": 666_674, "target": 1_333_340, "step": 3}))
    assert (lost.value, lost.best) == (LOSS, ("add",))
    assert lost.plies == 222_222


def test_whoever_wins_wins_with_best_play_on_both_sides() -> None:
    for name in ("64", "double", "31"):
        game = make(name)
        evaluator = evaluator_for(game)
        match = Match(game)
        worth = best_choices(evaluator.choices(match.view(1)))[0].evaluation
        while match.to_move:
            match.play(next(iter(evaluator.policy(match.view(match.to_move)))))
        assert match.outcome
        assert (match.outcome.winner == 1) == (worth.value == WIN)
        assert match.ply == worth.plies


class Blind(BinaryBattle):
    """A game that hides something and does not know what its moves are worth."""

    slug, short = "blind-battle", "blind"

    def evaluator(self) -> None:  # type: ignore[override]
        return None


def test_a_game_that_hides_something_and_has_no_judge_is_not_solved_but_said_so() -> None:
    for table in ("hidden", "open"):
        with pytest.raises(NotSolvedError, match="no solver of its own"):
            evaluator_for(Blind(table=table))
    with patch("bitduel.games.registry.all_games", lambda: [Blind]):
        assert bitduel("solve", "blind").err == (
            "bitduel: Binary Battle has hidden information and no solver of its own, so it can't be solved.\n"
        )
        assert bitduel("play", "blind", "--p1", "random", "--p2", "random", "--no-save", "--seed", "1").status == 0
        assert bitduel("check", "blind", "--set", "bits=2").status == 0
