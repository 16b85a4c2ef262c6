"""How fast games are played one at a time."""

from collections.abc import Iterator
from random import Random
from typing import Any

from bitduel.core.figures import Figure, seconds
from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.games import shelf

MOVES = 100_000


def figures() -> Iterator[Figure]:
    """Random playing of each game through a match, beside a bare loop over a dict."""
    rng = Random(1)
    dice = [rng.randrange(2520) for _ in range(MOVES)]
    bare = MOVES / seconds(lambda: _bare(dice))
    for kind in shelf():
        game = kind()
        deal = game.deal(rng)

        def play(game: Game[Any] = game, deal: str = deal) -> None:
            _play(game, deal, dice)

        yield Figure(f"{kind.short}: moves of a match", MOVES / seconds(play), "dict look-ups", bare, "per second")


def _play(game: Game[Any], deal: str, dice: list[int]) -> None:
    """Match after match with random legal moves."""
    match = Match(game, deal=deal)
    for die in dice:
        legal = match.legal
        match.play(legal[die % len(legal)])
        if match.outcome:
            match = Match(game, deal=deal)


def _bare(dice: list[int]) -> None:
    """What Python itself needs to pick one of several and look it up, move after move."""
    legal = ("a", "b")
    then = {"a": 1, "b": 2}
    moves = []
    for die in dice:
        move = legal[die % len(legal)]
        if then.get(move):
            moves.append(move)
