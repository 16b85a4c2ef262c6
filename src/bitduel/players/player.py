"""Players: a view in, a move out; and the exceptions by which they do something else."""

from collections.abc import Callable
from random import Random
from typing import Any, Protocol

from bitduel.core.errors import BitduelError
from bitduel.core.view import View


class Player(Protocol):
    """Anything that chooses a legal move from what its seat may see.

    It may also have `over(view)`, called when its match has ended, and `close()`, called by its owner. It may raise
    ResignError, HaltError, and FaultError where it knows better than the driver by which ending it loses.
    """

    def choose(self, view: View) -> str:
        """Return one of the view's legal moves."""


class CachedPolicy:
    """A built-in player that can answer from a cache; from match to match only its random numbers change."""

    rng: Random

    def sample(self, information_state: Any, legal: tuple[str, ...]) -> str | None:
        """Return the move that `choose` would return for a view of this state; None if it is not cached."""
        raise NotImplementedError


class Person:
    """Somebody at a screen, asked by the interface: never timed, and never at fault.

    Besides returning a move, a person may raise ResignError or TakeBackError.
    """

    def choose(self, view: View) -> str:
        """Return one of the view's legal moves."""
        raise NotImplementedError


class PlayerError(BitduelError):
    """A player that does not exist or cannot be started."""


class HaltError(BitduelError):
    """A program cannot play on through no fault of its own, so that the match has no result: no money, no service."""

    status = 1


class FaultError(Exception):
    """A mistake of a program, and the ending by which it loses."""

    def __init__(self, reason: str, description: str) -> None:
        super().__init__(description)
        self.reason = reason


class ResignError(Exception):
    """A player gives up."""


class TakeBackError(Exception):
    """A player takes back to the last turn of a seat: their own, unless another is named."""

    def __init__(self, seat: int | None = None) -> None:
        super().__init__()
        self.seat = seat


class RandomPlayer(CachedPolicy):
    """A player that chooses any legal move, each equally likely."""

    timeless = True

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def choose(self, view: View) -> str:
        """Return any legal move."""
        return self.rng.choice(view.legal)

    def sample(self, information_state: Any, legal: tuple[str, ...]) -> str:
        """Return any legal move."""
        return self.rng.choice(legal)

    def policy(self, view: View) -> dict[str, float]:
        """Return the probability of each move."""
        return dict.fromkeys(view.legal, 1 / len(view.legal))


class FunctionPlayer:
    """A Python function from view to move."""

    def __init__(self, function: Callable[[View], str]) -> None:
        self.choose = function


def format_seconds(seconds: float) -> str:
    """Return a duration in words: 1 second, 2.5 seconds."""
    return f"{seconds:g} second{'' if seconds == 1 else 's'}"
