"""Exact play of Binary Battle, with the table hidden or open."""

from bitduel.games.binary_battle.equilibrium.exact import Plan, Proof
from bitduel.games.binary_battle.equilibrium.keeping import SHIPPED_BITS, load, save, shipped
from bitduel.games.binary_battle.equilibrium.knowledge import MOST_BITS, State
from bitduel.games.binary_battle.equilibrium.mixture import Mixture
from bitduel.games.binary_battle.equilibrium.open_table import OpenSolution
from bitduel.games.binary_battle.equilibrium.solution import Certificate, Equilibrium, solve

__all__ = [
    "MOST_BITS",
    "SHIPPED_BITS",
    "Certificate",
    "Equilibrium",
    "Mixture",
    "OpenSolution",
    "Plan",
    "Proof",
    "State",
    "load",
    "save",
    "shipped",
    "solve",
]
