"""The registry: the built-in games, and those that installed packages add."""

import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bitduel.core.errors import printable, unknown_name
from bitduel.core.game import Game
from bitduel.core.lesson import game_lesson
from bitduel.core.words import Words
from bitduel.games.binary_battle import BinaryBattle
from bitduel.games.binary_race_31 import BinaryRace31
from bitduel.games.binary_race_64 import BinaryRace64
from bitduel.games.binary_race_bits import BinaryRaceBits
from bitduel.games.double_or_nothing import DoubleOrNothing

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GameClass = type[Game[Any]]

BUILT_IN: list[GameClass] = [BinaryRace64, BinaryRaceBits, DoubleOrNothing, BinaryBattle, BinaryRace31]

RENAMED: dict[type, dict[str, str]] = {
    Game: {
        "see": "observe",
        "watch": "observe_as_spectator",
        "judge": "evaluator",
        "row_of": "encode_view",
        "rows_of": "encode_positions",
        "declared": "declared_options",
        "large": "benchmark_options",
        "hidden": "is_hidden",
        "chance": "has_chance",
        "transparent": "has_perfect_information",
        "dealt": "with_deal",
        "recall": "moves_to_see",
        "most_turns": "max_cached_turns",
    },
    Words: {
        "wrong": "invalid_answer",
        "refusal": "why_illegal",
        "leads": "leads_to",
        "act": "move_phrase",
        "stands": "position_phrase",
        "why": "why_ended",
        "unseen": "unseen_move",
    },
}
"""Old names in the contract that a game from outside may still use, and the names they have now."""
RENAMED_IMPORTS = {
    "bitduel.core.arithmetic": "removed; define what you need in the game",
    "bitduel.core.endings": "bitduel.core.outcomes",
    "bitduel.core.evaluator": "bitduel.core.evaluation",
    "bitduel.core.laws": "bitduel.core.words",
    "bitduel.core.hints": "bitduel.core.phrases",
    "bitduel.core.move_plan": "bitduel.learning.hints",
    "bitduel.core.turn": "bitduel.core.game",
    "Act": "bitduel.core.phrases.MovePhrase",
    "Answer": "bitduel.core.lesson.ChoiceAnswer",
    "Choice": "bitduel.core.options.ChoiceOption",
    "Choose": "bitduel.core.lesson.ChoiceStep",
    "Judge": "bitduel.core.evaluation.Evaluator",
    "Judged": "bitduel.core.evaluation.MoveEvaluation",
    "Place": "bitduel.core.picture.MoveTarget",
    "Play": "bitduel.core.lesson.MatchStep",
    "SecretBits": "bitduel.core.options.SecretBitsOption",
    "Stand": "bitduel.core.lesson.LessonPosition",
    "Step": "bitduel.core.lesson.LessonStep",
    "Try": "bitduel.core.lesson.MoveStep",
    "Whole": "bitduel.core.options.IntegerOption",
    "Worth": "bitduel.core.evaluation.Evaluation",
    "Worthy": "bitduel.core.lesson.EvaluationClaim",
}
"""Modules, and classes of modules, that a game from outside may still import by an old name."""
GROUP = "bitduel.games"
"""The group of entry points by which an installed package adds a game."""

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*", re.ASCII)


@cache
def all_games() -> list[GameClass]:
    """Return every game; log in one line each game from outside that cannot be registered, and leave it out."""
    games = list(BUILT_IN)
    for entry in _entries():
        try:
            games.append(_checked(_load(entry), games))
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            # A package from outside can fail in any way; the other games must not suffer from it.
            _log_failure(entry, error)
    return games


def find(name: str) -> GameClass:
    """Return the game with this slug or short name; raise UnknownNameError with the names there are."""
    wanted = name.strip().lower()
    for kind in all_games():
        if wanted in (kind.slug, kind.short):
            return kind
    raise unknown_name("game", name, names(), [kind.short for kind in all_games()])


def is_known(slug: str) -> bool:
    """Tell whether a game has exactly this slug."""
    return any(kind.slug == slug for kind in all_games())


def make(name: str, options: Mapping[str, object] | None = None, /, **more: object) -> Game[Any]:
    """Make a game by its name, with options: `make("bits", edge="strict")`."""
    return find(name)(**{**(options or {}), **more})


def names() -> list[str]:
    """Return every name that finds a game: slugs, then short names."""
    return [kind.slug for kind in all_games()] + [kind.short for kind in all_games()]


def describe(kind: GameClass) -> dict[str, object]:
    """Return a game and its options as JSON-ready data."""
    return {
        "slug": kind.slug,
        "short": kind.short,
        "title": kind.title,
        "aim": kind.aim,
        "options": [
            {"name": o.name, "default": o.default, "help": o.help, "schema": o.schema} for o in kind.declared_options
        ],
        "variants": [variant.as_data() for variant in kind.variants],
    }


def _entries() -> "Iterator[EntryPoint]":
    if not _has_entry_points():
        return
    from importlib.metadata import entry_points

    seen = set()
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)):
        if entry.value not in seen:
            seen.add(entry.value)
            yield entry


def _has_entry_points() -> bool:
    """Tell whether an installed package adds a game: a look at the files is faster than importing a library."""
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


def _check_names(kind: type, contract: type) -> None:
    """Raise TypeError where a class, or one of its bases, defines a name that the contract no longer has."""
    defined = {name for each in kind.__mro__ if each is not contract for name in vars(each)}
    if renamed := [f"{old} is now {new}" for old, new in RENAMED[contract].items() if old in defined]:
        raise TypeError(f"it was written for an older version of bitduel: {', '.join(renamed)}")


def _load(entry: "EntryPoint") -> Any:
    """Load what an entry point names; for an old name of this package, raise ImportError with the new one."""
    try:
        return entry.load()
    except ImportError as error:
        quoted = str(error).split("'")[1::2] if "bitduel" in str(error) else []
        if renamed := [f"{old} is now {RENAMED_IMPORTS[old]}" for old in quoted if old in RENAMED_IMPORTS]:
            raise ImportError(f"it was written for an older version of bitduel: {', '.join(renamed)}") from None
        raise


def _checked(kind: Any, games: list[GameClass]) -> GameClass:
    """Return a game whose names are free; raise TypeError or ValueError where it is none."""
    if not (isinstance(kind, type) and issubclass(kind, Game)):
        raise TypeError(f"{printable(repr(kind))} is not a game")
    _check_names(kind, Game)
    if missing := sorted(kind.__abstractmethods__):
        raise TypeError(f"it is not a complete game; missing: {', '.join(missing)}")
    for name in (kind.slug, kind.short):
        if not _NAME.fullmatch(name):
            raise ValueError(f"'{printable(name)}' is not a name of lower-case letters, digits and hyphens")
        if any(name in (other.slug, other.short) for other in games):
            raise ValueError(f"the name '{name}' is taken")
    for text in (kind.title, kind.aim):
        if not (isinstance(text, str) and text and text.isprintable()):
            raise ValueError("title and aim must each be one line of text")
    game = kind()
    _check_names(type(game.words), Words)
    game_lesson(kind)
    if not game.moves or not game.words.rules():
        raise ValueError("it has no moves or no rules")
    return kind


def _log_failure(entry: "EntryPoint", error: BaseException) -> None:
    from logging import getLogger

    why = " ".join(f"{type(error).__name__}: {error}".split())
    getLogger("bitduel").warning("bitduel: can't use the game '%s': %s.", printable(entry.name), printable(why, 200))
