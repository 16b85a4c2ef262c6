"""A player of ours as a policy of OpenSpiel, so that its algorithms can weigh and exploit it."""

from typing import Any

from open_spiel.python.policy import Policy

from bitduel.core.errors import BitduelError
from bitduel.players import Who, player
from bitduel.players.player import Random


class BehaviourError(BitduelError):
    """A player that does not say how likely its moves are."""
