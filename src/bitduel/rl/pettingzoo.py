"""Every game as a PettingZoo environment in which agents take turns: `env("double", target=20)`.

Importing this module registers them, too: `pettingzoo.make("aec", "bitduel/NAME-v0")`.
"""

from random import Random
from typing import Any

from bitduel.core.extras import extra

with extra("rl", "PettingZoo"):
    import gymnasium
    from gymnasium.spaces import Box, Dict, Discrete
    from pettingzoo import AECEnv, register
    from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

import numpy as np

from bitduel.core.errors import BitduelError, shown
from bitduel.core.game import Game
from bitduel.core.match import SEATS, Match
from bitduel.games import shelf
from bitduel.rl import rendering
from bitduel.rl.information_state import Sight, chosen, move_of, reward

AGENTS = {f"player_{seat}": seat for seat in SEATS}
ILLEGAL = -1
"""The reward of an agent that takes an action which is not legal."""


class MatchEnv(AECEnv):  # type: ignore[misc]
    """A match between two agents; player_1 starts."""

    metadata = {"render_modes": rendering.MODES, "is_parallelizable": False, "render_fps": rendering.FRAMES}

    def __init__(
        self,
        game: Game[Any] | str,
        *,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        **options: object,
    ) -> None:
        AECEnv.__init__(self)
        rendering.check(render_mode)
        if max_cycles is not None and (type(max_cycles) is not int or max_cycles < 1):
            raise BitduelError(f"max_cycles is a whole number from 1 on, not {shown(repr(max_cycles))}.")
        self.game = chosen(game, options)
        self.metadata = {**self.metadata, "name": f"{self.game.slug.replace('-', '_')}_v0"}
        self.render_mode = render_mode
        self.max_cycles = max_cycles
        self.sight = Sight(self.game)
        self.rng = Random()
        self.match = Match(self.game, deal=self.game.any_deal())
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        actions = len(self.game.moves)
        self.observation_spaces = {agent: _observations(self.sight, actions) for agent in AGENTS}
        self.action_spaces = {agent: Discrete(actions) for agent in AGENTS}

    def observation_space(self, agent: str) -> Dict:
        """What an agent can observe: the features of the game, and which actions are legal."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """The action numbers: the moves of the game, in its order."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match; with a seed its deal, and those of the matches after it, are always the same."""
        if seed is not None:
            self.rng = Random(seed)
        self.match = Match(self.game, deal=self.game.deal(self.rng))
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._turn()

    def step(self, action: int | None) -> None:
        """Make the move with this number; raises IllegalMoveError, changing nothing, where it is not legal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.match.play(move_of(self.game, action))
        self._cumulative_rewards[agent] = 0.0
        over = self.match.outcome is not None
        late = self.max_cycles is not None and self.match.ply >= len(SEATS) * self.max_cycles
        for each, seat in AGENTS.items():
            self.rewards[each] = reward(self.match.outcome, seat)
            self.terminations[each] = over
            self.truncations[each] = late and not over
        self._turn()
        self._accumulate_rewards()
        if self.render_mode == rendering.HUMAN:
            self.render()

    def _turn(self) -> None:
        """Say whose turn it is, and what can be done."""
        self.agent_selection = self.possible_agents[self.match.next_seat - 1]
        self.infos = {agent: {"action_mask": self.sight.mask(self.match, AGENTS[agent])} for agent in self.agents}

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees, and which actions it can take now."""
        seat = AGENTS[agent]
        return {"observation": self.sight.row(self.match, seat), "action_mask": self.sight.mask(self.match, seat)}

    def render(self) -> str | rendering.Image | None:
        """What the agent whose turn it is sees: text, pixels, or printed."""
        if self.render_mode is None:
            gymnasium.logger.warn("You are calling render method without specifying any render mode.")
            return None
        return rendering.render(self.match, AGENTS[self.agent_selection], self.render_mode)

    def close(self) -> None:
        """There is nothing to let go."""


def _observations(sight: Sight, actions: int) -> Dict:
    mask = Box(0, 1, shape=(actions,), dtype=np.int8)
    return Dict({"observation": Box(sight.low, sight.high, dtype=np.int64), "action_mask": mask})


def raw_env(game: Game[Any] | str, **given: Any) -> MatchEnv:
    """The environment without wrappers: an action that is not legal raises IllegalMoveError."""
    return MatchEnv(game, **given)


def env(game: Game[Any] | str, **given: Any) -> AECEnv:
    """The environment as PettingZoo's own games are: an action that is not legal ends the match with -1 for it."""
    raw = raw_env(game, **given)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(raw, illegal_reward=ILLEGAL)))


for kind in shelf():
    register("aec", f"bitduel/{kind.slug}-v0", entry_point=f"{__name__}:env", kwargs={"game": kind.slug})
