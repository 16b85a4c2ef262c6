"""A certificate for a number race of any size: the chain of numbers by which its law knows the start."""

from typing import Any

from bitduel.core.certificate import Certificate, heading
from bitduel.core.evaluation import LOSS, WIN, Evaluation
from bitduel.games.number_race import NumberRace
from bitduel.games.number_zones import Zones


def certificate(game: NumberRace) -> Certificate:
    """Every number that the start rests on, with its value, its plies and the move that wins."""
    zones, chain = Zones(game.target, game.step), dict[str, list[Any]]()
    todo = [game.first_number]
    while todo:
        number = todo.pop()
        if str(number) not in chain:
            chain[str(number)] = _entry(zones, number)
            todo += zones.needs(number)
    worth = Evaluation(LOSS if zones.lost(game.first_number) else WIN, zones.plies(game.first_number))
    data = {**heading(game, worth), "chain": {name: chain[name] for name in sorted(chain, key=int)}}
    return Certificate(data, f"the {len(chain):,} numbers that the start rests on", f"{game.checker}_law")


def _entry(zones: Zones, number: int) -> list[Any]:
    move = zones.move(number)
    plies = zones.plies(number)
    return [str(LOSS), plies] if move is None else [str(WIN), plies, move]
