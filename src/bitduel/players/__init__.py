"""Who can sit on a seat, and the one loop that plays a match."""

from collections.abc import Callable
from random import Random
from typing import Any

from bitduel.core.errors import BitduelError
from bitduel.core.game import Game
from bitduel.core.view import View
from bitduel.players.driver import Listener, drive
from bitduel.players.limits import USUAL, PlayerLimits
from bitduel.players.player import FaultError, FunctionPlayer, HaltError, Person, Player, ResignError, TakeBackError
from bitduel.players.spec import COMPUTERS, HUMAN, Spec, build, close, parse

Who = str | Spec | Player | Callable[[View], str]
"""All that can be put on a seat: a spec, a player, or a Python function from view to move."""

__all__ = [
    "COMPUTERS",
    "HUMAN",
    "USUAL",
    "FaultError",
    "HaltError",
    "Listener",
    "Person",
    "Player",
    "PlayerLimits",
    "ResignError",
    "Spec",
    "TakeBackError",
    "Who",
    "build",
    "close",
    "drive",
    "parse",
    "player",
]


def player(who: Who, game: Game[Any], rng: Random, terms: PlayerLimits = USUAL) -> Player | None:
    """The player that was meant; None for a human, who is asked by the interface."""
    if isinstance(who, str | Spec):
        return build(parse(who) if isinstance(who, str) else who, game, rng, terms)
    if hasattr(who, "choose"):
        return who
    if callable(who):
        return FunctionPlayer(who)
    raise BitduelError(f"A player is a name, a function from view to move, or has a method choose, not {who!r}.")
