"""`bitduel review ID`: a match looked at again."""

import json
from typing import TYPE_CHECKING

import click

from bitduel.core.command_line import db_option
from bitduel.core.errors import BitduelError
from bitduel.core.words import Names
from bitduel.store import open_store
from bitduel.store.telling import pick, summary

if TYPE_CHECKING:
    from bitduel.solve.review import Review

EXAMPLES = """\b
Examples:
  bitduel review k7m
  bitduel review k7m --json
"""


class UnfinishedError(BitduelError):
    """A match that cannot be reviewed yet."""

    status = 1


@click.command("review", epilog=EXAMPLES)
@click.argument("match_id", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for programs.")
@db_option
def command(match_id: str, as_json: bool, db: str | None) -> None:
    """Look at the finished match ID again: who stood to win after every move, and where it changed hands."""
    from bitduel.solve.review import as_data, review

    with open_store(db) as store:
        kept, match = pick(store, match_id)
    if match.outcome is None:
        raise UnfinishedError("This match is not over; it can be reviewed when it is.")
    found = review(match, kept.names)
    if as_json:
        print(json.dumps(as_data(found, kept.id), indent=2))
        return
    for line in summary(kept, match):
        print(line)
    print()
    show(found, kept.names)


def show(found: "Review", names: Names) -> None:
    """The line of values, coloured on a terminal, plain elsewhere."""
    from rich.console import Console

    from bitduel.terminal.paint_review import paint_review
    from bitduel.terminal.screen import has_unicode

    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    for line in paint_review(found, names, has_unicode()):
        console.print(line)
    turns = sum(step.turning for step in found.steps)
    console.print(f"\n{turns or 'No'} turning point{'' if turns == 1 else 's'}.", style="bold")
