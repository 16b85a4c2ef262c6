"""Server-sent events, with little between an update and the socket."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, suppress

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

PATIENCE = 20.0
"""Seconds after which a reader that takes nothing is dropped, and a silent stream sends a comment."""
LAST = 1.0
"""Seconds for sending the end of the stream."""
ALIVE = b": still here\r\n\r\n"


def event(name: str, data: str, again: int | None = None) -> bytes:
    """Return an event as it is sent, with the milliseconds after which to reconnect if given."""
    lines = [f"event: {name}", *(f"data: {line}" for line in data.splitlines() or [""])]
    if again is not None:
        lines.append(f"retry: {again}")
    return "".join(f"{line}\r\n" for line in lines).encode() + b"\r\n"


class EventStream(Response):
    """A response that sends events until they end, or the reader leaves or takes nothing any more."""

    media_type = "text/event-stream"

    def __init__(self, events: AsyncIterator[bytes]) -> None:
        super().__init__(headers={"cache-control": "no-store", "x-accel-buffering": "no"})
        del self.headers["content-length"]
        self.events = events
        self._since: float | None = None
        """The time since which the reader has not taken what was sent."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events."""
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
        """Wait until the reader has taken nothing for too long; checked now and then, which is cheaper than timers."""
        clock = asyncio.get_running_loop().time
        while self._since is None or clock() - self._since < PATIENCE:
            await asyncio.sleep(PATIENCE / 2)


async def _gone(receive: Receive) -> None:
    """Wait until the reader has left."""
    while (await receive())["type"] != "http.disconnect":
        pass
