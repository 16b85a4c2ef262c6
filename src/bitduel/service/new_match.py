"""Rules for a new match: opponents, clocks, sizes that are answered at once, and moves made before."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from bitduel.core.errors import BitduelError, OptionError, printable
from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.core.options import IntegerOption, Option
from bitduel.games.registry import GameClass
from bitduel.players import COMPUTERS, Spec
from bitduel.players.spec import parse_stored
from bitduel.storage.clocks import MATCH, MOVE, ClockSettings

FRIEND, HERE = "friend", "here"
"""Opponents that are people: one who is invited, or one at the same keyboard."""
OPPONENTS = tuple(computer.name for computer in COMPUTERS)
"""The programs that can be played against."""
MOST_PLIES = 400
"""The most moves of a match: no game needs nearly as many, and to review more would take too long."""

CLOCK_LIMITS = {MOVE: (5, 3_600), MATCH: (30, 10_800)}
"""The fewest and the most seconds, for a move and for a match."""


def make_game(kind: GameClass, options: Mapping[str, object]) -> Game[Any]:
    """Return a game of a size that is answered at once; raise OptionError for any other."""
    check_options(kind.declared_options, options)
    game = kind(**dict(options))
    check_size(game)
    return game


def within_limits(option: Option) -> Option:
    """Return the option with the limits of a site, where everything is answered at once."""
    if isinstance(option, IntegerOption) and option.quick_limit:
        return replace(option, high=min(option.high, option.quick_limit))
    return option


def check_options(declared: Sequence[Option], options: Mapping[str, object]) -> None:
    """Raise OptionError, with the limits of a site, for a size that cannot be solved quickly."""
    for option in declared:
        limited, value = within_limits(option), options.get(option.name)
        if isinstance(limited, IntegerOption) and limited is not option and option.name in options:
            try:
                limited.parse(value)
            except OptionError:
                limits, shown = f"{limited.low:,} to {limited.high:,}", printable(str(value))
                raise OptionError(f"{option.name} must be a whole number from {limits} here, not '{shown}'") from None


def check_size(game: Game[Any]) -> None:
    """Raise OptionError for a game that is not answered at once; a match from elsewhere can be of any size."""
    for option in game.declared_options:
        value = game.options[option.name]
        if (
            isinstance(option, IntegerOption)
            and option.quick_limit
            and isinstance(value, int)
            and value > option.quick_limit
        ):
            raise OptionError(f"{option.name} must be at most {option.quick_limit} here, not {value}")


def check_fair(game: Game[Any]) -> None:
    """Raise OptionError for a game with a chosen secret: the player who chose it would know it."""
    for option in game.declared_options:
        if option.is_secret and game.options[option.name] != option.default:
            raise OptionError(
                f"{option.name} can be chosen only when two people share a keyboard. Otherwise it is picked at random."
            )


def clock_settings(kind: str, seconds: int) -> ClockSettings:
    """Return checked settings; raise BitduelError for any others."""
    if kind not in CLOCK_LIMITS:
        raise BitduelError("A clock must be for each move or for the whole match.")
    low, high = CLOCK_LIMITS[kind]
    if not low <= seconds <= high:
        raise BitduelError(f"A clock for each {kind} must have {low:,} to {high:,} seconds.")
    return ClockSettings(kind, seconds)


def opponent_of(text: str) -> Spec:
    """Return the program that a text names; raise BitduelError if it cannot be played against."""
    spec = parse_stored(text)
    if spec.is_human or not spec.is_safe:
        raise BitduelError(f"Choose an opponent: {', '.join(OPPONENTS)}.")
    return spec


def new_match(game: Game[Any], first: int, rng: Random, moves: Sequence[str]) -> Match:
    """Return a match after these moves; raise BitduelError if none can begin so."""
    if moves and game.has_chance:
        raise BitduelError("A game with a secret has to start from the beginning.")
    match = Match(game, first, game.deal(rng), moves)
    if match.outcome or match.ply >= MOST_PLIES:
        raise BitduelError("The game is already over in that position.")
    return match
