"""The group of all commands; each is imported only when it is called."""

from collections.abc import Mapping
from importlib import import_module

import click

from bitduel import __version__
from bitduel.core.errors import unknown

Commands = Mapping[str, tuple[str, str]]
"""By name, the module that has the command and one line about it."""


class LazyGroup(click.Group):
    """Commands by name, each imported when it is called."""

    available: Commands = {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every command there is."""
        return list(self.available)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now."""
        if cmd_name not in self.available:
            return None
        command = import_module(self.available[cmd_name][0]).command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that was asked for; raises with what there is."""
        if args and args[0] not in self.available and not args[0].startswith("-"):
            raise unknown("command", args[0], self.available)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, about) in self.available.items()])


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


def group(commands: Commands) -> click.Group:
    """The whole command line, with these commands."""
    assert isinstance(cli, LazyGroup)
    cli.available = commands
    return cli
