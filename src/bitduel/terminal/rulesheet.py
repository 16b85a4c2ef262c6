"""The rules of a game as lines of text."""

from collections.abc import Iterator
from textwrap import wrap
from typing import Any

from bitduel.core.game import Game
from bitduel.core.options import ChoiceOption, Option
from bitduel.core.words import Reading
from bitduel.terminal.text import PLAIN_WIDTH


def rule_lines(game: Game[Any], width: int = PLAIN_WIDTH) -> list[str]:
    """Return the rules, wrapped."""
    return [line for paragraph in game.words.rules() for line in wrap(paragraph, min(width, PLAIN_WIDTH))]


def rule_sheet(game: Game[Any], width: int = PLAIN_WIDTH) -> Iterator[str]:
    """Yield rules, settings, and how the points that the rulebook leaves unclear are played."""
    width = min(width, PLAIN_WIDTH)
    yield from (game.title, "=" * len(game.title), *wrap(game.goal, width), "")
    for paragraph in game.words.rules():
        yield from (*wrap(paragraph, width), "")
    yield from ("Settings (change with --set NAME=VALUE)", "")
    for option in game.declared_options:
        yield from option_lines(option)
    if game.words.readings:
        yield from ("", "Where the rulebook is unclear", "")
    for reading in game.words.readings:
        yield from wrap(reading.point, width)
        yield from _item("The rulebook says:", reading.rulebook, width)
        chosen = _chosen(game, reading)
        yield from _item("We play:", chosen or reading.default, width)
        if chosen:
            yield from _item("Usually:", reading.default, width)
        elif reading.choose:
            yield from _item("Variant:", reading.choose, width)


def _chosen(game: Game[Any], reading: Reading) -> str:
    """Return what was chosen at this point instead of the default, if anything was."""
    option = next((each for each in game.declared_options if each.name == reading.option), None)
    if option is None or game.options[option.name] == option.default:
        return ""
    value = game.options[option.name]
    if isinstance(option, ChoiceOption):
        return f"{option.name}={value}, {option.choices[value]}."
    return "the one you chose." if option.is_secret else f"{option.name}={value}."


def option_lines(option: Option) -> Iterator[str]:
    """Yield an option with its default, and what its values mean."""
    default = option.default if option.default != "" else "random"
    yield f"  {option.name}={default}  {option.help} ({option.allowed})"
    if isinstance(option, ChoiceOption):
        for value, meaning in option.choices.items():
            yield f"      {value}: {meaning}"


def _item(head: str, text: str, width: int) -> list[str]:
    return wrap(f"{head} {text}", width, initial_indent=" " * 4, subsequent_indent=" " * 6)
