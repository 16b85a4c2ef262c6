"""The process of a bot: how long it is waited for."""

import os
import select

import pytest

from bitduel.players.process import _is_readable


class Poll:
    """A poll that notes how long it may wait, and finds nothing to read."""

    def __init__(self, waits: list[float]) -> None:
        self.waits = waits

    def register(self, _pipe: int, _events: int) -> None: ...

    def poll(self, milliseconds: float) -> list[tuple[int, int]]:
        self.waits.append(milliseconds)
        return []


@pytest.mark.skipif(not hasattr(select, "poll"), reason="Bots need a POSIX system.")
def test_a_pipe_is_waited_for_until_its_time_is_over_and_not_at_all_after_that(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(select, "poll", lambda: Poll(waits))
    for seconds in (2.5, 0.0, -3.0):
        assert not _is_readable(0, seconds)
    assert not _is_readable(0)
    assert waits == [2500, 0, 0, 0]


@pytest.mark.skipif(not hasattr(select, "poll"), reason="Bots need a POSIX system.")
def test_a_pipe_that_has_something_or_has_ended_can_be_read() -> None:
    reader, writer = os.pipe()
    try:
        assert not _is_readable(reader)
        os.write(writer, b"1")
        assert _is_readable(reader)
        os.read(reader, 1)
    finally:
        os.close(writer)
    assert _is_readable(reader)
    os.close(reader)
