"""The small films of the home page: whole matches that somebody wins by the last move."""

from functools import cache
from random import Random
from typing import Any

from bitduel.core.errors import NotSolvedError
from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.core.picture import Picture
from bitduel.core.words import PLAYERS
from bitduel.games import Kind
from bitduel.players import Player, drive, player
from bitduel.players.spec import EASY, PERFECT, RANDOM
from bitduel.rendering.film import film_svg

LONGEST = 20
"""Plies after which nobody would still watch."""

BEST = 10
"""Plies that show enough, and soon enough."""

NEAR = 3
"""So many more or fewer are as good."""

PAIRS = ((EASY, PERFECT), (EASY, EASY))
TRIES = 12


@cache
def film(kind: Kind, dark: bool, still: bool) -> str:
    """The film of a game, or one picture of it."""
    pictures = _pictures(kind)
    return film_svg(pictures[len(pictures) * 2 // 3 :][:1] if still else pictures, dark)


@cache
def _pictures(kind: Kind) -> list[Picture]:
    """Every position of a match, seen by those who know how it ended."""
    match = whole_match(kind)
    return [match.game.picture(match.hindsight(ply), PLAYERS) for ply in range(match.ply + 1)]


def whole_match(kind: Kind) -> Match:
    """A match that is over soon, but not too soon; always the same one."""
    found: list[Match] = []
    for pair in PAIRS:
        found += [_played(kind, seed, pair) for seed in range(TRIES)]
        best = min(filter(_won_by_the_last_move, found), key=_far_off, default=found[0])
        if _far_off(best) <= NEAR:
            break
    return best


def _won_by_the_last_move(match: Match) -> bool:
    return match.outcome is not None and match.outcome.winner == match.seat_at(match.ply - 1)


def _far_off(match: Match) -> int:
    return abs(match.ply - BEST)


def _played(kind: Kind, seed: int, pair: tuple[str, str]) -> Match:
    game, dice = kind(), Random(seed)
    match = Match(game, 1 + seed % 2, game.deal(dice))
    drive(match, {seat: _seated(name, game, dice) for seat, name in enumerate(pair, 1)}, most_plies=LONGEST)
    return match


def _seated(name: str, game: Game[Any], dice: Random) -> Player | None:
    """A player by name; in a game that nobody has solved, one who plays anything."""
    try:
        return player(name, game, dice)
    except NotSolvedError:
        return player(RANDOM, game, dice)
