"""`bitduel export`, `import` and `backup`: matches as text records, and all of them in one file."""

import sys
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import click

from bitduel.core.errors import BitduelError, printable
from bitduel.core.folders import db_option
from bitduel.core.match import Match
from bitduel.core.record import MAX_LENGTH, Record, decode_record, parse_record
from bitduel.games.registry import make
from bitduel.players.spec import parse_imported
from bitduel.storage import Store, StoredMatch, open_store
from bitduel.storage.presentation import find_match, record_text, replay_all
from bitduel.storage.schema import day_only
from bitduel.storage.schema import fold_name as casefolded
from bitduel.storage.sqlite_file import back_up
from bitduel.terminal.parameters import command, match_argument
from bitduel.terminal.screen import progress_bar


@command("export", "bitduel export k7m", "bitduel export k7m > match.txt")
@match_argument
@db_option
def export(match_id: str | None, db: str | None) -> None:
    """Print match ID, or the latest, as a text record."""
    with open_store(db) as store:
        text = record_text(*find_match(store, match_id))
    # Records are UTF-8 whatever the encoding of the terminal is, so that no name is lost.
    raw = getattr(sys.stdout, "buffer", None)
    if raw is None:
        print(text, end="")
        return
    sys.stdout.flush()
    raw.write(text.encode())
    raw.flush()


@command("import", "bitduel import match.txt", "bitduel export k7m | bitduel import - --db sqlite:///other.db")
@click.argument("file", metavar="FILE")
@db_option
def import_(file: str, db: str | None) -> None:
    """Load a match from the text record in FILE ('-' for standard input), check it, and save it."""
    record = parse_record(decode_record(_read(file)), make)
    match = record.match(make)
    with open_store(db) as store:
        if known := _find_stored(store, record, match):
            print(f"This match is already saved as {known}. Nothing was added.")
            return
        # A record is a stranger's text: it must not make anybody run a command when the match is resumed.
        started = day_only(_day_played(record))
        match_id = store.begin(match, parse_imported(record.players), record.names, started=started)
    print(f"Saved as match {match_id}.{_date_note(record)}")


def _read(file: str) -> bytes:
    try:
        if file == "-":
            source = getattr(sys.stdin, "buffer", None)
            return source.read(MAX_LENGTH + 1) if source else sys.stdin.read(MAX_LENGTH + 1).encode()
        with Path(file).open("rb") as stream:
            return stream.read(MAX_LENGTH + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "that isn't the name of a file"
        raise BitduelError(f"'{printable(file)}' can't be read: {reason}.") from None


def _day_played(record: Record) -> date:
    """Return the date of a record, or today if it has none or one in the future."""
    today = datetime.now(UTC).date()
    return min(date.fromisoformat(record.date), today) if record.date else today


def _date_note(record: Record) -> str:
    if record.unread_date:
        return (
            f" Its date, '{printable(record.unread_date)}', is not a date such as 2026-11-15, so today's date was used."
        )
    tomorrow = datetime.now(UTC).date() + timedelta(days=1)  # where it is already tomorrow, that is no mistake
    is_to_come = record.date and date.fromisoformat(record.date) > tomorrow
    return f" Its date, {record.date}, is in the future, so today's date was used." if is_to_come else ""


def _find_stored(store: Store, record: Record, match: Match) -> str | None:
    """Return the id of the stored match that a record describes, if there is one."""
    since = until = None
    if record.date:
        begun = day_only(_day_played(record))
        since, until = begun - timedelta(days=1), begun + timedelta(days=2)
    stored = store.matches(match.game.slug, record.names[0], since=since, until=until)
    return next((each.id for each, played in replay_all(stored).pairs if _is_same(record, match, each, played)), None)


def _is_same(record: Record, match: Match, stored: StoredMatch, stored_match: Match) -> bool:
    """Compare a record with a stored match; a day or a deal that the record omits is not compared."""
    return (
        [*map(casefolded, record.names)] == [*map(casefolded, stored.names)]
        and (not record.date or _day_played(record).isoformat() == stored.day)
        and (record.deal is None or stored_match.deal == match.deal)
        and all(getattr(match, name) == getattr(stored_match, name) for name in ("game", "first", "moves", "outcome"))
    )


@command(
    "backup",
    "bitduel backup matches-backup.db",
    "bitduel backup /mnt/stick/site.db --db sqlite:////var/lib/bitduel/site.db --force",
)
@click.argument("file", metavar="FILE")
@click.option("--force", is_flag=True, help="Replace FILE if it exists.")
@db_option
def backup(file: str, force: bool, db: str | None) -> None:
    """Copy all matches into FILE, even while the site is running. FILE appears only when it is complete."""
    if not file or "\0" in file:
        raise BitduelError("Name a file for the backup.")
    with progress_bar("Backing up") as progress:
        copied = back_up(db, Path(file).absolute(), force, lambda left, pages: progress(pages - left, pages))
    count = "1 match" if copied.matches == 1 else f"{copied.matches} matches"
    print(f"Backed up {count} ({_format_size(copied.size)}) to {printable(file, 200)}.")


def _format_size(size: float) -> str:
    units = ("bytes", "kB", "MB", "GB")
    power = 0
    while size >= 1000 and power < len(units) - 1:
        size, power = size / 1000, power + 1
    return f"{size:.0f} {units[power]}" if power == 0 or size >= 10 else f"{size:.1f} {units[power]}"
