"""What proves a value to somebody who believes nothing: data that a short script of its own can check."""

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from bitduel.core.evaluation import Evaluation

if TYPE_CHECKING:
    from bitduel.core.game import Game


class Certificate(NamedTuple):
    """A proof of what the start of a game is worth."""

    data: Mapping[str, Any]
    """JSON-ready."""
    about: str
    """What it holds, in a few words."""
    checker: str = ""
    """The script in checkers/ that accepts it, where there is one."""

    def text(self) -> str:
        """The certificate as JSON, an entry a line."""
        return "".join(_lines(self.data)) + "\n"


def command(game: "Game[Any]", whole: bool = True) -> str:
    """The command that proves a game, with all its options or with those that are not as usual."""
    usual = {option.name: option.default for option in game.declared}
    chosen = {name: value for name, value in game.open_options.items() if whole or value != usual[name]}
    return f"bitduel prove {game.slug}" + "".join(f" --set {name}={value}" for name, value in chosen.items())


def heading(game: "Game[Any]", worth: Evaluation) -> dict[str, Any]:
    """What every certificate of an open game begins with; that the command says the options again makes them one."""
    return {
        "game": game.slug,
        "options": dict(game.open_options),
        "command": command(game),
        "value": str(worth.value),
        "plies": worth.plies,
    }


def _lines(data: Any, indent: str = "") -> Iterator[str]:
    """Objects, and lists of them, with an entry a line; everything else on one."""
    if isinstance(data, Mapping):
        yield from _block("{}", [(f"{json.dumps(key)}: ", value) for key, value in data.items()], indent)
    elif isinstance(data, list) and data and isinstance(data[0], Mapping):
        yield from _block("[]", [("", value) for value in data], indent)
    else:
        yield json.dumps(data)


def _block(marks: str, entries: list[tuple[str, Any]], indent: str) -> Iterator[str]:
    inside = f"{indent} "
    yield marks[0]
    for number, (name, value) in enumerate(entries):
        yield f"{',' if number else ''}\n{inside}{name}"
        yield from _lines(value, inside)
    yield f"\n{indent}{marks[1]}"
