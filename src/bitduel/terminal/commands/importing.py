"""`bitduel import FILE`: a match from text."""

import sys
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import click

from bitduel.core.command_line import db_option
from bitduel.core.errors import BitduelError, shown
from bitduel.core.match import Match
from bitduel.core.record import LARGEST, Record, decode, parse
from bitduel.games import make
from bitduel.players.spec import for_import
from bitduel.storage import Store, StoredMatch, open_store
from bitduel.storage.presentation import replayed
from bitduel.storage.statements import folded
from bitduel.storage.timestamps import day_only

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
        if known := kept_already(store, found, match):
            print(f"This match is kept already, as {known}. Nothing was added.")
            return
        # A record is a stranger's text: it must not make anybody run a command when the match is resumed.
        match_id = store.begin(match, for_import(found.players), found.names, started=day_only(day(found.date)))
    print(f"Kept as {match_id}.{date_note(found)}")


def day(text: str) -> date:
    """Return the day a match was played, or today if the record has no date or one that is still to come."""
    today = datetime.now(UTC).date()
    return min(date.fromisoformat(text), today) if text else today


def date_note(found: Record) -> str:
    """Say why today's date was taken although the record has another; empty if its date was taken."""
    if found.unread_date:
        return f" Its date, '{shown(found.unread_date)}', is not a date such as 2026-11-15, so today's was taken."
    tomorrow = datetime.now(UTC).date() + timedelta(days=1)  # where it is already tomorrow, that is no mistake
    is_to_come = found.date and date.fromisoformat(found.date) > tomorrow
    return f" Its date, {found.date}, is still to come, so today's was taken." if is_to_come else ""


def kept_already(store: Store, found: Record, match: Match) -> str | None:
    """The id of a kept match that is the one of a record: the same was played on the same day by the same two."""
    since = until = None
    if found.date:
        begun = day_only(day(found.date))
        since, until = begun - timedelta(days=1), begun + timedelta(days=2)
    kept = store.matches(match.game.slug, found.names[0], since=since, until=until)
    return next((each.id for each, there in replayed(kept).pairs if is_same(found, match, each, there)), None)


def is_same(found: Record, match: Match, kept: StoredMatch, there: Match) -> bool:
    """Whether a record tells of a kept match; a day or a deal that it does not tell is not compared."""
    names = [[folded(name) for name in each] for each in (found.names, kept.names)]
    same_day = not found.date or day(found.date).isoformat() == kept.day
    deals = match.deal if found.deal is None else there.deal, match.deal
    played = [(each.game, each.first, each.moves, each.outcome) for each in (match, there)]
    return names[0] == names[1] and same_day and deals[0] == deals[1] and played[0] == played[1]


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
