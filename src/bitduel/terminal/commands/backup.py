"""`bitduel backup FILE`: all matches in one file."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from bitduel.core.command_line import db_option
from bitduel.core.errors import BitduelError, shown
from bitduel.storage.backup import Progress, back_up

EXAMPLES = """\b
Examples:
  bitduel backup matches-backup.db
  bitduel backup /mnt/stick/site.db --db sqlite:////var/lib/bitduel/site.db --force
"""
LARGE = 16_384
"""Pages from which on progress is shown: 64 MiB."""
UNITS = ("bytes", "kB", "MB", "GB")


@click.command("backup", epilog=EXAMPLES)
@click.argument("file", metavar="FILE")
@click.option("--force", is_flag=True, help="Replace FILE if it exists.")
@db_option
def command(file: str, force: bool, db: str | None) -> None:
    """Copy all matches into FILE, also while the site runs; FILE is there only once it is complete."""
    if not file or "\0" in file:
        raise BitduelError("Name the file that the backup goes into.")
    with _progress() as progress:
        made = back_up(db, Path(file).absolute(), force, progress)
    count = "1 match" if made.matches == 1 else f"{made.matches} matches"
    print(f"Backed up {count} ({readable(made.size)}) to {shown(file, 200)}.")


@contextmanager
def _progress() -> Iterator[Progress]:
    """A bar on a terminal, for a large database only."""
    from rich.console import Console
    from rich.progress import Progress as Bar

    bar = Bar(console=Console(stderr=True), transient=True, disable=not Console(stderr=True).is_terminal)
    task = bar.add_task("Backing up", total=None)

    def show(left: int, total: int) -> None:
        if total >= LARGE:
            bar.start()
            bar.update(task, completed=total - left, total=total)

    try:
        yield show
    finally:
        if bar.live.is_started:
            bar.stop()


def readable(size: float) -> str:
    """A size in bytes as people read it."""
    power = 0
    while size >= 1000 and power < len(UNITS) - 1:
        size, power = size / 1000, power + 1
    return f"{size:.0f} {UNITS[power]}" if power == 0 or size >= 10 else f"{size:.1f} {UNITS[power]}"
