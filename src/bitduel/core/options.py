"""Options of a game, declared once; every interface is built from the declaration."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from bitduel.core.errors import OptionError, UnknownOptionError, shown, unknown

Setting: TypeAlias = int | str

LONGEST = 20
"""No whole number from outside has more digits, leading zeros included."""


def whole(text: str, low: int, high: int) -> int | None:
    """The number in a range that a text writes in plain digits, or None: no signs, no underscores, no other scripts."""
    if not (text.isascii() and text.isdigit() and len(text) <= LONGEST):
        return None
    return int(text) if low <= int(text) <= high else None


@dataclass(frozen=True)
class Option(ABC):
    """One thing about a game that can be chosen."""

    name: str
    default: Setting
    help: str

    secret = False
    """Whether the chosen value must stay unseen until the match is over."""
    kinds: ClassVar[tuple[type, ...]] = (int, str)
    """What a value can be given as; anything else, True and False included, is no value."""

    @property
    @abstractmethod
    def allowed(self) -> str:
        """What values it takes, in words that fit after 'must be'."""

    @property
    @abstractmethod
    def schema(self) -> dict[str, object]:
        """What values it takes, as a JSON schema."""

    @abstractmethod
    def read(self, text: str) -> Setting | None:
        """The value a text stands for, or None."""

    def parse(self, value: object) -> Setting:
        """The value, checked; raises OptionError with a sentence that says what is allowed."""
        given = isinstance(value, self.kinds) and not isinstance(value, bool)
        found = self.read(str(value).strip().lower()) if given else None
        if found is None:
            raise OptionError(f"{self.name} must be {self.allowed}, not '{shown(str(value))}'")
        return found


@dataclass(frozen=True)
class Whole(Option):
    """A whole number in a range."""

    low: int
    high: int
    quick: int | None = None
    """Up to here everything about the game is answered within a second."""

    @property
    def allowed(self) -> str:
        """The range in words."""
        return f"a whole number from {self.low} to {self.high}"

    @property
    def schema(self) -> dict[str, object]:
        """The range as a JSON schema."""
        return {"type": "integer", "minimum": self.low, "maximum": self.high, "default": self.default}

    def read(self, text: str) -> int | None:
        """Only plain digits count."""
        return whole(text, self.low, self.high)


@dataclass(frozen=True)
class Choice(Option):
    """One of a few values, each with a line of what it means."""

    choices: Mapping[Setting, str]

    @property
    def allowed(self) -> str:
        """The values in words."""
        *most, last = map(str, self.choices)
        return f"{', '.join(most)} or {last}"

    @property
    def schema(self) -> dict[str, object]:
        """The values as a JSON schema."""
        return {"enum": list(self.choices), "default": self.default}

    def read(self, text: str) -> Setting | None:
        """The choice that is written like the text."""
        return next((value for value in self.choices if str(value) == text), None)


@dataclass(frozen=True)
class SecretBits(Option):
    """A secret row of binary digits, or nothing for one dealt by chance."""

    most: int

    secret = True
    kinds = (str,)

    @property
    def allowed(self) -> str:
        """The form in words."""
        return "a text of binary digits, one for each bit"

    @property
    def schema(self) -> dict[str, object]:
        """The form as a JSON schema."""
        return {"type": "string", "pattern": f"^[01]{{0,{self.most}}}$", "default": self.default}

    def read(self, text: str) -> str | None:
        """The digits themselves."""
        return text if len(text) <= self.most and set(text) <= {"0", "1"} else None


def parse_all(declared: tuple[Option, ...], given: Mapping[str, object]) -> dict[str, Setting]:
    """The value of every declared option, in order, given or by default."""
    names = [option.name for option in declared]
    for name in given:
        if name not in names:
            raise UnknownOptionError(str(unknown("option", name, names)))
    return {o.name: o.parse(given[o.name]) if o.name in given else o.default for o in declared}
