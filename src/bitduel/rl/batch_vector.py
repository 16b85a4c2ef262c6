"""A batch as a vector environment of Gymnasium: every action is a move of whoever is to move, both seats in turn."""

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from bitduel.core.game import Game
from bitduel.rl.batch import Batch, meant


class BatchEnv(VectorEnv[Any, Any, Any]):
    """Self-play in many lanes: observations and masks are those of the player to move, rewards of who has just moved.

    Where a match ends, the next one begins in the same step; the last observation stands in `final_obs`.
    """

    def __init__(
        self, game: Game[Any] | str, num_envs: int = 1, *, table: bool | str | None = None, **options: object
    ) -> None:
        made, on_table = meant(game, table, options)
        self.batch = Batch(made, num_envs, table=on_table)
        self.num_envs = num_envs
        features = self.batch.game.features
        low, high = (np.array([f[at] for f in features], np.int32) for at in (1, 2))
        self.single_observation_space = spaces.Box(low, high, dtype=np.int32)
        self.single_action_space = spaces.Discrete(len(self.batch.game.moves))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin every match anew; with a seed the deals follow from it, without one they are others each time."""
        super().reset(seed=seed)
        self.batch.reset(int(self.np_random.integers(2**63)) if seed is None else seed)
        return self.batch.observation, self._info()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """One move in every match; raises ActionError, stepping nothing, where one is not legal."""
        batch = self.batch
        batch.step(actions)
        info = self._info()
        if batch.done.any():
            last = np.full(self.num_envs, None, object)
            last[np.flatnonzero(batch.done)] = list(batch.final)
            info |= {"final_obs": last, "_final_obs": batch.done.copy()}
        never = np.zeros(self.num_envs, np.bool_)
        return batch.observation, batch.reward.astype(np.float64), batch.done, never, info

    def _info(self) -> dict[str, Any]:
        everywhere = np.ones(self.num_envs, np.bool_)
        shown = {"action_mask": self.batch.mask, "seat": self.batch.seat}
        return {**shown, **{f"_{name}": everywhere for name in shown}}
