"""A player of ours as a policy of OpenSpiel, so that its algorithms can weigh it and find the best reply to it."""

from random import Random
from typing import Any

from open_spiel.python.policy import Policy

from bitduel.core.errors import BitduelError
from bitduel.players import Who, player
from bitduel.rl.open_spiel import SpielGame, SpielState


class BehaviourError(BitduelError):
    """A player that does not say how likely its moves are."""


class PlayerPolicy(Policy):  # type: ignore[misc]
    """Plays both sides like a player of ours whose chances are known: "perfect", "level:3", "random"."""

    def __init__(self, game: SpielGame, who: Who = "perfect") -> None:
        super().__init__(game, list(range(game.num_players())))
        found: Any = player(who, game.table.game, Random(0))
        if not hasattr(found, "behaviour"):
            raise BehaviourError(f"{who} does not say how likely its moves are, so it cannot be a policy.")
        self.behaviour = found.behaviour

    def action_probabilities(self, state: SpielState, player_id: int | None = None) -> dict[int, float]:
        """How likely each action is that can be taken at all, from what the seat to move sees."""
        match = state.line.match
        assert match
        action = state.line.table.sight.action
        return {action[move]: share for move, share in self.behaviour(match.view(match.next_seat)).items()}
