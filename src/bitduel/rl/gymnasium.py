"""Every game as a Gymnasium environment, against any player: `gymnasium.make("bitduel/NAME-v0", opponent="perfect")`.

Importing this module registers them.
"""

from random import Random
from typing import Any

from bitduel.core.extras import extra

with extra("rl", "Gymnasium"):
    import gymnasium
    from gymnasium.spaces import Box, Discrete

import numpy as np

from bitduel.core.errors import BitduelError
from bitduel.core.game import Game
from bitduel.core.match import SEATS, Match, other
from bitduel.games import shelf
from bitduel.players import Listener, Player, Who, close, drive, player
from bitduel.rl import rendering
from bitduel.rl.information_state import Row, Sight, chosen, move_of, reward

ALTERNATE = "alternate"
ILLEGAL = "illegal move"
Told = dict[str, Any]


class SeatChoiceError(BitduelError):
    """A seat that a learner cannot take."""


class OpponentError(BitduelError):
    """An opponent that gives no legal move."""


class _Strict(Listener):
    """A learner must not win because its opponent is broken, so that is said aloud."""

    def ended(self, match: Match, fault: str) -> None:
        """Raises OpponentError unless the opponent has just resigned."""
        if fault:
            raise OpponentError(f"The opponent cannot play on: {fault}.")


class SeatEnv(gymnasium.Env[Row, np.int64]):
    """A seat at a match against an opponent, who moves within the learner's step."""

    metadata = {"render_modes": rendering.MODES, "render_fps": rendering.FRAMES}

    def __init__(
        self,
        game: Game[Any] | str,
        *,
        opponent: Who = "perfect",
        seat: int | str = 1,
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        rendering.check(render_mode)
        if seat not in (*SEATS, ALTERNATE) or isinstance(seat, bool):
            raise SeatChoiceError(f"seat must be 1, 2 or {ALTERNATE!r}, not {seat!r}.")
        self.game = chosen(game, options)
        self.render_mode = render_mode
        self.sight = Sight(self.game)
        self.observation_space = Box(self.sight.low, self.sight.high, dtype=np.int64)
        self.action_space = Discrete(len(self.game.moves))
        self.wanted = seat
        self.seat = 1 if seat == ALTERNATE else int(seat)
        self.matches = 0
        self.rng = Random()
        self.given = opponent
        self.opponent = self._found(opponent)
        self.match = Match(self.game, deal=self.game.any_deal())
        self.illegal = False
        self.told = False
        """Whether the learner knows that the match is over."""

    def _found(self, who: Who) -> Player:
        found = player(who, self.game, self.rng)
        if found is None:
            raise OpponentError("A human cannot be the opponent here; a function from view to move can.")
        return found

    def reset(self, *, seed: int | None = None, options: Told | None = None) -> tuple[Row, Told]:
        """Begin a match; with a seed its deal, the opponent's chances, and who starts next, begin anew."""
        super().reset(seed=seed)
        if seed is not None:
            self.matches = 0
        if self.wanted == ALTERNATE:
            self.seat = SEATS[self.matches % 2]
        self.matches += 1
        self.rng.seed(int(self.np_random.integers(1 << 62)))
        self.match = Match(self.game, deal=self.game.deal(self.rng))
        self.illegal = self.told = False
        self._answer()
        self._shown()
        return self._seen(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Row, float, bool, bool, Told]:
        """Make the move with this number, and the opponent's after it; one that is not legal loses at once.

        Where the opponent has won by its very first move, any action only says so.
        """
        if self.told:
            raise gymnasium.error.ResetNeeded("The match is over: reset() begins the next.")
        if not self.match.outcome:
            self._move(move_of(self.game, action))
        self._shown()
        gained = -1.0 if self.illegal else reward(self.match.outcome, self.seat)
        over = self.illegal or self.match.outcome is not None
        self.told = over
        return self._seen(), gained, over, False, self._info()

    def _move(self, move: str) -> None:
        self.illegal = move not in self.match.legal
        if not self.illegal:
            self.match.play(move)
            self._answer()

    def _answer(self) -> None:
        """Let the opponent move if it is its turn; a learner who must pass does so by its action."""
        seat = other(self.seat)
        while self.match.to_move == seat:
            drive(self.match, {seat: self.opponent}, _Strict(), most_plies=self.match.ply + 1)

    def _seen(self) -> Row:
        return self.sight.row(self.match, self.seat)

    def _info(self) -> Told:
        """The seat, the legal actions, and how the match ended once it has."""
        mask = self.sight.mask(self.match, self.seat)
        if self.illegal:
            mask[:] = 0
        told: Told = {"action_mask": mask, "seat": self.seat}
        if self.illegal or self.match.outcome:
            told["reason"] = ILLEGAL if self.illegal or not self.match.outcome else self.match.outcome.reason
        return told

    def _shown(self) -> None:
        if self.render_mode == rendering.HUMAN:
            self.render()

    def render(self) -> str | rendering.Image | None:
        """What the learner's seat sees: text, pixels, or printed."""
        return rendering.render(self.match, self.seat, self.render_mode) if self.render_mode else None

    def close(self) -> None:
        """Let the opponent go, if it was made here."""
        if self.opponent is not self.given:
            close([self.opponent])


for kind in shelf():
    place = f"{__name__}:{SeatEnv.__name__}"
    gymnasium.register(f"bitduel/{kind.slug}-v0", entry_point=place, kwargs={"game": kind.slug})
