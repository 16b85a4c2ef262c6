"""The arena: games played, measured and written, beside the bare moves of the same games."""

import json
from collections.abc import Iterator
from random import Random
from time import perf_counter
from typing import Any

from benchmarks.figure import Figure
from bitduel.arena.schedule import Schedule, make_schedule
from bitduel.arena.worker import play_chunk
from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.games.registry import all_games

PLAYERS = ("perfect", "random")
GAMES = 200
BURSTS = 20


def figures() -> Iterator[Figure]:
    """Yield the rate of each game between two players, regret and rows included; every burst plays new games."""
    for kind in all_games():
        schedule = make_schedule(PLAYERS, [kind()], rounds=GAMES * BURSTS // 2)
        bursts = [_burst(schedule, range(start, start + GAMES)) for start in range(1, len(schedule), GAMES)]
        arena, bare = (max(rates) for rates in zip(*bursts, strict=True))
        yield Figure(f"{kind.short}: games of the arena", arena, "bare moves", bare, "per second")


def _burst(schedule: Schedule, numbers: range) -> tuple[float, float]:
    """Return the moves a second of some games, by the arena and bare."""
    start = perf_counter()
    lines = play_chunk(schedule, numbers).rows
    arena = perf_counter() - start
    rows = [json.loads(row) for row in lines]
    start = perf_counter()
    _replay(schedule.games[0], rows)
    bare = perf_counter() - start
    moves = sum(len(row["moves"]) for row in rows)
    return moves / arena, moves / bare


def _replay(game: Game[Any], rows: list[dict[str, Any]]) -> None:
    """Play the moves of the rows, with one random number drawn for each."""
    rng = Random(1)
    for row in rows:
        match = Match(game, 1, row["deal"] or "")
        for move in row["moves"]:
            rng.random()
            match.play(move)
