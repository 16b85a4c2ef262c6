"""The form that starts a match: its fields as they were filled in, with an error beside the field that it is about."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from bitduel.core.errors import BitduelError, PlayerNameError
from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.core.options import ChoiceOption, IntegerOption, Option, OptionValue
from bitduel.core.words import check_names
from bitduel.games.registry import GameClass
from bitduel.players import COMPUTERS
from bitduel.players.level_descriptions import level_about
from bitduel.players.spec import EASY
from bitduel.service.match_service import computer_name
from bitduel.service.new_match import FRIEND, HERE, OPPONENTS, within_limits

LEVELS = [{"name": computer.name, "about": computer.about} for computer in COMPUTERS[:4]]
USUAL_LEVEL = EASY
"""The opponent of somebody who has chosen none."""
COMPUTER = "computer"
AGAINST = {COMPUTER: "Computer", FRIEND: "A friend", HERE: "One screen"}
FIRST = {"toss": "A coin decides", "1": "You", "2": "Your opponent"}
ONE_SCREEN = "only when two people share a screen"


def levels_in(game: Game[Any]) -> list[dict[str, str]]:
    """Return the levels of the computer with a few words about each in a game."""
    return [{"name": level["name"], "about": level_about(game, level["name"])} for level in LEVELS]


class SettingField(NamedTuple):
    """A setting in the form: its question, what is allowed, its value, and its answers with the usual one first."""

    option: Option
    note: str
    value: OptionValue
    answers: list[tuple[OptionValue, str]]

    @property
    def is_changed(self) -> bool:
        """Whether it is not the usual one."""
        return str(self.value) != str(self.option.default)


class StartForm(NamedTuple):
    """The content of the form."""

    names: tuple[str, str]
    first: str
    against: str
    """One of AGAINST."""
    level: str
    settings: list[SettingField]
    """Each setting within the limits of the site."""
    wrong: str
    """The field that the error is about; empty if there is none."""

    @property
    def has_changes(self) -> bool:
        """Whether the settings are to be seen: one is changed, or wrong."""
        return self.wrong.startswith("opt-") or any(setting.is_changed for setting in self.settings)


def start_form(kind: GameClass, fields: Mapping[str, str], error: BitduelError | None) -> StartForm:
    """Return the form of a game as it was filled in."""
    first, opponent = fields.get("first", ""), opponent_in(fields)
    return StartForm(
        names=(_printable_name(fields.get("name", "")), _printable_name(fields.get("name2", ""))),
        first=first if first in FIRST else "toss",
        against=opponent if opponent in (FRIEND, HERE) else COMPUTER,
        level=opponent if opponent in OPPONENTS else _level_in(fields),
        settings=[setting_field(option, fields, f"opt-{option.name}") for option in kind.declared_options],
        wrong=_wrong_field(kind, fields, error) if error else "",
    )


def opponent_in(fields: Mapping[str, str]) -> str:
    """Return the opponent in a form: a friend, one at the same screen, or the computer at a level."""
    opponent = fields.get("opponent", "")
    return _level_in(fields) if opponent == COMPUTER else opponent


def _level_in(fields: Mapping[str, str]) -> str:
    return fields.get("level") or USUAL_LEVEL


def names_in(fields: Mapping[str, str]) -> tuple[str | None, str | None]:
    """Return the names in a form; None for an empty one, and for a remembered one that is no name here."""
    name, other = fields.get("name", "").strip() or None, fields.get("name2", "").strip() or None
    remembered = fields.get("remembered", "").strip()
    if name is None and _is_name(remembered, other or computer_name(opponent_in(fields))):
        name = remembered
    return name, other


def play_on_fields(match: Match, side: int) -> dict[str, str] | None:
    """Return the fields of a form that plays on from a position on a side; None if that is not possible."""
    if match.game.has_chance or match.outcome:
        return None
    defaults = {option.name: option.default for option in match.game.declared_options}
    changed = {name: value for name, value in match.game.options.items() if value != defaults[name]}
    options = {f"opt-{name}": str(value) for name, value in changed.items()}
    return {**options, "moves": ", ".join(match.moves), "first": "1" if match.first == side else "2"}


def _printable_name(name: str) -> str:
    return name if _is_name(name) else "".join(filter(str.isprintable, name))


def _is_name(name: str, other: str | None = None) -> bool:
    try:
        check_names(name, other)
    except PlayerNameError:
        return False
    return True


def _wrong_field(kind: GameClass, fields: Mapping[str, str], error: BitduelError) -> str:
    """Return the field that an error is about: sentences about a setting begin with its name or its label."""
    if isinstance(error, PlayerNameError):
        first, _ = names_in(fields)
        return "name" if first and not _is_name(first) else "name2"
    if fields.get("first", "toss") not in FIRST:
        return "first"
    sentence = str(error).casefold()
    for option in kind.declared_options:
        if sentence.startswith((f"{option.name} ", f"{option.label.casefold()} ")):
            return f"opt-{option.name}"
    return ""


def setting_field(option: Option, fields: Mapping[str, str], name: str) -> SettingField:
    """Return a setting as it was filled in under a name."""
    limited, notes = within_limits(option), []
    if isinstance(limited, IntegerOption):
        notes = [f"{limited.low:,} to {limited.high:,}", f"usually {option.default}"]
    elif option.is_secret:
        notes = ["as 0s and 1s", ONE_SCREEN]
    choices = limited.choices if isinstance(limited, ChoiceOption) else {}
    answers = sorted(choices.items(), key=lambda answer: answer[0] != option.default)
    value = fields.get(name, "").strip() or option.default
    return SettingField(limited, ", ".join(notes), value, answers)
