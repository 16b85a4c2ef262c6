"""Who can sit on a seat: a player gets a view and gives a move."""

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple, Protocol

from bitduel.core.errors import BitduelError, shown, unknown
from bitduel.core.game import Game
from bitduel.core.view import View

HUMAN = "human"
MOST_SIGHT = 1_000_000


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


class Computer(NamedTuple):
    """A kind of player that is a program."""

    name: str
    about: str
    make: Callable[[Game[Any], Random, str], Player]


def _random(game: Game[Any], rng: Random, detail: str) -> Player:
    return RandomPlayer(rng)


def _perfect(game: Game[Any], rng: Random, detail: str) -> Player:
    from bitduel.players.solved import PerfectPlayer

    return PerfectPlayer(game, rng)


def _level(game: Game[Any], rng: Random, detail: str) -> Player:
    from bitduel.players.solved import LevelPlayer

    if not (detail.isascii() and detail.isdigit() and len(detail) < 8 and int(detail) <= MOST_SIGHT):
        raise BitduelError(f"A level is a whole number from 0 to {MOST_SIGHT}, such as level:3, not '{shown(detail)}'")
    return LevelPlayer(game, rng, int(detail))


def _named_level(name: str) -> Callable[[Game[Any], Random, str], Player]:
    def make(game: Game[Any], rng: Random, detail: str) -> Player:
        from bitduel.players.solved import LevelPlayer, sight

        return LevelPlayer(game, rng, sight(game, name))

    return make


EASY, MEDIUM, HARD, PERFECT = "easy", "medium", "hard", "perfect"

COMPUTERS = [
    Computer(EASY, "sees what is right in front of it", _named_level(EASY)),
    Computer(MEDIUM, "thinks a little ahead", _named_level(MEDIUM)),
    Computer(HARD, "thinks far ahead", _named_level(HARD)),
    Computer(PERFECT, "never makes a mistake", _perfect),
    Computer("random", "any legal move", _random),
]
"""The players that are programs, easiest to choose first."""

LEVEL = Computer("level:N", "sees N plies ahead and plays at random otherwise", _level)


def names() -> list[str]:
    """Every kind of player, as one would write it."""
    return [HUMAN, *(computer.name for computer in COMPUTERS), LEVEL.name]


def player(spec: str, game: Game[Any], rng: Random) -> Player | None:
    """The player of this name; None for a human, who is asked by the interface."""
    wanted, colon, detail = spec.strip().lower().partition(":")
    if wanted == HUMAN and not colon:
        return None
    if wanted == "level" and colon:
        return LEVEL.make(game, rng, detail)
    for computer in COMPUTERS:
        if wanted == computer.name and not colon:
            return computer.make(game, rng, detail)
    raise unknown("player", spec, names())


def is_built_in(spec: str) -> bool:
    """Whether a text names a player that is part of this program."""
    kind, colon, detail = spec.partition(":")
    if kind == "level":
        return bool(colon) and detail.isascii() and detail.isdigit() and len(detail) < 8
    return not colon and kind in (HUMAN, *(computer.name for computer in COMPUTERS))
