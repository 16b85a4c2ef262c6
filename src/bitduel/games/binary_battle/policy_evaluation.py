"""Exact values of policies on a hidden table: the score of two of them, and the best response to one.

Neither player can hinder the other, so each is followed alone: only the turn in which a policy hits each secret counts.
"""

from functools import lru_cache

import numpy as np

from bitduel.core.evaluation import MoveProbabilities, Policy
from bitduel.core.view import UNSEEN, View
from bitduel.games.binary_battle.equilibrium.information_states import (
    Array,
    InformationState,
    arrival_masks,
    best_bit,
    constant_hazard_table,
    neighbours,
    response_tables,
)
from bitduel.games.binary_battle.rules import BattleBoard, BattleRules

NEGLIGIBLE = 1e-7
"""A share of the secrets that is too small to be followed further."""
MOST_TURNS = 2000
"""The turns after which a policy without a hit never hits; if neither has hit, both score half."""
RESPONSE_TURNS = 8
"""The turns, for each bit, in which a response is valued; any good one has hit every secret long before."""


def expected_score(game: BattleRules, first: Policy, second: Policy) -> float:
    """Return the score of the player who starts: the earlier turn wins, in the same turn the one who starts."""
    # A policy that plays the same whenever it knows the same hits alike in both orders.
    one = _cached_hits(game, 1, first)
    two = _cached_hits(game, 1 if second.is_stationary else 2, second)
    turns = max(len(one), len(two))
    one, two = (np.vstack([hits, np.zeros((turns - len(hits), 1 << game.bits))]) for hits in (one, two))
    missed = 1 - np.cumsum(two, axis=0) + two
    won = (one * missed).sum()
    neither = ((1 - one.sum(axis=0)) * (1 - two.sum(axis=0))).sum()
    return float(won + neither / 2) / (1 << game.bits)


def best_response(game: BattleRules, order: int, policy: Policy) -> Policy:
    """Return the policy that wins most often against one that moves in this order."""
    tables = response_tables(game.bits, _in_time(game, order, policy, RESPONSE_TURNS * game.bits))

    def probabilities(view: View) -> MoveProbabilities:
        state = information_state(view)
        # Where nothing can be won any more, play goes on as against an opponent of even chances.
        table = tables[state.turn - 1] if state.turn <= len(tables) else constant_hazard_table(game.bits)
        return {f"toggle {best_bit(game.bits, table, state)}": 1.0}

    return Policy(probabilities, is_stationary=False)


def best_response_value(game: BattleRules, order: int, policy: Policy, response: Policy) -> float:
    """Return the win probability of a response; if neither hits in the turns that count, nobody wins."""
    hits = _hits(game, 3 - order, response, RESPONSE_TURNS * game.bits)
    return float((hits * _in_time(game, order, policy, len(hits))).sum()) / (1 << game.bits)


def information_state(view: View) -> InformationState:
    """Return what a seat knows: its turn, its number, and where the secret can be."""
    return InformationState(view.ply // 2 + 1, int(view.board.mine, 2), view.board.low, view.board.high)


def _in_time(game: BattleRules, order: int, policy: Policy, turns: int) -> Array:
    """Return [turn - 1, secret] -> the chance that the policy has not hit before the other's hit in that turn."""
    hits = _hits(game, order, policy, turns)
    left = np.zeros((turns + 1, 1 << game.bits))
    left[0] = 1
    left[1 : len(hits) + 1] = np.clip(1 - np.cumsum(hits, axis=0), 0, 1)
    return left[1:] if order == 1 else left[:-1]


@lru_cache(maxsize=16)
def _cached_hits(game: BattleRules, order: int, policy: Policy) -> Array:
    return _hits(game, order, policy, MOST_TURNS)


def _hits(game: BattleRules, order: int, policy: Policy, most: int) -> Array:
    """Return [turn - 1, secret] -> the chance that a policy in this order hits that secret in that turn."""
    size = 1 << game.bits
    reach = np.zeros((size, size + 1, size + 1))
    reach[0, 0, size] = 1
    shares, known = np.zeros((game.bits, *reach.shape)), np.zeros(reach.shape, np.bool_)
    hits: list[Array] = []
    while len(hits) < most and size - np.sum(hits) > NEGLIGIBLE * size:
        if not policy.is_stationary:
            known[:] = False
        for number, low, end in np.argwhere((reach > 0) & ~known).tolist():
            state = InformationState(len(hits) + 1, number, low, end - 1)
            shares[:, number, low, end] = _toggle_probabilities(game, order, policy, state)
            known[number, low, end] = True
        hit, reach = _turn(game.bits, reach, shares)
        hits.append(hit)
    return np.array(hits)


def _turn(bits: int, reach: Array, shares: Array) -> tuple[Array, Array]:
    """Return the secrets that a turn hits, and where it leads otherwise, by number, low and high + 1."""
    guesses, open_ = arrival_masks(bits)
    each = np.arange(1 << bits)
    arriving = sum((reach * share)[targets] for share, targets in zip(shares, neighbours(bits), strict=True))
    inside = np.where(guesses, arriving, 0)
    then = arriving - inside
    then[each, :, each] += inside.sum(axis=2)
    then[each, each + 1, :] += inside.sum(axis=1)
    return inside.sum(axis=(1, 2)), np.where(open_, then, 0)


def _toggle_probabilities(game: BattleRules, order: int, policy: Policy, state: InformationState) -> Array:
    """Ask a policy in this order for its probability of each toggle."""
    view = View(
        game=game.slug,
        options=dict(game.open_options),
        seat=order,
        first=1,
        to_move=order,
        board=BattleBoard(mine=game.row(state.number), low=state.low, high=state.high),
        history=(UNSEEN,) * (2 * state.turn - 3 + order),
        legal=game.moves,
        over=None,
        deal=None,
    )
    probabilities = policy.probabilities(view)
    return np.array([probabilities.get(move, 0) for move in game.moves])
