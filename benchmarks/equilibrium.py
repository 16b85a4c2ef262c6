"""The equilibrium of Binary Battle: solved, and read from disk."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figure import Figure, shortest_time
from bitduel.games.binary_battle.equilibrium import load, save, solve
from bitduel.games.binary_battle.equilibrium.information_states import response_value

BITS = 5


def figures() -> Iterator[Figure]:
    """Yield five bits solved and proved, then loaded and checked, beside one best response to each side."""
    equilibrium = solve(BITS)
    replies = shortest_time(lambda: [response_value(BITS, rewards) for rewards in equilibrium._rewards])
    solving = shortest_time(lambda: solve(BITS), 3)
    yield Figure("equilibrium of 5 bits, solved", solving, "two best replies", replies, "seconds")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "equilibrium.json"
        save(equilibrium, path)
        loading = shortest_time(lambda: load(path, BITS))
    yield Figure("equilibrium of 5 bits, from disk", loading, "two best replies", replies, "seconds")
