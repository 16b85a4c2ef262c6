"""Arguments and options that several commands share."""

from typing import Any

import click
from click.shell_completion import CompletionItem

from bitduel.core.errors import OptionError, shown
from bitduel.core.game import Game
from bitduel.core.options import Choice, Option, Whole
from bitduel.games import Kind, find, shelf
from bitduel.players.spec import Spec, names, parse


class GameType(click.ParamType[Any]):
    """A game by its slug or short name."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Kind:
        """The game; raises with what there is."""
        return find(value)

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str:
        """What there is, by short names."""
        return f"There is: {', '.join(kind.short for kind in shelf())}."

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Slugs and short names, with the aim as help."""
        known = [(name, kind.aim) for kind in shelf() for name in (kind.slug, kind.short)]
        return [CompletionItem(name, help=aim) for name, aim in known if name.startswith(incomplete)]


class PlayerType(click.ParamType[Any]):
    """A player by name."""

    name = "player"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Spec:
        """The player in its canonical form; raises with what there is."""
        return value if isinstance(value, Spec) else parse(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Every kind of player."""
        return [CompletionItem(name) for name in names() if name.startswith(incomplete)]


class SettingType(click.ParamType[Any]):
    """OPTION=VALUE."""

    name = "option=value"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The options of the game that was named, and their choices."""
        kind = _named_game(ctx)
        declared = kind.declared if kind else [option for each in shelf() for option in each.declared]
        texts = dict.fromkeys(f"{o.name}={value}" for o in declared for value in self.values(o))
        return [CompletionItem(text) for text in texts if text.startswith(incomplete)]

    def values(self, option: Option) -> list[object]:
        """What an option may be set to: its choices, or what it is anyway."""
        return list(option.choices) if isinstance(option, Choice) else [option.default]


class RangeType(SettingType):
    """OPTION=VALUES."""

    name = "option=values"

    def values(self, option: Option) -> list[object]:
        """What an option may run through: from the least number to the usual one, or a choice and more after it."""
        if isinstance(option, Whole):
            return [f"{option.low}..{option.default}"]
        return list(option.choices) if isinstance(option, Choice) else []


def _named_game(ctx: click.Context) -> Kind | None:
    """The game that was named; where a word is still missing, click has not come to read it."""
    if kind := ctx.params.get("kind"):
        return kind if isinstance(kind, type) else None
    known = {name: kind for kind in shelf() for name in (kind.slug, kind.short)}
    return next((known[word.lower()] for word in ctx.args if word.lower() in known), None)


game_argument = click.argument("kind", metavar="GAME", type=GameType())
set_option = click.option(
    "--set",
    "settings",
    metavar="OPTION=VALUE",
    multiple=True,
    type=SettingType(),
    help="Choose an option of the game; can be given several times.",
)


def make_game(kind: Kind, settings: tuple[str, ...]) -> Game[Any]:
    """The game with the options of --set."""
    return kind(**read_settings(settings))


def read_settings(settings: tuple[str, ...]) -> dict[str, object]:
    """The options of --set, by name."""
    options: dict[str, object] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise OptionError(f"--set takes OPTION=VALUE, not '{shown(setting)}'.")
        options[name.strip()] = value
    return options
