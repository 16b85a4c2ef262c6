"""The group of all commands; each is imported only when it is called."""

from collections.abc import Iterable, Mapping
from importlib import import_module

import click

from bitduel import __version__
from bitduel.core.errors import likeliest, shown, unknown
from bitduel.terminal.text import columns, folded

Commands = Mapping[str, tuple[str, str]]
"""By name, the module that has the command and one line about it."""


WIDEST = 100
ROOMY = 52
"""A help text narrower than this gives its options less room and folds its examples."""


class FittingFormatter(click.HelpFormatter):
    """Help texts that fit where there is little room."""

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """A list of terms and what they mean; long terms stand above their meaning."""
        super().write_dl(rows, min(col_max, self.width // 3), col_spacing)

    def getvalue(self) -> str:
        """The whole text, every line folded."""
        return "\n".join(folded(super().getvalue().split("\n"), self.width, 4))


class FittingContext(click.Context):
    """A call whose help fits the terminal, however narrow."""

    def make_formatter(self) -> click.HelpFormatter:
        """Who writes the help text."""
        there = columns()
        return FittingFormatter(width=there - 1) if there < ROOMY else super().make_formatter()


class LazyGroup(click.Group):
    """Commands by name, each imported when it is called."""

    context_class = FittingContext
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
        command.context_class = FittingContext
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
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": WIDEST},
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


def no_such_option(error: click.NoSuchOption) -> str:
    """What is said of an option that a command does not have."""
    said = f"There is no option '{shown(error.option_name)}'."
    if error.ctx is None:
        return said
    known = [name for each in error.ctx.command.get_params(error.ctx) for name in each.opts if name.startswith("--")]
    near = likeliest(error.option_name.lstrip("-"), [name.lstrip("-") for name in known], alike=0.6)
    said += f" Did you mean '--{near}'?" if near else ""
    if "--set" in known:
        said += " Options of the game are chosen by --set NAME=VALUE."
    return f"{said} See '{error.ctx.command_path} --help'."


def bad_value(error: click.BadParameter) -> str:
    """What is said of a value that does not fit; of numbers, which are possible."""
    asked = error.param and _numbers(error.param.type)
    if not asked or error.param is None or isinstance(error, click.MissingParameter):
        return " ".join(error.format_message().split())
    given = error.message.rpartition(" is not ")[0].strip("'\"")
    return f"{error.param.opts[-1]} must be {asked}, not '{shown(given)}'."


def _numbers(kind: click.ParamType[object]) -> str:
    """Which numbers a type takes, in words; empty for what takes none."""
    if not isinstance(kind, click.types.IntParamType | click.types.FloatParamType):
        return ""
    name = "a whole number" if isinstance(kind, click.types.IntParamType) else "a number"
    if not isinstance(kind, click.IntRange | click.FloatRange) or kind.min is None:
        return name
    if kind.max is None:
        return f"{name} of {'more than' if kind.min_open else 'at least'} {kind.min}"
    return f"{name} from {kind.min} to {kind.max}"


def group(commands: Commands) -> click.Group:
    """The whole command line, with these commands."""
    assert isinstance(cli, LazyGroup)
    cli.available = commands
    return cli
