"""The schedule of a run: every pair of players, game and round, with seats swapped and the same deals for all."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import combinations
from random import Random
from struct import Struct
from typing import Any, NamedTuple

from bitduel.core.errors import BitduelError, OptionError, UnknownOptionError, printable
from bitduel.core.game import Game
from bitduel.core.options import OptionValue
from bitduel.core.view import View
from bitduel.games.registry import all_games, find
from bitduel.players.driver import check_seconds
from bitduel.players.llm.service import find_service
from bitduel.players.settings import DEFAULT_LIMITS, PlayerLimits
from bitduel.players.spec import KINDS, LLM, Spec, parse

PlayerFunction = Callable[[View], str]
PlayerEntry = str | Spec | tuple[str, PlayerFunction]
"""A player as given: a spec, or a name and a Python function from view to move."""

ALL = "all"
MAX_GAMES = 100_000_000
MAX_SEED = 2**63 - 1
MAX_PLIES = 400
"""The default limit after which a game is abandoned."""
MAX_PLY_LIMIT = 1_000_000


SHORT_NAME = 40
NAME_PREFIX = 8
"""Characters at the start of a shortened name, which tell the kind of player."""


def short_name(name: object, width: int = SHORT_NAME) -> str:
    """Return a player's name, printable and at most `width` wide; commands differ at their ends, so both stay."""
    text = printable(str(name), 10_000)
    return text if len(text) <= width else f"{text[:NAME_PREFIX]}…{text[NAME_PREFIX + 1 - width :]}"


class ScheduleError(BitduelError):
    """A schedule that cannot be played."""


class PresetError(BitduelError):
    """An option that contradicts a preset."""


class Contender(NamedTuple):
    """A player's name in the rows, and its spec or function."""

    name: str
    player: Spec | PlayerFunction

    @property
    def is_built_in(self) -> bool:
        """Whether it is built in, so that its moves take hardly any time."""
        return isinstance(self.player, Spec) and KINDS[self.player.kind].safe


class ScheduledGame(NamedTuple):
    """One game of a schedule; games are numbered from 1 on."""

    number: int
    game: int
    one: int
    two: int
    round: int
    swapped: bool

    @property
    def seats(self) -> tuple[int, int]:
        """The players on seats 1 and 2, by index."""
        return (self.two, self.one) if self.swapped else (self.one, self.two)


@dataclass(frozen=True)
class Schedule:
    """The games of a run, as a value: the same arguments give the same games."""

    players: tuple[Contender, ...]
    games: tuple[Game[Any], ...]
    rounds: int = 1
    seed: int = 0
    limits: PlayerLimits = DEFAULT_LIMITS
    max_plies: int = MAX_PLIES
    trust_bots: bool = False

    def __len__(self) -> int:
        return self.rounds * len(self.games) * len(self.pairs) * 2

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """Every two players, by index."""
        return list(combinations(range(len(self.players)), 2))

    @cached_property
    def is_quick(self) -> bool:
        """Whether every player is built in."""
        return all(player.is_built_in for player in self.players)

    def game_at(self, number: int) -> ScheduledGame:
        """Return the game with this number; each round is played in whole before the next."""
        rest, swapped = divmod(number - 1, 2)
        rest, pair = divmod(rest, len(self.pairs))
        round_, game = divmod(rest, len(self.games))
        return ScheduledGame(number, game, *self.pairs[pair], round_ + 1, bool(swapped))

    def game_id(self, scheduled: ScheduledGame) -> str:
        """Return the id of a game: its short name and its number."""
        return f"{self.games[scheduled.game].short}-{scheduled.number}"

    def game_number(self, game_id: str) -> int | None:
        """Return the number of a game of this schedule, None for any other text."""
        digits = game_id.rpartition("-")[2]
        if not (digits.isascii() and digits.isdigit() and len(digits) < 12 and 1 <= int(digits) <= len(self)):
            return None
        return int(digits) if self.game_id(self.game_at(int(digits))) == game_id else None

    def as_data(self) -> dict[str, Any]:
        """Return the settings as JSON-ready data, without the budget: a resumed run may have more to spend."""
        llm = {name: value for name, value in self.limits.llm.as_dict().items() if name != "budget"}
        return {
            "players": [player.name for player in self.players],
            "games": [{"game": game.slug, "options": dict(game.options)} for game in self.games],
            "rounds": self.rounds,
            "seed": self.seed,
            "seconds": self.limits.seconds,
            "max_plies": self.max_plies,
            "trust_bots": self.trust_bots,
            "llm": llm if _has_models(self.players) else None,
        }


def make_schedule(
    players: Iterable[PlayerEntry],
    games: str | Iterable[str | Game[Any]] = ALL,
    options: Mapping[str, object] | None = None,
    rounds: int = 1,
    seed: int = 0,
    limits: PlayerLimits = DEFAULT_LIMITS,
    max_plies: int = MAX_PLIES,
    trust_bots: bool = False,
) -> Schedule:
    """Return the schedule of a run; raise an error with one sentence if it cannot be played."""
    contenders = tuple(make_contender(entry) for entry in players)
    if len(contenders) < 2:
        raise ScheduleError("The arena needs at least two players.")
    _check_different([each.name for each in contenders], "player")
    chosen = tuple(_games(games, options or {}))
    if not chosen:
        raise ScheduleError("The arena needs at least one game.")
    _check_different([f"{game.short} {json.dumps(game.options)}" for game in chosen], "game")
    check_whole("rounds", rounds, 1, MAX_GAMES)
    check_whole("seed", seed, 0, MAX_SEED)
    check_whole("max_plies", max_plies, 1, MAX_PLY_LIMIT)
    check_seconds(limits.seconds)
    if _has_models(contenders):
        # Resolved now, because a run resumed later or played elsewhere must ask the same service.
        limits = limits._replace(llm=limits.llm._replace(url=find_service(limits.llm.url).address))
    schedule = Schedule(contenders, chosen, rounds, seed, limits, max_plies, trust_bots)
    if len(schedule) > MAX_GAMES:
        raise ScheduleError(f"That would be {len(schedule):,} games. The arena plays at most {MAX_GAMES:,}.")
    return schedule


def make_contender(entry: PlayerEntry) -> Contender:
    """Return the player that an entry describes."""
    if isinstance(entry, str | Spec):
        spec = parse(entry) if isinstance(entry, str) else entry
        if spec.is_human:
            raise ScheduleError("A person can't play in the arena. Every player must be a program.")
        return Contender(str(spec), spec)
    name, function = entry if isinstance(entry, tuple) and len(entry) == 2 else ("", None)
    if not (isinstance(name, str) and name and name.isprintable() and callable(function)):
        raise ScheduleError(
            f"A player must be a name, or a name and a function from view to move, not {printable(repr(entry))}."
        )
    return Contender(name, function)


def _has_models(contenders: Iterable[Contender]) -> bool:
    return any(isinstance(each.player, Spec) and each.player.kind == LLM for each in contenders)


def _games(games: str | Iterable[str | Game[Any]], options: Mapping[str, object]) -> Iterable[Game[Any]]:
    """Yield the games, each with its own options; an option must belong to at least one of them."""
    if isinstance(games, str):
        wanted: list[str | Game[Any]] = [*(kind.slug for kind in all_games())] if games == ALL else [*games.split(",")]
    else:
        wanted = list(games)
    kinds = [find(each) if isinstance(each, str) else each for each in wanted]
    known = {option.name for kind in kinds for option in kind.declared_options}
    chosen = {name.replace("_", "-"): value for name, value in options.items()}
    for name in chosen:
        if name not in known:
            raise UnknownOptionError(f"None of these games has an option '{printable(name)}'.")
    for kind in kinds:
        if isinstance(kind, Game):
            if chosen:
                raise OptionError("A game object already has its options.")
            yield kind
        else:
            yield kind(**{o.name: chosen[o.name] for o in kind.declared_options if o.name in chosen})


def _check_different(names: list[str], what: str) -> None:
    duplicate = next((name for index, name in enumerate(names) if name in names[:index]), None)
    if duplicate is not None:
        raise ScheduleError(f"The {what} '{printable(duplicate, 80)}' is listed twice.")


def check_whole(name: str, value: OptionValue, low: int, high: int) -> None:
    """Raise ScheduleError for anything but a whole number of this range."""
    if type(value) is not int or not low <= value <= high:
        raise ScheduleError(f"{name} must be a whole number from {low} to {high}, not '{printable(str(value))}'.")


class ArenaPreset(NamedTuple):
    """A run with fixed players, games and seed, so that results from different places can be compared."""

    name: str
    about: str
    players: tuple[str, ...]
    """Players that always take part, besides the named ones."""
    rounds: int
    seed: int
    games: str = ALL
    llm_settings: tuple[str, ...] = ()
    """Settings of language models, as --llm-set takes them."""

    def check_llm_settings(self, chosen: tuple[str, ...]) -> None:
        """Raise PresetError for a setting that the preset fixes."""
        settled = {setting.partition("=")[0] for setting in self.llm_settings}
        for setting in chosen:
            name = setting.partition("=")[0].strip()
            if name in settled:
                raise PresetError(f"The preset {self.name} already sets {name}. Use one or the other.")


PRESETS = {
    preset.name: preset
    for preset in (
        ArenaPreset(
            "reference",
            "the benchmark of docs/benchmark.md: every game, 50 rounds, against all built-in players",
            players=("perfect", "hard", "medium", "easy", "random"),
            rounds=50,
            seed=1,
            llm_settings=("legal=yes", "history=yes", "rules=full", "stateless=yes", "attempts=5"),
        ),
        ArenaPreset(
            "gg-bench",
            "the published protocol of gg-bench: 30 games of each kind, alternating seats, five attempts",
            players=(),
            rounds=15,
            seed=0,
            llm_settings=("legal=yes", "history=no", "rules=full", "stateless=yes", "attempts=5"),
        ),
    )
}
"""The presets, by name."""

WORDS = Struct("<8Q")
UNIT = 2.0**-53


class RandomSource:
    """A seed for many random streams; different parts give different streams."""

    def __init__(self, *parts: object) -> None:
        self._hash = blake2b(repr(parts).encode())

    def block(self, stream: int, number: int) -> list[int]:
        """Return the random 64-bit words of one block of a stream."""
        digest = self._hash.copy()
        digest.update(b"%d %d" % (stream, number))
        return list(WORDS.unpack(digest.digest()))


class RandomStream(Random):
    """A random generator that starts quickly: most games are over before the usual one is seeded."""

    def __init__(self, source: RandomSource, stream: int) -> None:
        super().__init__(0)
        self.begin(source, stream)

    def begin(self, source: RandomSource, stream: int) -> None:
        """Start again with a stream of this source."""
        self._source, self._stream, self._blocks = source, stream, 0
        self._left: list[int] = []

    def random(self) -> float:
        """Return a number from 0 to less than 1."""
        return ((self._left.pop() if self._left else self._more()) >> 11) * UNIT

    def getrandbits(self, k: int, /) -> int:
        """Return a whole number of k bits."""
        if 0 < k <= 64:
            return (self._left.pop() if self._left else self._more()) >> (64 - k)
        bits = 0
        for start in range(0, k, 64):
            bits |= self.getrandbits(min(64, k - start)) << start
        return bits

    def choice(self, seq: Any) -> Any:
        """Return one item of a sequence, each equally likely as far as 53 bits can tell."""
        return seq[int(((self._left.pop() if self._left else self._more()) >> 11) * UNIT * len(seq))]

    def _more(self) -> int:
        self._left = self._source.block(self._stream, self._blocks)
        self._blocks += 1
        return self._left.pop()

    def seed(self, *_: Any, **__: Any) -> None:
        """Do nothing: the source is the seed."""
