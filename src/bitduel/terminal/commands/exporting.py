"""`bitduel export ID`: a match as text."""

import click

from bitduel.core.command_line import db_option
from bitduel.store import open_store
from bitduel.store.telling import pick, record_text

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
    print(record_text(kept, match), end="")
