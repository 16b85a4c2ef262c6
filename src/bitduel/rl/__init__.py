"""For learners: batches of matches, and the interfaces of other ecosystems, each imported only when asked for.

`bitduel.rl.pettingzoo`, `bitduel.rl.gymnasium` and `bitduel.rl.open_spiel`; docs/learners.md shows how.
"""

from bitduel.rl.batch import Batch
from bitduel.rl.information_state import ActionError

__all__ = ["ActionError", "Batch"]
