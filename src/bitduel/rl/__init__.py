"""Reinforcement learning: batches of matches, and adapters to other libraries, each imported only on request.

`bitduel.rl.pettingzoo`, `bitduel.rl.gymnasium` and `bitduel.rl.open_spiel`; docs/learners.md shows how.
"""

from bitduel.rl.batch import Batch
from bitduel.rl.observations import ActionError

__all__ = ["ActionError", "Batch"]
