"""How fast the arena plays and scores, beside the same games with nothing chosen, measured or told."""

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from bitduel.arena.plan import Plan, make_plan
from bitduel.arena.play import play_some
from bitduel.core.figures import Figure, by_turns
from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.games import shelf

PLAYERS = ("perfect", "random")
ROUNDS = 100
BURSTS = 15


def figures() -> Iterator[Figure]:
    """Games of each kind between two players that know, regret and rows included."""
    for kind in shelf():
        plan = make_plan(PLAYERS, [kind()], rounds=ROUNDS)
        every = range(1, len(plan) + 1)
        rows = [json.loads(row) for row in play_some(plan, every).rows]
        moves = sum(len(row["moves"]) for row in rows)
        arena, bare = by_turns(_playing(plan, every), _bare(plan.games[0], rows), BURSTS)
        yield Figure(f"{kind.short}: games of the arena", moves / arena, "bare moves", moves / bare, "per second")


def _playing(plan: Plan, every: range) -> Callable[[], object]:
    return lambda: play_some(plan, every)


def _bare(game: Game[Any], rows: list[dict[str, Any]]) -> Callable[[], None]:
    """What remains when the moves are known: a number drawn for each, and the move made."""
    rng = Random(1)
    games = [(row["deal"] or "", row["moves"]) for row in rows]

    def loop() -> None:
        for deal, moves in games:
            match = Match(game, 1, deal)
            for move in moves:
                rng.random()
                match.play(move)

    return loop
