"""Levels err like people, play at any size, and never end a draw that they could keep alive."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise, product
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.scores import move_chances
from bitduel.core.errors import TooLargeError
from bitduel.core.evaluation import LOSS, WIN, Evaluation, MoveEvaluation, best_choices
from bitduel.core.game import Game, Verdict
from bitduel.core.match import Match
from bitduel.core.view import View
from bitduel.games.law_evaluator import LawEvaluator
from bitduel.games.registry import GameClass, all_games, make
from bitduel.players import drive, player
from bitduel.players.evaluating_players import (
    LEVELS,
    MAX_WRONG_MOVES,
    DepthLimitedPlayer,
    Level,
    PolicyPlayer,
    erring_policy,
    prior_policy,
)
from bitduel.players.spec import EASY, HARD, MEDIUM, PERFECT
from bitduel.solver.evaluators import TableEvaluator, depth_limited_evaluator, evaluator_for
from bitduel.solver.move_values import MoveValues, choice_values, normalised, trap_scores
from bitduel.solver.search import SearchEvaluator
from helpers import all_readings

NAMED = (EASY, MEDIUM, HARD)
NUMBERED = tuple(f"level:{sight}" for sight in (0, 1, 2, 3, 8, 1_000_000))
OPEN_READINGS = [(kind, chosen) for kind, chosen in all_readings() if not kind().has_chance]


def known(name: str, game: Game[Any], seed: int = 1) -> PolicyPlayer:
    """A player whose chances can be told."""
    found = player(name, game, Random(seed))
    assert isinstance(found, PolicyPlayer)
    return found


def table_of(game: Game[Any]) -> TableEvaluator:
    judge = evaluator_for(game)
    assert isinstance(judge, TableEvaluator)
    return judge


def whole_outlook(game: Game[Any]) -> MoveValues:
    """The outlook of every position at which there is a move."""
    judge = table_of(game)
    return judge.move_values(np.flatnonzero(judge.solution.table.verdict == Verdict.OPEN))


def views(game: Game[Any]) -> list[View]:
    """What the player to move sees at every position that play can reach."""
    table, start = table_of(game).solution.table, Match(game).view(1)
    open_ = np.flatnonzero(table.verdict == Verdict.OPEN).tolist()
    legal = [tuple(m for m, then in zip(game.moves, table.after[i], strict=True) if then >= 0) for i in open_]
    return [replace(start, position=table.position_at(i), legal=moves) for i, moves in zip(open_, legal, strict=True)]


@st.composite
def outlooks(draw: st.DrawFn) -> MoveValues:
    """One position with a few moves of any worth."""
    worth = st.tuples(st.sampled_from([-1, 0, 1]), st.integers(1, 12), st.booleans(), st.floats(0.5, 1))
    moves = draw(st.lists(worth, min_size=1, max_size=6))
    sign, plies, ends, hope = (np.array([column]) for column in zip(*moves, strict=True))
    drawn = sign == 0
    return MoveValues(np.ones_like(drawn), sign, np.where(drawn, 0, plies), ends & drawn, lambda: hope)


@given(outlooks(), st.sampled_from(list(LEVELS.values())))
def test_a_move_is_likelier_the_less_it_costs_and_the_deeper_that_hides(outlook: MoveValues, level: Level) -> None:
    chances = erring_policy(outlook, level)[0]
    sign, plies, hopes = outlook.sign[0], outlook.plies[0], outlook.expected_scores()[0]
    assert chances.sum() == pytest.approx(1)
    for one, two in product(range(len(sign)), repeat=2):
        if sign[one] < 0 and sign[two] < 0 and plies[one] <= plies[two] and hopes[one] <= hopes[two]:
            assert chances[one] <= chances[two] + 1e-12
        if sign[one] > 0 and sign[two] > 0 and plies[one] <= plies[two]:
            assert chances[one] >= chances[two] - 1e-12
        if sign[one] < 0 < sign[two]:
            assert chances[one] <= chances[two] + 1e-12


@given(outlooks(), st.sampled_from(list(LEVELS.values())))
def test_every_draw_is_kept_alive_and_whatever_a_level_cannot_rule_out_is_possible(
    outlook: MoveValues, level: Level
) -> None:
    chances, ends, draws = erring_policy(outlook, level)[0], outlook.ends_drawn[0], outlook.draws[0]
    if (draws & ~ends).any():
        assert not chances[ends].any()
    assert (chances[~draws & outlook.best(level.foresight)[0]] > 0).all()


@given(st.lists(st.floats(0.01, 100), min_size=1, max_size=31), st.sampled_from(list(LEVELS.values())))
def test_in_the_dark_what_looks_better_is_likelier(hunches: list[float], level: Level) -> None:
    named = {f"toggle {number}": hunch for number, hunch in enumerate(hunches, 1)}
    chances = prior_policy(named, level)
    assert sum(chances.values()) == pytest.approx(1)
    ordered = [chances[move] for move in sorted(named, key=lambda move: named[move])]
    assert ordered == sorted(ordered)


@pytest.mark.parametrize("level", LEVELS.values())
def test_in_the_dark_more_than_a_few_wrong_moves_are_no_likelier_than_a_few(level: Level) -> None:
    priors = [{"right": 3.0, **{str(n): 2.0 for n in range(count)}} for count in range(31)]
    wrong = [1 - prior_policy(each, level)["right"] for each in priors]
    assert wrong[: MAX_WRONG_MOVES + 1] == sorted(set(wrong[: MAX_WRONG_MOVES + 1]))
    assert wrong[MAX_WRONG_MOVES:] == pytest.approx([wrong[MAX_WRONG_MOVES]] * (31 - MAX_WRONG_MOVES))


@pytest.mark.parametrize(("kind", "chosen"), OPEN_READINGS)
def test_what_a_player_does_at_a_view_is_what_its_plan_for_the_whole_table_says(
    kind: GameClass, chosen: dict[str, object]
) -> None:
    game = kind(**chosen)
    outlook = whole_outlook(game)
    for name in (*NAMED, PERFECT, "level:2"):
        who, chances = known(name, game), move_chances(game, name, outlook)
        for number, view in list(enumerate(views(game)))[:: 1 + len(chances) // 200]:
            expected = {m: c for m, c in zip(game.moves, chances[number].tolist(), strict=True) if c > 0}
            assert who.policy(view) == pytest.approx(expected)


@pytest.mark.parametrize(("kind", "chosen"), OPEN_READINGS)
def test_easy_is_no_fool_it_sees_what_it_walks_into_most_of_the_time(
    kind: GameClass, chosen: dict[str, object]
) -> None:
    game = kind(**chosen)
    outlook = whole_outlook(game)
    at_once = outlook.legal & (outlook.sign > 0) & (outlook.plies == 1)
    fatal = outlook.legal & (outlook.sign < 0) & (outlook.plies <= 2)
    to_take = at_once.any(axis=1)
    to_avoid = fatal.any(axis=1) & (outlook.legal & ~fatal).any(axis=1)
    if not to_take.any():
        return
    chances = {name: move_chances(game, name, outlook) for name in (*NAMED, "random")}
    taken = [float((chances[n] * at_once)[to_take].sum(axis=1).mean()) for n in ("random", *NAMED)]
    walked = [float((chances[n] * fatal)[to_avoid].sum(axis=1).mean()) for n in ("random", *NAMED)]
    assert taken[1:] == pytest.approx([1, 1, 1])
    assert walked == sorted(walked, reverse=True)
    assert walked[1] < min(0.5, 0.9 * walked[0])


BITS = [
    {"bits": bits, "first-move": first, "edge": edge, "repetition": often}
    for bits, first, edge, often in product((2, 3, 4, 5), ("turn", "game", "flip", "empty"), ("open", "strict"), (3, 0))
]


@pytest.mark.parametrize("options", BITS, ids=lambda options: " ".join(map(str, options.values())))
def test_no_level_answers_a_first_move_so_that_the_match_ends_at_once_while_another_holds_the_draw(
    options: dict[str, Any],
) -> None:
    game = make("bits", options)
    judge = evaluator_for(game)
    for first in Match(game).legal:
        match = Match(game, moves=[first])
        if match.must_pass or match.outcome:
            continue
        view = match.view(2)
        drawing = {c.move for c in judge.choices(view) if c.evaluation.value == "draw"}
        ending = {move for move in drawing if match.after(move).outcome}
        for name in (*NAMED, PERFECT, *NUMBERED):
            chances = known(name, game).policy(view)
            assert not ending & set(chances) or ending == drawing, (first, name)


@pytest.mark.parametrize(("kind", "chosen"), OPEN_READINGS)
def test_no_level_ever_ends_a_drawn_match_while_another_move_keeps_it(
    kind: GameClass, chosen: dict[str, object]
) -> None:
    game = kind(**chosen)
    outlook = whole_outlook(game)
    could = (outlook.draws & ~outlook.ends_drawn).any(axis=1, keepdims=True)
    for name in NAMED:
        assert not move_chances(game, name, outlook)[outlook.ends_drawn & could].any()


@pytest.mark.parametrize(("kind", "chosen"), OPEN_READINGS)
def test_level_n_sees_n_plies_and_plays_at_random_otherwise(kind: GameClass, chosen: dict[str, object]) -> None:
    game = kind(**chosen)
    judge = table_of(game)
    for far in (0, 1, 2, 4):
        who = known(f"level:{far}", game)
        for view in views(game)[:: 1 + len(judge.solution.table) // 150]:
            top = [choice.move for choice in best_choices(judge.choices(view, far))]
            drawn = judge.move_values_at(view)
            alive = normalised(drawn.without_early_draws(np.isin(game.moves, top)[None]))
            expected = {m: share for m, share in zip(game.moves, alive[0].tolist(), strict=True) if share}
            assert who.policy(view) == pytest.approx(expected)


@pytest.mark.parametrize("name", [*NAMED, PERFECT, "level:3"])
@pytest.mark.parametrize("kind", all_games())
def test_the_same_seed_plays_the_same_match(kind: GameClass, name: str) -> None:
    def play(seed: int) -> list[str]:
        game = kind()
        rng = Random(seed)
        match = Match(game, deal=game.deal(Random(5)))
        drive(match, {seat: player(name, game, rng) for seat in (1, 2)}, most_plies=60)
        return match.moves

    assert play(1) == play(1)
    assert name == PERFECT or len({tuple(play(seed)) for seed in range(12)}) > 1


def test_a_move_is_drawn_from_what_a_player_says_it_does() -> None:
    view = Match(make("31")).view(1)
    medium = known(MEDIUM, make("31"))
    chosen = Counter(medium.choose(view) for _ in range(4000))
    for move, share in medium.policy(view).items():
        assert chosen[move] / 4000 == pytest.approx(share, abs=0.04)


LARGE: list[tuple[str, dict[str, Any]]] = [
    *(("battle", {"bits": bits, "table": table}) for bits in (7, 10, 16, 31) for table in ("hidden", "open")),
    *(("31", {"length": length, "finish": f}) for length in (20_000, 1_000_000) for f in ("sample", "any", "exact")),
    *((name, {"target": 10**9, "step": step}) for name in ("64", "double") for step in (1, 2, 7)),
]


@pytest.mark.parametrize(("name", "options"), LARGE)
def test_levels_play_at_any_size_without_solving_anything(
    name: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for solver in ("solver.table._Exploration", "games.binary_battle.evaluator.equilibrium"):
        monkeypatch.setattr(f"bitduel.{solver}", lambda *_: pytest.fail("something is solved"))
    game = make(name, options)
    for level in (*NAMED, *NUMBERED):
        rng = Random(1)
        match = Match(game, deal=game.deal(rng))
        drive(match, dict.fromkeys((1, 2), player(level, game, rng)), most_plies=4)
        assert match.ply == 4 or (match.outcome and match.outcome.reason == "match")


def test_only_perfect_refuses_what_is_too_large() -> None:
    game = make("battle", bits=9)
    with pytest.raises(TooLargeError, match=r"Binary Battle is solved for up to 6 bits\. 9 bits are too many"):
        player(PERFECT, game, Random(1))
    assert all(player(name, game, Random(1)) for name in (*NAMED, *NUMBERED))


def test_near_the_end_of_a_long_track_levels_see_the_end() -> None:
    game = make("31", length=20_000)
    assert isinstance(depth_limited_evaluator(game), LawEvaluator)
    match = Match(game, moves=["16"] * 2498)
    chances = {name: known(name, game).policy(match.view(1)) for name in NAMED}
    assert all(each == {"16": 1.0} for each in chances.values())
    assert known("level:1", game).policy(match.view(1)) == {"16": 1.0}


@pytest.mark.parametrize("step", [1, 2, 7])
def test_near_the_end_of_a_long_race_levels_see_the_end(step: int) -> None:
    target = 10**9
    game = make("double", start=target - 3 * step, target=target, step=step)
    view = Match(game, moves=["add", "add"]).view(1)
    for name in (*NAMED, "level:1", "level:1000000"):
        assert known(name, game).policy(view)["add"] > 0.9
    lost = Match(game, moves=["add"]).view(2)
    assert known("level:2", game).policy(lost) == {"add": 1.0}


def test_a_level_plays_alike_with_a_table_and_without() -> None:
    game = make("31")
    for name in (*NAMED, "level:3"):
        with_table, without = known(name, game), known(name, game)
        assert isinstance(without, DepthLimitedPlayer)
        without.evaluator = SearchEvaluator(game)
        for view in views(game)[::40]:
            seen = evaluator_for(game).choices(view)
            if name in NAMED and any(
                (choice.evaluation.plies or 0) > 2 or choice.evaluation.value == LOSS for choice in seen
            ):
                continue
            assert without.policy(view) == pytest.approx(with_table.policy(view))


LONG = [
    *(("31", {"length": length, "finish": f}) for length in (100, 200) for f in ("sample", "any", "exact")),
    *((name, {"target": 300}) for name in ("64", "double")),
]


@pytest.mark.parametrize(("name", "options"), LONG)
def test_on_long_ways_too_a_level_goes_wrong_less_often_than_the_one_below(name: str, options: dict[str, Any]) -> None:
    game = make(name, options)
    outlook = whole_outlook(game)
    won = outlook.legal & (outlook.sign > 0)
    to_decide = won.any(axis=1) & (outlook.legal & ~won).any(axis=1) & (outlook.plies.min(axis=1) > 12)
    assert to_decide.any()
    kept = [
        move_chances(game, n, outlook)[to_decide][won[to_decide]].sum() / to_decide.sum() for n in ("random", *NAMED)
    ]
    assert all(better > worse * 1.04 for worse, better in pairwise(kept)), kept
    assert kept[-1] > 0.65


def test_where_a_race_is_lost_a_level_still_runs() -> None:
    game = make("31", length=200)
    behind = Match(game, moves=["1", "16"]).view(1)
    assert {choice.evaluation.value for choice in evaluator_for(game).choices(behind)} == {LOSS}
    running = [known(name, game).policy(behind)["16"] for name in NAMED]
    assert running == sorted(running)
    assert running[-1] > 0.25


def test_without_a_table_levels_lose_where_the_other_may_still_go_wrong() -> None:
    game = make("31", length=200)
    view = Match(game, moves=["1", "16"]).view(1)
    hopes = trap_scores(game, evaluator_for(game), view, None)
    right = max(range(len(hopes)), key=lambda number: hopes[number])
    assert len({*hopes}) > 1
    shares = []
    for name in NAMED:
        choices = [MoveEvaluation(move, Evaluation(LOSS, 9)) for move in view.legal]
        outlook = choice_values(choices, [False] * len(hopes), lambda: hopes)
        shares.append(float(erring_policy(outlook, LEVELS[name])[0, right]))
    assert shares == sorted(shares)
    assert shares[0] > 1 / len(hopes)


@pytest.mark.parametrize("step", [1, 2, 7])
def test_by_a_law_levels_sense_the_right_move_however_far_the_end_is(step: int) -> None:
    game = make("64", {"target": 10**9, "step": step})
    found = dict.fromkeys(NAMED, 0.0)
    for start in range(1, 200):
        view = Match(make("64", {"target": 10**9, "step": step, "start": start})).view(1)
        worth = {choice.move: choice.evaluation.value for choice in evaluator_for(game).choices(view)}
        if len(set(worth.values())) == 2:
            right = next(move for move, value in worth.items() if value == WIN)
            for name in NAMED:
                found[name] += known(name, game).policy(view)[right] - 0.5
    chances = list(found.values())
    assert chances == sorted(chances)
    assert chances[0] > 0


@pytest.mark.parametrize(("name", "apart"), [(EASY, 0.0565), (MEDIUM, 0.4599), (HARD, 0.7973)])
def test_a_win_that_comes_later_is_worth_as_much_less_as_the_level_has_haste(name: str, apart: float) -> None:
    """In 5 plies or in 25, by hand; medium: 6.1 * 0.095 * (5 ** (-1 / 16) - 25 ** (-1 / 16) * exp(-0.1 * 20))."""
    wins = [MoveEvaluation("fast", Evaluation(WIN, 5)), MoveEvaluation("slow", Evaluation(WIN, 25))]
    fast, slow = np.log(erring_policy(choice_values(wins, [False] * 2, lambda: [0.5] * 2), LEVELS[name])[0])
    assert fast - slow == pytest.approx(apart, abs=1e-4)


class Slipping:
    """Sees answers of which some are wrong, and notes how far it was asked to look."""

    def __init__(self, *worths: Evaluation) -> None:
        self.worths, self.horizons = worths, list[int | None]()

    def choices(self, view: View, horizon: int | None = None) -> list[MoveEvaluation]:
        self.horizons.append(horizon)
        return [MoveEvaluation(str(number), worth) for number, worth in enumerate(self.worths)]


@pytest.mark.parametrize(
    ("worths", "hope"),
    [
        ((Evaluation(WIN, 3), Evaluation(LOSS, 2), Evaluation(LOSS, 4), Evaluation(), Evaluation(WIN, 9)), 0.8),
        ((Evaluation(WIN, 3), Evaluation(WIN, 9)), 0.5),
        ((Evaluation(LOSS, 2), Evaluation(LOSS, 4), Evaluation(LOSS, 6)), 0.5),
        ((Evaluation(), Evaluation(LOSS, 2)), 0.75),
    ],
    ids=str,
)
def test_what_is_hoped_of_an_answer_is_half_and_half_the_share_of_wrong_ones(
    worths: tuple[Evaluation, ...], hope: float
) -> None:
    game = make("31")
    judge = Slipping(*worths)
    assert trap_scores(game, judge, Match(game).view(1), 8) == [hope] * 5


@pytest.mark.parametrize(("sight", "near"), [(None, None), (0, 0), (1, 1), (2, 2), (3, 2), (8, 2)])
def test_answers_are_looked_at_two_plies_ahead_at_most(sight: int | None, near: int | None) -> None:
    game = make("31")
    judge = Slipping(Evaluation())
    trap_scores(game, judge, Match(game).view(1), sight)
    assert judge.horizons == [near] * 5


def test_a_move_that_ends_the_match_leaves_nothing_to_hope_for_from_an_answer() -> None:
    game = make("31", {"length": 2, "finish": "exact"})
    judge = Slipping(Evaluation(WIN, 1), Evaluation(LOSS, 2))
    assert trap_scores(game, judge, Match(game).view(1), 8) == [0.75, 0.5]
    assert judge.horizons == [2]
