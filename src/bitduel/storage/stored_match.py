"""A match as it is kept: all that is needed to go on with it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from bitduel.core.endings import Outcome
from bitduel.core.errors import shown
from bitduel.core.match import Match
from bitduel.core.options import Setting
from bitduel.games import is_known, make
from bitduel.players.spec import Spec, parse_kept
from bitduel.storage.errors import DamagedError, MissingGameError
from bitduel.storage.schema import matches
from bitduel.storage.timestamps import from_ticks, since_midnight, to_ticks

Players = tuple[Spec, Spec]


@dataclass(frozen=True)
class StoredMatch:
    """One match in a store, secrets included: show views of its match, never this."""

    id: str
    game: str
    options: dict[str, Setting] = field(repr=False)
    players: Players
    names: tuple[str, str]
    first: int
    deal: str = field(repr=False)
    moves: tuple[str, ...] = field(repr=False)
    outcome: Outcome | None
    started: datetime
    changed: datetime
    sitting: str
    round: int
    rounds: int
    backs: int = 0
    """How often moves were taken back."""
    token: str = field(default="", repr=False)
    """The mark of the last write, by which another is noticed."""

    def match(self) -> Match:
        """The match itself, replayed from its moves; raises DamagedError where they do not fit the rules."""
        if not is_known(self.game):
            raise MissingGameError(f"Match {shown(self.id)} is of '{shown(self.game)}', a game that is not installed.")
        try:
            game = make(self.game, self.options)
            if not game.transparent:
                game.keep_nothing()
            match = Match(game, self.first, self.deal, self.moves)
            if self.outcome and not match.outcome:
                match.conclude(self.outcome)
        except Exception as error:
            # The game may be a stranger's, and another version of it than the one that was played.
            raise DamagedError(f"Match {shown(self.id)} cannot be replayed: {shown(str(error), 200)}") from error
        return match

    @property
    def has_hour(self) -> bool:
        """Whether more is known of its beginning than the day; of a match from a record it is not."""
        return bool(since_midnight(to_ticks(self.started)))

    @property
    def day(self) -> str:
        """The day on which it was begun, in UTC."""
        return self.started.astimezone(UTC).date().isoformat()

    @property
    def written(self) -> tuple[str, str]:
        """Who plays, as it is written."""
        return _written(self.players)


@lru_cache(maxsize=256)
def _written(players: Players) -> tuple[str, str]:
    return str(players[0]), str(players[1])


def from_row(row: Mapping[str, Any], moves: Mapping[int, str], label: str) -> StoredMatch:
    """The match of a row, with the move of each ply."""
    if not _sound(row):
        raise DamagedError(f"{label} is damaged: match {shown(str(row['id']))} cannot be read.")
    if list(moves) != list(range(row["plies"])) or not all(isinstance(move, str) for move in moves.values()):
        raise DamagedError(f"{label} is damaged: moves of match {shown(row['id'])} are missing.")
    return StoredMatch(
        id=row["id"],
        game=row["game"],
        options=json.loads(row["options"]),
        players=(parse_kept(row["player_1"]), parse_kept(row["player_2"])),
        names=(row["name_1"], row["name_2"]),
        first=row["first"],
        deal=row["deal"],
        moves=tuple(moves.values()),
        outcome=None if row["reason"] is None else Outcome(row["winner"], row["reason"]),
        started=from_ticks(row["started"]),
        changed=from_ticks(row["changed"]),
        sitting=row["sitting"],
        round=row["round"],
        rounds=row["rounds"],
        backs=row["backs"],
        token=row["token"],
    )


def _sound(row: Mapping[str, Any]) -> bool:
    """Whether all is of its kind: in a damaged SQLite file any column can hold anything."""
    told = [column for column in matches.c if not (column.nullable and row[column.name] is None)]
    fits = all(isinstance(row[column.name], column.type.python_type) for column in told)
    return fits and row["first"] in (1, 2) and row["winner"] in (None, 1, 2) and _legible(row)


def _legible(row: Mapping[str, Any]) -> bool:
    try:
        from_ticks(row["started"]), from_ticks(row["changed"])
        return isinstance(json.loads(row["options"]), dict)
    except (ValueError, OverflowError):
        return False
