"""Streams of events to browsers and programs: as little as possible between a piece of news and the wire."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, suppress

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

PATIENCE = 20.0
"""Seconds after which a reader who does not take what is sent is let go, and a silent stream shows that it lives."""
LAST = 1.0
"""Seconds in which a reader can hear that this is the end."""
ALIVE = b": still here\r\n\r\n"


def event(name: str, data: str, again: int | None = None) -> bytes:
    """An event as it goes over the wire; after how many milliseconds to come again may be told too."""
    lines = [f"event: {name}", *(f"data: {line}" for line in data.splitlines() or [""])]
    if again is not None:
        lines.append(f"retry: {again}")
    return "".join(f"{line}\r\n" for line in lines).encode() + b"\r\n"


class EventStream(Response):
    """Sends events as they come until they end, the reader goes, or takes nothing any more."""

    media_type = "text/event-stream"

    def __init__(self, events: AsyncIterator[bytes]) -> None:
        super().__init__(headers={"cache-control": "no-store", "x-accel-buffering": "no"})
        del self.headers["content-length"]
        self.events = events
        self._since: float | None = None
        """Since when the reader has not taken what was sent."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Stream."""
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        sending, going = asyncio.ensure_future(self._send(send)), asyncio.ensure_future(_gone(receive))
        stuck = asyncio.ensure_future(self._stuck())
        try:
            await asyncio.wait({sending, going, stuck}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, going, stuck):
                task.cancel()
            await asyncio.gather(sending, going, stuck, return_exceptions=True)
        if not sending.cancelled() and (error := sending.exception()):
            raise error
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(LAST):
                await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _send(self, send: Send) -> None:
        clock = asyncio.get_running_loop().time
        async with aclosing(self.events) as events:  # type: ignore[type-var]
            async for each in events:
                self._since = clock()
                await send({"type": "http.response.body", "body": each, "more_body": True})
                self._since = None

    async def _stuck(self) -> None:
        """Until the reader has taken nothing for too long; one look now and then is cheaper than a clock a piece."""
        clock = asyncio.get_running_loop().time
        while self._since is None or clock() - self._since < PATIENCE:
            await asyncio.sleep(PATIENCE / 2)


async def _gone(receive: Receive) -> None:
    """Until the reader has left."""
    while (await receive())["type"] != "http.disconnect":
        pass
