"""`bitduel games`: what can be played."""

import json

import click

from bitduel.games import describe, shelf
from bitduel.terminal.rulesheet import option_lines
from bitduel.terminal.screen import open_screen

EXAMPLES = """\b
Examples:
  bitduel games
  bitduel games --json
"""


@click.command("games", epilog=EXAMPLES)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def command(as_json: bool) -> None:
    """List the games: names, aim, and options with their defaults and ranges."""
    if as_json:
        print(json.dumps([describe(kind) for kind in shelf()], indent=2))
        return
    screen = open_screen(plain=False, asks=False)
    for kind in shelf():
        screen.say([f"{kind.slug} (or {kind.short}): {kind.title}", f"  {kind.aim}"])
        screen.say(f"  {line}" for option in kind.declared for line in option_lines(option))
        screen.say([""])
