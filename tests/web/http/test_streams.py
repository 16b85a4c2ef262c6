"""Streams of events: sent as they come, ended when the reader goes, and nobody holds one without reading."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bitduel.web.http import streams
from bitduel.web.http.streams import EventStream, event


@pytest.mark.parametrize(
    ("parts", "wire"),
    [
        (("changed", "3 open"), b"event: changed\r\ndata: 3 open\r\n\r\n"),
        (("refused", "one\ntwo", 60), b"event: refused\r\ndata: one\r\ndata: two\r\nretry: 60\r\n\r\n"),
        (("changed", ""), b"event: changed\r\ndata: \r\n\r\n"),
    ],
)
def test_an_event_as_it_goes_over_the_wire(parts: Any, wire: bytes) -> None:
    assert event(*parts) == wire


class Reader:
    """The other side of a stream."""

    def __init__(self) -> None:
        self.got: list[Any] = []
        self.left = asyncio.Event()
        self.taking = asyncio.Event()
        self.taking.set()

    async def receive(self) -> dict[str, str]:
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        await self.taking.wait()
        self.got.append(message)


def test_it_ends_when_the_events_end() -> None:
    async def events() -> AsyncIterator[bytes]:
        yield b"one"
        yield b"two"

    async def play() -> None:
        reader = Reader()
        await EventStream(events())({}, reader.receive, reader.send)
        assert [message.get("body") for message in reader.got] == [None, b"one", b"two", b""]
        assert dict(reader.got[0]["headers"])[b"content-type"].startswith(b"text/event-stream")
        assert not reader.got[-1]["more_body"]

    asyncio.run(play())


def test_when_the_reader_goes_whatever_the_stream_held_is_let_go() -> None:
    closed: list[str] = []

    async def events(reader: Reader) -> AsyncIterator[bytes]:
        try:
            yield b"one"
            reader.left.set()
            await asyncio.Event().wait()
        finally:
            closed.append("let go")

    async def play() -> None:
        reader = Reader()
        await EventStream(events(reader))({}, reader.receive, reader.send)
        assert closed == ["let go"]

    asyncio.run(play())


def test_who_takes_nothing_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "PATIENCE", 0.01)
    closed: list[str] = []

    async def events(reader: Reader) -> AsyncIterator[bytes]:
        try:
            reader.taking.clear()
            yield b"one"
        finally:
            closed.append("let go")
            reader.taking.set()

    async def play() -> None:
        reader = Reader()
        await EventStream(events(reader))({}, reader.receive, reader.send)
        assert closed == ["let go"]
        assert [message.get("body") for message in reader.got] == [None, b""]

    asyncio.run(play())


def test_what_goes_wrong_is_not_hidden() -> None:
    async def events() -> AsyncIterator[bytes]:
        yield b"one"
        raise ZeroDivisionError

    async def play() -> None:
        reader = Reader()
        with pytest.raises(ZeroDivisionError):
            await EventStream(events())({}, reader.receive, reader.send)

    asyncio.run(play())
