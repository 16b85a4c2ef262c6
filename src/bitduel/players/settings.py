"""Settings of players from outside: limits of bots and language models, prompts, the token budget."""

import os
from collections.abc import Callable, Iterable
from math import isfinite
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple, TypeVar

from bitduel.core.errors import BitduelError, OptionError, printable, unknown_name
from bitduel.core.options import parse_whole_number
from bitduel.players.player import HaltError

Command = TypeVar("Command", bound=Callable[..., Any])

FULL, SHORT, NONE = "full", "short", "none"
RULES = (FULL, SHORT, NONE)
MAX_INTEGER = 1_000_000_000
MAX_SECONDS = 86_400
MINIMUM = {"attempts": 1, "match_calls": 1, "match_tokens": 1, "max_tokens": 1, "retries": 0}


class Budget:
    """A number of tokens for a whole run, shared by threads and, through a ledger on disk, by processes and later runs.

    A ledger is a file of one number a line that is only appended to: tokens reserved, tokens returned. The reservation
    of a process that was killed stays spent.
    """

    def __init__(self, most: int, ledger: Path | None = None) -> None:
        if most < 1:
            raise OptionError(f"A budget must be at least 1 token, not {most}")
        self.most = most
        self.ledger = ledger
        self._spent = 0
        self._lock = Lock()

    def __repr__(self) -> str:
        return f"Budget({self.most})"

    def __eq__(self, other: object) -> bool:
        """Compare budgets on disk by value: every worker of a run has its own object of the same ledger."""
        return self is other or (isinstance(other, Budget) and bool(self.ledger) and self._key == other._key)

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[int, Path | None]:
        return self.most, self.ledger

    def __reduce__(self) -> tuple[Any, ...]:
        if self.ledger is None:
            raise BitduelError("Processes can share a token budget only through a ledger file.")
        return Budget, self._key

    @property
    def spent(self) -> int:
        """Tokens spent or reserved."""
        with self._lock:
            return self._total()

    def reserve(self, tokens: int) -> None:
        """Reserve tokens for a request; raise HaltError, and reserve none, where too few are left."""
        with self._lock:
            self._append(tokens)
            spent = self._total()
            if spent > self.most:
                self._append(-tokens)
                left = max(self.most - spent + tokens, 0)
                raise HaltError(
                    f"The budget of {self.most} tokens is used up: {left} are left, and the next question may need "
                    f"{tokens}."
                )

    def settle(self, reserved: int, used: int) -> None:
        """Replace a reservation by the tokens that were used, also where they are more."""
        with self._lock:
            self._append(used - reserved)

    def _append(self, tokens: int) -> None:
        if self.ledger is None:
            self._spent += tokens
            return
        try:
            self.ledger.parent.mkdir(parents=True, exist_ok=True)
            append_private(self.ledger, f"{tokens}\n")
        except OSError as error:
            raise self._unusable(error.strerror or str(error)) from None

    def _total(self) -> int:
        if self.ledger is None:
            return self._spent
        try:
            return sum(map(int, self.ledger.read_text(encoding="ascii").split()))
        except FileNotFoundError:
            return 0
        except OSError as error:
            raise self._unusable(error.strerror or str(error)) from None
        except ValueError:
            raise self._unusable("it doesn't contain only numbers") from None

    def _unusable(self, why: str) -> HaltError:
        return HaltError(f"Can't use the token ledger {self.ledger}: {why}.")


def append_private(path: Path, line: str) -> None:
    """Append a line in one write to a file that only its owner can read."""
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    with os.fdopen(handle, "ab", buffering=0) as file:
        file.write(line.encode("ascii"))


class LlmSettings(NamedTuple):
    """Prompts, limits and costs of language models, the same for every model of a run."""

    url: str = ""
    """The address of the service, up to and with its /v1; empty for that of the environment."""
    legal: bool = True
    """Whether a prompt lists the legal moves."""
    history: bool = True
    """Whether a prompt lists the moves so far."""
    rules: str = FULL
    """The rules in full, their aim alone (short), or none: only the title and how moves are written."""
    scratchpad: bool = True
    """Whether the model may think aloud before its move."""
    stateless: bool = True
    """Whether every move is a fresh prompt, or part of one conversation."""
    renamed: int | None = None
    """The seed of new names for the game, its moves and its nouns; None for their own names."""
    attempts: int = 5
    """The most answers for a move; a model that has then given no legal one loses."""
    match_calls: int = 1000
    """The most answers in a match; a model that needs more loses."""
    match_tokens: int = 1_000_000
    """The most tokens in a match; a model that has used them and needs one more answer loses."""
    temperature: float | None = None
    seed: int | None = None
    max_tokens: int | None = None
    """The longest answer; these three are sent only if they are given."""
    retries: int = 5
    """The number of retries when a service is down or too busy."""
    seconds: float = 120.0
    """The time for one answer; a service that needs longer is tried again."""
    budget: Budget | None = None
    """The most tokens of a whole run, shared by all players that hold this object."""

    def validated(self) -> "LlmSettings":
        """Return the same settings; raise OptionError if they make no sense."""
        if self.rules not in RULES:
            raise OptionError(f"rules must be {FULL}, {SHORT} or {NONE}, not '{printable(str(self.rules))}'")
        if self.renamed is not None and self.rules == NONE:
            raise OptionError("A renamed game can't be played without its rules. Set rules to full or short.")
        for name, least in MINIMUM.items():
            value = getattr(self, name)
            if value is not None and value < least:
                raise OptionError(f"{name} must be {least} or more, not {value}")
        if not 0 < self.seconds <= MAX_SECONDS:
            raise OptionError(f"seconds must be more than 0 and at most {MAX_SECONDS}, not {self.seconds}")
        return self

    def as_dict(self) -> dict[str, Any]:
        """Return JSON-ready data, for the description of a run."""
        return {**self._asdict(), "budget": self.budget and self.budget.most}


class PlayerLimits(NamedTuple):
    """Limits of bots and language models; the built-in players need none."""

    seconds: float = 10.0
    """The time for a move, and for a bot's greeting."""
    megabytes: int = 1024
    """The most memory of a bot's process."""
    folder: Path | None = None
    """The folder for logs of exchanges and for standard errors; None for nowhere."""
    hidden: tuple[Path, ...] = ()
    """Folders that bots cannot read, where the system can hide them: secrets may be there."""
    sealed: bool = False
    """Whether nothing of a match may reach another: a bot then has no network and can write nothing that lasts, where
    the system can prevent it."""
    reveals: bool = True
    """Whether a bot is shown the deal at the end; not where others are still to play the same deal."""
    llm: LlmSettings = LlmSettings()
    """The settings of language models, with a time limit of their own."""


DEFAULT_LIMITS = PlayerLimits()


def _parse_switch(text: str) -> bool:
    return {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False}[text.lower()]


def _parse_whole(text: str) -> int:
    number = parse_whole_number(text, 0, MAX_INTEGER)
    if number is None:
        raise ValueError
    return number


def _parse_decimal(text: str) -> float:
    number = float(text)
    if not (isfinite(number) and number >= 0):
        raise ValueError
    return number


_SWITCH = (_parse_switch, "yes or no")
_WHOLE = (_parse_whole, "a whole number")
PARSERS: dict[str, tuple[Callable[[str], Any], str]] = {
    "legal": _SWITCH,
    "history": _SWITCH,
    "rules": (lambda text: RULES[RULES.index(text.lower())], "full, short or none"),
    "scratchpad": _SWITCH,
    "stateless": _SWITCH,
    "renamed": (_parse_whole, "a whole number, the seed of the new names"),
    "attempts": _WHOLE,
    "match_calls": _WHOLE,
    "match_tokens": _WHOLE,
    "temperature": (_parse_decimal, "a number from 0 up"),
    "seed": _WHOLE,
    "max_tokens": _WHOLE,
    "retries": _WHOLE,
    "seconds": (_parse_decimal, "a number of seconds"),
    "budget": (lambda text: Budget(_parse_whole(text)), "a whole number of tokens"),
}
"""The parser of each setting, and the values that it takes."""


def parse_llm_settings(assignments: Iterable[str], url: str = "") -> LlmSettings:
    """Return the settings written as NAME=VALUE; raise OptionError for an unknown name or a wrong value."""
    chosen: dict[str, Any] = {}
    for assignment in assignments:
        name, _, value = assignment.partition("=")
        name = name.strip().replace("-", "_")
        if name not in PARSERS:
            raise unknown_name("setting for language models", name, PARSERS)
        parse, allowed = PARSERS[name]
        try:
            chosen[name] = parse(value.strip())
        except (KeyError, ValueError):
            raise OptionError(f"{name} must be {allowed}, not '{printable(value)}'") from None
    return LlmSettings(url=url, **chosen).validated()


def llm_options(command: Command) -> Command:
    """Add --llm-url, --llm-set and --llm-log to a command."""
    import click

    folder = click.Path(file_okay=False)
    names = f"Change how language models are prompted: {', '.join(PARSERS)}."
    log = click.option("--llm-log", metavar="FOLDER", type=folder, help="Save every exchange in this folder.")
    settings = click.option("--llm-set", metavar="NAME=VALUE", multiple=True, help=names)
    url = click.option(
        "--llm-url", metavar="URL", default="", help="The address of the service for llm:MODEL. Or set BITDUEL_LLM_URL."
    )
    return url(settings(log(command)))


def llm_limits(
    llm_url: str, llm_set: tuple[str, ...], llm_log: str | None, limits: PlayerLimits = DEFAULT_LIMITS
) -> PlayerLimits:
    """Return the limits with the values of the options that `llm_options` adds."""
    settings = parse_llm_settings(llm_set, llm_url)
    return limits._replace(llm=settings, folder=Path(llm_log) if llm_log else limits.folder)
