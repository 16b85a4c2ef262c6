"""Exact play of Binary Battle, with the table hidden or open."""

from bitduel.games.binary_battle.equilibrium.exact import CountedPlan, Proof
from bitduel.games.binary_battle.equilibrium.files import SHIPPED_BITS, load, save, shipped
from bitduel.games.binary_battle.equilibrium.knowledge import MOST_BITS, State
from bitduel.games.binary_battle.equilibrium.open_table import OpenSolution
from bitduel.games.binary_battle.equilibrium.policy import Mixture
from bitduel.games.binary_battle.equilibrium.solution import Equilibrium, ResponseBounds, solve

__all__ = [
    "MOST_BITS",
    "SHIPPED_BITS",
    "CountedPlan",
    "Equilibrium",
    "Mixture",
    "OpenSolution",
    "Proof",
    "ResponseBounds",
    "State",
    "load",
    "save",
    "shipped",
    "solve",
]
