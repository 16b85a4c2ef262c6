"""Players, their specs, and the loop that plays a match."""

from collections.abc import Callable
from random import Random
from typing import Any

from bitduel.core.errors import BitduelError
from bitduel.core.game import Game
from bitduel.core.view import View
from bitduel.players.driver import Listener, drive
from bitduel.players.player import FaultError, FunctionPlayer, HaltError, Person, Player, ResignError, TakeBackError
from bitduel.players.settings import DEFAULT_LIMITS, PlayerLimits
from bitduel.players.spec import COMPUTERS, HUMAN, Spec, build, close, parse

PlayerLike = str | Spec | Player | Callable[[View], str]
"""Anything that can play: a spec, a player, or a Python function from view to move."""

__all__ = [
    "COMPUTERS",
    "DEFAULT_LIMITS",
    "HUMAN",
    "FaultError",
    "HaltError",
    "Listener",
    "Person",
    "Player",
    "PlayerLike",
    "PlayerLimits",
    "ResignError",
    "Spec",
    "TakeBackError",
    "build",
    "close",
    "drive",
    "parse",
    "player",
]


def player(source: PlayerLike, game: Game[Any], rng: Random, limits: PlayerLimits = DEFAULT_LIMITS) -> Player | None:
    """Return the player for a spec; None for a human, whom the interface asks."""
    if isinstance(source, str | Spec):
        return build(parse(source) if isinstance(source, str) else source, game, rng, limits)
    if hasattr(source, "choose"):
        return source
    if callable(source):
        return FunctionPlayer(source)
    raise BitduelError(
        f"A player must be a name, a function from view to move, or an object with a choose method, not {source!r}."
    )
