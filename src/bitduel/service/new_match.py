"""How a match can begin here: with options within the limits of the site, and after moves that were made elsewhere."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from bitduel.core.errors import BitduelError, OptionError, shown
from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.core.options import Option, Whole


def here(option: Option) -> Option:
    """The option with the limits that hold here, where everything is answered at once."""
    return (
        replace(option, high=min(option.high, option.quick)) if isinstance(option, Whole) and option.quick else option
    )


def check_here(declared: Sequence[Option], options: Mapping[str, object]) -> None:
    """Raises OptionError with the limits that hold here for a size that is not answered at once."""
    for option in declared:
        limited = here(option)
        if limited is not option and isinstance(limited, Whole) and option.name in options:
            _check(limited, options[option.name])


def _check(option: Whole, value: object) -> None:
    try:
        option.parse(value)
    except OptionError:
        limits = f"{option.low:,} to {option.high:,}"
        raise OptionError(f"{option.name} is a whole number from {limits} here, not '{shown(str(value))}'") from None


def begun(game: Game[Any], first: int, rng: Random, moves: Sequence[str], most_plies: int) -> Match:
    """A new match after these moves; raises BitduelError where none can begin so."""
    if moves and game.chance:
        raise BitduelError("A match where something is dealt begins at its start.")
    match = Match(game, first, game.deal(rng), moves)
    if match.outcome or match.ply >= most_plies:
        raise BitduelError("From there nothing is left to play.")
    return match
