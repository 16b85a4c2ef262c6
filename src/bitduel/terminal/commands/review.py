"""`bitduel review ID`: a match looked at again."""

import json
from typing import TYPE_CHECKING

import click

from bitduel.core.command_line import db_option
from bitduel.core.endings import counts
from bitduel.core.errors import BitduelError
from bitduel.storage import Store, StoredMatch, open_store
from bitduel.storage.presentation import pick, summary, the_person
from bitduel.terminal.screen import Screen, has_unicode, open_screen

if TYPE_CHECKING:
    from bitduel.solver.review import Review

EXAMPLES = """\b
Examples:
  bitduel review k7m
  bitduel review k7m --json
"""


class UnfinishedMatchError(BitduelError):
    """A match that cannot be reviewed yet."""

    status = 1


@click.command("review", epilog=EXAMPLES)
@click.argument("match_id", metavar="[ID]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for programs.")
@db_option
def command(match_id: str | None, as_json: bool, db: str | None) -> None:
    """Look at the finished match ID, or the newest one, again: who stood to win, and where it changed hands."""
    with open_store(db) as store:
        if not as_json:
            report(store, match_id, open_screen(plain=False, asks=False))
            return
        kept, found = reviewed(store, match_id)
    from bitduel.solver.review import as_data

    print(json.dumps(as_data(found, kept.id), indent=2))


def reviewed(store: Store, match_id: str | None) -> tuple[StoredMatch, "Review"]:
    """A finished match with its review."""
    from bitduel.solver.review import review

    kept, match = pick(store, match_id, is_finished, "No match has been finished yet.")
    if match.outcome is None:
        raise UnfinishedMatchError("This match is not over; it can be reviewed when it is.")
    return kept, review(match, kept.names)


def is_finished(kept: StoredMatch) -> bool:
    """Whether a match was played to an end that counts."""
    return kept.outcome is not None and counts(kept.outcome)


def report(store: Store, match_id: str | None, screen: Screen) -> None:
    """The review for people: the line of values, and what it comes to."""
    from bitduel.solver.remarks import counted, praise

    with screen.busy("Looking at every move ..."):
        kept, found = reviewed(store, match_id)
    screen.say([*summary(kept, kept.match()), ""])
    show(found, kept, screen.width)
    screen.say(["", *counted(found, kept.names), *filter(None, [praise(found, kept.names)])], "turn")


def show(found: "Review", kept: StoredMatch, width: int) -> None:
    """The line of values, coloured on a terminal, plain elsewhere."""
    from rich.console import Console

    from bitduel.terminal.paint_review import paint_review

    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    for line in paint_review(found, kept.names, has_unicode(), width, the_person(kept.players)):
        console.print(line)
