"""Five small two-player games about doubling and bits, played exactly as their rulebooks say.

At a prompt: `make` a game, play a `Match`, `solve` it, ask a `player`, or let two `play`; `docs/library.md` shows how.
"""

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bitduel.library import Match, make, play, player, read_record, shelf, write_record
    from bitduel.solver.position import judgement as solve

__all__ = ["Match", "make", "play", "player", "read_record", "shelf", "solve", "write_record"]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> "Any":
    """Load the library when somebody asks for it: the command line answers faster without."""
    if name not in __all__:
        raise AttributeError(f"module 'bitduel' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module("bitduel.library"), name)
