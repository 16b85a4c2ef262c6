"""The best reply on a hidden table to anybody's play: only the pace at which the other hits each secret matters."""

import numpy as np

from bitduel.core.evaluator import Policy, Shares
from bitduel.core.view import View
from bitduel.games.binary_battle.duel import hits, plan_of
from bitduel.games.binary_battle.equilibrium.knowledge import (
    Array,
    State,
    best_bit,
    hasty_table,
    reply_tables,
)
from bitduel.games.binary_battle.evaluator import knowledge

TURNS = 8
"""So many turns for each bit are looked at; a reply that is any good has hit every secret long before."""


def best_reply(bits: int, order: int, habit: Policy) -> Policy:
    """Who plays so against that habit wins most often; where nothing can be won any more, play goes on in haste."""
    tables = reply_tables(bits, _in_time(bits, order, habit))

    def behaviour(view: View) -> Shares:
        _, *known = knowledge(view)
        state = State(*known)
        table = tables[state.turn - 1] if state.turn <= len(tables) else hasty_table(bits)
        return {f"toggle {best_bit(bits, table, state)}": 1.0}

    return Policy(behaviour, timeless=False)


def worth(bits: int, order: int, habit: Policy, reply: Policy) -> float:
    """How likely a reply wins; if neither hits in all the turns that are looked at, nobody does."""
    found = hits(bits, plan_of(bits, 3 - order, reply), reply.timeless, TURNS * bits)
    rewards = _in_time(bits, order, habit, len(found))
    return float((found * rewards).sum()) / (1 << bits)


def _in_time(bits: int, order: int, habit: Policy, turns: int | None = None) -> Array:
    """Return [turn - 1, secret] -> the chance that the habit has not hit before the other's hit in that turn."""
    most = turns or TURNS * bits
    pace = hits(bits, plan_of(bits, order, habit), habit.timeless, most)
    left = np.zeros((most + 1, 1 << bits))
    left[0] = 1
    left[1 : len(pace) + 1] = np.clip(1 - np.cumsum(pace, axis=0), 0, 1)
    return left[1:] if order == 1 else left[:-1]
