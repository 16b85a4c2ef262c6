"""Gymnasium environments: one seat against any player, or a batch of matches as a vector environment.

Importing this module registers every game: `gymnasium.make("bitduel/NAME-v0", opponent="perfect")`.
"""

from random import Random
from typing import Any

from bitduel.core.errors import RequiredExtra

with RequiredExtra("rl", "Gymnasium"):
    import gymnasium
    from gymnasium.spaces import Box, Discrete
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

import numpy as np

from bitduel.core.errors import BitduelError
from bitduel.core.game import Game
from bitduel.core.match import SEATS, Match, other_seat
from bitduel.games.registry import all_games
from bitduel.players import Listener, Player, PlayerLike, close, drive, player
from bitduel.rl import observations
from bitduel.rl.batch import Batch, resolve_game_and_table
from bitduel.rl.observations import ObservationEncoder, Row, move_of, resolve_game, reward

ALTERNATE = "alternate"
ILLEGAL = "illegal move"
Info = dict[str, Any]


class SeatChoiceError(BitduelError):
    """A seat that a learner cannot take."""


class OpponentError(BitduelError):
    """An opponent that gives no legal move."""


class _FaultListener(Listener):
    """A listener that raises faults: a learner must not win because its opponent is broken."""

    def ended(self, match: Match, fault: str) -> None:
        """Raise OpponentError unless the opponent has just resigned."""
        if fault:
            raise OpponentError(f"The opponent can't continue: {fault}.")


class SeatEnv(gymnasium.Env[Row, np.int64]):
    """A match against an opponent, who moves within the learner's step."""

    metadata = {"render_modes": observations.RENDER_MODES, "render_fps": observations.FRAMES}

    def __init__(
        self,
        game: Game[Any] | str,
        *,
        opponent: PlayerLike = "perfect",
        seat: int | str = 1,
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        observations.check_render_mode(render_mode)
        if seat not in (*SEATS, ALTERNATE) or isinstance(seat, bool):
            raise SeatChoiceError(f"seat must be 1, 2 or {ALTERNATE!r}, not {seat!r}.")
        self.game = resolve_game(game, options)
        self.render_mode = render_mode
        self.encoder = ObservationEncoder(self.game)
        self.observation_space = Box(self.encoder.low, self.encoder.high, dtype=np.int64)
        self.action_space = Discrete(len(self.game.moves))
        self.seat_choice = seat
        self.seat = 1 if seat == ALTERNATE else int(seat)
        self.matches = 0
        self.rng = Random()
        self._given_opponent = opponent
        self.opponent = self._build(opponent)
        self.match = Match(self.game, deal=self.game.any_deal())
        self.is_illegal = False
        self.is_over = False
        """Whether the learner has been shown the end of the match."""

    def _build(self, opponent: PlayerLike) -> Player:
        built = player(opponent, self.game, self.rng)
        if built is None:
            raise OpponentError("A person can't be the opponent here. Use a program or a function from view to move.")
        return built

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Row, Info]:
        """Start a match; a seed restarts its deals, the opponent's random numbers, and the order of seats."""
        super().reset(seed=seed)
        if seed is not None:
            self.matches = 0
        if self.seat_choice == ALTERNATE:
            self.seat = SEATS[self.matches % 2]
        self.matches += 1
        self.rng.seed(int(self.np_random.integers(1 << 62)))
        self.match = Match(self.game, deal=self.game.deal(self.rng))
        self.is_illegal = self.is_over = False
        self._play_opponent()
        self._show()
        return self.encoder.row(self.match, self.seat), self._info()

    def step(self, action: np.int64 | int) -> tuple[Row, float, bool, bool, Info]:
        """Make the move with this number, and the opponent's after it; one that is not legal loses at once.

        If the opponent has won with its very first move, any action just returns the result.
        """
        if self.is_over:
            raise gymnasium.error.ResetNeeded("The match is over. Call reset() to start the next.")
        if not self.match.outcome:
            move = move_of(self.game, action)
            self.is_illegal = move not in self.match.legal
            if not self.is_illegal:
                self.match.play(move)
                self._play_opponent()
        self._show()
        gained = -1.0 if self.is_illegal else reward(self.match.outcome, self.seat)
        self.is_over = self.is_illegal or self.match.outcome is not None
        return self.encoder.row(self.match, self.seat), gained, self.is_over, False, self._info()

    def _play_opponent(self) -> None:
        """Let the opponent move while it is its turn; a learner who must pass does so by its action."""
        seat = other_seat(self.seat)
        while self.match.to_move == seat:
            drive(self.match, {seat: self.opponent}, _FaultListener(), most_plies=self.match.ply + 1)

    def _info(self) -> Info:
        """Return the seat, the legal actions, and how the match ended once it has."""
        mask = self.encoder.mask(self.match, self.seat)
        if self.is_illegal:
            mask[:] = 0
        info: Info = {"action_mask": mask, "seat": self.seat}
        if self.is_illegal or self.match.outcome:
            info["reason"] = ILLEGAL if self.is_illegal or not self.match.outcome else self.match.outcome.reason
        return info

    def _show(self) -> None:
        if self.render_mode == observations.HUMAN:
            self.render()

    def render(self) -> str | observations.Image | None:
        """Return what the learner's seat sees as text or pixels, or print it."""
        return observations.render(self.match, self.seat, self.render_mode) if self.render_mode else None

    def close(self) -> None:
        """Close the opponent, if it was built here."""
        if self.opponent is not self._given_opponent:
            close([self.opponent])


class BatchEnv(VectorEnv[Any, Any, Any]):
    """Self-play in many lanes: observations and masks of the player to move, rewards of the player who has just moved.

    When a match ends, the next one starts in the same step; the last observation is in `final_obs`.
    """

    def __init__(
        self, game: Game[Any] | str, num_envs: int = 1, *, table: bool | str | None = None, **options: object
    ) -> None:
        resolved, on_table = resolve_game_and_table(game, table, options)
        self.batch = Batch(resolved, num_envs, table=on_table)
        self.num_envs = num_envs
        low, high = (np.array([feature[at] for feature in resolved.features], np.int32) for at in (1, 2))
        self.single_observation_space = Box(low, high, dtype=np.int32)
        self.single_action_space = Discrete(len(resolved.moves))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Any, Info]:
        """Restart every match; the same seed gives the same deals, and without one they differ each time."""
        super().reset(seed=seed)
        self.batch.reset(int(self.np_random.integers(2**63)) if seed is None else seed)
        return self.batch.observation, self._info()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, Info]:
        """Make one move in every match; raise ActionError, and step nothing, if one is not legal."""
        batch = self.batch
        batch.step(actions)
        info = self._info()
        if batch.done.any():
            last = np.full(self.num_envs, None, object)
            last[np.flatnonzero(batch.done)] = list(batch.final)
            info |= {"final_obs": last, "_final_obs": batch.done.copy()}
        truncated = np.zeros(self.num_envs, np.bool_)
        return batch.observation, batch.reward.astype(np.float64), batch.done, truncated, info

    def _info(self) -> Info:
        everywhere = np.ones(self.num_envs, np.bool_)
        info = {"action_mask": self.batch.mask, "seat": self.batch.seat}
        return {**info, **{f"_{name}": everywhere for name in info}}


for kind in all_games():
    entry_point = f"{__name__}:{SeatEnv.__name__}"
    gymnasium.register(f"bitduel/{kind.slug}-v0", entry_point=entry_point, kwargs={"game": kind.slug})
