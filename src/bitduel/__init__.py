"""Five quick two-player games about doubling numbers and switching bits.

`make` a game, play a `Match`, `solve` it, ask a `player` for a move, or let two players `play`. See docs/library.md.
"""

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bitduel.library import Match, all_games, make, play, player, read_record, shelf, write_record
    from bitduel.solver.analysis import analyse_position as solve

__all__ = ["Match", "all_games", "make", "play", "player", "read_record", "shelf", "solve", "write_record"]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> "Any":
    """Load the library when it is first used: the command line starts faster without it."""
    if name not in __all__:
        raise AttributeError(f"module 'bitduel' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module("bitduel.library"), name)
