"""How fast the arena plays and scores, beside the same games with nothing chosen, measured or told."""

import json
from collections.abc import Iterator
from random import Random
from time import perf_counter
from typing import Any

from bitduel.arena.schedule import Schedule, make_plan
from bitduel.arena.worker import play_some
from bitduel.core.figures import Figure
from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.games import shelf

PLAYERS = ("perfect", "random")
GAMES = 200
BURSTS = 20


def figures() -> Iterator[Figure]:
    """Games of each kind between two players that know, regret and rows included; every burst plays games anew."""
    for kind in shelf():
        plan = make_plan(PLAYERS, [kind()], rounds=GAMES * BURSTS // 2)
        bursts = [_burst(plan, range(begin, begin + GAMES)) for begin in range(1, len(plan), GAMES)]
        arena, bare = (max(rates) for rates in zip(*bursts, strict=True))
        yield Figure(f"{kind.short}: games of the arena", arena, "bare moves", bare, "per second")


def _burst(plan: Schedule, numbers: range) -> tuple[float, float]:
    """The moves a second of some games, by the arena and bare."""
    began = perf_counter()
    told = play_some(plan, numbers).rows
    arena = perf_counter() - began
    rows = [json.loads(row) for row in told]
    began = perf_counter()
    _bare(plan.games[0], rows)
    bare = perf_counter() - began
    moves = sum(len(row["moves"]) for row in rows)
    return moves / arena, moves / bare


def _bare(game: Game[Any], rows: list[dict[str, Any]]) -> None:
    """What remains when the moves are known: a number drawn for each, and the move made."""
    rng = Random(1)
    for row in rows:
        match = Match(game, 1, row["deal"] or "")
        for move in row["moves"]:
            rng.random()
            match.play(move)
