"""Lines of an input, read by threads that nobody waits for: who stops does not have to wait for the next line."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import suppress
from threading import Thread

CHUNK = 1 << 16
LONGEST = 1 << 20
"""A line of more bytes is no message, and nothing of it is taken for one."""


TOO_LONG = "a line that was too long"


class StdioLines:
    """The lines of a file that is read by its number."""

    def __init__(self, number: int) -> None:
        self._number = number

    async def __aiter__(self) -> AsyncIterator[str]:
        rest, spoilt = b"", False
        while chunk := await self._chunk():
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                yield _told(line, spoilt)
                spoilt = False
            if len(rest) > LONGEST:
                rest, spoilt = b"", True
        if rest or spoilt:
            yield _told(rest, spoilt)

    async def _chunk(self) -> bytes:
        """What has come, as soon as there is something; nothing at the end of the input."""
        loop = asyncio.get_running_loop()
        coming: asyncio.Future[bytes] = loop.create_future()

        def read() -> None:
            try:
                chunk = os.read(self._number, CHUNK)
            except OSError:
                chunk = b""  # nobody can write to it any more
            with suppress(RuntimeError):  # the loop has ended meanwhile
                loop.call_soon_threadsafe(_come, coming, chunk)

        Thread(target=read, daemon=True).start()
        return await coming


def _told(line: bytes, spoilt: bool) -> str:
    """A line as text; of one that was too long only that it was."""
    return TOO_LONG if spoilt or len(line) > LONGEST else line.decode("utf-8", "replace")


def _come(coming: asyncio.Future[bytes], chunk: bytes) -> None:
    if not coming.done():
        coming.set_result(chunk)
