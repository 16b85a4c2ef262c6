"""A whole game written out as a tree, so that OpenSpiel's algorithms in C++ walk through it without asking the rules.

`tree(game)` is the same game for them, many times as fast; a horizon keeps it small enough.
"""

from collections.abc import Iterator
from copy import copy
from typing import Any

import pyspiel

from bitduel.core.match import SEATS
from bitduel.rl.information_state import reward
from bitduel.rl.open_spiel import SpielGame
from bitduel.rl.spiel_line import Line
from bitduel.rl.spiel_observer import recalled


def tree(game: SpielGame) -> Any:
    """The same game as OpenSpiel's own kind of tree; its actions and players have the same numbers."""
    return pyspiel.load_efg_game(efg(game))


def efg(game: SpielGame) -> str:
    """The tree in the form of Gambit: a line for every node, from the start down."""
    return "\n".join(['EFG 2 R "bitduel" { "player 1" "player 2" }', *_nodes(Line(game.table))]) + "\n"


def _nodes(start: Line) -> Iterator[str]:
    known: tuple[dict[str, int], dict[str, int]] = ({}, {})
    stack, ended = [start], 0
    while stack:
        line = stack.pop()
        if line.match is None:
            deals = " ".join(f'"{deal.text}" {float(deal.probability):.17g}' for deal in line.table.deals)
            yield f'c "" 1 "" {{ {deals} }} 0'
            stack += reversed([_dealt(line, deal.text) for deal in line.table.deals])
        elif line.over:
            ended += 1
            gained = " ".join(f"{reward(line.match.outcome, seat):g}" for seat in SEATS)
            yield f't "" {ended} "" {{ {gained} }}'
        else:
            player = line.match.next_seat - 1
            mine = known[player]
            number = mine.setdefault(recalled(line, player), len(mine) + 1)
            moves = " ".join(f'"{move}"' for move in line.match.legal)
            yield f'p "" {player + 1} {number} "" {{ {moves} }} 0'
            stack += reversed([_played(line, move) for move in line.match.legal])


def _dealt(line: Line, deal: str) -> Line:
    after = copy(line)
    after.deal(deal)
    return after


def _played(line: Line, move: str) -> Line:
    after = copy(line)
    after.play(move)
    return after
