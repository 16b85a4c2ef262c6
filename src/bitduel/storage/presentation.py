"""Stored matches as people and programs read them; nothing here shows what a match still hides."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from bitduel.core.match import Match
from bitduel.core.outcomes import is_counted
from bitduel.core.phrases import game_phrase
from bitduel.core.record import record_match
from bitduel.core.words import Names
from bitduel.storage.errors import DamagedError, MissingGameError, UnknownMatchError
from bitduel.storage.store import Store
from bitduel.storage.stored_match import Players, StoredMatch, written

RECENT = 20
Filter = Callable[[StoredMatch], bool]


def find_match(
    store: Store, match_id: str | None, fits: Filter | None = None, none: str = ""
) -> tuple[StoredMatch, Match]:
    """Return a match by the beginning of its id, or the newest that fits, replayed; raise if there is none."""
    stored = store.get(match_id) if match_id is not None else _newest(store, fits)
    if stored is None:
        raise UnknownMatchError(none if none and store.matches(limit=1) else "No matches saved yet.")
    return stored, stored.match()


def _newest(store: Store, fits: Filter | None) -> StoredMatch | None:
    """Return the newest match that fits; nearly always it is among the first few."""
    for limit in (RECENT, None) if fits else (1,):
        for stored in store.matches(limit=limit):
            if fits is None or fits(stored):
                return stored
    return None


class ReplayedMatches(NamedTuple):
    """Stored matches with their matches, and a sentence for each that cannot be replayed."""

    pairs: list[tuple[StoredMatch, Match]]
    troubles: list[str]


def replay_all(matches: Iterable[StoredMatch]) -> ReplayedMatches:
    """Replay stored matches; leave out those that cannot be."""
    pairs, troubles = [], []
    for stored in matches:
        try:
            pairs.append((stored, stored.match()))
        except (MissingGameError, DamagedError) as error:
            troubles.append(f"bitduel: Left out: {error}")
    return ReplayedMatches(pairs, troubles)


def result_text(stored: StoredMatch, match: Match) -> str:
    """Return how a match ended, or whose turn it is."""
    if match.outcome is None:
        return f"unfinished, {stored.names[match.next_seat - 1]} to move"
    if not is_counted(match.outcome):
        return match.outcome.reason
    if match.outcome.winner is None:
        return f"draw ({match.outcome.reason})"
    return f"{stored.names[match.outcome.winner - 1]} won ({match.outcome.reason})"


def players_text(names: Names, players: Players) -> str:
    """Return both names; those of programs with their specs."""
    pairs = zip(names, players, strict=True)
    return " - ".join(name if spec.is_human or f"({spec})" in name else f"{name} ({spec})" for name, spec in pairs)


def only_person(players: Players) -> int | None:
    """Return the seat of the only person, or None if there are two or none."""
    people = [seat for seat, player in enumerate(players, 1) if player.is_human]
    return people[0] if len(people) == 1 else None


def start_text(stored: StoredMatch) -> str:
    """Return when a match was begun, in local time; of one from a record only the day."""
    return stored.started.astimezone().strftime("%Y-%m-%d %H:%M") if stored.has_hour else stored.day


def summary(stored: StoredMatch, match: Match) -> list[str]:
    """Return a match in a few lines."""
    lines = [
        f"{stored.id}  {game_phrase(match.game)}",
        f"{players_text(stored.names, stored.players)}; {stored.names[stored.first - 1]} starts",
        f"started {start_text(stored)}, {match.ply} move{'' if match.ply == 1 else 's'}, {result_text(stored, match)}",
    ]
    if stored.rounds > 1:
        lines.append(f"round {stored.round} of {stored.rounds}")
    return lines


def record_text(stored: StoredMatch, match: Match) -> str:
    """Return the canonical record of a match."""
    return record_match(match, stored.names, written(stored.players), stored.day).text()


def as_data(stored: StoredMatch, match: Match) -> dict[str, Any]:
    """Return what a spectator may see, as JSON-ready data."""
    view = match.view(None)
    return {
        "id": stored.id,
        "game": stored.game,
        "options": view.options,
        "names": list(stored.names),
        "players": list(written(stored.players)),
        "first": stored.first,
        "moves": list(view.history),
        "to_move": view.to_move,
        "over": view.over and view.over._asdict(),
        "deal": view.deal,
        "started": stored.started.isoformat() if stored.has_hour else stored.day,
        "changed": stored.changed.isoformat(),
        "sitting": stored.sitting,
        "round": stored.round,
        "rounds": stored.rounds,
    }
