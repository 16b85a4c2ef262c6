"""What commands offer that let language models play."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from bitduel.players.limits import USUAL, PlayerLimits
from bitduel.players.llm.settings import READ, read_talk

Command = TypeVar("Command", bound=Callable[..., Any])

_URL = click.option("--llm-url", metavar="URL", default="", help="Where llm:MODEL is; or set BITDUEL_LLM_URL.")
_SET = click.option(
    "--llm-set",
    metavar="NAME=VALUE",
    multiple=True,
    help=f"How models are asked: {', '.join(READ)}.",
)
_LOG = click.option("--llm-log", metavar="FOLDER", type=click.Path(file_okay=False), help="Keep every exchange there.")


def llm_options(command: Command) -> Command:
    """Adds --llm-url, --llm-set and --llm-log to a command."""
    return _URL(_SET(_LOG(command)))


def llm_terms(llm_url: str, llm_set: tuple[str, ...], llm_log: str | None, terms: PlayerLimits = USUAL) -> PlayerLimits:
    """The terms with what was chosen."""
    talk = read_talk(llm_set, llm_url)
    return terms._replace(llm=talk, folder=Path(llm_log) if llm_log else terms.folder)
