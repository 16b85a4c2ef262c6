"""How long a match can get: an interface that wants to know it beforehand asks here."""

from collections import deque
from functools import lru_cache
from itertools import islice
from typing import Any

from bitduel.core.game import Game

MOST_STEPS = 100_000
"""So many moves from one position to another are looked at."""


@lru_cache(maxsize=64)
def longest(game: Game[Any]) -> int | None:
    """So many plies no match exceeds; None where there is no end to it, or it is too much to find out.

    Where no position comes up twice it is the longest way through all of them; where one can come up only so often
    it is that often each, with either seat to move.
    """
    starts = _starts(game)
    leads = _leads(game, starts)
    if leads is None:
        return None
    plies = _deepest(leads)
    if plies is None and game.repetition:
        return 2 * (game.repetition - 1) * len(leads)
    return plies


def _starts(game: Game[Any]) -> list[Any]:
    """A start for everything that can be dealt; too many are as good as too many moves."""
    if not game.chance:
        return [game.start()]
    return [game.start(deal.text) for deal in islice(game.deals(), MOST_STEPS + 1)]


def _leads(game: Game[Any], starts: list[Any]) -> dict[Any, list[Any]] | None:
    """Where the moves lead, for every position that can be reached; None where there are too many."""
    leads: dict[Any, list[Any]] = {}
    steps, queue = 0, deque(starts)
    while queue:
        if len(queue) > MOST_STEPS:
            return None
        position = queue.popleft()
        if position in leads:
            continue
        turn = game.turn(position)
        leads[position] = [game.play(position, move) for move in turn.legal]
        queue.extend(after for after in leads[position] if after not in leads)
        steps += len(turn.legal)
        if steps > MOST_STEPS:
            return None
    return leads


def _deepest(leads: dict[Any, list[Any]]) -> int | None:
    """The longest way from a start, by taking each position when all ways to it are known; None in a circle."""
    ways_to = dict.fromkeys(leads, 0)
    for afters in leads.values():
        for after in afters:
            ways_to[after] += 1
    plies = dict.fromkeys(leads, 0)
    ready = [position for position, ways in ways_to.items() if not ways]
    done = 0
    while ready:
        position = ready.pop()
        done += 1
        for after in leads[position]:
            plies[after] = max(plies[after], plies[position] + 1)
            ways_to[after] -= 1
            if not ways_to[after]:
                ready.append(after)
    return max(plies.values()) if done == len(leads) else None
