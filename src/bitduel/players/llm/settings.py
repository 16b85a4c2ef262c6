"""How language models are talked to: what a prompt contains, how often they are asked, what it may cost."""

from collections.abc import Callable, Iterable
from math import isfinite
from typing import Any, NamedTuple

from bitduel.core.errors import OptionError, shown, unknown
from bitduel.core.options import whole
from bitduel.players.llm.budget import Budget

FULL, SHORT, NONE = "full", "short", "none"
RULES = (FULL, SHORT, NONE)
MOST = 1_000_000_000
DAY = 86_400
LEAST = {"attempts": 1, "match_calls": 1, "match_tokens": 1, "max_tokens": 1, "retries": 0}


class Talk(NamedTuple):
    """The switches, the same for every model of a run."""

    url: str = ""
    """Where the service is, up to and with its /v1; empty for what the environment says."""
    legal: bool = True
    """Whether the legal moves are listed."""
    history: bool = True
    """Whether the moves so far are told."""
    rules: str = FULL
    """The rules in full, their aim alone (short), or none: only the title and how moves are written."""
    scratchpad: bool = True
    """Whether the model may think aloud before its move."""
    stateless: bool = True
    """Whether every move is a fresh prompt, or part of one conversation."""
    renamed: int | None = None
    """A seed by which the game, its moves and its things are called otherwise; None for their own names."""
    attempts: int = 5
    """So many answers a move; who has then given no legal one loses."""
    match_calls: int = 1000
    """So many answers a match; who needs more loses."""
    match_tokens: int = 1_000_000
    """Who has used so many tokens in a match, and needs one more answer, loses."""
    temperature: float | None = None
    seed: int | None = None
    max_tokens: int | None = None
    """The longest answer; these three are sent only if they are given."""
    retries: int = 5
    """So often a service that is down or too busy is tried again."""
    seconds: float = 120.0
    """The time for one answer; a service that needs longer is tried again."""
    budget: Budget | None = None
    """The most tokens of a whole run, shared by all who have the same one."""

    def checked(self) -> "Talk":
        """The same, if it makes sense."""
        if self.rules not in RULES:
            raise OptionError(f"rules must be {FULL}, {SHORT} or {NONE}, not '{shown(str(self.rules))}'")
        if self.renamed is not None and self.rules == NONE:
            raise OptionError("A game that is renamed cannot be played without its rules; rules must be full or short.")
        for name, least in LEAST.items():
            value = getattr(self, name)
            if value is not None and value < least:
                raise OptionError(f"{name} must be {least} or more, not {value}")
        if not 0 < self.seconds <= DAY:
            raise OptionError(f"seconds must be more than 0 and at most {DAY}, not {self.seconds}")
        return self

    def settings(self) -> dict[str, Any]:
        """The switches as JSON-ready data, for whoever writes down how a run was made."""
        return {**self._asdict(), "budget": self.budget and self.budget.most}


def _switch(text: str) -> bool:
    return {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False}[text.lower()]


def _whole(text: str) -> int:
    number = whole(text, 0, MOST)
    if number is None:
        raise ValueError
    return number


def _decimal(text: str) -> float:
    number = float(text)
    if not (isfinite(number) and number >= 0):
        raise ValueError
    return number


def _rules(text: str) -> str:
    return RULES[RULES.index(text.lower())]


READ: dict[str, tuple[Callable[[str], Any], str]] = {
    "legal": (_switch, "yes or no"),
    "history": (_switch, "yes or no"),
    "rules": (_rules, "full, short or none"),
    "scratchpad": (_switch, "yes or no"),
    "stateless": (_switch, "yes or no"),
    "renamed": (_whole, "a whole number, the seed of the new names"),
    "attempts": (_whole, "a whole number"),
    "match_calls": (_whole, "a whole number"),
    "match_tokens": (_whole, "a whole number"),
    "temperature": (_decimal, "a number from 0 up"),
    "seed": (_whole, "a whole number"),
    "max_tokens": (_whole, "a whole number"),
    "retries": (_whole, "a whole number"),
    "seconds": (_decimal, "a number of seconds"),
    "budget": (lambda text: Budget(_whole(text)), "a whole number of tokens"),
}
"""How each switch is read, and what it takes."""


def read_talk(settings: Iterable[str], url: str = "") -> Talk:
    """The switches that were written as NAME=VALUE; raises with what there is."""
    chosen: dict[str, Any] = {}
    for setting in settings:
        name, _, value = setting.partition("=")
        name = name.strip().replace("-", "_")
        if name not in READ:
            raise unknown("switch for language models", name, READ)
        read, allowed = READ[name]
        try:
            chosen[name] = read(value.strip())
        except (KeyError, ValueError):
            raise OptionError(f"{name} must be {allowed}, not '{shown(value)}'") from None
    return Talk(url=url, **chosen).checked()
