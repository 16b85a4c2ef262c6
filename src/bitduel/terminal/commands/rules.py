"""`bitduel rules GAME`: the rules and how the rulebook is read."""

import click

from bitduel.games import Kind
from bitduel.terminal.parameters import game_argument, make_game, set_option
from bitduel.terminal.rulesheet import sheet
from bitduel.terminal.screen import open_screen

EXAMPLES = """\b
Examples:
  bitduel rules bits
  bitduel rules 31 --set finish=exact
"""


@click.command("rules", epilog=EXAMPLES)
@game_argument
@set_option
def command(kind: Kind, settings: tuple[str, ...]) -> None:
    """Show the rules of GAME, its options, and how its rulebook is read."""
    screen = open_screen(plain=False, asks=False)
    screen.say(sheet(make_game(kind, settings), screen.width))
