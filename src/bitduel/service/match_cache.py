"""Matches as they were last read or written, so that nothing is read twice; the store tells whether it still holds."""

from collections import OrderedDict
from collections.abc import Mapping
from copy import copy
from dataclasses import replace
from threading import Lock

from bitduel.core.endings import Outcome
from bitduel.service.match_session import MatchSession
from bitduel.storage import Store, StoredMatch, UnknownMatchError
from bitduel.storage.seats import Holder
from bitduel.storage.timestamps import from_ticks
from bitduel.storage.writes import Written

MOST = 2_000
"""So many matches are remembered, those first that were used last."""


def advanced(kept: StoredMatch, move: str, outcome: Outcome | None, written: Written) -> StoredMatch:
    """A kept match with one more move, as the store now has it."""
    changed = from_ticks(written.changed)
    return replace(kept, moves=(*kept.moves, move), outcome=outcome, changed=changed, token=written.token)


class MatchCache:
    """A bounded memory of matches."""

    def __init__(self, store: Store, most: int = MOST) -> None:
        self._store = store
        self._most = most
        self._known: OrderedDict[str, MatchSession] = OrderedDict()
        self._written: dict[str, str] = {}
        self._lock = Lock()

    def get(self, match_id: str) -> MatchSession:
        """A match by its whole id, as it is in the store now; UnknownMatchError where there is none."""
        seen = self._store.glance(match_id)
        if seen is None:
            raise UnknownMatchError("There is no such match.")
        known = self.known(match_id)
        if known and (known.kept.token, known.kept.names) == (seen.token, seen.names):
            return self._keep(known, seen.holders)
        kept = self._store.find(match_id)
        return self._keep(MatchSession(kept, kept.match()), seen.holders)

    def known(self, match_id: str) -> MatchSession | None:
        """A match as it was; good only for a write that the store refuses where it is no longer so."""
        with self._lock:
            found = self._known.get(match_id)
        return found and replace(found, match=copy(found.match))

    def keep(self, seating: MatchSession) -> None:
        """Remember a match as it was just written here; whoever does so tells those who watch."""
        self._keep(seating, seating.holders)
        with self._lock:
            self._written[seating.kept.id] = seating.kept.token

    def written(self, match_id: str) -> str | None:
        """The mark of the last write from here; what was only read here may be news to those who watch."""
        with self._lock:
            return self._written.get(match_id)

    def forget(self, match_id: str) -> None:
        """It has changed, nobody here knows how."""
        with self._lock:
            self._known.pop(match_id, None)
            self._written.pop(match_id, None)

    def _keep(self, seating: MatchSession, holders: Mapping[int, Holder]) -> MatchSession:
        found = replace(seating, holders=holders)
        with self._lock:
            self._known[found.kept.id] = replace(found, match=copy(found.match))
            self._known.move_to_end(found.kept.id)
            while len(self._known) > self._most:
                self._written.pop(self._known.popitem(last=False)[0], None)
        return found
