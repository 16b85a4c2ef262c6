"""`bitduel import FILE`: a match from text."""

import sys
from datetime import UTC, datetime
from pathlib import Path

import click

from bitduel.core.command_line import db_option
from bitduel.core.errors import BitduelError, shown
from bitduel.core.record import LARGEST, decode, parse
from bitduel.games import make
from bitduel.players.spec import for_import
from bitduel.store import open_store

EXAMPLES = """\b
Examples:
  bitduel import match.txt
  bitduel export k7m | bitduel import - --db sqlite:///other.db
"""


@click.command("import", epilog=EXAMPLES)
@click.argument("file", metavar="FILE")
@db_option
def command(file: str, db: str | None) -> None:
    """Read a match from the text record in FILE ('-' for standard input), replay it, and keep it."""
    found = parse(decode(read(file)), make)
    match = found.match(make)
    with open_store(db) as store:
        # A record is a stranger's text: it must not make anybody run a command when the match is resumed.
        match_id = store.begin(match, for_import(found.players), found.names, started=day(found.date))
        if match.outcome:
            store.end(match_id, match.outcome)
    print(f"Kept as {match_id}.")


def day(date: str) -> datetime | None:
    """The day a match was played, if the record says one."""
    if not date or not "0002" <= date < "9999":
        return None
    # At noon it is the same day nearly everywhere.
    return datetime.fromisoformat(date).replace(hour=12, tzinfo=UTC)


def read(file: str) -> bytes:
    """The bytes of a file or of standard input, as far as a record can go."""
    try:
        if file == "-":
            source = getattr(sys.stdin, "buffer", None)
            return source.read(LARGEST + 1) if source else sys.stdin.read(LARGEST + 1).encode()
        with Path(file).open("rb") as stream:
            return stream.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is not a file's name"
        raise BitduelError(f"'{shown(file)}' cannot be read: {reason}.") from None
