"""The ways to change a match, each as work for one transaction that may have to be done again.

After a lost connection nobody knows whether the commit got through. Every write therefore leaves a token of its own,
and an attempt that comes again looks for it first.
"""

import json
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection

from bitduel.core.endings import Outcome
from bitduel.core.match import Match
from bitduel.players.spec import Spec, parse_kept
from bitduel.storage import statements as sql
from bitduel.storage.database import Work
from bitduel.storage.errors import OverError, PlyTakenError, StoreError, UnknownMatchError
from bitduel.storage.ids import new_token
from bitduel.storage.timestamps import now, to_ticks

Guard = Callable[[Connection], None]
"""What else must be so for a change; raises a StoreError where it is not."""


class MatchMoment(NamedTuple):
    """Where a match is: how many moves it has, and how often some were taken back."""

    plies: int
    backs: int


ANY = -1
"""However often moves were taken back."""


class Written(NamedTuple):
    """What a write has left in a match's row."""

    token: str
    changed: int


By = tuple[int, str]
"""A seat, and the hash of who must still have it."""


def begin(row: dict[str, Any], moves: Sequence[str]) -> Work[None]:
    """A new match with the moves it has so far."""
    match_id, token = row["id"], new_token()
    made = [{"match_id": match_id, "ply": ply, "move": move, "token": token} for ply, move in enumerate(moves)]

    def work(connection: Connection, again: bool) -> None:
        state = connection.execute(sql.STATE, {"match": match_id}).first() if again else None
        if state and state.token == token:
            return
        connection.execute(sql.BEGIN, row | {"token": token})
        for values in made:
            sql.KEEP_MOVE.run(connection, values)

    return work


def add(
    match_id: str, ply: int, move: str, outcome: Outcome | None, backs: int = ANY, by: By | None = None
) -> Work[Written]:
    """One more move; the match's own row counts them, so writers stand in line and leave no gap."""
    token = new_token()
    changes = _changes(match_id, token, outcome) | {"ply": ply, "count": ply + 1, "after": backs}
    if by:
        changes |= {"at": by[0], "who": by[1]}
    written = Written(token, changes["now"])

    def work(connection: Connection, again: bool) -> Written:
        if again and connection.execute(sql.MOVE_TOKEN, {"match": match_id, "ply": ply}).scalar() == token:
            return written
        if not (sql.KEEP_OWN_PLY if by else sql.KEEP_PLY).run(connection, changes):
            raise _refusal(connection, match_id, ply)
        sql.KEEP_MOVE.run(connection, {"match_id": match_id, "ply": ply, "move": move, "token": token})
        return written

    return work


def take_back(match_id: str, ply: int, of: int | None, backs: int = ANY, guard: Guard | None = None) -> Work[None]:
    """Fewer moves; an attempt that comes again takes back only what the first one saw."""
    token = new_token()

    def work(connection: Connection, again: bool) -> None:
        nonlocal of
        state = connection.execute(sql.STATE_LOCKED, {"match": match_id}).first()
        if again and state and state.token == token:
            return
        of = _retractable(match_id, ply, MatchMoment(ANY if of is None else of, backs), state)
        if guard:
            guard(connection)
        connection.execute(sql.SET_BACK, {"match": match_id, "ply": ply, "now": now(), "mark": token})
        connection.execute(sql.DROP_MOVES, {"match": match_id, "ply": ply})

    return work


def end(match_id: str, outcome: Outcome) -> Work[None]:
    """The result; needs no look at the token, for to record the same result again changes nothing."""
    token = new_token()

    def work(connection: Connection, again: bool) -> None:
        if connection.execute(sql.END, _changes(match_id, token, outcome)).rowcount:
            return
        state = connection.execute(sql.STATE, {"match": match_id}).first()
        if state is None:
            raise unknown_match(match_id)
        if (state.winner, state.reason) != outcome:
            raise OverError(f"Match {match_id} is over.")

    return work


def settle(match_id: str, outcome: Outcome, at: MatchMoment, guard: Guard | None = None) -> Work[None]:
    """The result that players agree on or claim, if the match is where they think it is."""
    token = new_token()

    def work(connection: Connection, again: bool) -> None:
        state = connection.execute(sql.STATE_LOCKED, {"match": match_id}).first()
        if again and state and state.token == token:
            return
        _retractable(match_id, at.plies, at, state)
        if guard:
            guard(connection)
        connection.execute(sql.END, _changes(match_id, token, outcome))

    return work


def first_row(
    match: Match, players: Sequence[str | Spec], names: Sequence[str], started: datetime | None
) -> dict[str, Any]:
    """What there is to know of a match when it is first kept."""
    moment = now()
    return {
        "game": match.game.slug,
        "options": json.dumps(match.game.options),
        "player_1": str(parse_kept(str(players[0]))),
        "player_2": str(parse_kept(str(players[1]))),
        "name_1": names[0],
        "name_2": names[1],
        "folded_1": sql.folded(names[0]),
        "folded_2": sql.folded(names[1]),
        "first": match.first,
        "deal": match.deal,
        "plies": match.ply,
        "winner": match.outcome and match.outcome.winner,
        "reason": match.outcome and match.outcome.reason,
        "started": to_ticks(started) if started else moment,
        "changed": to_ticks(started) if started else moment,
    }


def taken(match_id: str, ply: int) -> PlyTakenError:
    """What the writer who came second is told."""
    return PlyTakenError(f"Move {ply + 1} of match {match_id} has already been made elsewhere.")


def unknown_match(match_id: str) -> UnknownMatchError:
    """What is said to an id that no match has."""
    return UnknownMatchError(f"There is no match '{match_id}'.")


def _changes(match_id: str, token: str, outcome: Outcome | None) -> dict[str, Any]:
    winner, reason = outcome or (None, None)
    return {"match": match_id, "now": now(), "mark": token, "won_by": winner, "because": reason}


def _refusal(connection: Connection, match_id: str, ply: int) -> StoreError:
    state = connection.execute(sql.STATE, {"match": match_id}).first()
    if state is None:
        return unknown_match(match_id)
    if state.plies > ply or (state.plies == ply and state.reason is None):
        return taken(match_id, ply)
    if state.reason is not None:
        return OverError(f"Match {match_id} is over.")
    return PlyTakenError(f"Match {match_id} has {state.plies} moves now, so move {ply + 1} cannot be kept.")


def _retractable(match_id: str, ply: int, at: MatchMoment, state: Any) -> int:
    """How many moves there are, checked."""
    if state is None:
        raise unknown_match(match_id)
    if state.reason is not None:
        raise OverError(f"Match {match_id} is over.")
    expected = at.plies in (ANY, state.plies) and at.backs in (ANY, state.backs)
    if not (0 <= ply <= state.plies and expected):
        raise PlyTakenError(f"Match {match_id} has {state.plies} moves now, so nothing was taken back.")
    return int(state.plies)
