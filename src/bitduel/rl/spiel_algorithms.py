"""Adapters to OpenSpiel's algorithms: a game as a whole tree, and a player as a policy."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pyspiel
from open_spiel.python.policy import Policy

from bitduel.core.errors import BitduelError
from bitduel.core.match import SEATS
from bitduel.players import PlayerLike, player
from bitduel.rl.observations import reward
from bitduel.rl.open_spiel import SpielGame, SpielState
from bitduel.rl.spiel_history import History


def tree(game: SpielGame) -> Any:
    """Return a game as OpenSpiel's own kind of tree, with the same numbers of actions and players.

    The C++ algorithms walk through it without calling Python, which is many times faster; a horizon keeps it small.
    """
    lines = ['EFG 2 R "bitduel" { "player 1" "player 2" }', *_nodes(History(game.rules))]
    return pyspiel.load_efg_game("\n".join(lines) + "\n")


def _nodes(start: History) -> Iterator[str]:
    """Yield a line of Gambit's format for every node, from the start down."""
    numbers: tuple[dict[str, int], dict[str, int]] = ({}, {})
    stack, ended = [start], 0
    while stack:
        history = stack.pop()
        if history.match is None:
            deals = history.rules.deals
            outcomes = " ".join(f'"{deal.text}" {float(deal.probability):.17g}' for deal in deals)
            yield f'c "" 1 "" {{ {outcomes} }} 0'
            stack += reversed([history.after(deal.text) for deal in deals])
        elif history.is_over:
            ended += 1
            rewards = " ".join(f"{reward(history.match.outcome, seat):g}" for seat in SEATS)
            yield f't "" {ended} "" {{ {rewards} }}'
        else:
            to_move = history.match.next_seat - 1
            known = numbers[to_move]
            number = known.setdefault(history.information_state(to_move), len(known) + 1)
            moves = " ".join(f'"{move}"' for move in history.match.legal)
            yield f'p "" {to_move + 1} {number} "" {{ {moves} }} 0'
            stack += reversed([history.after(move) for move in history.match.legal])


class PolicyError(BitduelError):
    """A player whose move probabilities are not known."""


class PlayerPolicy(Policy):  # type: ignore[misc]
    """A policy that plays both sides like a built-in player: "perfect", "level:3", "random"."""

    def __init__(self, game: SpielGame, player_like: PlayerLike = "perfect") -> None:
        super().__init__(game, list(range(game.num_players())))
        built: Any = player(player_like, game.rules.game, Random(0))
        if not hasattr(built, "policy"):
            raise PolicyError(f"{player_like} has no move probabilities, so it can't be a policy.")
        self.policy = built.policy

    def action_probabilities(self, state: SpielState, player_id: int | None = None) -> dict[int, float]:
        """Return how likely each action is, from what the seat to move sees."""
        match = state.match_history.match
        assert match
        action = state.match_history.rules.encoder.action
        return {action[move]: share for move, share in self.policy(match.view(match.next_seat)).items()}
