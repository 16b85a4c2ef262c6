"""Arguments and options that several commands share, and how a shell completes them."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import BashComplete, CompletionItem

from bitduel.core.errors import BitduelError, OptionError, printable
from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.core.options import ChoiceOption, IntegerOption, Option
from bitduel.games.registry import GameClass, all_games, find
from bitduel.players.spec import KINDS, Spec, parse

if TYPE_CHECKING:
    from bitduel.storage import StoredMatch

MAX_IDS = 50
"""The number of matches whose ids a shell is offered, the newest first."""


class GameType(click.ParamType[Any]):
    """A game by its slug or short name."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> GameClass:
        """Return the game; raise with the names there are."""
        return find(value)

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str:
        """Return the short names of the games."""
        return f"Choose from: {', '.join(kind.short for kind in all_games())}."

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return slugs and short names, with the aim as help."""
        known = [(name, kind.aim) for kind in all_games() for name in (kind.slug, kind.short)]
        return [CompletionItem(name, help=aim) for name, aim in known if name.startswith(incomplete)]


class PlayerType(click.ParamType[Any]):
    """A player by its spec."""

    name = "player"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Spec:
        """Return the player's spec; raise with the players there are."""
        return value if isinstance(value, Spec) else parse(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return the kinds of players, with a few words about each."""
        return [
            CompletionItem(kind.form, help=kind.about) for kind in KINDS.values() if kind.form.startswith(incomplete)
        ]


class MatchIdType(click.ParamType[Any]):
    """The id of a stored match, or its beginning."""

    name = "id"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return the ids of the newest matches, with what they are; none where the store cannot be read."""
        from bitduel.storage import open_store
        from bitduel.storage.presentation import replay_all

        try:
            with open_store(ctx.params.get("db"), patience=0.5) as store:
                pairs = replay_all(store.matches(limit=MAX_IDS)).pairs
        except BitduelError:
            return []
        return [
            CompletionItem(stored.id, help=_describe_match(stored, match))
            for stored, match in pairs
            if stored.id.startswith(incomplete.lower())
        ]


def _describe_match(stored: "StoredMatch", match: Match) -> str:
    from bitduel.storage.presentation import players_text, result_text, start_text

    players, result = players_text(stored.names, stored.players), result_text(stored, match)
    return f"{match.game.title}: {players}, {result} ({start_text(stored)})"


class SettingType(click.ParamType[Any]):
    """A setting of the game: NAME=VALUE."""

    name = "name=value"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return the options of the game that was named, with their values."""
        kind = _named_game(ctx)
        declared = (
            kind.declared_options if kind else [option for each in all_games() for option in each.declared_options]
        )
        texts = dict.fromkeys(f"{o.name}={value}" for o in declared for value in self.values(o))
        return [CompletionItem(text) for text in texts if text.startswith(incomplete)]

    def values(self, option: Option) -> list[object]:
        """Return the values to offer for an option: its choices, or its default."""
        return list(option.choices) if isinstance(option, ChoiceOption) else [option.default]


class RangeType(SettingType):
    """A setting of the game with several values: NAME=VALUES."""

    name = "name=values"

    def values(self, option: Option) -> list[object]:
        """Return the values to offer: from the lowest number to the default, or the choices."""
        if isinstance(option, IntegerOption):
            return [f"{option.low}..{option.default}"]
        return list(option.choices) if isinstance(option, ChoiceOption) else []


def _named_game(ctx: click.Context) -> GameClass | None:
    """Return the game that was named; click has not parsed it yet while a later word is missing."""
    if kind := ctx.params.get("kind"):
        return kind if isinstance(kind, type) else None
    known = {name: kind for kind in all_games() for name in (kind.slug, kind.short)}
    return next((known[word.lower()] for word in ctx.args if word.lower() in known), None)


def examples(*lines: str) -> str:
    """Return the end of a help text: examples of a command."""
    return "\b\nExamples:\n" + "".join(f"  {line}\n" for line in lines)


def command(name: str, *lines: str) -> Callable[[Callable[..., None]], click.Command]:
    """Return a decorator that makes a function a command, with examples in its help."""
    return click.command(name, epilog=examples(*lines))


game_argument = click.argument("kind", metavar="GAME", type=GameType())
set_option = click.option(
    "--set",
    "settings",
    metavar="NAME=VALUE",
    multiple=True,
    type=SettingType(),
    help="Change a setting of the game. You can use this several times.",
)
match_argument = click.argument("match_id", metavar="[ID]", required=False, type=MatchIdType())
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object for programs.")
plain_option = click.option(
    "--plain", is_flag=True, help="Plain text, without colours or pictures. Used automatically in a pipe."
)


def make_game(kind: GameClass, settings: tuple[str, ...]) -> Game[Any]:
    """Return the game with the options of --set."""
    return kind(**read_settings(settings))


def read_settings(settings: tuple[str, ...]) -> dict[str, object]:
    """Return the options of --set by name."""
    options: dict[str, object] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise OptionError(f"--set takes NAME=VALUE, not '{printable(setting)}'.")
        options[name.strip()] = value
    return options


class BashCompletion(BashComplete):
    """Completion in bash, which breaks words at '=' and expects only the part after it."""

    written = ""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before, NAME=VALUE joined again, and the beginning of the word to complete."""
        args, incomplete = super().get_completion_args()
        if incomplete == "=":
            args, incomplete = [*args, "="], ""
        words: list[str] = []
        for word in args:
            if words and (word == "=" or words[-1].endswith("=")):
                words[-1] += word
            else:
                words.append(word)
        if words and words[-1].endswith("="):
            self.written = words.pop()
        return words, self.written + incomplete

    def format_completion(self, item: CompletionItem) -> str:
        """Return the part of a completion that bash has still to write."""
        rest = CompletionItem(item.value.removeprefix(self.written), item.type, item.help)
        return super().format_completion(rest)
