"""PettingZoo environments in which agents take turns: `env("double", target=20)`.

Importing this module also registers every game: `pettingzoo.make("aec", "bitduel/NAME-v0")`.
"""

from random import Random
from typing import Any

from bitduel.core.errors import RequiredExtra

with RequiredExtra("rl", "PettingZoo"):
    import gymnasium
    from gymnasium.spaces import Box, Dict, Discrete
    from pettingzoo import AECEnv, register
    from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

import numpy as np

from bitduel.core.errors import BitduelError, printable
from bitduel.core.game import Game
from bitduel.core.match import SEATS, Match
from bitduel.games.registry import all_games
from bitduel.rl import observations
from bitduel.rl.observations import ObservationEncoder, move_of, resolve_game, reward

AGENTS = {f"player_{seat}": seat for seat in SEATS}
ILLEGAL_REWARD = -1
"""The reward of an agent that takes an illegal action."""


class MatchEnv(AECEnv):  # type: ignore[misc]
    """A match between two agents; player_1 starts."""

    metadata = {
        "render_modes": observations.RENDER_MODES,
        "is_parallelizable": False,
        "render_fps": observations.FRAMES,
    }

    def __init__(
        self,
        game: Game[Any] | str,
        *,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        **options: object,
    ) -> None:
        AECEnv.__init__(self)
        observations.check_render_mode(render_mode)
        if max_cycles is not None and (type(max_cycles) is not int or max_cycles < 1):
            raise BitduelError(f"max_cycles must be a whole number of at least 1, not {printable(repr(max_cycles))}.")
        self.game = resolve_game(game, options)
        self.metadata = {**self.metadata, "name": f"{self.game.slug.replace('-', '_')}_v0"}
        self.render_mode = render_mode
        self.max_cycles = max_cycles
        self.encoder = ObservationEncoder(self.game)
        self.rng = Random()
        self.match = Match(self.game, deal=self.game.any_deal())
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        actions = len(self.game.moves)
        self.observation_spaces = {agent: _observation_space(self.encoder, actions) for agent in AGENTS}
        self.action_spaces = {agent: Discrete(actions) for agent in AGENTS}

    def observation_space(self, agent: str) -> Dict:
        """Return the space of observations: the features of the game, and which actions are legal."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """Return the space of actions: the moves of the game, in its order."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a match; with a seed its deal, and those of later matches, are always the same."""
        if seed is not None:
            self.rng = Random(seed)
        self.match = Match(self.game, deal=self.game.deal(self.rng))
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._select_agent()

    def step(self, action: int | None) -> None:
        """Make the move with this number; raise IllegalMoveError, changing nothing, if it is not legal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.match.play(move_of(self.game, action))
        self._cumulative_rewards[agent] = 0.0
        is_over = self.match.outcome is not None
        is_late = self.max_cycles is not None and self.match.ply >= len(SEATS) * self.max_cycles
        for each, seat in AGENTS.items():
            self.rewards[each] = reward(self.match.outcome, seat)
            self.terminations[each] = is_over
            self.truncations[each] = is_late and not is_over
        self._select_agent()
        self._accumulate_rewards()
        if self.render_mode == observations.HUMAN:
            self.render()

    def _select_agent(self) -> None:
        """Select the agent to move, and put the legal actions into the infos."""
        self.agent_selection = self.possible_agents[self.match.next_seat - 1]
        self.infos = {agent: {"action_mask": self.encoder.mask(self.match, AGENTS[agent])} for agent in self.agents}

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent sees, and which actions it can take now."""
        seat = AGENTS[agent]
        return {"observation": self.encoder.row(self.match, seat), "action_mask": self.encoder.mask(self.match, seat)}

    def render(self) -> str | observations.Image | None:
        """Return what the agent to move sees as text or pixels, or print it."""
        if self.render_mode is None:
            gymnasium.logger.warn("You are calling render method without specifying any render mode.")
            return None
        return observations.render(self.match, AGENTS[self.agent_selection], self.render_mode)


def _observation_space(encoder: ObservationEncoder, actions: int) -> Dict:
    mask = Box(0, 1, shape=(actions,), dtype=np.int8)
    return Dict({"observation": Box(encoder.low, encoder.high, dtype=np.int64), "action_mask": mask})


def raw_env(game: Game[Any] | str, **arguments: Any) -> MatchEnv:
    """Return the environment without wrappers: an illegal action raises IllegalMoveError."""
    return MatchEnv(game, **arguments)


def env(game: Game[Any] | str, **arguments: Any) -> AECEnv:
    """Return the environment as PettingZoo's own games are: an illegal action ends the match with -1."""
    raw = raw_env(game, **arguments)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(raw, illegal_reward=ILLEGAL_REWARD)))


for kind in all_games():
    register("aec", f"bitduel/{kind.slug}-v0", entry_point=f"{__name__}:env", kwargs={"game": kind.slug})
