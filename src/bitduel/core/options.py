"""Options of a game, declared once; every interface is built from the declarations."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, TypeAlias

from bitduel.core.errors import OptionError, UnknownOptionError, printable, unknown_name

OptionValue: TypeAlias = int | str

MAX_DIGITS = 20
"""Digits of a number in a text, leading zeros included."""


def parse_whole_number(text: str, low: int, high: int) -> int | None:
    """Return the number in a range that a text writes in ASCII digits, or None."""
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS):
        return None
    return int(text) if low <= int(text) <= high else None


@dataclass(frozen=True)
class Option(ABC):
    """An option of a game."""

    name: str
    default: OptionValue
    help: str
    label: str = field(default="", kw_only=True)
    """The setting for people, a name or the beginning of a sentence that a value ends; the name where none is given."""
    phrase: str = field(default="", kw_only=True)
    """Words for a value after the title of the game, with a gap for the value: 'with {} bits'."""
    phrases: Mapping[OptionValue, str] = field(default_factory=dict, kw_only=True, hash=False)
    """Words for single values after the title of the game: 'with 1 bit', 'exact finish'."""

    is_secret = False
    """Whether the value is hidden until the match is over."""
    types: ClassVar[tuple[type, ...]] = (int, str)
    """The types in which a value can be given; a bool is never one."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "label", self.label or self._name_in_words.capitalize())

    @property
    def _name_in_words(self) -> str:
        return self.name.replace("-", " ").replace("_", " ")

    @property
    @abstractmethod
    def allowed(self) -> str:
        """The allowed values, in words that fit after 'must be'."""

    @property
    @abstractmethod
    def schema(self) -> dict[str, object]:
        """The allowed values, as a JSON schema."""

    @abstractmethod
    def read(self, text: str) -> OptionValue | None:
        """Return the value that a text stands for, or None."""

    def describe(self, value: OptionValue) -> str:
        """Return a value in words that fit after the label."""
        return str(value)

    def after_title(self, value: OptionValue) -> str:
        """Return a value in words that fit after the title of the game: 'with 5 bits'."""
        template = self.phrases.get(value) or self.phrase or f"{self._name_in_words} {{}}"
        return template.format(value)

    def parse(self, value: object) -> OptionValue:
        """Return the value, checked; raise OptionError with the allowed values."""
        is_value = isinstance(value, self.types) and not isinstance(value, bool)
        parsed = self.read(str(value).strip().lower()) if is_value else None
        if parsed is None:
            raise OptionError(f"{self.name} must be {self.allowed}, not '{printable(str(value))}'")
        return parsed


@dataclass(frozen=True)
class IntegerOption(Option):
    """A whole number in a range."""

    low: int
    high: int
    quick_limit: int | None = None
    """The largest value with which every question about the game is answered within a second."""

    @property
    def allowed(self) -> str:
        """The range in words."""
        return f"a whole number from {self.low} to {self.high}"

    @property
    def schema(self) -> dict[str, object]:
        """The range as a JSON schema."""
        return {"type": "integer", "minimum": self.low, "maximum": self.high, "default": self.default}

    def read(self, text: str) -> int | None:
        """Return the number in plain digits, or None."""
        return parse_whole_number(text, self.low, self.high)


@dataclass(frozen=True)
class ChoiceOption(Option):
    """One of a few values, each with words that fit after the label."""

    choices: Mapping[OptionValue, str]

    @property
    def allowed(self) -> str:
        """The values in words."""
        *most, last = map(str, self.choices)
        return f"{', '.join(most)} or {last}"

    @property
    def schema(self) -> dict[str, object]:
        """The values as a JSON schema."""
        return {"enum": list(self.choices), "default": self.default}

    def describe(self, value: OptionValue) -> str:
        """Return the words for a choice."""
        return self.choices[value]

    def read(self, text: str) -> OptionValue | None:
        """Return the choice that is written like the text, or None."""
        return next((value for value in self.choices if str(value) == text), None)


@dataclass(frozen=True)
class SecretBitsOption(Option):
    """A secret row of bits; empty if chance deals it."""

    most: int

    is_secret = True
    types = (str,)

    @property
    def allowed(self) -> str:
        """The form in words."""
        return "binary digits, one for each bit"

    @property
    def schema(self) -> dict[str, object]:
        """The form as a JSON schema."""
        return {"type": "string", "pattern": f"^[01]{{0,{self.most}}}$", "default": self.default}

    def describe(self, value: OptionValue) -> str:
        """Return the bits, or how they come about."""
        return str(value) or "picked at random"

    def read(self, text: str) -> str | None:
        """Return the bits themselves, or None."""
        return text if len(text) <= self.most and set(text) <= {"0", "1"} else None


def parse_all(declared: tuple[Option, ...], given: Mapping[str, object]) -> dict[str, OptionValue]:
    """Return the value of every declared option, in order, given or by default."""
    names = [option.name for option in declared]
    for name in given:
        if name not in names:
            raise UnknownOptionError(str(unknown_name("setting", name, names)))
    return {o.name: o.parse(given[o.name]) if o.name in given else o.default for o in declared}
