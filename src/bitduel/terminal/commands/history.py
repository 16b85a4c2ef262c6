"""`bitduel history`: the matches that were played."""

import json
import sys
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

import click

from bitduel.core.command_line import db_option
from bitduel.core.endings import RESIGNATION
from bitduel.core.errors import BitduelError, shown
from bitduel.core.match import Match, other
from bitduel.games import find
from bitduel.storage import StoredMatch, open_store
from bitduel.storage.presentation import as_data, replayed, result, when, who
from bitduel.terminal.text import aside, columns, folded, listing, padded, wide

EXAMPLES = """\b
Examples:
  bitduel history
  bitduel history --game bits --result open
  bitduel history --player Ada --since 2026-11-01 --json
"""
SHOWN = 20
MOST = 1_000_000_000
"""No database counts further in a limit than it can."""
ROOMY = 100


@click.command("history", epilog=EXAMPLES)
@click.option("--game", help="Only this game.")
@click.option("--player", metavar="NAME", help="Only matches in which this name played.")
@click.option("--result", "wanted", type=click.Choice(["open", "1", "2", "draw"]), help="Only matches that ended so.")
@click.option("--since", metavar="DATE", help="Only matches begun on this day or later, such as 2026-11-15.")
@click.option("--until", metavar="DATE", help="Only matches begun on this day or earlier.")
@click.option("--limit", type=click.IntRange(1, MOST), default=SHOWN, show_default=True, help="At most so many.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array for programs.")
@db_option
def command(
    game: str | None,
    player: str | None,
    wanted: str | None,
    since: str | None,
    until: str | None,
    limit: int,
    as_json: bool,
    db: str | None,
) -> None:
    """List the matches that were played, newest first."""
    slug = find(game).slug if game else None
    with open_store(db) as store:
        found = store.matches(slug, player, wanted, beginning(day(since)), end(day(until)), limit)
    pairs, troubles = replayed(found)
    for trouble in troubles:
        aside(trouble)
    if as_json:
        print(json.dumps([as_data(*pair) for pair in pairs], indent=2))
        return
    rows = [
        (kept.id, when(kept), match.game.slug, who(kept.names, kept.players), ended(kept, match))
        for kept, match in pairs
    ]
    width = columns() if sys.stdout.isatty() else sys.maxsize
    if width < ROOMY:
        rows = [(*row[:2], match.game.short, *row[3:]) for row, (_, match) in zip(rows, pairs, strict=True)]
    for line in listing(rows, width, indent=0) if width >= ROOMY else below_each_other(rows, width):
        print(line)
    if not rows:
        print("No match has been kept yet." if not any((game, player, wanted, since, until)) else "No match fits.")


def ended(kept: StoredMatch, match: Match) -> str:
    """How a match ended; who gave up is told rather than who won by it."""
    if match.outcome and match.outcome.winner and match.outcome.reason == RESIGNATION:
        return f"{kept.names[other(match.outcome.winner) - 1]} resigned"
    return result(kept, match)


def below_each_other(rows: Sequence[tuple[str, ...]], width: int) -> list[str]:
    """Where there is little room: a match in one line, or in a few if it does not fit."""
    lines = []
    game = max((wide(row[2]) for row in rows), default=0)
    for match_id, begun, short, *about in rows:
        whole = "  ".join((match_id, begun, padded(short, game), *about))
        parts = [f"{match_id}  {begun}  {short}", *(f"    {text}" for text in about)]
        lines += [whole] if wide(whole) <= width else folded(parts, width)
    return lines


def day(text: str | None) -> date | None:
    """The day that a text names."""
    if text is None:
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d").date()
    except ValueError:
        raise BitduelError(f"A date is written like 2026-11-15, not '{shown(text)}'.") from None


def beginning(day: date | None) -> datetime | None:
    """The first moment of a day in local time; None where nothing can have been before it."""
    try:
        return datetime(day.year, day.month, day.day).astimezone().astimezone(UTC) if day else None
    except (ValueError, OverflowError):
        return None


def end(day: date | None) -> datetime | None:
    """The first moment after a day in local time; None where nothing can come after it."""
    return None if day is None or day == date.max else beginning(day + timedelta(days=1))
