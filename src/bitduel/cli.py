"""The command line: the list of commands, and one line on standard error for every failure.

No other module names all interfaces.
"""

from __future__ import annotations

import codecs
import os
import sys

from bitduel import __version__
from bitduel.core.errors import BitduelError, EndOfInputError, SignalError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO


COMPLETION_VARIABLE = "_BITDUEL_COMPLETE"
"""The environment variable that a shell sets to ask for completions."""

UNENCODABLE = "bitduel.closest-ascii"
"""The name of the error handler for characters that the output cannot show."""

_HERE = "bitduel.terminal.commands"

COMMANDS = {
    "play": (f"{_HERE}.play:play", "Play a game here, with a friend or against the computer."),
    "games": (f"{_HERE}.games:games", "List the games and their settings."),
    "rules": (f"{_HERE}.games:rules", "Show the rules of a game, and how we play the unclear ones."),
    "print": (f"{_HERE}.printing:print_sheets", "Print sheets for a lesson: rules, questions, pieces to cut out."),
    "learn": (f"{_HERE}.learning:learn", "Learn to play a game well, step by step."),
    "solve": (f"{_HERE}.analysis:solve", "Show who wins with perfect play and how good each move is."),
    "puzzle": (f"{_HERE}.learning:puzzle", "Solve today's puzzle, or as many others as you like."),
    "prove": (f"{_HERE}.analysis:prove", "Write a proof of who wins that a short script can check."),
    "atlas": (f"{_HERE}.analysis:atlas", "Show how the winner changes with one or two settings."),
    "history": (f"{_HERE}.history:history", "List past matches."),
    "show": (f"{_HERE}.matches:show", "Show one match."),
    "replay": (f"{_HERE}.matches:replay", "Step through a match, forwards and back."),
    "review": (f"{_HERE}.matches:review", "Review a match: who was winning, and which moves changed that."),
    "resume": (f"{_HERE}.play:resume", "Continue an unfinished match."),
    "stats": (f"{_HERE}.history:stats", "Show wins, losses, and how often a winning position stayed winning."),
    "export": (f"{_HERE}.records:export", "Save a match as text."),
    "import": (f"{_HERE}.records:import_", "Load a match from text."),
    "backup": (f"{_HERE}.records:backup", "Copy all matches into a file. This also works while the site is running."),
    "arena": (f"{_HERE}.arena:arena", "Play programs against each other and measure how well they play."),
    "serve": ("bitduel.web.command:command", "Start the website and its API."),
    "class": (
        "bitduel.web.class_command:command",
        "Start the website for a class: pupils join by a code, and you see who has understood.",
    ),
    "mcp": (
        "bitduel.mcp.command:command",
        "Let language models and other agents play, using the Model Context Protocol (MCP).",
    ),
    "check": (f"{_HERE}.analysis:check", "Check that a game works correctly, including one you have added."),
}
"""Every command: its module and function, imported when it is called, and one line about it."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line, and exit with its status."""
    _prepare_streams()
    status = _run_safely(list(sys.argv[1:] if arguments is None else arguments))
    sys.exit(status)


def _run_safely(arguments: list[str]) -> int:
    try:
        try:
            return _run(arguments)
        finally:
            sys.stdout.flush()
    except BitduelError as error:
        return _fail(str(error), error.status)
    except EndOfInputError as error:
        return _fail(str(error), 1)
    except SignalError:
        return 1
    except KeyboardInterrupt:
        _ignore_more_interrupts()
        return _fail("Interrupted.", 130)
    except BrokenPipeError:
        _discard(sys.stdout)
        return 1
    except OSError as error:
        _discard(sys.stdout)
        return _fail(f"{error.strerror or error}.", 1)


def _run(arguments: list[str]) -> int:
    if arguments == ["--version"]:  # scripts ask often, so answer before anything is loaded
        print(f"bitduel {__version__}")
        return 0

    import click

    from bitduel.core.signals import signals_as_errors
    from bitduel.terminal.group import bad_value, group, no_such_option

    if COMPLETION_VARIABLE in os.environ:
        from click.shell_completion import add_completion_class

        from bitduel.terminal.parameters import BashCompletion

        add_completion_class(BashCompletion)

    try:
        with signals_as_errors():
            result = group(COMMANDS).main(arguments, prog_name="bitduel", standalone_mode=False)
    except click.exceptions.Abort as error:
        raise (error.__cause__ if isinstance(error.__cause__, SignalError) else KeyboardInterrupt) from None
    except click.NoSuchOption as error:
        return _fail(no_such_option(error), 2)
    except click.BadParameter as error:
        return _fail(bad_value(error), 2)
    except click.ClickException as error:
        return _fail(" ".join(error.format_message().split()), 2)
    return result if isinstance(result, int) else 0


def _fail(sentence: str, status: int) -> int:
    from bitduel.terminal.text import print_error

    try:
        print_error(f"bitduel: {sentence}")
    except OSError:
        _discard(sys.stderr)
    return status


def _ignore_more_interrupts() -> None:
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _prepare_streams() -> None:
    """Replace characters that cannot be read or shown, and open an empty stream for a closed one."""
    codecs.register_error(UNENCODABLE, _replace_unencodable)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - stays open
        stream = getattr(sys, name)
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace" if mode == "r" else UNENCODABLE)
            if mode == "w" and _is_ascii_only():
                stream.reconfigure(encoding="ascii", errors=UNENCODABLE)


def _replace_unencodable(error: UnicodeError) -> tuple[str, int]:
    from bitduel.terminal.text import replace_unencodable

    return replace_unencodable(error)


def _is_ascii_only() -> bool:
    """Return whether the locale asks for ASCII; Python writes UTF-8 even in the C locale."""
    locale = os.environ.get("LC_ALL", "")
    return locale in ("C", "POSIX") and not {"PYTHONUTF8", "PYTHONIOENCODING"} & os.environ.keys()


def _discard(stream: TextIO) -> None:
    """Discard what is still buffered for a reader who has gone."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
