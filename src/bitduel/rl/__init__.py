"""For learners: batches of matches, and the interfaces of other ecosystems, each imported only when asked for."""

from bitduel.rl.batch import ActionError, Batch

__all__ = ["ActionError", "Batch"]
