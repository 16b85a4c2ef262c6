"""The shelf: the one list of games."""

from collections.abc import Iterable, Mapping
from typing import Any

from bitduel.core.errors import unknown
from bitduel.core.game import Game
from bitduel.games.binary_battle import BinaryBattle
from bitduel.games.binary_race_31 import BinaryRace31
from bitduel.games.binary_race_64 import BinaryRace64
from bitduel.games.binary_race_bits import BinaryRaceBits
from bitduel.games.double_or_nothing import DoubleOrNothing

Kind = type[Game[Any]]

SHELF: list[Kind] = [BinaryRace64, BinaryRaceBits, DoubleOrNothing, BinaryBattle, BinaryRace31]


def find(name: str) -> Kind:
    """The game with this slug or short name; raises UnknownNameError with what there is."""
    wanted = name.strip().lower()
    for kind in SHELF:
        if wanted in (kind.slug, kind.short):
            return kind
    raise unknown("game", name, names())


def make(name: str, options: Mapping[str, object] | None = None) -> Game[Any]:
    """The game with this name and these options."""
    kind = find(name)
    return kind(**dict(options or {}))


def names(kinds: Iterable[Kind] | None = None) -> list[str]:
    """Every name that finds a game: slugs, then short names."""
    kinds = list(SHELF if kinds is None else kinds)
    return [kind.slug for kind in kinds] + [kind.short for kind in kinds]
