"""Presence of pupils: from their requests and open pages here, shared by coarse times in the store."""

from collections.abc import Iterable
from time import monotonic

from bitduel.service.presence import PRESENT_FOR, Presence
from bitduel.storage.classes import ClassRecord, ClassStore
from bitduel.storage.schema import SECOND, now

AWAY_AFTER = 180 * SECOND
"""The time without a sign after which a pupil is not paired, and an opponent gets the computer or the point."""


class ClassPresence:
    """The pupils of all classes who are present."""

    def __init__(self, presence: Presence, store: ClassStore) -> None:
        self._presence = presence
        self._store = store
        self._began = monotonic()
        self._stored: dict[str, dict[int, int]] = {}
        self._announced: dict[str, frozenset[int]] = {}

    def until(self, record: ClassRecord) -> dict[int, int]:
        """Return until when each pupil of a class counts as present."""
        stored = self._stored.get(record.code, {})
        present = {}
        for pupil in record.pupils.values():
            if not pupil.removed:
                seen = self._presence.last_seen(pupil.owner) if pupil.owner else 0
                present[pupil.id] = max(stored.get(pupil.id, 0), pupil.here, seen and seen + PRESENT_FOR)
        return present

    def ready(self, record: ClassRecord) -> set[int]:
        """Return the pupils who can be paired: not those who have been away for long, unless the server was."""
        pupils = record.pupils.values()
        able = {each.id for each in pupils if each.owner and each.approved and not each.removed}
        if monotonic() - self._began < AWAY_AFTER / SECOND:
            return able
        limit = now() - AWAY_AFTER + PRESENT_FOR
        return {pupil for pupil, until in self.until(record).items() if pupil in able and until > limit}

    def update(self, records: Iterable[ClassRecord]) -> list[str]:
        """Record who is present, and return the classes in which that has changed."""
        known = list(records)
        rows = []
        for record in known:
            stored = self._stored.get(record.code, {})
            for pupil in record.pupils.values():
                seen = self._presence.last_seen(pupil.owner) if pupil.owner else 0
                if seen and seen + PRESENT_FOR > stored.get(pupil.id, pupil.here):
                    rows.append((record.code, pupil.id, seen + PRESENT_FOR))
        self._store.set_present(rows)
        changed = []
        for record in known:
            self._stored[record.code] = self._store.presence(record.code)
            present = frozenset(pupil for pupil, until in self.until(record).items() if until > now())
            if self._announced.get(record.code) != present:
                self._announced[record.code] = present
                changed.append(record.code)
        return changed

    def announced(self, code: str) -> frozenset[int]:
        """Return the pupils who were present when that was announced last."""
        return self._announced.get(code, frozenset())

    def forget(self, code: str) -> None:
        """Forget a class."""
        self._stored.pop(code, None)
        self._announced.pop(code, None)
