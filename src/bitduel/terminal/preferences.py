"""The last choices in the menu, kept on this machine: name, game, opponent, who starts, rounds and settings.

A file that cannot be read is never overwritten: the person gets one sentence, and nothing is saved.
"""

import json
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from bitduel.core.errors import BitduelError, OptionError, UnknownOptionError, unknown_name
from bitduel.core.folders import data_folder, write_atomically
from bitduel.core.names import check_name, is_reserved
from bitduel.core.options import OptionValue, parse_whole_number
from bitduel.core.words import PLAYERS, check_names
from bitduel.games.registry import GameClass, find
from bitduel.players.spec import COMPUTERS, EASY, HUMAN, Spec
from bitduel.terminal.series import Setup

FILE, FORMAT = "preferences.json", "bitduel preferences 1"
LARGEST_FILE = 100_000
"""Bytes that are read at most."""
OPPONENTS = (*(kind.name for kind in COMPUTERS), HUMAN)
MAX_ROUNDS = 1000
STARTERS = {"1": "1", "me": "1", "2": "2", "opponent": "2", "toss": "toss"}
"""Answers to the question who starts, and the text of each in a setup."""
MATCH_SETTINGS = {
    "first": "who starts: me, opponent or toss",
    "rounds": f"how many rounds, up to {MAX_ROUNDS}",
    "name": "your name",
    "name2": "the name of the second player",
}
"""The settings that every game has, each with a few words about it."""

Settings = dict[str, OptionValue]


@dataclass(frozen=True)
class Preferences:
    """The choices for the next match."""

    game: str = ""
    """The slug of the game that was played last."""
    opponent: str = EASY
    first: str = "toss"
    rounds: int = 1
    name: str = ""
    name2: str = ""
    settings: dict[str, Settings] = field(default_factory=dict)
    """The settings of each game that differ from its defaults, by its slug."""

    def setup(self, kind: GameClass) -> Setup:
        """Return the setup of a match; raise BitduelError where the choices do not fit together."""
        second = self.name2 if self.opponent == HUMAN else ""
        return Setup(
            kind(**self.settings.get(kind.slug, {})),
            (Spec(HUMAN), Spec(self.opponent)),
            check_names(self.name or None, second or None),
            self.first,
            self.rounds,
        )

    def changed(self, kind: GameClass | None, name: str, text: str) -> "Preferences":
        """Return the preferences with one setting changed; raise BitduelError with what is allowed."""
        if name == "first":
            if text.lower() not in STARTERS:
                raise OptionError("first must be me, opponent or toss.")
            return replace(self, first=STARTERS[text.lower()])
        if name == "rounds":
            rounds = parse_whole_number(text, 1, MAX_ROUNDS)
            if rounds is None:
                raise OptionError(f"rounds must be a whole number from 1 to {MAX_ROUNDS}.")
            return replace(self, rounds=rounds)
        if name in ("name", "name2"):
            chosen = check_name(text) if text else ""
            both = {"name": self.name, "name2": self.name2, name: chosen}
            check_names(both["name"] or None, both["name2"] or None)
            return replace(self, name=both["name"], name2=both["name2"])
        if kind is None:
            raise UnknownOptionError(f"Choose a game first, then its settings: for example, 2 {name}={text}")
        return self._with_game_setting(kind, name, text)

    def _with_game_setting(self, kind: GameClass, name: str, text: str) -> "Preferences":
        declared = {option.name: option for option in kind.declared_options}
        if name not in declared:
            raise UnknownOptionError(str(unknown_name("setting", name, (*MATCH_SETTINGS, *declared))))
        chosen = {**self.settings.get(kind.slug, {}), name: declared[name].parse(text)}
        kind(**chosen)
        different = {each: value for each, value in chosen.items() if value != declared[each].default}
        return replace(self, settings={**self.settings, kind.slug: different})

    def reset(self, kind: GameClass) -> "Preferences":
        """Return the preferences with the default settings of a match of this game; names stay."""
        settings = {slug: chosen for slug, chosen in self.settings.items() if slug != kind.slug}
        return replace(self, first="toss", rounds=1, settings=settings)

    def without_secrets(self, kind: GameClass) -> "Preferences":
        """Return the preferences without what must be chosen or dealt anew for every match."""
        secret = [option.name for option in kind.declared_options if option.is_secret]
        chosen = {name: value for name, value in self.settings.get(kind.slug, {}).items() if name not in secret}
        return replace(self, settings={**self.settings, kind.slug: chosen})

    def listed(self, kind: GameClass) -> dict[str, str]:
        """Return the value of every setting of a match by its name."""
        own = {"first": {"1": "me", "2": "opponent"}.get(self.first, self.first), "rounds": str(self.rounds)}
        names = {"name": self.name or PLAYERS[0], "name2": self.name2 or PLAYERS[1]}
        chosen = self.settings.get(kind.slug, {})
        return (
            own
            | names
            | {option.name: str(chosen.get(option.name, option.default)) for option in kind.declared_options}
        )

    def different(self, kind: GameClass) -> dict[str, str]:
        """Return the settings of a match that are not the default, without names."""
        usual = Preferences().listed(kind)
        return {
            name: value
            for name, value in self.listed(kind).items()
            if value != usual[name] and name not in ("name", "name2")
        }


class PreferenceFile:
    """The file with the preferences; if it cannot be used, the sentence that says why."""

    def __init__(self) -> None:
        self.trouble = ""
        self._path: Path | None = None

    def load(self) -> Preferences:
        """Return what was saved last; the defaults where nothing was, or nothing that can be read."""
        try:
            self._path = data_folder() / FILE
            with self._path.open("rb") as file:
                return _parse(file.read(LARGEST_FILE))
        except FileNotFoundError:
            pass
        except OSError as error:
            self._give_up(f"Your choices can't be saved: {error.strerror or error}.")
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError, BitduelError):
            self._give_up(f"Your choices can't be saved because {self._path} is damaged. Delete it to start again.")
        return Preferences()

    def save(self, preferences: Preferences) -> None:
        """Save preferences, in one step."""
        if self._path is None:
            return
        try:
            write_atomically(self._path, json.dumps({"format": FORMAT, **asdict(preferences)}, indent=1))
        except OSError as error:
            self._give_up(f"Your choices can't be saved: {error.strerror or error}.")

    def _give_up(self, trouble: str) -> None:
        self.trouble, self._path = trouble, None


def _parse(text: bytes) -> Preferences:
    content = json.loads(text)
    if content.pop("format") != FORMAT:
        raise ValueError("another format")
    for name in ("name", "name2"):
        if is_reserved(str(content.get(name, ""))):  # saved before it was refused
            content[name] = ""
    read = Preferences(**content)
    for name in ("name", "name2"):
        if getattr(read, name):
            check_name(getattr(read, name))
    if read.opponent not in OPPONENTS or read.first not in STARTERS.values() or not 1 <= read.rounds <= MAX_ROUNDS:
        raise ValueError("an unknown choice")
    if not isinstance(read.game, str) or not all(isinstance(chosen, dict) for chosen in read.settings.values()):
        raise ValueError("a malformed choice")
    return replace(read, settings={slug: chosen for slug, chosen in read.settings.items() if _fit(slug, chosen)})


def _fit(slug: str, chosen: Settings) -> bool:
    """Return whether a game still has these settings."""
    try:
        return bool(find(slug)(**chosen))
    except (BitduelError, TypeError):
        return False
