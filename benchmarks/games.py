"""Matches played one at a time through the public interface."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from benchmarks.figure import Figure, alternating_times
from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.games.registry import all_games

MOVES = 10_000
BURSTS = 30
MAX_SUCCESSORS = 20_000
"""Positions in the dictionary of the bare loop; random play in a larger game soon restarts there."""

Successors = dict[Any, tuple[tuple[str, Any], ...]]


def figures() -> Iterator[Figure]:
    """Yield random matches of each game, a new deal each, and one match again and again, beside a bare loop."""
    rng = Random(1)
    dice = [rng.randrange(2520) for _ in range(MOVES)]
    for kind in all_games():
        for name, deals in (("random matches", _new_deals), ("one match again and again", _same_deal)):
            game = kind()
            successors = _successors(game)
            deal = deals(game)
            playing, bare = alternating_times(_playing(game, deal, dice), _bare(game, deal, successors, dice), BURSTS)
            yield Figure(f"{kind.short}: {name}", MOVES / playing, "ready successors", MOVES / bare, "per second")


def _new_deals(game: Game[Any]) -> Callable[[], str]:
    rng = Random(1)
    return lambda: game.deal(rng)


def _same_deal(game: Game[Any]) -> Callable[[], str]:
    deal = game.any_deal()
    return lambda: deal


def _playing(game: Game[Any], deal: Callable[[], str], dice: list[int]) -> Callable[[], None]:
    """Return a work: match after match with random legal moves."""

    def play() -> None:
        match = Match(game, deal=deal())
        for die in dice:
            legal = match.legal
            match.play(legal[die % len(legal)])
            if match.outcome:
                match = Match(game, deal=deal())

    return play


def _bare(game: Game[Any], deal: Callable[[], str], successors: Successors, dice: list[int]) -> Callable[[], None]:
    """Return what Python itself needs for the same: deal, look up, pick, note the move; count repetitions."""
    first = next(iter(successors))

    def loop() -> None:
        position, moves = first, list[str]()
        for die in dice:
            choices = successors.get(position)
            if not choices:
                deal()
                position, moves = first, []
                choices = successors[position]
            move, position = choices[die % len(choices)]
            moves.append(move)

    def counting() -> None:
        position, moves, counts = first, list[str](), dict[Any, int]()
        for die in dice:
            choices = successors.get(position)
            if not choices:
                deal()
                position, moves, counts = first, [], {}
                choices = successors[position]
            move, position = choices[die % len(choices)]
            moves.append(move)
            key = position, len(moves) % 2
            counts[key] = times = counts.get(key, 0) + 1
            if times >= game.repetition:
                position, moves, counts = first, [], {}

    return counting if game.repetition else loop


def _successors(game: Game[Any]) -> Successors:
    """Return where every move leads from the first positions of a breadth-first walk, the start first."""
    successors: Successors = {}
    queue = [game.start(game.any_deal())]
    for position in queue:
        if position not in successors and len(successors) < MAX_SUCCESSORS:
            turn = game.turn(position)
            successors[position] = tuple((move, turn.after(move).position) for move in turn.legal)
            queue += [then for _, then in successors[position]]
    return successors
