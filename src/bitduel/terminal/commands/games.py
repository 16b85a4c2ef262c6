"""`bitduel games`: what can be played."""

import json

import click

from bitduel.games import SHELF, Kind
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
        print(json.dumps([describe(kind) for kind in SHELF], indent=2))
        return
    for kind in SHELF:
        print(f"{kind.slug} (or {kind.short}): {kind.title}")
        print(f"  {kind.aim}")
        for option in kind.declared:
            print("\n".join("  " + line for line in option_lines(option)))
        print()


def describe(kind: Kind) -> dict[str, object]:
    """A game as JSON-ready data."""
    return {
        "slug": kind.slug,
        "short": kind.short,
        "title": kind.title,
        "aim": kind.aim,
        "options": [{"name": o.name, "default": o.default, "help": o.help, "schema": o.schema} for o in kind.declared],
    }
