"""Time that passes when told so, for everything that asks the storage what time it is."""

import pytest

from bitduel.storage.schema import SECOND, now


class FakeTime:
    """The time in ticks, until it is told to pass."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = now()
        monkeypatch.setattr("bitduel.storage.schema.time_ns", lambda: 1000 * self.now)

    def __call__(self) -> int:
        return self.now

    def pass_by(self, seconds: float) -> None:
        self.now += round(seconds * SECOND)


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> FakeTime:
    """The time of a test that tells it to pass."""
    return FakeTime(monkeypatch)
