"""Lines of an input: whatever comes in whatever pieces, and nobody waits for more than there is."""

import asyncio
import os
from threading import Thread

from hypothesis import given
from hypothesis import strategies as st

from bitduel.mcp.transports import LONGEST_LINE, TOO_LONG, StdioLines


async def all_of(number: int) -> list[str]:
    return [line async for line in StdioLines(number)]


def read(*pieces: bytes) -> list[str]:
    """The lines of what is written in these pieces."""
    source, sink = os.pipe()

    def write() -> None:
        for piece in pieces:
            rest = piece
            while rest:
                rest = rest[os.write(sink, rest) :]
        os.close(sink)

    writer = Thread(target=write)
    writer.start()
    try:
        return asyncio.run(all_of(source))
    finally:
        writer.join()
        os.close(source)


@given(st.lists(st.binary(max_size=20), max_size=5))
def test_lines_are_the_same_in_whatever_pieces_they_come(pieces: list[bytes]) -> None:
    whole = b"".join(pieces).split(b"\n")
    whole = whole if whole[-1] else whole[:-1]
    assert read(*pieces) == [line.decode("utf-8", "replace") for line in whole]


def test_a_line_without_end_is_not_kept() -> None:
    middle = b" " * (3 * LONGEST_LINE)
    found = read(
        b'{"a": 1'
        + middle
        + b', "b": 2'
        + middle
        + b"}\nnext\n"
        + b"y" * LONGEST_LINE
        + b"\n"
        + b"z" * (2 * LONGEST_LINE)
    )
    assert found == [TOO_LONG, "next", "y" * LONGEST_LINE, TOO_LONG]


def test_an_input_that_cannot_be_read_is_at_its_end() -> None:
    source, sink = os.pipe()
    os.close(sink)
    os.close(source)
    assert asyncio.run(all_of(source)) == []


def test_who_stops_does_not_wait_for_the_next_line() -> None:
    source, sink = os.pipe()

    async def stop() -> None:
        task = asyncio.ensure_future(all_of(source))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled()

    asyncio.run(stop())
    os.close(sink)
    os.close(source)
