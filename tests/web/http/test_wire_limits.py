"""The wire: requests that are too large or too slow, and connections that are one too many."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from bitduel.web.http import wire_limits
from bitduel.web.http.clients import Proxies
from bitduel.web.http.wire_limits import LARGEST_HEAD, LimitedProtocol

GET = b"GET / HTTP/1.1\r\nHost: here\r\n"
asked: list[str] = []
opened: list[asyncio.StreamWriter] = []
states: list[ServerState] = []


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Tells what it was asked."""
    asked.append(scope["path"])
    if scope["path"].startswith("/stream"):
        await stream(scope["path"], receive, send)
        return
    body = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if not message.get("more_body"):
            break
    told = json.dumps({"path": scope["path"], "size": len(body)}).encode()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(told))]})
    await send({"type": "http.response.body", "body": told})


async def stream(path: str, receive: Any, send: Any) -> None:
    """A stream that goes on until its reader leaves; a large one is never taken whole."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"x" * (20_000_000 if "large" in path else 5), "more_body": True})
    while (await receive())["type"] != "http.disconnect":
        pass


@asynccontextmanager
async def serving() -> AsyncIterator[int]:
    """A server of this protocol alone; the port."""
    asked.clear()
    config = uvicorn.Config(app, http=LimitedProtocol, ws="none", log_level="critical", timeout_keep_alive=60)
    config.load()
    state = ServerState()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: LimitedProtocol(config, state, {}), "127.0.0.1", 0)
    states[:] = [state]
    yield server.sockets[0].getsockname()[1]
    for writer in opened:
        writer.close()
    opened.clear()
    server.close()
    for connection in list(state.connections):
        connection.transport.abort()
    await server.wait_closed()
    for _ in range(5):
        await asyncio.sleep(0)


def on_server(test: Callable[[int], Awaitable[None]]) -> None:
    async def go() -> None:
        async with serving() as port:
            await asyncio.wait_for(test(port), 60)

    asyncio.run(go())


async def connect(port: int, address: str = "127.0.0.1") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
    opened.append(writer)
    return reader, writer


async def answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    head = await reader.readuntil(b"\r\n\r\n")
    length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
    return int(head.split()[1]), await reader.readexactly(length)


def test_ordinary_requests_follow_each_other_on_one_connection() -> None:
    async def test(port: int) -> None:
        reader, writer = await connect(port)
        for number in range(5):
            body = b"x" * number * 1000
            writer.write(b"POST /%d HTTP/1.1\r\nHost: here\r\nContent-Length: %d\r\n\r\n" % (number, len(body)) + body)
            status, told = await answer(reader)
            assert (status, json.loads(told)) == (200, {"path": f"/{number}", "size": len(body)})

    on_server(test)


def test_requests_that_come_in_one_piece_are_all_answered() -> None:
    async def test(port: int) -> None:
        reader, writer = await connect(port)
        writer.write((GET + b"\r\n") * 20)
        assert [(await answer(reader))[0] for _ in range(20)] == [200] * 20

    on_server(test)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "head",
    [
        b"GET /" + b"a" * LARGEST_HEAD + b" HTTP/1.1\r\nHost: here\r\n\r\n",
        GET + b"X: " + b"a" * LARGEST_HEAD + b"\r\n\r\n",
        GET + b"".join(b"X%d: %s\r\n" % (n, b"a" * 1000) for n in range(20)) + b"\r\n",
        GET + b"X: " + b"a" * (4 * LARGEST_HEAD),
        b"GET /" + b"a" * (4 * LARGEST_HEAD),
    ],
    ids=["address", "header", "headers", "endless header", "endless address"],
)
def test_too_large_a_head_is_refused_whether_it_ends_or_not(head: bytes) -> None:
    async def test(port: int) -> None:
        reader, writer = await connect(port)
        writer.write(head)
        assert (await answer(reader))[0] == 431
        assert await reader.read() == b""
        assert not asked

    on_server(test)


def test_a_head_of_just_the_allowed_size_is_taken() -> None:
    async def test(port: int) -> None:
        reader, writer = await connect(port)
        writer.write(GET + b"X: " + b"a" * (LARGEST_HEAD - 100) + b"\r\n\r\n")
        assert (await answer(reader))[0] == 200

    on_server(test)


@pytest.mark.parametrize(
    "part", [b"", b"GET", GET, b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 10\r\n\r\nabc"], ids=range(4)
)
def test_a_request_that_does_not_come_to_its_end_is_let_go(part: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire_limits, "LONGEST_WAIT", 0.02)

    async def test(port: int) -> None:
        reader, writer = await connect(port)
        writer.write(part)
        assert (await answer(reader))[0] == 408
        assert await reader.read() == b""

    on_server(test)


STREAM = b"GET /stream HTTP/1.1\r\nHost: here\r\n\r\n"


def test_one_address_is_answered_on_so_many_connections_at_once_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LimitedProtocol, "most_of_one", 3)

    async def test(port: int) -> None:
        seated = [await connect(port) for _ in range(3)]
        for reader, writer in seated:
            writer.write(STREAM)
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
        reader, writer = await connect(port)
        writer.write(GET + b"\r\n")
        assert (await answer(reader))[0] == 503
        reader, writer = await connect(port, "127.0.0.2")
        writer.write(GET + b"\r\n")
        assert (await answer(reader))[0] == 200
        seated[0][1].close()
        await seated[0][1].wait_closed()
        while LimitedProtocol.of_address["127.0.0.1"] > 2:
            await asyncio.sleep(0)
        reader, writer = await connect(port)
        writer.write(GET + b"\r\n")
        assert (await answer(reader))[0] == 200

    on_server(test)
    assert not LimitedProtocol.of_address
    assert not LimitedProtocol.silent


@pytest.mark.parametrize("bound", ["most_of_one", "most"])
@pytest.mark.parametrize(
    "part",
    [b"", b"GET / HT", b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 9\r\n\r\nhalf"],
    ids=["", "head", "body"],
)
def test_half_sent_requests_make_room_for_whole_ones_and_go_before_idle_connections(
    monkeypatch: pytest.MonkeyPatch, bound: str, part: bytes
) -> None:
    monkeypatch.setattr(LimitedProtocol, bound, 4)

    async def test(port: int) -> None:
        idle = await connect(port)
        idle[1].write(GET + b"\r\n")
        assert (await answer(idle[0]))[0] == 200
        half = [await connect(port) for _ in range(3)]
        for _, writer in half:
            writer.write(part)
        for count in range(3):
            reader, writer = await connect(port)
            writer.write(GET + b"\r\n")
            assert (await answer(reader))[0] == 200
            assert await half[count][0].read() == b""
        idle[1].write(GET + b"\r\n")
        assert (await answer(idle[0]))[0] == 200
        reader, writer = await connect(port)
        writer.write(GET + b"\r\n")
        assert (await answer(reader))[0] == 200

    on_server(test)
    assert not LimitedProtocol.silent


def test_where_no_connection_can_make_room_a_player_is_let_in_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LimitedProtocol, "most_of_one", 1)
    monkeypatch.setattr(wire_limits, "MOST_ON_TRIAL", 2)
    monkeypatch.setattr(LimitedProtocol, "is_playing", lambda scope: (b"cookie", b"player") in scope["headers"])

    async def test(port: int) -> None:
        reader, writer = await connect(port)
        writer.write(STREAM)
        await reader.readuntil(b"\r\n\r\n")
        for cookie, status in ((b"", 503), (b"Cookie: player\r\n", 200)):
            reader, writer = await connect(port)
            writer.write(GET + cookie + b"\r\n")
            assert (await answer(reader))[0] == status
        writer.write(STREAM)
        await reader.readuntil(b"\r\n\r\n")
        waiting = [await connect(port) for _ in range(3)]
        assert await waiting[0][0].read() == b""  # of those who are listened to, the first to come goes first
        waiting[1][1].write(GET + b"Cookie: player\r\n\r\n")
        assert (await answer(waiting[1][0]))[0] == 200

    on_server(test)
    assert not LimitedProtocol.tried


def test_a_connection_that_is_being_answered_never_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LimitedProtocol, "most_of_one", 1)

    async def test(port: int) -> None:
        reader, writer = await connect(port)
        writer.write(STREAM + b"GET / HT")  # and the next request has begun
        await reader.readuntil(b"\r\n\r\n")
        other, sender = await connect(port)
        sender.write(GET + b"\r\n")
        assert (await answer(other))[0] == 503
        assert not reader.at_eof()

    on_server(test)


def test_a_proxy_may_hold_any_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LimitedProtocol, "most_of_one", 1)
    monkeypatch.setattr(LimitedProtocol, "proxies", Proxies(["127.0.0.1"]))

    async def test(port: int) -> None:
        for _ in range(4):
            reader, writer = await connect(port)
            writer.write(GET + b"\r\n")
            assert (await answer(reader))[0] == 200

    on_server(test)


CHUNKED = b"POST / HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    "rest", [b"0\r\n" + b"X: e\r\n" * 20_000, b"0\r\nX: " + b"e" * 200_000, b"1;" + b"x" * 200_000], ids=range(3)
)
def test_what_stands_between_and_behind_chunks_has_an_end(rest: bytes) -> None:
    async def test(port: int) -> None:
        reader, writer = await connect(port)
        writer.write(CHUNKED)
        for at in range(0, len(rest), 10_000):
            writer.write(rest[at : at + 10_000])
            await writer.drain()
        assert (await answer(reader))[0] == 413

    on_server(test)


def test_many_small_chunks_and_more_requests_behind_them_are_taken() -> None:
    async def test(port: int) -> None:
        reader, writer = await connect(port)
        for _ in range(3):
            writer.write((CHUNKED + b"1\r\nx\r\n" * 5000 + b"0\r\n\r\n") * 2)
        assert [await answer(reader) for _ in range(6)] == [(200, b'{"path": "/", "size": 5000}')] * 6

    on_server(test)


def test_who_reads_nothing_of_what_is_sent_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire_limits, "LONGEST_UNREAD", 0.02)

    async def test(port: int) -> None:
        _, writer = await connect(port)
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        writer.write(b"GET /stream/large HTTP/1.1\r\nHost: here\r\n\r\n")
        while not states[0].connections:
            await asyncio.sleep(0)
        while states[0].connections:
            await asyncio.sleep(0.001)

    on_server(test)


def test_a_stream_is_ended_at_once_when_the_process_is_to_end() -> None:
    async def test(port: int) -> None:
        reader, writer = await connect(port)
        writer.write(b"GET /stream/events HTTP/1.1\r\nHost: here\r\n\r\n")
        await reader.readuntil(b"xxxxx\r\n")
        called: list[None] = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(LimitedProtocol, "at_end", lambda: called.append(None))
            (connection,) = states[0].connections
            connection.shutdown()
        assert await reader.read() == b"0\r\n\r\n"
        assert called

    on_server(test)


def test_no_answer_is_written_into_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire_limits, "LONGEST_WAIT", 0.05)

    async def test(port: int) -> None:
        reader, writer = await connect(port)
        writer.write(b"GET /stream HTTP/1.1\r\nHost: here\r\n\r\nGET / HT")
        assert b"408" not in await reader.read()

    on_server(test)
