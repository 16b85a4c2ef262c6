"""Stored matches, and the statements that read them."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, bindparam, case, or_, select

from bitduel.core.errors import printable, unknown_name
from bitduel.core.match import Match
from bitduel.core.options import OptionValue
from bitduel.core.outcomes import ENDINGS, Outcome
from bitduel.games.registry import is_known, make
from bitduel.players.spec import Spec, parse_stored
from bitduel.storage.clocks import Clock, ClockSettings, is_valid_clock, new_clock, read_clock
from bitduel.storage.database import PreparedStatement
from bitduel.storage.errors import DamagedError, MissingGameError
from bitduel.storage.schema import (
    GIVEN,
    day_only,
    fold_name,
    from_ticks,
    matches,
    moves,
    now,
    seats,
    since_midnight,
    to_ticks,
)

Players = tuple[Spec, Spec]


@dataclass(frozen=True)
class StoredMatch:
    """One match in a store, secrets included: show views of its match, never this object."""

    id: str
    game: str
    options: dict[str, OptionValue] = field(repr=False)
    players: Players
    names: tuple[str, str]
    first: int
    deal: str = field(repr=False)
    moves: tuple[str, ...] = field(repr=False)
    outcome: Outcome | None
    started: datetime
    changed_at: int
    """The timestamp of the last change, in ticks."""
    sitting: str
    round: int
    rounds: int
    backs: int = 0
    """The number of take-backs."""
    token: str = field(default="", repr=False)
    """The token of the last write, by which another is noticed."""
    clock: Clock | None = None
    paused: bool = False
    """Whether it stands still until a teacher resumes it."""
    given: int = 0
    """The number of moves that it began with: those of the position that it goes on from, or of a whole record."""

    def match(self) -> Match:
        """Return the match, replayed from its moves; raise DamagedError if they do not fit the rules."""
        if not is_known(self.game):
            raise MissingGameError(
                f"Match {printable(self.id)} needs the game '{printable(self.game)}', which is not installed."
            )
        try:
            game = make(self.game, self.options)
            if not game.has_perfect_information:
                game.disable_cache()
            match = Match(game, self.first, self.deal, self.moves)
            if self.outcome and not match.outcome:
                match.conclude(self.outcome)
        except Exception as error:
            # The game may be from outside, and another version of it than the one that was played.
            raise DamagedError(
                f"Match {printable(self.id)} cannot be replayed: {printable(str(error), 200)}"
            ) from error
        return match

    @property
    def is_from_position(self) -> bool:
        """Whether it goes on from a position that others, or another match, had led to."""
        return 0 < self.given < len(self.moves)

    @property
    def has_hour(self) -> bool:
        """Whether the hour of its beginning is known; of a match from a record only the day is."""
        return bool(since_midnight(to_ticks(self.started)))

    @property
    def changed(self) -> datetime:
        """The moment of the last change."""
        return from_ticks(self.changed_at)

    @property
    def day(self) -> str:
        """The day of its beginning, in UTC."""
        return self.started.astimezone(UTC).date().isoformat()


@lru_cache(maxsize=256)
def written(players: Players) -> tuple[str, str]:
    """Return the specs of both players, as they are written."""
    return str(players[0]), str(players[1])


def read_match(row: Mapping[str, Any], played: Iterable[tuple[int, str, str]], label: str) -> StoredMatch:
    """Return the match of a row, with the ply, the move and the token of each row of its moves."""
    rows = list(played)
    moves = {ply: move for ply, move, _ in rows}
    if not _is_valid(row):
        raise DamagedError(f"{label} is damaged: match {printable(str(row['id']))} cannot be read.")
    if list(moves) != list(range(row["plies"])) or not all(isinstance(move, str) for move in moves.values()):
        raise DamagedError(f"{label} is damaged: moves of match {printable(row['id'])} are missing.")
    return StoredMatch(
        id=row["id"],
        game=row["game"],
        options=json.loads(row["options"]),
        players=(parse_stored(row["player_1"]), parse_stored(row["player_2"])),
        names=(row["name_1"], row["name_2"]),
        first=row["first"],
        deal=row["deal"],
        moves=tuple(moves.values()),
        outcome=None if row["reason"] is None else Outcome(row["winner"], row["reason"]),
        started=from_ticks(row["started"]),
        changed_at=row["changed"],
        sitting=row["sitting"],
        round=row["round"],
        rounds=row["rounds"],
        backs=row["backs"],
        token=row["token"],
        clock=read_clock(row),
        paused=bool(row["paused"]),
        given=sum(token == GIVEN for _, _, token in rows),
    )


def _is_valid(row: Mapping[str, Any]) -> bool:
    """Return whether every value is of its type: in a damaged SQLite file any column can hold anything."""
    present = [column for column in matches.c if not (column.nullable and row[column.name] is None)]
    if not all(isinstance(row[column.name], column.type.python_type) for column in present):
        return False
    try:
        from_ticks(row["started"]), from_ticks(row["changed"])
        has_options = isinstance(json.loads(row["options"]), dict)
    except (ValueError, OverflowError):
        return False
    return has_options and row["first"] in (1, 2) and row["winner"] in (None, 1, 2) and is_valid_clock(row)


def new_row(
    match: Match,
    players: Sequence[str | Spec],
    names: Sequence[str],
    started: datetime | None = None,
    clock: ClockSettings | None = None,
    come_until: int | None = None,
) -> dict[str, Any]:
    """Return the row of a new match, without its id and sitting."""
    moment = to_ticks(started) if started else now()
    return {
        "game": match.game.slug,
        "options": json.dumps(match.game.options),
        "player_1": str(parse_stored(str(players[0]))),
        "player_2": str(parse_stored(str(players[1]))),
        "name_1": names[0],
        "name_2": names[1],
        "folded_1": fold_name(names[0]),
        "folded_2": fold_name(names[1]),
        "first": match.first,
        "deal": match.deal,
        "plies": match.ply,
        "winner": match.outcome and match.outcome.winner,
        "reason": match.outcome and match.outcome.reason,
        "started": moment,
        "changed": moment,
        **new_clock(clock, come_until),
    }


AFTER_ALL_IDS = "{"
"""Sorts after every letter of an id: ids that begin with p lie between p and p{."""

_this = matches.c.id == bindparam("match")
FIND = PreparedStatement(select(matches).where(_this))
FIND_MOVES = PreparedStatement(
    select(moves.c.ply, moves.c.move, moves.c.token).where(moves.c.match_id == bindparam("match")).order_by(moves.c.ply)
)
FINGERPRINT = PreparedStatement(
    select(matches.c.token, matches.c.name_1, matches.c.name_2, matches.c.round, seats)
    .select_from(matches.outerjoin(seats, seats.c.sitting == matches.c.sitting))
    .where(_this)
)
"""The least that shows whether anything about a match has changed."""

NEWEST = select(matches).order_by(matches.c.started.desc(), matches.c.id)
BY_ID = select(matches).order_by(matches.c.id)
SITTING = select(matches).order_by(matches.c.round)

_is_open = matches.c.reason.is_(None)
_later = matches.alias()
_without_result = [ending.reason for ending in ENDINGS.values() if not ending.is_counted]
_has_round_to_come = and_(
    matches.c.round < matches.c.rounds,
    matches.c.reason.not_in(_without_result),
    ~select(_later.c.id).where(_later.c.sitting == matches.c.sitting, _later.c.round > matches.c.round).exists(),
)
_has_owner = select(seats.c.sitting).where(seats.c.sitting == matches.c.sitting).exists()
UNFINISHED = (
    select(matches)
    .where(or_(_is_open, _has_round_to_come), ~_has_owner)
    .order_by(matches.c.changed.desc(), matches.c.id)
)

RESULTS: dict[str, ColumnElement[bool]] = {
    "open": _is_open,
    "1": matches.c.winner == 1,
    "2": matches.c.winner == 2,
    "draw": and_(matches.c.winner.is_(None), matches.c.reason.not_in(_without_result)),
}


def id_begins_with(prefix: str) -> ColumnElement[bool]:
    """Return the condition that an id begins with a prefix."""
    return and_(matches.c.id >= prefix, matches.c.id < prefix + AFTER_ALL_IDS)


def history_conditions(
    game: str | None, player: str | None, result: str | None, since: datetime | None, until: datetime | None
) -> Iterator[ColumnElement[bool]]:
    """Return the conditions for matches of a history."""
    if game is not None:
        yield matches.c.game == game
    if player is not None:
        yield or_(matches.c.folded_1 == fold_name(player), matches.c.folded_2 == fold_name(player))
    if result is not None:
        if result not in RESULTS:
            raise unknown_name("result", result, RESULTS)
        yield RESULTS[result]
    if since is not None:
        yield ~_begun_before(since)
    if until is not None:
        yield _begun_before(until)


def _begun_before(moment: datetime) -> ColumnElement[bool]:
    """Return the condition for a match begun before a moment, or before its local day where the hour is unknown."""
    day = day_only(moment.astimezone().date())
    has_no_hour = since_midnight(matches.c.started) == 0
    return case((has_no_hour, matches.c.started < to_ticks(day)), else_=matches.c.started < to_ticks(moment))


def load_matches(connection: Connection, query: Select[Any], label: str) -> list[StoredMatch]:
    """Return the matches of a query, in its order, with their moves."""
    rows = connection.execute(query).all()
    chosen = query.with_only_columns(matches.c.id).subquery()
    columns = (moves.c.match_id, moves.c.ply, moves.c.move, moves.c.token)
    played = select(*columns).join(chosen, chosen.c.id == moves.c.match_id)
    moves_by_match: dict[str, list[tuple[int, str, str]]] = {}
    for match_id, *move in connection.execute(played.order_by(moves.c.match_id, moves.c.ply)):
        moves_by_match.setdefault(match_id, []).append((move[0], move[1], move[2]))
    return [read_match(row._asdict(), moves_by_match.get(row.id, []), label) for row in rows]
