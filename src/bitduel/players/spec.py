"""Player specs as people write them: human, medium, level:3; read one way, with one canonical form."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from random import Random
from typing import Any, NamedTuple

from bitduel.core.errors import BitduelError, RequiredExtra, printable, unknown_name
from bitduel.core.game import Game
from bitduel.players.player import Player, PlayerError, RandomPlayer
from bitduel.players.settings import DEFAULT_LIMITS, PlayerLimits

HUMAN, RANDOM, PERFECT, LEVEL, BOT, LLM = "human", "random", "perfect", "level", "bot", "llm"
EASY, MEDIUM, HARD = "easy", "medium", "hard"
MAX_LEVEL = 1_000_000
MAX_MODEL_LENGTH = 200


class Spec(NamedTuple):
    """A kind of player and, if it takes one, the detail; written `kind` or `kind:detail`."""

    kind: str
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.kind}:{self.detail}" if self.detail else self.kind

    @property
    def is_human(self) -> bool:
        """Whether somebody at a screen is asked."""
        return self.kind == HUMAN

    @property
    def is_safe(self) -> bool:
        """Whether a stored or imported match may start it: built in, and with a bounded detail."""
        kind = KINDS.get(self.kind)
        if kind is None or not kind.safe:
            return False
        try:
            return bool(parse(str(self)))
        except BitduelError:
            return False


class PlayerKind(NamedTuple):
    """A kind of player: its name, what it does, and the detail that it takes."""

    name: str
    about: str
    """A few words for a list."""
    description: str
    """A sentence on what you will notice when you play against it."""
    detail: str = ""
    """The text after the colon, as the help writes it; empty if there is none."""
    check: Callable[[str], str] = str
    """Returns the detail in its canonical form; raises PlayerError with what is allowed."""
    safe: bool = True
    """Whether a stored or imported match may start it; the detail of an unsafe kind is then not even looked at."""

    @property
    def form(self) -> str:
        """The spec as it is written, such as level:N."""
        return f"{self.name}:{self.detail}" if self.detail else self.name


def _check_level(detail: str) -> str:
    if detail.isascii() and detail.isdigit() and len(detail) < 8 and int(detail) <= MAX_LEVEL:
        return str(int(detail))
    raise PlayerError(
        f"A level must be a whole number from 0 to {MAX_LEVEL}, such as level:3, not '{printable(detail)}'"
    )


def _check_command(detail: str) -> str:
    from bitduel.players.bot import parse_command

    parse_command(detail)
    return detail


def _check_model(detail: str) -> str:
    if 0 < len(detail) <= MAX_MODEL_LENGTH and detail.isprintable():
        return detail
    raise PlayerError(
        f"A model's name must have 1 to {MAX_MODEL_LENGTH} printable characters. '{printable(detail)}' doesn't"
    )


KINDS = {
    kind.name: kind
    for kind in (
        PlayerKind(HUMAN, "a person at this screen", "A person at this screen."),
        PlayerKind(
            EASY,
            "takes a win in one move, and looks no further",
            "Never misses a win in one move. It looks no further, so it often lets you win.",
        ),
        PlayerKind(
            MEDIUM,
            "also stops your win in one move",
            "Never misses a win in one move, and never allows you one that it can stop. Goes wrong further ahead.",
        ),
        PlayerKind(
            HARD,
            "sees everything within four moves",
            "Sees everything within four moves, its own and yours together. Can go wrong when the end is further away.",
        ),
        PlayerKind(
            PERFECT,
            "never makes a mistake",
            "Never makes a mistake. You need a winning position, or luck in a game of chance, to beat it.",
        ),
        PlayerKind(RANDOM, "picks any legal move", "Picks any legal move at random."),
        PlayerKind(
            LEVEL,
            "looks N turns ahead and otherwise plays at random",
            "Looks N turns ahead and otherwise plays at random.",
            "N",
            _check_level,
        ),
        PlayerKind(
            BOT,
            "your own program: give the command that starts it",
            "Your own program, started with this command.",
            "COMMAND",
            _check_command,
            safe=False,
        ),
        PlayerKind(
            LLM,
            "a language model, through its web service",
            "A language model, through its web service.",
            "MODEL",
            _check_model,
            safe=False,
        ),
    )
}
"""Every kind of player, easiest to choose first."""

COMPUTERS = [kind for kind in KINDS.values() if kind.name != HUMAN and not kind.detail]
"""The programs that need no more than their name."""


def spec_forms() -> list[str]:
    """Return every kind of player as it is written."""
    return [kind.form for kind in KINDS.values()]


def parse(text: str) -> Spec:
    """Return the spec that a text stands for: the kind without regard to case, the detail as written."""
    name, colon, detail = text.strip().partition(":")
    kind = KINDS.get(name.strip().lower())
    if kind is None or bool(colon) != bool(kind.detail):
        raise unknown_name("player", text, spec_forms())
    return Spec(kind.name, kind.check(detail.strip()))


def parse_stored(text: str) -> Spec:
    """Return the spec in a stored or imported match; an unsafe or unreadable one stays as it is written."""
    name, _, detail = text.partition(":")
    kind = KINDS.get(name.strip().lower())
    if kind and kind.safe:
        with suppress(BitduelError):
            return parse(text)
    return Spec(name or "?", detail)


def parse_imported(texts: Iterable[str]) -> list[Spec]:
    """Return the players of an imported match; one that is not safe to start becomes a human."""
    specs = [parse_stored(text) for text in texts]
    return [spec if spec.is_safe else Spec(HUMAN) for spec in specs]


def build(spec: Spec, game: Game[Any], rng: Random, limits: PlayerLimits = DEFAULT_LIMITS) -> Player | None:
    """Return the player of a spec; None for a human, who is asked by the interface."""
    if spec.kind not in KINDS:
        raise unknown_name("player", str(spec), spec_forms())
    if spec.kind == HUMAN:
        return None
    if spec.kind == RANDOM:
        return RandomPlayer(rng)
    if spec.kind == BOT:
        from bitduel.players.bot import BotPlayer

        return BotPlayer(spec.detail, limits)
    if spec.kind == LLM:
        with RequiredExtra("llm", "A language model"):
            from bitduel.players.llm.player import LlmPlayer

        return LlmPlayer(game, rng, spec.detail, limits)
    from bitduel.players.evaluating_players import LevelPlayer, NamedLevelPlayer, PerfectPlayer

    if spec.kind == PERFECT:
        return PerfectPlayer(game, rng)
    if spec.kind == LEVEL:
        return LevelPlayer(game, rng, int(spec.detail))
    return NamedLevelPlayer(game, rng, spec.kind)


def close(players: Iterable[Player | None]) -> None:
    """Close those players that hold something, such as a process."""
    for player in players:
        close_player = getattr(player, "close", None)
        if close_player is not None:
            close_player()
