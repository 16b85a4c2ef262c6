"""`bitduel show ID`: one match."""

import json

import click

from bitduel.core.command_line import db_option
from bitduel.storage import open_store
from bitduel.storage.presentation import as_data, pick, summary
from bitduel.terminal.screen import open_screen

EXAMPLES = """\b
Examples:
  bitduel show k7m
  bitduel show k7m --json
"""


@click.command("show", epilog=EXAMPLES)
@click.argument("match_id", metavar="[ID]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for programs.")
@db_option
def command(match_id: str | None, as_json: bool, db: str | None) -> None:
    """Show the match ID, or the newest: who played, every move, how it stands. A beginning of the id is enough."""
    with open_store(db) as store:
        kept, match = pick(store, match_id)
    if as_json:
        print(json.dumps(as_data(kept, match), indent=2))
        return
    view = match.view(None)
    screen = open_screen(plain=False, asks=False)
    screen.say(summary(kept, match))
    rows = [f"  {i // 2 + 1}. {', '.join(view.history[i : i + 2])}" for i in range(0, view.ply, 2)]
    screen.say(["", *rows] if rows else [])
    screen.say(match.game.words.reveal(view))
    if match.outcome or not match.game.hidden:
        screen.say(["", match.game.picture(view, kept.names).caption])
        screen.draw(match.game.picture(view, kept.names))
