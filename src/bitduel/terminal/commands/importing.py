"""`bitduel import FILE`: a match from text."""

import sys
from pathlib import Path

import click

from bitduel.core.errors import BitduelError, shown
from bitduel.core.record import LARGEST, decode, parse
from bitduel.games import make
from bitduel.players import HUMAN, is_built_in
from bitduel.terminal.matches import db_option, open_store

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
    # A record is a stranger's text: it must not make anybody run a command when the match is resumed.
    players = [kind if is_built_in(kind) else HUMAN for kind in found.players]
    with open_store(db) as store:
        match_id = store.begin(match, players, found.names)
        if match.outcome:
            store.end(match_id, match.outcome)
    print(f"Kept as {match_id}.")


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
