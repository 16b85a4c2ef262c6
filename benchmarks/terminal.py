"""Start-up: `bitduel --version`, beside Python doing nothing."""

import subprocess
import sys
from collections.abc import Iterator

from benchmarks.figure import Figure, shortest_time


def figures() -> Iterator[Figure]:
    """Yield the time of `bitduel --version`, beside bare Python."""
    bare = shortest_time(lambda: _run("-c", "pass"), 15)
    version = shortest_time(lambda: _run("-m", "bitduel", "--version"), 15)
    yield Figure("bitduel --version", version, "bare Python", bare, "seconds")


def _run(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
