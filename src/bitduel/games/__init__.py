"""The shelf: the games that are built in, and those that installed packages add."""

import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bitduel.core.errors import shown, unknown
from bitduel.core.game import Game
from bitduel.games.binary_battle import BinaryBattle
from bitduel.games.binary_race_31 import BinaryRace31
from bitduel.games.binary_race_64 import BinaryRace64
from bitduel.games.binary_race_bits import BinaryRaceBits
from bitduel.games.double_or_nothing import DoubleOrNothing

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Kind = type[Game[Any]]

BUILT_IN: list[Kind] = [BinaryRace64, BinaryRaceBits, DoubleOrNothing, BinaryBattle, BinaryRace31]

RENAMED = {
    "see": "observe",
    "watch": "observe_as_spectator",
    "judge": "evaluator",
    "row_of": "encode_view",
    "rows_of": "encode_positions",
}
"""What a game from outside may still call by its old name, and what that is called now."""
GROUP = "bitduel.games"
"""The group of entry points by which an installed package adds a game."""

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*", re.ASCII)


@cache
def shelf() -> list[Kind]:
    """Every game there is; one from outside that cannot be taken is named in one line and left out."""
    games = list(BUILT_IN)
    for entry in _entries():
        try:
            games.append(_taken(entry.load(), games))
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            # A stranger's package can fail in any way; the other games must not suffer from it.
            _complain(entry, error)
    return games


def find(name: str) -> Kind:
    """The game with this slug or short name; raises UnknownNameError with what there is."""
    wanted = name.strip().lower()
    for kind in shelf():
        if wanted in (kind.slug, kind.short):
            return kind
    raise unknown("game", name, names())


def is_known(slug: str) -> bool:
    """Whether there is a game with this very slug."""
    return any(kind.slug == slug for kind in shelf())


def make(name: str, options: Mapping[str, object] | None = None, /, **more: object) -> Game[Any]:
    """The game with this name and these options: make("bits", edge="strict")."""
    return find(name)(**{**(options or {}), **more})


def names() -> list[str]:
    """Every name that finds a game: slugs, then short names."""
    return [kind.slug for kind in shelf()] + [kind.short for kind in shelf()]


def describe(kind: Kind) -> dict[str, object]:
    """A game and its options as JSON-ready data."""
    return {
        "slug": kind.slug,
        "short": kind.short,
        "title": kind.title,
        "aim": kind.aim,
        "options": [{"name": o.name, "default": o.default, "help": o.help, "schema": o.schema} for o in kind.declared],
    }


def _entries() -> "Iterator[EntryPoint]":
    if not _is_any_there():
        return
    from importlib.metadata import entry_points

    seen = set()
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)):
        if entry.value not in seen:
            seen.add(entry.value)
            yield entry


def _is_any_there() -> bool:
    """Whether an installed package has such an entry point: looking at the files is quicker than loading a library."""
    for folder in map(Path, sys.path):
        for pattern in ("*.dist-info/entry_points.txt", "*.egg-info/entry_points.txt"):
            if any(GROUP.encode() in _bytes_of(path) for path in folder.glob(pattern)):
                return True
        if folder.is_file():
            return True
    return False


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _defines(kind: type, name: str) -> bool:
    """Whether a game, or what it is made from, has a name that the contract does not have."""
    return not hasattr(Game, name) and any(name in vars(each) for each in kind.__mro__)


def _taken(kind: Any, games: list[Kind]) -> Kind:
    """What an entry point led to, if it is a game whose names are free; raises TypeError or ValueError."""
    if not (isinstance(kind, type) and issubclass(kind, Game)):
        raise TypeError(f"{shown(repr(kind))} is not a game")
    if renamed := [f"{old} is now {new}" for old, new in RENAMED.items() if _defines(kind, old)]:
        raise TypeError(f"it was written for an older contract: {', '.join(renamed)}")
    if missing := sorted(kind.__abstractmethods__):
        raise TypeError(f"it is not a whole game yet; missing: {', '.join(missing)}")
    for name in (kind.slug, kind.short):
        if not _NAME.fullmatch(name):
            raise ValueError(f"'{shown(name)}' is not a name of small letters, digits and hyphens")
        if any(name in (other.slug, other.short) for other in games):
            raise ValueError(f"the name '{name}' is taken")
    for text in (kind.title, kind.aim):
        if not (isinstance(text, str) and text and text.isprintable()):
            raise ValueError("title and aim must be a line of text each")
    game = kind()
    kind.lesson()
    if not game.moves or not game.words.rules():
        raise ValueError("it has no moves or no rules")
    return kind


def _complain(entry: "EntryPoint", error: BaseException) -> None:
    from logging import getLogger

    why = " ".join(f"{type(error).__name__}: {error}".split())
    getLogger("bitduel").warning("bitduel: the game '%s' is left out: %s.", shown(entry.name), shown(why, 200))
