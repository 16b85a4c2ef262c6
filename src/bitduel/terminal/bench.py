"""How fast the program starts."""

import subprocess
import sys
from collections.abc import Iterator

from bitduel.core.figures import Figure, seconds


def figures() -> Iterator[Figure]:
    """`bitduel --version`, beside Python doing nothing."""
    bare = seconds(lambda: _run("-c", "pass"), 15)
    yield Figure(
        "bitduel --version", seconds(lambda: _run("-m", "bitduel", "--version"), 15), "bare Python", bare, "seconds"
    )


def _run(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
