"""Lines of an input, read by threads that nobody waits for: who stops does not have to wait for the next line."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import suppress
from threading import Thread

CHUNK = 1 << 16
LONGEST = 1 << 20
"""So many bytes of a line are kept at the least; what is much longer is cut, and so no message."""


class Lines:
    """The lines of a file that is read by its number."""

    def __init__(self, number: int) -> None:
        self._number = number

    async def __aiter__(self) -> AsyncIterator[str]:
        rest = b""
        while chunk := await self._chunk():
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                yield line.decode("utf-8", "replace")
            rest = rest[:LONGEST]
        if rest:
            yield rest.decode("utf-8", "replace")

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


def _come(coming: asyncio.Future[bytes], chunk: bytes) -> None:
    if not coming.done():
        coming.set_result(chunk)
