"""How fast the equilibrium is found, and read from disk."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from bitduel.core.figures import Figure, seconds
from bitduel.games.binary_battle.equilibrium import load, save, solve
from bitduel.games.binary_battle.equilibrium.knowledge import reply_value

BITS = 5


def figures() -> Iterator[Figure]:
    """Five bits: solved and proved, and loaded and checked, beside one best reply to each side."""
    found = solve(BITS)
    replies = seconds(lambda: [reply_value(BITS, rewards) for rewards in found._rewards])
    yield Figure(
        "equilibrium of 5 bits, solved", seconds(lambda: solve(BITS), 3), "two best replies", replies, "seconds"
    )
    with TemporaryDirectory() as folder:
        path = Path(folder) / "kept.json"
        save(found, path)
        took = seconds(lambda: load(path, BITS))
    yield Figure("equilibrium of 5 bits, from disk", took, "two best replies", replies, "seconds")
