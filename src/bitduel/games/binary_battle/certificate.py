"""Certificates of Binary Battle: both players' plans, which hold the value against whatever the other does."""

from typing import TYPE_CHECKING, Any

from bitduel.core.certificate import Certificate
from bitduel.core.errors import CertificateError
from bitduel.games.binary_battle.evaluator import equilibrium

if TYPE_CHECKING:
    from bitduel.games.binary_battle.equilibrium import CountedPlan
    from bitduel.games.binary_battle.rules import BinaryBattle

MOST_BITS = {True: 7, False: 6}
"""So many bits are proved, with the table hidden or open, for who asks for a proof and can wait."""


def certificate(game: "BinaryBattle") -> Certificate:
    """The certificate of either table."""
    most = MOST_BITS[game.hidden]
    if game.bits > most:
        raise CertificateError(f"This table of Binary Battle is proved for up to {most} bits, not for {game.bits}.")
    return hidden(game.bits) if game.hidden else open_table(game.bits)


def hidden(bits: int) -> Certificate:
    """Both plans of the equilibrium as exact fractions, and the value that they prove."""
    from bitduel.games.binary_battle.equilibrium import Proof

    known = equilibrium(bits).proof
    if known is None:
        raise CertificateError(f"The equilibrium of {bits} bits is known in floating point only, so it proves nothing.")
    proof = Proof(known.plans)
    seats = [_shares(plan) for plan in proof.plans]
    data = {"game": "binary-battle", "bits": bits, "value": str(proof.value), "seats": seats}
    return Certificate(data, f"both plans, for {sum(map(len, seats)):,} states of knowledge", "battle")


def _shares(plan: "CountedPlan") -> dict[str, list[str]]:
    """How likely each toggle is, by turn, number, low and high."""
    return {" ".join(map(str, state)): [str(share) for share in plan.shares(state)] for state in sorted(plan.weights)}


def open_table(bits: int) -> Certificate:
    """A plan for each seat that holds its share of the secrets however endless play is counted."""
    from bitduel.games.binary_battle.equilibrium.open_plans import open_plans

    value, plans = open_plans(bits)
    seats: list[dict[str, Any]] = [{" ".join(map(str, place)): list(step) for place, step in p.items()} for p in plans]
    data = {"game": "binary-battle", "bits": bits, "table": "open", "value": str(value), "seats": seats}
    return Certificate(data, f"both plans, for {sum(map(len, seats)):,} positions", "battle_open")
