"""The level that fits: by the matches so far, said openly, and reached soon; and the lamps that are lit."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count
from random import Random
from typing import Any

import numpy as np
import pytest

from benchmarks.scores import play_side_by_side, score
from bitduel.core.match import Match
from bitduel.core.outcomes import DRAWN, LOST, RESIGNATION, WON, Outcome
from bitduel.games.registry import GameClass, all_games, make
from bitduel.learning.levels import (
    LEVELS,
    FittingLevel,
    Lamp,
    LevelResult,
    OwnMatch,
    fitting_level,
    level_results,
    lit_lamps,
    own_matches,
)
from bitduel.players import drive, player
from bitduel.players.spec import EASY, HARD, HUMAN, MEDIUM, PERFECT, Spec
from bitduel.solver.evaluators import TableEvaluator, evaluator_for
from bitduel.storage import StoredMatch
from bitduel.storage.schema import to_ticks

NUMBERS: Iterator[int] = count()


def after(*results: str, level: str = EASY) -> FittingLevel:
    return fitting_level([LevelResult(level, result) for result in results])


def test_everybody_starts_at_easy() -> None:
    assert fitting_level([]) == FittingLevel(EASY)


@pytest.mark.parametrize(
    ("results", "sentence"),
    [
        ((WON, WON), "You won twice, so the level is now medium."),
        ((WON, LOST, LOST, WON, WON), "You won twice, so the level is now medium."),
        ((DRAWN, WON, DRAWN), "You won once and drew twice, so the level is now medium."),
        ((WON, DRAWN, DRAWN), "You won once and drew twice, so the level is now medium."),
        ((*(DRAWN,) * 5, WON), "You won once and drew often, so the level is now medium."),
        ((WON, DRAWN, WON), "You won twice, so the level is now medium."),
        ((DRAWN, DRAWN, DRAWN, WON), "You won once and drew three times, so the level is now medium."),
    ],
)
def test_two_wins_lead_one_up_and_a_draw_counts_half_a_win(results: Sequence[str], sentence: str) -> None:
    assert after(*results[:-1]) == FittingLevel(EASY)
    assert after(*results) == FittingLevel(MEDIUM, sentence)


def test_three_losses_without_a_win_lead_one_down() -> None:
    assert after(LOST, LOST, WON, LOST, LOST, level=HARD) == FittingLevel(HARD)
    for results in ((LOST, LOST, LOST), (LOST, DRAWN, LOST, DRAWN, LOST)):
        sentence = "You lost three times without a win, so the level is now medium."
        assert after(*results, level=HARD) == FittingLevel(MEDIUM, sentence)


def test_draws_alone_lead_nowhere() -> None:
    assert after(*(DRAWN,) * 20) == FittingLevel(EASY)


def test_below_easy_and_above_perfect_there_is_nothing() -> None:
    assert after(LOST, LOST, LOST, LOST) == FittingLevel(EASY)
    assert after(WON, WON, WON, level=PERFECT) == FittingLevel(PERFECT)


def test_the_sentence_is_for_the_match_that_changed_the_level() -> None:
    won = [LevelResult(EASY, WON)] * 2
    assert fitting_level(won).sentence
    assert fitting_level([*won, LevelResult(MEDIUM, LOST)]) == FittingLevel(MEDIUM)


def test_a_level_chosen_by_hand_is_where_counting_starts_anew() -> None:
    assert fitting_level([LevelResult(EASY, WON), LevelResult(HARD, WON)]) == FittingLevel(HARD)
    assert fitting_level([LevelResult(EASY, WON), LevelResult(HARD, LOST), LevelResult(EASY, WON)]).level == EASY


@cache
def shares(kind: GameClass, one: str, two: str) -> dict[str, float]:
    """How often one player wins, draws and loses against another: exactly, or in many matches where draws occur."""
    evaluator = evaluator_for(kind())
    if kind.longest_forced_win != 1:
        won = score(kind(), one, two).points
        return {WON: won, DRAWN: 0.0, LOST: 1 - won}
    assert isinstance(evaluator, TableEvaluator)
    rng = np.random.default_rng(1)
    points = np.concatenate(
        [
            play_side_by_side(evaluator, (one, two), 2_000, rng),
            1 - play_side_by_side(evaluator, (two, one), 2_000, rng),
        ]
    )
    return {result: float((points == value).mean()) for result, value in ((WON, 1), (DRAWN, 0.5), (LOST, 0))}


@pytest.mark.parametrize("strength", LEVELS)
@pytest.mark.parametrize("kind", all_games())
def test_a_player_of_each_level_settles_within_ten_matches(kind: GameClass, strength: str) -> None:
    """By the scores: after ten matches the level is hardly ever more than one away from one's own.

    Where the second player cannot win and most matches are drawn, a perfect player takes a few matches more.
    """
    states = {(EASY, ()): 1.0}
    for _ in range(10):
        then: dict[Any, float] = defaultdict(float)
        for (level, history), chance in states.items():
            for result, share in shares(kind, strength, level).items():
                results = (*history, LevelResult(level, result))
                found = fitting_level(results)
                then[found.level, () if found.sentence else results] += chance * share
        states = {state: chance for state, chance in then.items() if chance}
    own = LEVELS.index(strength)
    near = sum(chance for (level, _), chance in states.items() if abs(LEVELS.index(level) - own) <= 1)
    assert near > (0.7 if kind.longest_forced_win == 1 and strength == PERFECT else 0.8), near


def stored(slug: str, moves: Sequence[str], opponent: str, seat: int = 1, first: int = 1, **more: Any) -> StoredMatch:
    match = Match(make(slug, more.get("options", {})), first, more.get("deal", ""), moves)
    players = (Spec(HUMAN), Spec(opponent)) if seat == 1 else (Spec(opponent), Spec(HUMAN))
    now = datetime(2026, 11, 18, tzinfo=UTC) + timedelta(minutes=next(NUMBERS))
    return StoredMatch(
        id=str(next(NUMBERS)),
        game=match.game.slug,
        options=dict(match.game.options),
        players=players,
        names=("A", "B"),
        first=first,
        deal=match.deal,
        moves=tuple(moves),
        outcome=more.get("outcome", match.outcome),
        started=now,
        changed_at=to_ticks(now),
        sitting="s",
        round=1,
        rounds=1,
    )


WON_AS_FIRST = ("16", "1", "16")


def lamps(*matches: StoredMatch) -> dict[Lamp, frozenset[int]]:
    return lit_lamps(own_matches(matches))


def test_results_are_of_one_game_against_levels_oldest_first() -> None:
    lost = stored("31", ("1", "16", "1", "16"), HARD)
    won = stored("31", WON_AS_FIRST, EASY)
    others = [stored("31", WON_AS_FIRST, "random"), stored("31", WON_AS_FIRST[:2], EASY), stored("double", (), EASY)]
    both = replace(won, players=(Spec(HUMAN), Spec(HUMAN)))
    mine = own_matches([won, *others, both, lost])
    assert level_results(mine, won.game) == [LevelResult(HARD, LOST), LevelResult(EASY, WON)]


def test_a_win_in_the_standard_game_lights_a_lamp_from_its_seat() -> None:
    first = stored("31", WON_AS_FIRST, PERFECT)
    second = stored("31", WON_AS_FIRST, PERFECT, seat=2, first=2)
    after_another = stored("31", ("1", "16", "1", "16"), PERFECT, seat=2)
    lamp = Lamp(first.game, PERFECT)
    assert lamps(first) == lamps(second) == {lamp: frozenset({1})}
    assert lamps(first, after_another) == {lamp: frozenset({1, 2})}
    assert not lamps(stored("31", WON_AS_FIRST, PERFECT, options={"finish": "any"}))


def test_a_match_from_a_position_lights_nothing_but_a_whole_one_does() -> None:
    won = stored("31", WON_AS_FIRST, PERFECT)
    assert not lamps(replace(won, given=1))
    assert not lamps(replace(won, given=2))
    assert lamps(replace(won, given=3)), "a whole match from a record"
    assert lamps(won)


def test_a_loss_lights_nothing_where_there_is_no_chance() -> None:
    assert not lamps(stored("31", ("16", "1", "16"), PERFECT, seat=2))


def test_a_draw_without_a_slip_lights_a_lamp_where_the_game_cannot_be_won() -> None:
    match = Match(make("bits"))
    while not match.outcome:
        view = match.view(match.next_seat)
        match.play(next(iter(evaluator_for(match.game).policy(view))))
    assert match.outcome.winner is None
    for seat in (1, 2):
        held = stored("bits", match.moves, PERFECT, seat=seat)
        assert lamps(held) == {Lamp(held.game, PERFECT): frozenset({seat})}
    agreed = stored("bits", (), PERFECT, outcome=Outcome(None, "agreed draw"))
    assert not lamps(agreed)
    assert lamps(stored("bits", (), EASY, outcome=Outcome(1, RESIGNATION)))


def test_a_draw_in_a_few_moves_lights_nothing() -> None:
    match = Match(make("bits"), moves=("flip 1", "reset 1"))
    assert match.outcome
    assert match.outcome.winner is None
    assert not lamps(stored("bits", match.moves, PERFECT, seat=2))


def test_help_and_moves_taken_back_light_nothing() -> None:
    won = stored("31", WON_AS_FIRST, PERFECT)
    assert not lamps(replace(won, backs=1))
    assert not lit_lamps([OwnMatch(won, 1, was_coached=True)])


def test_with_luck_a_match_without_a_slip_counts_even_if_it_is_lost() -> None:
    match = Match(make("battle"), deal="11111")
    rng = Random(4)
    drive(match, dict.fromkeys((1, 2), player(PERFECT, match.game, rng)))
    assert match.outcome
    for seat in (1, 2):
        held = stored("battle", match.moves, PERFECT, seat=seat, deal="11111")
        assert lit_lamps([OwnMatch(held, seat)]) == {Lamp(held.game, PERFECT): frozenset({seat})}
