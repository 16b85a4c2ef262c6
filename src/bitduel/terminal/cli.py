"""The commands; each is imported only when it is called."""

from importlib import import_module

import click

from bitduel import __version__
from bitduel.core.errors import unknown

HERE = "bitduel.terminal.commands"

COMMANDS = {
    "play": (f"{HERE}.play", "Play a game here, with two people or against the computer."),
    "games": (f"{HERE}.games", "List the games and their options."),
    "rules": (f"{HERE}.rules", "Show the rules of a game and how its rulebook is read."),
    "solve": (f"{HERE}.solve", "Show who wins a game and what every move is worth."),
    "atlas": (f"{HERE}.atlas", "Show who wins over one or two options of a game."),
    "history": (f"{HERE}.history", "List the matches that were played."),
    "show": (f"{HERE}.show", "Show one match."),
    "replay": (f"{HERE}.replay", "Step through a match, forwards and back."),
    "review": (f"{HERE}.review", "Look at a match again: who stood to win, and where it changed hands."),
    "resume": (f"{HERE}.resume", "Go on with a match that was left."),
    "stats": (f"{HERE}.stats", "Show wins, losses, and how often a won position was kept."),
    "export": (f"{HERE}.exporting", "Write a match as text."),
    "import": (f"{HERE}.importing", "Read a match from text."),
    "serve": ("bitduel.web.command", "Serve the games to browsers and programs."),
    "bench": (f"{HERE}.bench", "Measure how fast everything is."),
}
"""Where each command is, as text: some are in folders that come later in the house."""


class LazyGroup(click.Group):
    """Commands by name, each imported when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every command there is."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now."""
        if cmd_name not in COMMANDS:
            return None
        command = import_module(COMMANDS[cmd_name][0]).command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that was asked for; raises with what there is."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            raise unknown("command", args[0], COMMANDS)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, about) in COMMANDS.items()])


EXAMPLES = """\b
Examples:
  bitduel                          choose from a menu
  bitduel play 64                  two people, one keyboard
  bitduel play bits --vs medium    against the computer
  bitduel rules battle
"""


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    epilog=EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, "-V", "--version", message="bitduel %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Five small two-player games about doubling and bits.

    Without a command, a menu asks what to play.
    """
    if ctx.invoked_subcommand is None:
        from bitduel.terminal.menu import run

        run()
