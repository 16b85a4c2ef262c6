"""`bitduel games` and `bitduel rules`: the games with their options, and the rules of one."""

import json

import click

from bitduel.games.registry import GameClass, all_games, describe
from bitduel.terminal.parameters import command, game_argument, make_game, set_option
from bitduel.terminal.rulesheet import option_lines, rule_sheet
from bitduel.terminal.screen import open_screen
from bitduel.terminal.text import listing


@command("games", "bitduel games", "bitduel games --json")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def games(as_json: bool) -> None:
    """List the games: names, aim, and settings with their defaults and ranges."""
    if as_json:
        from bitduel.learning.levels import LEVELS
        from bitduel.players.level_descriptions import level_about

        levels = {kind: [{"name": name, "about": level_about(kind(), name)} for name in LEVELS] for kind in all_games()}
        print(json.dumps([{**describe(kind), "levels": levels[kind]} for kind in all_games()], indent=2))
        return
    screen = open_screen(plain=False, asks=False)
    for kind in all_games():
        screen.show([f"{kind.slug} (or {kind.short}): {kind.title}", f"  {kind.aim}"])
        screen.show(f"  {line}" for option in kind.declared_options for line in option_lines(option))
        rows = [(each.name, each.reason) for each in kind.variants]
        screen.show(f"  {line}" for line in listing(rows, screen.line_width - 2))
        screen.show([""])


@command("rules", "bitduel rules bits", "bitduel rules 31 --set finish=exact")
@game_argument
@set_option
def rules(kind: GameClass, settings: tuple[str, ...]) -> None:
    """Show the rules of GAME, its settings, and how we play what its rulebook leaves unclear."""
    screen = open_screen(plain=False, asks=False)
    screen.show(rule_sheet(make_game(kind, settings), screen.width))
