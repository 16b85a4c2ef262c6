"""The command line: where the program starts, the list of its commands, and every way of ending put into one line.

This is the only place that knows all ways in.
"""

from __future__ import annotations

import os
import sys

from bitduel import __version__
from bitduel.core.errors import BitduelError, EndOfInputError, SignalError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO


COMPLETING = "_BITDUEL_COMPLETE"
"""Set by a shell that asks how a word may go on."""

_HERE = "bitduel.terminal.commands"

COMMANDS = {
    "play": (f"{_HERE}.play", "Play a game here, with two people or against the computer."),
    "games": (f"{_HERE}.games", "List the games and their options."),
    "rules": (f"{_HERE}.rules", "Show the rules of a game and how its rulebook is read."),
    "learn": (f"{_HERE}.learn", "Learn a game step by step, from its rules to best play."),
    "solve": (f"{_HERE}.solve", "Show who wins a game and what every move is worth."),
    "puzzle": (f"{_HERE}.puzzle", "Solve the puzzle of the day, or any number of others."),
    "prove": (f"{_HERE}.prove", "Write a certificate of who wins that a short script can check."),
    "atlas": (f"{_HERE}.atlas", "Show who wins over one or two options of a game."),
    "history": (f"{_HERE}.history", "List the matches that were played."),
    "show": (f"{_HERE}.show", "Show one match."),
    "replay": (f"{_HERE}.replay", "Step through a match, forwards and back."),
    "review": (f"{_HERE}.review", "Look at a match again: who stood to win, and where it changed hands."),
    "resume": (f"{_HERE}.resume", "Go on with a match that was left."),
    "stats": (f"{_HERE}.stats", "Show wins, losses, and how often a won position was kept."),
    "export": (f"{_HERE}.exporting", "Write a match as text."),
    "import": (f"{_HERE}.importing", "Read a match from text."),
    "backup": (f"{_HERE}.backup", "Copy all matches into a file, also while the site runs."),
    "arena": (f"{_HERE}.arena", "Let programs play many matches against each other, and measure them."),
    "serve": ("bitduel.web.command", "Serve the games to browsers and programs."),
    "mcp": ("bitduel.mcp.command", "Let language models and other agents play, by the Model Context Protocol."),
    "check": (f"{_HERE}.check", "Check that a game keeps the contract, also one from outside."),
    "bench": ("bitduel.bench", "Measure how fast everything is."),
}
"""Every command: the module that has it, imported when it is called, and one line about it."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit status."""
    _prepare_streams()
    status = _guarded(list(sys.argv[1:] if arguments is None else arguments))
    sys.exit(status)


def _guarded(arguments: list[str]) -> int:
    try:
        try:
            return _run(arguments)
        finally:
            sys.stdout.flush()
    except BitduelError as error:
        return _complain(str(error), error.status)
    except EndOfInputError as error:
        return _complain(str(error), 1)
    except SignalError:
        return 1
    except KeyboardInterrupt:
        _ignore_more_interrupts()
        return _complain("Interrupted.", 130)
    except BrokenPipeError:
        _silence(sys.stdout)
        return 1
    except OSError as error:
        _silence(sys.stdout)
        return _complain(f"{error.strerror or error}.", 1)


def _run(arguments: list[str]) -> int:
    if arguments == ["--version"]:  # asked by scripts again and again, so answered before anything is loaded
        print(f"bitduel {__version__}")
        return 0

    import click

    from bitduel.core.signals import unwinding
    from bitduel.terminal.group import bad_value, group, no_such_option

    if COMPLETING in os.environ:
        import bitduel.terminal.completion  # noqa: F401 - makes itself known to click

    try:
        with unwinding():
            result = group(COMMANDS).main(arguments, prog_name="bitduel", standalone_mode=False)
    except click.exceptions.Abort as error:
        raise (error.__cause__ if isinstance(error.__cause__, SignalError) else KeyboardInterrupt) from None
    except click.NoSuchOption as error:
        return _complain(no_such_option(error), 2)
    except click.BadParameter as error:
        return _complain(bad_value(error), 2)
    except click.ClickException as error:
        return _complain(" ".join(error.format_message().split()), 2)
    return result if isinstance(result, int) else 0


def _complain(sentence: str, status: int) -> int:
    from bitduel.terminal.text import aside

    try:
        aside(f"bitduel: {sentence}")
    except OSError:
        _silence(sys.stderr)
    return status


def _ignore_more_interrupts() -> None:
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _prepare_streams() -> None:
    """Text that cannot be read or shown is replaced, never an error; a closed stream is an empty one."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - stays open
        stream = getattr(sys, name)
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _silence(stream: TextIO) -> None:
    """Nobody reads any more: what is still buffered goes nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
