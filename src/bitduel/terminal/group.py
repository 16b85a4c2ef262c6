"""The command group: commands imported when they are called, help that fits the terminal, and usage errors."""

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any

import click

from bitduel import __version__
from bitduel.core.errors import closest_name, printable, unknown_name
from bitduel.core.phrases import join_with_or
from bitduel.terminal.text import fold_lines, terminal_width

Commands = Mapping[str, tuple[str, str]]
"""For each command, "module:function" and one line about it."""

MAX_WIDTH = 100
NARROW = 52
"""Below this width a help text gives its options less room and folds its examples."""


class FittingFormatter(click.HelpFormatter):
    """A formatter of help texts for narrow terminals."""

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write a list of terms; a long term goes above its meaning."""
        super().write_dl(rows, min(col_max, self.width // 3), col_spacing)

    def getvalue(self) -> str:
        """Return the whole text, every line folded."""
        return "\n".join(fold_lines(super().getvalue().split("\n"), self.width, 4))


class FittingContext(click.Context):
    """A context whose help fits the terminal."""

    def make_formatter(self) -> click.HelpFormatter:
        """Return the formatter for the width of the terminal."""
        width = terminal_width()
        return FittingFormatter(width=width - 1) if width < NARROW else super().make_formatter()


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called."""

    context_class = FittingContext

    def __init__(self, *args: Any, available: Commands | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.available = available or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return list(self.available)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command."""
        if cmd_name not in self.available:
            return None
        module, _, function = self.available[cmd_name][0].partition(":")
        command = getattr(import_module(module), function)
        assert isinstance(command, click.Command)
        command.context_class = FittingContext
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that was named; raise with the names there are."""
        if args and args[0] not in self.available and not args[0].startswith("-"):
            from bitduel.games.registry import names

            if args[0].lower() in names():
                raise click.UsageError(f"'{args[0]}' is a game, not a command. To play it: bitduel play {args[0]}")
            raise unknown_name("command", args[0], self.available)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing them."""
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
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": MAX_WIDTH},
)
@click.version_option(__version__, "-V", "--version", message="bitduel %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Five quick two-player games about doubling and bits.

    Run it without a command to choose from a menu.
    """
    if ctx.invoked_subcommand is None:
        from bitduel.terminal.menu import run

        run()


def no_such_option(error: click.NoSuchOption) -> str:
    """Return the sentence about an option that a command does not have, with the closest one."""
    sentence = f"There is no option '{printable(error.option_name)}'."
    if error.ctx is None:
        return sentence
    known = [name for each in error.ctx.command.get_params(error.ctx) for name in each.opts if name.startswith("--")]
    near = closest_name(error.option_name.lstrip("-"), [name.lstrip("-") for name in known], cutoff=0.6)
    sentence += f" Did you mean '--{near}'?" if near else ""
    if "--set" in known:
        sentence += " To change a game setting, use --set NAME=VALUE."
    return f"{sentence} See '{error.ctx.command_path} --help'."


def bad_value(error: click.BadParameter) -> str:
    """Return the sentence about an invalid value, with what is allowed if that is known."""
    allowed = error.param and _allowed(error.param.type)
    if not allowed or error.param is None or isinstance(error, click.MissingParameter):
        return " ".join(error.format_message().split())
    given = error.message.rpartition(" is not ")[0].strip("'\"")
    return f"{error.param.opts[-1]} must be {allowed}, not '{printable(given)}'."


def _allowed(kind: click.ParamType[object]) -> str:
    """Describe the values that a type takes; return nothing for a type that takes any text."""
    if isinstance(kind, click.Choice):
        return join_with_or([str(choice) for choice in kind.choices])
    if not isinstance(kind, click.types.IntParamType | click.types.FloatParamType):
        return ""
    name = "a whole number" if isinstance(kind, click.types.IntParamType) else "a number"
    if not isinstance(kind, click.IntRange | click.FloatRange) or kind.min is None:
        return name
    if kind.max is None:
        return f"{name} {'greater than' if kind.min_open else 'of at least'} {kind.min}"
    return f"{name} from {kind.min} to {kind.max}"


def group(commands: Commands) -> click.Group:
    """Return the whole command line with these commands."""
    assert isinstance(cli, LazyGroup)
    cli.available = commands
    return cli
