"""How fast games are played one at a time."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from bitduel.core.figures import Figure, by_turns
from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.games import shelf

MOVES = 10_000
BURSTS = 30
READY = 20_000
"""So many positions the ready dictionary has at the most; random play in a larger game soon begins anew there."""

Ready = dict[Any, tuple[tuple[str, Any], ...]]


def figures() -> Iterator[Figure]:
    """Random matches of each game, a new deal each, and one match again and again, beside a bare loop."""
    rng = Random(1)
    dice = [rng.randrange(2520) for _ in range(MOVES)]
    for kind in shelf():
        for name, deals in (("random matches", _anew), ("one match again and again", _the_same)):
            game = kind()
            ready = _successors(game)
            deal = deals(game)
            playing, bare = by_turns(_playing(game, deal, dice), _bare(game, deal, ready, dice), BURSTS)
            yield Figure(f"{kind.short}: {name}", MOVES / playing, "ready successors", MOVES / bare, "per second")


def _anew(game: Game[Any]) -> Callable[[], str]:
    rng = Random(1)
    return lambda: game.deal(rng)


def _the_same(game: Game[Any]) -> Callable[[], str]:
    deal = game.any_deal()
    return lambda: deal


def _playing(game: Game[Any], deal: Callable[[], str], dice: list[int]) -> Callable[[], None]:
    """Match after match with random legal moves, through the public interface."""

    def play() -> None:
        match = Match(game, deal=deal())
        for die in dice:
            legal = match.legal
            match.play(legal[die % len(legal)])
            if match.outcome:
                match = Match(game, deal=deal())

    return play


def _bare(game: Game[Any], deal: Callable[[], str], ready: Ready, dice: list[int]) -> Callable[[], None]:
    """What Python itself needs for the same: deal, look up, pick, note the move; count positions if the rules do."""
    first = next(iter(ready))

    def loop() -> None:
        position, moves = first, list[str]()
        for die in dice:
            choices = ready.get(position)
            if not choices:
                deal()
                position, moves = first, []
                choices = ready[position]
            move, position = choices[die % len(choices)]
            moves.append(move)

    def counting() -> None:
        position, moves, met = first, list[str](), dict[Any, int]()
        for die in dice:
            choices = ready.get(position)
            if not choices:
                deal()
                position, moves, met = first, [], {}
                choices = ready[position]
            move, position = choices[die % len(choices)]
            moves.append(move)
            key = position, len(moves) % 2
            met[key] = times = met.get(key, 0) + 1
            if times >= game.repetition:
                position, moves, met = first, [], {}

    return counting if game.repetition else loop


def _successors(game: Game[Any]) -> Ready:
    """Where every move leads from every position that is met early on, the start first."""
    ready: Ready = {}
    queue = [game.start(game.any_deal())]
    for position in queue:
        if position not in ready and len(ready) < READY:
            turn = game.turn(position)
            ready[position] = tuple((move, turn.after(move).position) for move in turn.legal)
            queue += [then for _, then in ready[position]]
    return ready
