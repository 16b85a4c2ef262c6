"""`bitduel arena`: many matches between programs, measured."""

import click

from bitduel.terminal.group import LazyGroup

EXAMPLES = """\b
Examples:
  bitduel arena run perfect random --out results
  bitduel arena report results
"""
_HERE = "bitduel.terminal.commands"


class ArenaGroup(LazyGroup):
    """What can be done with an arena."""

    available = {
        "run": (f"{_HERE}.arena_run", "Let every player meet every other in every game."),
        "report": (f"{_HERE}.arena_report", "Tell what came out of a run, as a page, a table, JSON or CSV."),
    }


@click.group("arena", cls=ArenaGroup, epilog=EXAMPLES, invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Let programs play many matches against each other, and measure every move against perfect play."""
    if ctx.invoked_subcommand is None:
        print(ctx.get_help())
