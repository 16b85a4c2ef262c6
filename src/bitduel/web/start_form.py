"""The form that starts a match: every field as it was filled in, and what is wrong beside the field it is wrong in."""

from collections.abc import Mapping
from typing import NamedTuple

from bitduel.core.errors import BitduelError, PlayerNameError
from bitduel.core.options import Choice, Option, Setting, Whole
from bitduel.core.words import check_names
from bitduel.games import Kind
from bitduel.players.spec import MEDIUM
from bitduel.service.match_service import FRIEND, HERE, OPPONENTS

FIRST = {"toss": "toss a coin", "1": "you", "2": "your opponent"}
ONE_KEYBOARD = "only for two at one keyboard"


class Field(NamedTuple):
    """An option as a field of a form, built from its declaration."""

    name: str
    option: str
    help: str
    kind: str
    value: Setting
    low: int | None = None
    high: int | None = None
    choices: tuple[tuple[Setting, str], ...] = ()


class StartForm(NamedTuple):
    """All that the form shows."""

    names: tuple[str, str]
    first: str
    opponent: str
    """Whom Enter and the button at the top play against."""
    options: list[Field]
    wrong: str
    """The field that has to be mended; empty where there is none, or no field in particular."""
    error: str


def start_form(kind: Kind, fields: Mapping[str, str], error: BitduelError | None) -> StartForm:
    """The form of a game with what was filled in."""
    first, opponent = fields.get("first", ""), opponent_in(fields)
    return StartForm(
        names=(_name(fields.get("name", "")), _name(fields.get("name2", ""))),
        first=first if first in FIRST else "toss",
        opponent=opponent if opponent in (*OPPONENTS, FRIEND, HERE) else MEDIUM,
        options=[_field(option, fields) for option in kind.declared],
        wrong=_wrong(kind, fields, error) if error else "",
        error=str(error) if error else "",
    )


def opponent_in(fields: Mapping[str, str]) -> str:
    """Whom a form wants to play against: the button that was pressed, or what Enter stands for."""
    return fields.get("opponent") or fields.get("enter", "")


def names_in(fields: Mapping[str, str]) -> tuple[str | None, str | None]:
    """The names in a form; an empty one is none."""
    return fields.get("name", "").strip() or None, fields.get("name2", "").strip() or None


def _name(name: str) -> str:
    """A name to be filled in again; of one that cannot be, what can be shown."""
    return name if _fits(name) else "".join(filter(str.isprintable, name))


def _fits(name: str) -> bool:
    try:
        check_names(name, None)
    except PlayerNameError:
        return False
    return True


def _wrong(kind: Kind, fields: Mapping[str, str], error: BitduelError) -> str:
    """Which field a sentence is about: sentences about options begin with the option's name."""
    if isinstance(error, PlayerNameError):
        first, _ = names_in(fields)
        return "name" if first and not _fits(first) else "name2"
    if fields.get("first", "toss") not in FIRST:
        return "first"
    about = str(error).split(" ", 1)[0]
    return f"opt-{about}" if about in (option.name for option in kind.declared) else ""


def _field(option: Option, fields: Mapping[str, str]) -> Field:
    name = f"opt-{option.name}"
    value = fields.get(name, "").strip() or option.default
    hint = f"{option.help}; {ONE_KEYBOARD}" if option.secret else option.help
    field = Field(name, option.name, hint, "text", value)
    if isinstance(option, Whole):
        high = min(option.high, option.quick or option.high)
        here = " here" if high < option.high else ""
        hint = f"{hint}; {option.low:,} to {high:,}{here}"
        return field._replace(kind="number", help=hint, low=option.low, high=high)
    if isinstance(option, Choice):
        return field._replace(kind="choice", choices=tuple(option.choices.items()))
    return field
