"""What a player is: a view in, a move out."""

from collections.abc import Callable
from random import Random
from typing import Any, Protocol

from bitduel.core.errors import BitduelError
from bitduel.core.view import View


class Player(Protocol):
    """Anything that chooses a legal move from what its seat may see.

    It may also have `over(view)`, to be told how its match ended, and `close()`, to be let go by whoever made it. It
    may raise ResignError, FaultError where it knows better than the driver by which ending it loses, and HaltError.
    """

    def choose(self, view: View) -> str:
        """One of the view's legal moves."""


class CachedPolicy:
    """A player of this house that can answer from memory; from match to match only its random numbers change."""

    rng: Random

    def glance(self, sight: Any, legal: tuple[str, ...]) -> str | None:
        """The very move that `choose` would give to a view of this sight; None where that has to be worked out."""
        raise NotImplementedError


class Person:
    """Somebody at a screen, asked by the interface that made it: never timed, and never at fault.

    Besides giving a move, a person may raise ResignError or TakeBackError.
    """

    def choose(self, view: View) -> str:
        """One of the view's legal moves."""
        raise NotImplementedError


class ResignError(Exception):
    """A player gives up."""


class FaultError(Exception):
    """What a program did wrong, and by which ending it loses."""

    def __init__(self, reason: str, what: str) -> None:
        super().__init__(what)
        self.reason = reason


def time_in_words(seconds: float) -> str:
    """How long somebody was waited for: 1 second, 2.5 seconds."""
    return f"{seconds:g} second{'' if seconds == 1 else 's'}"


class HaltError(BitduelError):
    """A program cannot play on through no fault of its own, so that the match has no result: no money, no service."""

    status = 1


class TakeBackError(Exception):
    """A player takes back to the last turn of a seat: their own, unless another is named."""

    def __init__(self, seat: int | None = None) -> None:
        super().__init__()
        self.seat = seat


class RandomPlayer(CachedPolicy):
    """Chooses any legal move, each equally likely."""

    timeless = True

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def choose(self, view: View) -> str:
        """Any legal move."""
        return self.rng.choice(view.legal)

    def glance(self, sight: Any, legal: tuple[str, ...]) -> str:
        """Any legal move."""
        return self.rng.choice(legal)

    def behaviour(self, view: View) -> dict[str, float]:
        """How likely each move is."""
        return dict.fromkeys(view.legal, 1 / len(view.legal))


class FunctionPlayer:
    """A Python function from view to move."""

    def __init__(self, function: Callable[[View], str]) -> None:
        self.function = function

    def choose(self, view: View) -> str:
        """What the function says."""
        return self.function(view)
