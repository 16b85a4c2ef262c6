"""Histories of a match as OpenSpiel holds them, and observations of them as tensors and as text."""

from collections import deque
from collections.abc import Sequence
from copy import copy
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from itertools import islice
from math import prod
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from bitduel.core.errors import BitduelError
from bitduel.core.game import Deal, Game
from bitduel.core.match import SEATS, Match
from bitduel.core.view import UNSEEN
from bitduel.rl.observations import ObservationEncoder

MAX_DEALS = 1 << 16
MAX_CACHED_ROWS = 1 << 16
MAX_TRANSITIONS = 100_000
"""Moves from one position to another that are looked at to find the longest match."""
DEFAULT_HORIZON = 1000
"""Plies after which a match that could go on for ever is a draw."""

Tensor = NDArray[np.float32]
Rows = tuple[tuple[int, ...], ...]


class TooManyDealsError(BitduelError):
    """A game in which more can be dealt than can be listed."""


class HorizonError(BitduelError):
    """A length that a match cannot be cut to."""


@lru_cache(maxsize=64)
def longest_match(game: Game[Any]) -> int | None:
    """Return the plies of the longest match; None if there is none, or if finding it takes too long.

    If no position can occur twice, it is the longest path through all of them. If positions can repeat up to a limit,
    it is that limit for each position, with either seat to move.
    """
    deals = [deal.text for deal in islice(game.deals(), MAX_TRANSITIONS + 1)] if game.has_chance else [""]
    successors = _successors(game, [game.start(deal) for deal in deals])
    if successors is None:
        return None
    plies = _longest_path(successors)
    if plies is None and game.repetition:
        return 2 * (game.repetition - 1) * len(successors)
    return plies


def _successors(game: Game[Any], starts: list[Any]) -> dict[Any, list[Any]] | None:
    """Return the successors of every position that can be reached; None if there are too many."""
    successors: dict[Any, list[Any]] = {}
    transitions, queue = 0, deque(starts)
    while queue:
        if len(queue) > MAX_TRANSITIONS:
            return None
        position = queue.popleft()
        if position in successors:
            continue
        successors[position] = [game.play(position, move) for move in game.turn(position).legal]
        queue.extend(after for after in successors[position] if after not in successors)
        transitions += len(successors[position])
        if transitions > MAX_TRANSITIONS:
            return None
    return successors


def _longest_path(successors: dict[Any, list[Any]]) -> int | None:
    """Return the longest path from a start; None in a cycle."""
    plies: dict[Any, int] = {}
    try:
        for position in TopologicalSorter(successors).static_order():
            plies[position] = max((plies[after] + 1 for after in successors[position]), default=0)
    except CycleError:
        return None
    return max(plies.values())


class SharedRules:
    """The rules, deals and horizon that all histories of a game share."""

    def __init__(self, game: Game[Any], horizon: int = 0) -> None:
        if horizon < 0:
            raise HorizonError(f"horizon must be a number of plies, or 0 for no limit, not {horizon}.")
        self.game = game
        self.encoder = ObservationEncoder(game)
        self.fixed_deal = "" if not game.has_chance else game.fixed_deal
        self.deals: list[Deal] = [] if self.fixed_deal is not None else list(islice(game.deals(), MAX_DEALS + 1))
        if len(self.deals) > MAX_DEALS:
            raise TooManyDealsError("There are too many deals to list. Choose smaller settings.")
        longest = longest_match(game)
        self.horizon = horizon or longest or DEFAULT_HORIZON
        self.may_be_cut = longest is None or self.horizon < longest
        self._rows: dict[tuple[Any, int], Rows] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return SharedRules, (self.game, self.horizon)

    def rows(self, match: Match) -> Rows:
        """Return the features that both seats see, cached, because a tree reaches the same positions repeatedly."""
        key = match.position, match.ply
        rows = self._rows.get(key)
        if rows is None:
            if len(self._rows) >= MAX_CACHED_ROWS:
                self._rows.clear()
            rows = self._rows[key] = tuple(self.encoder.numbers(match, seat) for seat in SEATS)
        return rows


class History:
    """A match, or None before the deal, and with hidden information what both seats saw after each move."""

    __slots__ = ("match", "rules", "seen")

    match: Match | None
    seen: list[Rows]

    def __init__(self, rules: SharedRules) -> None:
        self.rules = rules
        self.match = None
        self.seen = []
        if rules.fixed_deal is not None:
            self.play(rules.fixed_deal)

    def __deepcopy__(self, memo: dict[int, Any]) -> "History":
        return self.__copy__()

    def __copy__(self) -> "History":
        copied = object.__new__(History)
        copied.rules, copied.seen = self.rules, self.seen.copy()
        copied.match = self.match and copy(self.match)
        return copied

    def play(self, text: str) -> None:
        """Begin the match with this deal, or make this move."""
        if self.match is None:
            self.match = Match(self.rules.game, deal=text)
        else:
            self.match.play(text)
        if not self.rules.game.has_perfect_information:
            self.seen.append(self.rules.rows(self.match))

    def after(self, text: str) -> "History":
        """Return the history that this deal or move leads to."""
        after = copy(self)
        after.play(text)
        return after

    @property
    def is_over(self) -> bool:
        """Whether the match has ended, or is cut short."""
        match = self.match
        return match is not None and (match.outcome is not None or match.ply >= self.rules.horizon)

    def numbers(self, seat: int) -> tuple[int, ...]:
        """Return the features that a seat sees now."""
        assert self.match
        return self.seen[-1][seat - 1] if self.seen else self.rules.encoder.numbers(self.match, seat)

    def moves(self, seat: int) -> list[str]:
        """Return the moves so far as the seat knows them."""
        assert self.match
        moves = self.match.moves
        if not self.rules.game.is_hidden:
            return moves
        return [move if self.match.seat_at(ply) == seat else UNSEEN for ply, move in enumerate(moves)]

    def information_state(self, player: int) -> str:
        """Return every move as the player knows it, and with hidden information what the player saw after each."""
        moves = self.moves(player + 1)
        if not self.seen:
            return ", ".join(moves)
        rows = ["/".join(map(str, each[player])) for each in self.seen]
        return ", ".join([rows[0], *(f"{move} {row}" for move, row in zip(moves, rows[1:], strict=True))])

    def __str__(self) -> str:
        """Return everything that the future depends on, hidden information included."""
        if self.match is None:
            return "before the deal"
        match, game = self.match, self.rules.game
        past = f", after {', '.join(match.moves) or 'nothing'}" if game.repetition or game.is_hidden else ""
        length = f", ply {match.ply}" if self.rules.may_be_cut else ""
        position = ", ".join(f"{name}={value}" for name, value in match.position._asdict().items())
        over = ", over" if self.is_over else ""
        return f"seat {match.next_seat}: {position}{past}{length}{over}"


class Observer:
    """An observer that writes what a player sees into one tensor with named parts, and as text.

    With perfect information everything is public; otherwise what a seat sees is its own, and only the number of moves
    is public.
    """

    def __init__(self, rules: SharedRules, kind: Any, params: object = None) -> None:
        if params:
            raise ValueError(f"Observations take no parameters, but got {params}.")
        self.rules = rules
        self.recalls = bool(kind.perfect_recall)
        self.is_public = bool(kind.public_info)
        is_private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.sees = self.is_public if rules.game.has_perfect_information else is_private
        shapes: dict[str, tuple[int, ...]] = {"player": (2,)}
        if self.is_public:
            shapes["ply"] = (1,)
        if self.sees:
            shapes["features"] = (len(rules.encoder.low),)
        if self.sees and self.recalls:
            shapes["moves"] = (rules.horizon, len(rules.game.moves) + 1)
            if not rules.game.has_perfect_information:
                shapes["seen"] = (rules.horizon + 1, len(rules.encoder.low))
        self.tensor: Tensor = np.zeros(sum(map(prod, shapes.values())), np.float32)
        self.dict: dict[str, Tensor] = {}
        start = 0
        for name, shape in shapes.items():
            self.dict[name] = self.tensor[start : start + prod(shape)].reshape(shape)
            start += prod(shape)

    def set_from(self, state: Any, player: int) -> None:
        """Write what a player sees; nothing before the deal."""
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        history: History = state.match_history
        if history.match is None:
            return
        if "ply" in self.dict:
            self.dict["ply"][0] = history.match.ply / self.rules.horizon
        if "features" in self.dict:
            self.dict["features"][:] = self._scaled(history.numbers(player + 1))
        if "moves" in self.dict:
            action, unseen = self.rules.encoder.action, len(self.rules.game.moves)
            for ply, move in enumerate(history.moves(player + 1)):
                self.dict["moves"][ply, action.get(move, unseen)] = 1
        if "seen" in self.dict:
            self.dict["seen"][: len(history.seen)] = self._scaled([rows[player] for rows in history.seen])

    def _scaled(self, numbers: Sequence[int] | Sequence[Sequence[int]]) -> Tensor:
        low, high = self.rules.encoder.low, self.rules.encoder.high
        scaled: Tensor = ((np.array(numbers) - low) / np.maximum(high - low, 1)).astype(np.float32)
        return scaled

    def string_from(self, state: Any, player: int) -> str:
        """Return what a player sees as text; nothing if this kind of observation holds nothing."""
        history: History = state.match_history
        if not self.sees and not self.is_public:
            return ""
        if history.match is None:
            return f"player {player}: before the deal"
        if not self.sees:
            return f"player {player}: {history.match.ply} moves"
        if self.recalls:
            return f"player {player}: {history.information_state(player)}"
        features = zip(self.rules.game.features, history.numbers(player + 1), strict=True)
        return f"player {player}: {' '.join(f'{feature.name}={number}' for feature, number in features)}"
