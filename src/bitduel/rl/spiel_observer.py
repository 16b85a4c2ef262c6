"""What a player of OpenSpiel sees, as tensors and as text: now, or all of it since the start."""

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from bitduel.rl.spiel_line import Line, SharedRules

Tensor = NDArray[np.float32]


class Observer:
    """Writes what a player sees into one tensor with named parts, and says it in words.

    In a game that hides nothing everything is public; otherwise what a seat sees is its own, and public is nothing
    but how many moves were made.
    """

    def __init__(self, table: SharedRules, kind: Any, params: object = None) -> None:
        if params:
            raise ValueError(f"There are no parameters for observations, so not {params}.")
        game = table.game
        self.table = table
        self.recalls = bool(kind.perfect_recall)
        self.public = bool(kind.public_info)
        self.private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.sees = self.public if game.transparent else self.private
        shapes: dict[str, tuple[int, ...]] = {"player": (2,)}
        if self.public:
            shapes["ply"] = (1,)
        if self.sees:
            shapes["features"] = (len(table.sight.low),)
        if self.sees and self.recalls:
            shapes["moves"] = (table.horizon, len(game.moves) + 1)
            if not game.transparent:
                shapes["seen"] = (table.horizon + 1, len(table.sight.low))
        self.tensor: Tensor = np.zeros(sum(map(prod, shapes.values())), np.float32)
        self.dict: dict[str, Tensor] = {}
        at = 0
        for name, shape in shapes.items():
            self.dict[name] = self.tensor[at : at + prod(shape)].reshape(shape)
            at += prod(shape)

    def set_from(self, state: Any, player: int) -> None:
        """Write what a player sees; nothing before the deal."""
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        line: Line = state.line
        if line.match is None:
            return
        if "ply" in self.dict:
            self.dict["ply"][0] = line.match.ply / self.table.horizon
        if "features" in self.dict:
            self.dict["features"][:] = self._scaled(line.numbers(player + 1))
        if "moves" in self.dict:
            action, unseen = self.table.sight.action, len(self.table.game.moves)
            for ply, move in enumerate(line.moves(player + 1)):
                self.dict["moves"][ply, action.get(move, unseen)] = 1
        if "seen" in self.dict:
            self.dict["seen"][: len(line.seen)] = self._scaled([rows[player] for rows in line.seen])

    def _scaled(self, numbers: Sequence[int] | Sequence[Sequence[int]]) -> Tensor:
        """Features from their ranges to 0 to 1."""
        low, high = self.table.sight.low, self.table.sight.high
        scaled: Tensor = ((np.array(numbers) - low) / np.maximum(high - low, 1)).astype(np.float32)
        return scaled

    def string_from(self, state: Any, player: int) -> str:
        """The same in words; nothing where this kind of observation holds nothing."""
        line: Line = state.line
        if not self.sees and not self.public:
            return ""
        if line.match is None:
            return f"player {player}: before the deal"
        if not self.sees:
            return f"player {player}: {line.match.ply} moves"
        return f"player {player}: " + (recalled(line, player) if self.recalls else self._now(line, player))

    def _now(self, line: Line, player: int) -> str:
        names = (feature.name for feature in self.table.game.features)
        return " ".join(f"{name}={n}" for name, n in zip(names, line.numbers(player + 1), strict=True))


def recalled(line: Line, player: int) -> str:
    """Every move as the player knows it, and where something is hidden what the player saw after each."""
    moves = line.moves(player + 1)
    if not line.seen:
        return ", ".join(moves)
    rows = ["/".join(map(str, each[player])) for each in line.seen]
    return ", ".join([rows[0], *(f"{move} {row}" for move, row in zip(moves, rows[1:], strict=True))])
