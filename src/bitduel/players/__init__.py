"""Who can sit on a seat: a player gets a view and gives a move."""

from collections.abc import Callable
from random import Random
from typing import Any, Protocol

from bitduel.core.errors import unknown
from bitduel.core.game import Game
from bitduel.core.view import View

HUMAN = "human"


class Player(Protocol):
    """Anything that chooses a legal move from what its seat may see."""

    def choose(self, view: View) -> str:
        """One of the view's legal moves."""


class RandomPlayer:
    """Chooses any legal move, each equally likely."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def choose(self, view: View) -> str:
        """Any legal move."""
        return self.rng.choice(view.legal)


Maker = Callable[[Game[Any], Random], Player]

COMPUTERS: dict[str, tuple[str, Maker]] = {
    "random": ("any legal move", lambda _game, rng: RandomPlayer(rng)),
}
"""The players that are programs, each with a line of what they do."""


def player(name: str, game: Game[Any], rng: Random) -> Player | None:
    """The player of this name; None for a human, who is asked by the interface."""
    wanted = name.strip().lower()
    if wanted == HUMAN:
        return None
    if wanted not in COMPUTERS:
        raise unknown("player", name, [HUMAN, *COMPUTERS])
    return COMPUTERS[wanted][1](game, rng)
