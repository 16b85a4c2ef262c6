"""`bitduel export ID`: a match as text."""

import sys

import click

from bitduel.core.command_line import db_option
from bitduel.storage import open_store
from bitduel.storage.presentation import pick, record_text

EXAMPLES = """\b
Examples:
  bitduel export k7m
  bitduel export k7m > match.txt
"""


@click.command("export", epilog=EXAMPLES)
@click.argument("match_id", metavar="[ID]", required=False)
@db_option
def command(match_id: str | None, db: str | None) -> None:
    """Write the match ID, or the newest, as a text record to standard output."""
    with open_store(db) as store:
        kept, match = pick(store, match_id)
    write_utf8(record_text(kept, match))


def write_utf8(text: str) -> None:
    """Records are UTF-8 whatever the terminal speaks, so that no name is lost."""
    raw = getattr(sys.stdout, "buffer", None)
    if raw is None:
        print(text, end="")
        return
    sys.stdout.flush()
    raw.write(text.encode())
    raw.flush()
