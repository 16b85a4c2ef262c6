"""`bitduel games`: what can be played."""

import json

import click

from bitduel.games import describe, shelf
from bitduel.terminal.rulesheet import option_lines

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
    for kind in shelf():
        print(f"{kind.slug} (or {kind.short}): {kind.title}")
        print(f"  {kind.aim}")
        for option in kind.declared:
            print("\n".join("  " + line for line in option_lines(option)))
        print()
