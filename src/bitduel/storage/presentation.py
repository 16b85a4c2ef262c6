"""Kept matches as people and programs read them; nothing here shows what a match in the dark still hides."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from bitduel.core.endings import counts
from bitduel.core.match import Match
from bitduel.core.record import record
from bitduel.core.words import Names
from bitduel.storage.errors import DamagedError, MissingGameError, UnknownMatchError
from bitduel.storage.store import Store
from bitduel.storage.stored_match import Players, StoredMatch

FEW = 20
Fits = Callable[[StoredMatch], bool]
"""Whether a match can be what somebody means who names none."""


def pick(store: Store, match_id: str | None, fits: Fits | None = None, none: str = "") -> tuple[StoredMatch, Match]:
    """A kept match by the beginning of its id, or the newest that fits, replayed; raises where there is none."""
    kept = store.get(match_id) if match_id is not None else _newest(store, fits)
    if kept is None:
        raise UnknownMatchError(none if none and store.matches(limit=1) else "No match has been kept yet.")
    return kept, kept.match()


def _newest(store: Store, fits: Fits | None) -> StoredMatch | None:
    """The newest match that fits; nearly always it is among the first few."""
    for limit in (FEW, None) if fits else (1,):
        found = next((kept for kept in store.matches(limit=limit) if fits is None or fits(kept)), None)
        if found:
            return found
    return None


class Replayed(NamedTuple):
    """Kept matches with their matches, and a sentence for each that cannot be played again."""

    pairs: list[tuple[StoredMatch, Match]]
    troubles: list[str]


def replayed(found: Iterable[StoredMatch]) -> Replayed:
    """Play kept matches again; one that cannot be does not keep the others from being told."""
    pairs, troubles = [], []
    for kept in found:
        try:
            pairs.append((kept, kept.match()))
        except (MissingGameError, DamagedError) as error:
            troubles.append(f"bitduel: Left out: {error}")
    return Replayed(pairs, troubles)


def result(kept: StoredMatch, match: Match) -> str:
    """How a match ended, or whose turn it is."""
    if match.outcome is None:
        return f"unfinished, {kept.names[match.next_seat - 1]} to move"
    if not counts(match.outcome):
        return match.outcome.reason
    if match.outcome.winner is None:
        return f"draw ({match.outcome.reason})"
    return f"{kept.names[match.outcome.winner - 1]} won ({match.outcome.reason})"


def who(names: Names, players: Players) -> str:
    """Both players; programs with what they are."""
    pairs = zip(names, players, strict=True)
    return " - ".join(name if kind.is_human or f"({kind})" in name else f"{name} ({kind})" for name, kind in pairs)


def the_person(players: Players) -> int | None:
    """The seat of the only person, or None where there are two or none."""
    people = [seat for seat, player in enumerate(players, 1) if player.is_human]
    return people[0] if len(people) == 1 else None


def when(kept: StoredMatch) -> str:
    """When a match was begun, in local time; of one from a record only the day."""
    return kept.started.astimezone().strftime("%Y-%m-%d %H:%M") if kept.has_hour else kept.day


def summary(kept: StoredMatch, match: Match) -> list[str]:
    """A match in a few lines."""
    options = ", ".join(f"{name}={value}" for name, value in match.view(None).options.items() if value != "")
    lines = [
        f"{kept.id}  {match.game.title} ({options})",
        f"{who(kept.names, kept.players)}; {kept.names[kept.first - 1]} starts",
        f"begun {when(kept)}, {match.ply} move{'' if match.ply == 1 else 's'}, {result(kept, match)}",
    ]
    if kept.rounds > 1:
        lines.append(f"round {kept.round} of {kept.rounds}")
    return lines


def record_text(kept: StoredMatch, match: Match) -> str:
    """The canonical record of a kept match."""
    return record(match, kept.names, kept.written, kept.day).text()


def as_data(kept: StoredMatch, match: Match) -> dict[str, Any]:
    """A match as JSON-ready data: what a spectator may see."""
    view = match.view(None)
    return {
        "id": kept.id,
        "game": kept.game,
        "options": view.options,
        "names": list(kept.names),
        "players": list(kept.written),
        "first": kept.first,
        "moves": list(view.history),
        "to_move": view.to_move,
        "over": view.over and view.over._asdict(),
        "deal": view.deal,
        "started": kept.started.isoformat() if kept.has_hour else kept.day,
        "changed": kept.changed.isoformat(),
        "sitting": kept.sitting,
        "round": kept.round,
        "rounds": kept.rounds,
    }
