"""The games as Gymnasium has them: its checker, any opponent, either seat, and a loss for what is not legal."""

from random import Random
from typing import Any

import numpy as np
import pytest

from bitduel.core.errors import BitduelError
from bitduel.core.game import PASS
from bitduel.core.view import View
from bitduel.games.registry import GameClass, all_games, make
from sixth_game.little_nim import LittleNim

gymnasium = pytest.importorskip("gymnasium", reason="the extra rl is not installed")
from gymnasium.utils.env_checker import check_env  # noqa: E402

from bitduel.rl.gymnasium import OpponentError, SeatChoiceError, SeatEnv  # noqa: E402

ID = "bitduel/double-or-nothing-v0"


def played(env: Any, seed: int) -> tuple[list[int], float, dict[str, Any]]:
    """A match by random legal actions: the actions, the reward at the end, and what was said then."""
    rng = Random(seed)
    _, info = env.reset(seed=seed)
    actions: list[int] = []
    reward, over = 0.0, False
    while not over:
        legal = np.flatnonzero(info["action_mask"]).tolist()
        actions.append(rng.choice(legal) if legal else 0)
        _, reward, over, _, info = env.step(actions[-1])
    return actions, reward, info


@pytest.mark.parametrize("seat", [1, 2, "alternate"])
@pytest.mark.parametrize("kind", all_games(), ids=lambda kind: kind.slug)
def test_the_checker_finds_nothing(kind: GameClass, seat: int | str) -> None:
    check_env(gymnasium.make(f"bitduel/{kind.slug}-v0", seat=seat).unwrapped, skip_render_check=seat != 1)


def test_the_checker_finds_nothing_in_a_game_from_outside() -> None:
    check_env(SeatEnv(LittleNim(), opponent="random"), skip_render_check=True)


@pytest.mark.parametrize("opponent", ["perfect", "random", "level:2", "easy", lambda view: view.legal[-1]])
@pytest.mark.parametrize("kind", all_games(), ids=lambda kind: kind.slug)
def test_every_kind_of_opponent_plays_and_a_seed_repeats_it(kind: GameClass, opponent: Any) -> None:
    env = gymnasium.make(f"bitduel/{kind.slug}-v0", opponent=opponent, seat=2)
    first, second = played(env, 4), played(env, 4)
    assert (first[0], first[1]) == (second[0], second[1])
    assert first[2]["reason"] in {*kind.reasons.values(), "repetition"}
    assert first[1] in (-1, 0, 1)


def test_options_are_given_by_name() -> None:
    assert gymnasium.make(ID, target=9, step=2).unwrapped.game == make("double", target=9, step=2)


def test_perfect_play_beats_the_perfect_player_where_the_start_is_won() -> None:
    env = gymnasium.make(ID, target=10, opponent="perfect")
    best = SeatEnv("double", target=10).opponent
    env.reset(seed=0)
    reward = 0.0
    over = False
    while not over:
        move = best.choose(env.unwrapped.match.view(1))
        _, reward, over, _, _ = env.step(env.unwrapped.game.moves.index(move))
    assert reward == 1


def test_an_illegal_action_loses_at_once_and_is_named() -> None:
    env = gymnasium.make("bitduel/binary-race-bits-v0", opponent="random")
    _, info = env.reset(seed=0)
    action = int(np.flatnonzero(info["action_mask"] == 0)[0])
    _, reward, terminated, truncated, info = env.step(action)
    assert (reward, terminated, truncated, info["reason"]) == (-1, True, False, "illegal move")
    assert not info["action_mask"].any()


def test_a_match_that_is_over_needs_a_reset() -> None:
    env = SeatEnv("double", target=2, opponent="random")
    env.reset(seed=0)
    assert env.step(0)[1:3] == (1, True)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)


def test_an_opponent_may_win_before_the_learner_has_moved() -> None:
    env = gymnasium.make(ID, target=2, seat=2)
    _, info = env.reset(seed=0)
    assert not info["action_mask"].any()
    _, reward, terminated, _, info = env.step(0)
    assert (reward, terminated, info["reason"]) == (-1, True, "exact")


def test_seats_alternate_and_a_seed_starts_them_anew() -> None:
    env = gymnasium.make(ID, seat="alternate")
    seats = [env.reset(seed=7 if number in (0, 3) else None)[1]["seat"] for number in range(6)]
    assert seats == [1, 2, 1, 1, 2, 1]


def test_a_learner_passes_by_its_action() -> None:
    env = SeatEnv("bits", first_move="flip", opponent="random")
    passing = env.game.moves.index(PASS)
    assert any(passing in played(env, seed)[0] for seed in range(200))


def test_gymnasiums_own_limit_cuts_a_match_short() -> None:
    env = gymnasium.make("bitduel/binary-battle-v0", bits=12, opponent="random", max_episode_steps=3)
    env.reset(seed=0)
    assert [env.step(0)[3] for _ in range(3)] == [False, False, True]


def test_a_broken_opponent_is_no_win() -> None:
    def broken(view: View) -> str:
        return "nothing"

    env = SeatEnv("double", opponent=broken)
    env.reset(seed=0)
    with pytest.raises(OpponentError, match="The opponent can't continue: 'nothing' is not legal"):
        env.step(0)


def test_a_human_is_no_opponent_and_a_third_seat_none() -> None:
    with pytest.raises(OpponentError, match="Use a program or a function from view to move"):
        SeatEnv("double", opponent="human")
    for seat in (3, 0, True, "both"):
        with pytest.raises(SeatChoiceError, match="seat must be 1, 2 or 'alternate'"):
            SeatEnv("double", seat=seat)


def test_rendering_shows_the_learners_own_side() -> None:
    env = gymnasium.make("bitduel/binary-battle-v0", opponent="random", seat=2, render_mode="ansi", secret="10101")
    env.reset(seed=0)
    assert env.render().startswith("Player 2 has 0. The secret is a number from 0 to 31.\nPlayer 2 to move: toggle 1")


def test_people_see_it_printed(capsys: pytest.CaptureFixture[str]) -> None:
    env = gymnasium.make(ID, opponent="random", render_mode="human")
    env.reset(seed=0)
    assert capsys.readouterr().out == "The number is 1. The target is 20.\nPlayer 1 to move: add, double\n"


@pytest.mark.parametrize("action", [-1, 7, 0.9, "0", None], ids=str)
def test_what_is_no_action_changes_nothing(action: Any) -> None:
    env = SeatEnv("double", opponent="random")
    env.reset(seed=1)
    with pytest.raises(BitduelError, match="An action must be a whole number from 0 to 1"):
        env.step(action)
    assert env.match.ply == 0
