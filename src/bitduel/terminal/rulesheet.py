"""The rules of a game as lines of text."""

from collections.abc import Iterator
from textwrap import wrap
from typing import Any

from bitduel.core.game import Game
from bitduel.core.options import Choice, Option
from bitduel.core.words import Reading
from bitduel.terminal.text import PAPER


def rule_lines(game: Game[Any], width: int = PAPER) -> list[str]:
    """The rules in our own words."""
    return [line for paragraph in game.words.rules() for line in wrap(paragraph, min(width, PAPER))]


def sheet(game: Game[Any], width: int = PAPER) -> Iterator[str]:
    """Rules, options, and for each point the rulebook leaves open which reading is the default."""
    width = min(width, PAPER)
    yield from (game.title, "=" * len(game.title), *wrap(game.goal, width), "")
    for paragraph in game.words.rules():
        yield from (*wrap(paragraph, width), "")
    yield from ("Options (--set NAME=VALUE)", "")
    for option in game.declared:
        yield from option_lines(option)
    if game.words.readings:
        yield from ("", "Where the rulebook contradicts itself or is silent", "")
    for reading in game.words.readings:
        yield from _item(f"{reading.point}. ", reading.rulebook, width)
        chosen = _chosen(game, reading)
        yield from _item("    Here: ", chosen or reading.default, width)
        if chosen:
            yield from _item("    Unless chosen: ", reading.default, width)
        elif reading.choose:
            yield from _item("    Otherwise: ", reading.choose, width)


def _chosen(game: Game[Any], reading: Reading) -> str:
    """What was chosen at this point instead of the default; empty where nothing was."""
    option = next((each for each in game.declared if each.name == reading.option), None)
    if option is None or game.options[option.name] == option.default:
        return ""
    value = game.options[option.name]
    if isinstance(option, Choice):
        return f"{option.name}={value}, {option.choices[value]}."
    return "It has been chosen." if option.secret else f"{option.name}={value}."


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
