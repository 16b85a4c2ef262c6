"""The games as PettingZoo has them: its own tests, its conventions, and nothing seen that is hidden."""

import pickle
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

import numpy as np
import pytest

from bitduel.core.errors import BitduelError, OptionError
from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.games.registry import GameClass, all_games, make
from sixth_game.little_nim import LittleNim

pettingzoo = pytest.importorskip("pettingzoo", reason="the extra rl is not installed")
from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test  # noqa: E402
from pettingzoo.utils.conversions import turn_based_aec_to_parallel  # noqa: E402

from bitduel.rl.observations import RenderModeError  # noqa: E402
from bitduel.rl.pettingzoo import AGENTS, env, raw_env  # noqa: E402

KINDS: list[GameClass] = [*all_games(), LittleNim]
EVERY = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.slug)

# PettingZoo warns of what it permits its own games by their names: a dictionary with a mask. And a race has one number.
HABITS = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Observation is a single number"),
    pytest.mark.filterwarnings("ignore:Observation numpy array is all zeros"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]


def theirs(test: Any) -> Any:
    for mark in HABITS:
        test = mark(test)
    return EVERY(test)


def actions(env: Any, rng: Random) -> Iterator[int]:
    """Random legal actions until the match is over."""
    while not any(env.terminations.values()):
        yield rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]).tolist())


@theirs
def test_the_api_is_kept(kind: GameClass) -> None:
    api_test(env(kind()), num_cycles=100)


@theirs
def test_a_seed_makes_everything_the_same(kind: GameClass) -> None:
    seed_test(lambda: env(kind()), num_cycles=50)


@theirs
def test_every_way_of_rendering_renders(kind: GameClass) -> None:
    render_test(lambda **given: env(kind(), **given))


def test_it_can_be_measured(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    clock = iter(range(1000))
    monkeypatch.setattr("time.time", lambda: next(clock) / 10)
    performance_benchmark(env("battle"))
    assert "turns per second" in capsys.readouterr().out


@EVERY
def test_an_illegal_action_loses_one_point_and_ends_the_match(kind: GameClass) -> None:
    table = env(kind())
    table.reset(seed=1)
    rng = Random(1)
    for action in actions(table, rng):
        mask = table.observe(table.agent_selection)["action_mask"]
        if not mask.all():
            culprit = table.agent_selection
            table.step(int(np.flatnonzero(mask == 0)[0]))
            assert table.rewards == {agent: -1.0 if agent == culprit else 0 for agent in AGENTS}
            assert all(table.terminations.values())
            return
        table.step(action)


def test_without_wrappers_an_illegal_action_is_refused_and_changes_nothing() -> None:
    table = raw_env("bits")
    table.reset()
    with pytest.raises(Exception, match="You can't play 'reset 1' now"):
        table.step(table.game.moves.index("reset 1"))
    assert table.match.ply == 0


def test_what_is_no_action_is_refused() -> None:
    table = env("double")
    table.reset()
    with pytest.raises(AssertionError, match="action is not in action space"):
        table.step(2)


def test_observation_and_mask_are_what_the_view_says() -> None:
    for kind in KINDS:
        table = raw_env(kind())
        table.reset(seed=3)
        for action in actions(table, Random(3)):
            for agent, seat in AGENTS.items():
                seen, view = table.observe(agent), table.match.view(seat)
                assert tuple(seen["observation"]) == table.game.encode_view(view)
                assert [table.game.moves[n] for n in np.flatnonzero(seen["action_mask"])] == list(view.legal)
                assert (table.infos[agent]["action_mask"] == seen["action_mask"]).all()
                assert table.observation_space(agent).contains(seen)
            table.step(action)


def test_a_pass_is_an_action() -> None:
    table = raw_env("bits", first_move="flip")
    passes = 0
    for seed in range(300):
        table.reset(seed=seed)
        for action in actions(table, Random(seed)):
            passes += table.game.moves[action] == "pass"
            table.step(action)
    assert passes


def test_seeds_give_deals_and_a_reset_without_one_goes_on() -> None:
    table = raw_env("battle")

    def deals(seed: int) -> list[str]:
        dealt = []
        for number in range(6):
            table.reset(seed=seed if number == 0 else None)
            dealt.append(table.match.deal)
        return dealt

    assert deals(5) == deals(5) != deals(6)
    assert len(set(deals(5))) > 1


def test_a_match_is_cut_short_after_so_many_cycles() -> None:
    table = env("battle", bits=12, max_cycles=3)
    table.reset(seed=0)
    for _ in range(6):
        assert not any(table.truncations.values())
        table.step(0)
    assert all(table.truncations.values())
    assert not any(table.terminations.values())
    assert table.rewards == dict.fromkeys(AGENTS, 0)


def test_every_game_is_registered() -> None:
    for kind in all_games():
        table = pettingzoo.make("aec", f"bitduel/{kind.slug}-v0", render_mode="ansi")
        table.reset(seed=0)
        assert table.unwrapped.game == kind()
    assert pettingzoo.make("aec", "bitduel/double-or-nothing-v0", target=7).unwrapped.game == make("double", target=7)


def test_agents_that_act_at_once_play_by_pettingzoos_own_wrapper() -> None:
    table = turn_based_aec_to_parallel(env("31"))
    seen, _ = table.reset(seed=0)
    gained: dict[str, float] = dict.fromkeys(AGENTS, 0)
    while table.agents:
        moves = {agent: int(seen[agent]["action_mask"].argmax()) for agent in table.agents}
        seen, rewards, *_ = table.step(moves)
        gained = {agent: gained[agent] + rewards.get(agent, 0) for agent in gained}
    assert sorted(gained.values()) == [-1, 1]


def test_an_environment_can_be_pickled() -> None:
    table = pickle.loads(pickle.dumps(raw_env("double", target=9, max_cycles=4)))
    assert table.game == make("double", target=9)
    assert table.max_cycles == 4


def test_rendering_shows_what_the_agent_to_move_sees_and_no_more() -> None:
    table = env("battle", secret="10110", render_mode="ansi")
    table.reset()
    table.step(0)
    assert table.render() == "Player 2 has 0. The secret is a number from 0 to 31.\nPlayer 2 to move: " + ", ".join(
        make("battle").moves
    )


def test_pixels_are_always_of_the_same_size_and_show_something() -> None:
    for name in ("bits", "double"):
        table = env(name, render_mode="rgb_array")
        table.reset()
        first = table.render()
        table.step(1)
        assert first.shape == table.render().shape == (315, 600, 3)
        assert (first != table.render()).any()


def test_a_way_of_rendering_that_there_is_not_is_refused() -> None:
    with pytest.raises(RenderModeError, match="render_mode must be human, ansi, rgb_array or None, not 'svg'"):
        env("double", render_mode="svg")


def test_options_go_with_a_name() -> None:
    with pytest.raises(OptionError, match="A game object already has its options"):
        env(make("double"), target=5)
    with pytest.raises(OptionError, match="target must be"):
        env("double", target="many")


def test_nothing_hidden_is_observed() -> None:
    """Matches that look the same to a seat give it the same observation, whatever the secret and the other's moves."""
    game = make("battle", bits=3)
    seen: dict[Any, Any] = {}
    for match in _all(game, 4):
        for agent, seat in AGENTS.items():
            table = raw_env(game)
            table.reset()
            table.match = match
            view = match.view(seat)
            row = table.observe(agent)["observation"].tolist()
            assert seen.setdefault((seat, view.board, view.ply), row) == row
    assert len(seen) < 200


def _all(game: Game[Any], plies: int) -> Iterator[Match]:
    """Every match that goes on, up to so many plies, with every deal."""
    queue = [Match(game, deal=deal.text) for deal in game.deals()]
    for match in queue:
        yield match
        if match.ply < plies:
            queue += [after for after in map(match.after, match.legal) if not after.outcome]


@pytest.mark.parametrize("action", [-1, 2, 0.9, "0", True, None, 2**70], ids=str)
def test_what_is_no_action_changes_nothing(action: Any) -> None:
    table = raw_env("double")
    table.reset(seed=1)
    with pytest.raises(BitduelError, match="An action must be a whole number from 0 to 1"):
        table.step(action)
    assert table.match.ply == 0


@pytest.mark.parametrize("most", [0, -1, 1.5, "a"])
def test_what_is_no_number_of_cycles_is_refused(most: Any) -> None:
    with pytest.raises(BitduelError, match="max_cycles"):
        raw_env("double", max_cycles=most)


def test_a_copy_in_the_middle_of_a_match_goes_on_there() -> None:
    table = env("battle")
    table.reset(seed=1)
    table.step(0)
    for copied in (deepcopy(table), pickle.loads(pickle.dumps(table))):
        assert copied.agent_selection == table.agent_selection
        assert copied.unwrapped.match == table.unwrapped.match
        copied.step(1)
        assert table.unwrapped.match.ply == 1
