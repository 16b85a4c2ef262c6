"""Batches as vector environments of Gymnasium."""

from typing import Any

import numpy as np
import pytest

from bitduel.core.errors import BitduelError
from bitduel.games.registry import all_games, make

pytest.importorskip("gymnasium", reason="Gymnasium is not installed (pip install 'bitduel[rl]').")
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from bitduel.rl.batch import Batch
from bitduel.rl.gymnasium import BatchEnv


@pytest.mark.parametrize("kind", all_games(), ids=lambda kind: kind.slug)
def test_it_is_the_batch_and_stays_in_its_spaces(kind: Any) -> None:
    env, batch, rng = BatchEnv(kind(), 16), Batch(kind(), 16, 5), np.random.default_rng(1)
    seen, info = env.reset(seed=5)
    ended = 0
    for _ in range(60):
        assert seen in env.observation_space
        assert (seen == batch.observation).all()
        assert (info["action_mask"] == batch.mask).all()
        assert (info["seat"] == batch.seat).all()
        actions = batch.sample(rng)
        assert actions in env.action_space
        batch.step(actions)
        seen, reward, done, cut, info = env.step(actions)
        assert (reward == batch.reward).all()
        assert (done == batch.done).all()
        assert not cut.any()
        ended += int(done.sum())
        if done.any():
            assert [row.tolist() for row in info["final_obs"][done]] == batch.final.tolist()
            assert (info["_final_obs"] == done).all()
            assert all(row in env.single_observation_space for row in info["final_obs"][done])
    assert ended


def test_wrappers_of_gymnasium_work_with_it() -> None:
    env = RecordEpisodeStatistics(BatchEnv(make("double"), 8))
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    env.reset(seed=1)
    rng, lengths = np.random.default_rng(0), []
    for _ in range(40):
        *_, info = env.step(rng.integers(0, 2, 8))
        if "episode" in info:
            lengths += info["episode"]["l"][info["_episode"]].tolist()
    assert min(lengths) >= 4


def test_without_a_seed_every_beginning_has_deals_of_its_own() -> None:
    env = BatchEnv("battle", 20)
    env.reset(seed=3)
    seeded = env.batch.deals
    env.reset()
    assert env.batch.deals != seeded
    second = env.batch.deals
    env.reset()
    assert env.batch.deals != second
    env.reset(seed=3)
    assert env.batch.deals == seeded
    env.reset()
    assert env.batch.deals == second


def test_options_go_by_their_names() -> None:
    env = BatchEnv("31", num_envs=3, length=40)
    assert env.batch.game == make("31", length=40)
    assert env.reset(seed=1)[0] in env.observation_space
    with pytest.raises(BitduelError, match="There is no setting 'target'"):
        BatchEnv("31", num_envs=3, target=40)
    with pytest.raises(BitduelError, match="There is no setting 'size'"):
        BatchEnv("31", num_envs=3, size=4)
