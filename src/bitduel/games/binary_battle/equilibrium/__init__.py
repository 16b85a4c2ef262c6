"""Exact play of Binary Battle, with the table hidden or open."""

from bitduel.games.binary_battle.equilibrium.files import SHIPPED_BITS, load, save, shipped
from bitduel.games.binary_battle.equilibrium.information_states import MOST_BITS, InformationState
from bitduel.games.binary_battle.equilibrium.open_table import OpenSolution, open_plans
from bitduel.games.binary_battle.equilibrium.solution import Equilibrium, ResponseBounds, solve
from bitduel.games.binary_battle.equilibrium.strategies import BehaviourStrategy, Proof, RealizationPlan

__all__ = [
    "MOST_BITS",
    "SHIPPED_BITS",
    "BehaviourStrategy",
    "Equilibrium",
    "InformationState",
    "OpenSolution",
    "Proof",
    "RealizationPlan",
    "ResponseBounds",
    "load",
    "open_plans",
    "save",
    "shipped",
    "solve",
]
