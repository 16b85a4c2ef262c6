"""What can sit on a seat, as people write it: human, medium, level:3. One way to read it, one canonical form."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from random import Random
from typing import Any, NamedTuple

from bitduel.core.errors import BitduelError, shown, unknown
from bitduel.core.game import Game
from bitduel.players.limits import USUAL, PlayerLimits
from bitduel.players.player import Player

Make = Callable[[Game[Any], Random, str, PlayerLimits], Player]


class PlayerError(BitduelError):
    """A player that cannot be had."""


class Spec(NamedTuple):
    """A kind of player and, where it takes one, the detail; written `kind` or `kind:detail`."""

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
        """Whether it may be started from a stored or imported match: built in, and bounded in what it does."""
        kind = KINDS.get(self.kind)
        if kind is None or not kind.safe:
            return False
        try:
            return bool(parse(str(self)))
        except BitduelError:
            return False


class Kind(NamedTuple):
    """A kind of player: what it is called, what it does, and how it is made."""

    name: str
    about: str
    make: Make | None = None
    """None for a human, who is asked by the interface."""
    detail: str = ""
    """What is written after the colon, as the help says it; empty where nothing is."""
    check: Callable[[str], str] = str
    """The detail in its canonical form; raises PlayerError with what is allowed."""
    safe: bool = True
    """Whether a stored or imported match may start it; of what is not safe not even the detail is looked at then."""

    @property
    def written(self) -> str:
        """How it is written, such as level:N."""
        return f"{self.name}:{self.detail}" if self.detail else self.name


HUMAN, RANDOM, PERFECT, LEVEL, BOT, LLM = "human", "random", "perfect", "level", "bot", "llm"
EASY, MEDIUM, HARD = "easy", "medium", "hard"
MOST_SIGHT = 1_000_000
LONGEST_MODEL = 200


def _random(game: Game[Any], rng: Random, detail: str, terms: PlayerLimits) -> Player:
    from bitduel.players.player import RandomPlayer

    return RandomPlayer(rng)


def _perfect(game: Game[Any], rng: Random, detail: str, terms: PlayerLimits) -> Player:
    from bitduel.players.evaluating_players import PerfectPlayer

    return PerfectPlayer(game, rng)


def _level(game: Game[Any], rng: Random, detail: str, terms: PlayerLimits) -> Player:
    from bitduel.players.evaluating_players import LevelPlayer

    return LevelPlayer(game, rng, int(detail))


def _sight(detail: str) -> str:
    if detail.isascii() and detail.isdigit() and len(detail) < 8 and int(detail) <= MOST_SIGHT:
        return str(int(detail))
    raise PlayerError(f"A level is a whole number from 0 to {MOST_SIGHT}, such as level:3, not '{shown(detail)}'")


def _bot(game: Game[Any], rng: Random, detail: str, terms: PlayerLimits) -> Player:
    from bitduel.players.bot import BotPlayer

    return BotPlayer(detail, terms)


def _command(detail: str) -> str:
    from bitduel.players.bot import check

    return check(detail)


def _llm(game: Game[Any], rng: Random, detail: str, terms: PlayerLimits) -> Player:
    from bitduel.players.llm.player import LlmPlayer

    return LlmPlayer(game, rng, detail, terms)


def _model(detail: str) -> str:
    if 0 < len(detail) <= LONGEST_MODEL and detail.isprintable():
        return detail
    raise PlayerError(f"A model is named by 1 to {LONGEST_MODEL} printable characters, not '{shown(detail)}'")


def _named_level(name: str) -> Make:
    def make(game: Game[Any], rng: Random, detail: str, terms: PlayerLimits) -> Player:
        from bitduel.players.evaluating_players import NamedPlayer
        from bitduel.players.levels import LEVELS

        return NamedPlayer(game, rng, LEVELS[name])

    return make


KINDS = {
    kind.name: kind
    for kind in (
        Kind(HUMAN, "somebody at this screen"),
        Kind(EASY, "sees what is right in front of it", _named_level(EASY)),
        Kind(MEDIUM, "thinks a little ahead", _named_level(MEDIUM)),
        Kind(HARD, "thinks far ahead", _named_level(HARD)),
        Kind(PERFECT, "never makes a mistake", _perfect),
        Kind(RANDOM, "any legal move", _random),
        Kind(LEVEL, "sees N plies ahead and plays at random otherwise", _level, "N", _sight),
        Kind(BOT, "a program of your own, by the command that starts it", _bot, "COMMAND", _command, safe=False),
        Kind(LLM, "a language model, asked through its service", _llm, "MODEL", _model, safe=False),
    )
}
"""Every kind of player, easiest to choose first."""

COMPUTERS = [kind for kind in KINDS.values() if kind.make and not kind.detail]
"""The programs that need no more than their name."""


def names() -> list[str]:
    """Every kind of player, as one would write it."""
    return [kind.written for kind in KINDS.values()]


def parse(text: str) -> Spec:
    """The spec that a text stands for: the kind without regard to case, the detail as written."""
    name, colon, detail = text.strip().partition(":")
    kind = KINDS.get(name.strip().lower())
    if kind is None or bool(colon) != bool(kind.detail):
        raise unknown("player", text, names())
    return Spec(kind.name, kind.check(detail.strip()))


def parse_kept(text: str) -> Spec:
    """The spec in a stored or imported match; what is not safe or not to be read stays as it is written."""
    name, _, detail = text.partition(":")
    kind = KINDS.get(name.strip().lower())
    if kind and kind.safe:
        with suppress(BitduelError):
            return parse(text)
    return Spec(name or "?", detail)


def for_import(texts: Iterable[str]) -> list[Spec]:
    """Who sits where in a match from a stranger: what is not safe to start is a human."""
    specs = [parse_kept(text) for text in texts]
    return [spec if spec.is_safe else Spec(HUMAN) for spec in specs]


def close(players: Iterable[Player | None]) -> None:
    """Let players go that hold something, such as a process."""
    for player in players:
        closing = getattr(player, "close", None)
        if closing is not None:
            closing()


def build(spec: Spec, game: Game[Any], rng: Random, terms: PlayerLimits = USUAL) -> Player | None:
    """The player of a spec; None for a human, who is asked by the interface."""
    kind = KINDS.get(spec.kind)
    if kind is None:
        raise unknown("player", str(spec), names())
    return kind.make(game, rng, spec.detail, terms) if kind.make else None
