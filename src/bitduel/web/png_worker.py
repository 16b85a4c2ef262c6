"""PNG files from SVG pictures: drawn by another process, one at a time, and cached."""

import asyncio
import shutil
import subprocess
import sys
from collections import OrderedDict
from hashlib import sha256

from starlette.concurrency import run_in_threadpool

from bitduel.core.errors import BitduelError
from bitduel.web.http.clients import Client
from bitduel.web.http.quotas import Quota, TooManyError

MOST_CACHED = 64
MOST_WAITING = 8
"""Requests that may wait for a picture at the same time; others are refused."""
TIMEOUT = 20
"""Seconds after which a drawing is given up."""
NICE = ["nice", "-n", "15"] if shutil.which("nice") else []
"""Drawing has the lowest priority on the machine."""
DRAW = [*NICE, sys.executable, "-P", "-m", "bitduel.rendering.png"]


class NoPictureError(BitduelError):
    """A picture that could not be drawn."""


class PngWorker:
    """A process that draws one picture at a time, so that requests for pictures cannot overload the machine."""

    def __init__(self, quota: Quota) -> None:
        self.quota = quota
        self._cache: OrderedDict[tuple[str, int | None], bytes] = OrderedDict()
        self._turn = asyncio.Semaphore(1)
        self._waiting = 0

    async def png(self, svg: str, client: Client, width: int | None = None) -> bytes:
        """Return a picture from the cache, or draw it and count that for the client."""
        key = sha256(svg.encode("utf-8", "replace")).hexdigest(), width
        if key not in self._cache:
            if self._waiting >= MOST_WAITING:
                raise TooManyError("The site is busy drawing pictures. Please try again in a minute.")
            self.quota.take(client)
            await self._draw(key, svg)
        self._cache.move_to_end(key)
        return self._cache[key]

    async def _draw(self, key: tuple[str, int | None], svg: str) -> None:
        self._waiting += 1
        try:
            async with self._turn:
                if key not in self._cache:
                    self._cache[key] = await run_in_threadpool(draw, svg, key[1])
        finally:
            self._waiting -= 1
        while len(self._cache) > MOST_CACHED:
            self._cache.popitem(last=False)


def draw(svg: str, width: int | None = None) -> bytes:
    """Draw a picture in a process of its own; drawing in this one would hold up everybody else."""
    command = DRAW if width is None else [*DRAW, str(width)]
    text = svg.encode("utf-8", "replace")
    try:
        return subprocess.run(command, input=text, capture_output=True, check=True, timeout=TIMEOUT).stdout
    except (OSError, subprocess.SubprocessError):
        raise NoPictureError("We couldn't draw that picture.") from None
