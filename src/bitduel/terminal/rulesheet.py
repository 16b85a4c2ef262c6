"""The rules of a game as lines of text."""

from collections.abc import Iterator
from textwrap import wrap
from typing import Any

from bitduel.core.game import Game
from bitduel.core.options import Choice, Option
from bitduel.terminal.text import PAPER


def rule_lines(game: Game[Any], width: int = PAPER) -> list[str]:
    """The rules in our own words."""
    return [line for paragraph in game.words.rules() for line in wrap(paragraph, min(width, PAPER))]


def sheet(game: Game[Any], width: int = PAPER) -> Iterator[str]:
    """Rules, options, and for each point the rulebook leaves open which reading is the default."""
    width = min(width, PAPER)
    yield from (game.title, "=" * len(game.title), *wrap(game.aim, width), "")
    for paragraph in game.words.rules():
        yield from (*wrap(paragraph, width), "")
    yield from ("Options (--set NAME=VALUE)", "")
    for option in game.declared:
        yield from option_lines(option)
    if game.words.readings:
        yield from ("", "Where the rulebook contradicts itself or is silent", "")
    for reading in game.words.readings:
        yield from _item(f"{reading.point}. ", reading.rulebook, width)
        yield from _item("    Here: ", reading.default, width)
        if reading.choose:
            yield from _item("    Otherwise: ", reading.choose, width)


def option_lines(option: Option) -> Iterator[str]:
    """An option, its default, and what it can be."""
    default = option.default if option.default != "" else "by chance"
    yield f"  {option.name}={default}  {option.help} ({option.allowed})"
    if isinstance(option, Choice):
        for value, meaning in option.choices.items():
            yield f"      {value}: {meaning}"


def _item(head: str, text: str, width: int) -> list[str]:
    return wrap(head.strip() + " " + text, width, initial_indent=" " * _indent(head), subsequent_indent=" " * 4)


def _indent(head: str) -> int:
    return len(head) - len(head.lstrip())
