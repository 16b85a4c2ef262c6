"""PNG files from SVG: drawn by another process, one after the other, and kept while there is room."""

import asyncio
import shutil
import subprocess
import sys
from collections import OrderedDict
from hashlib import sha256

from starlette.concurrency import run_in_threadpool

from bitduel.core.errors import BitduelError
from bitduel.web.quotas import Asker, Quota, TooManyError

KEPT = 64
WAITING = 8
"""So many may wait for a picture at once; whoever comes then is asked to come again."""
LONGEST = 20
"""Seconds after which a drawing is given up."""
LAST = ["nice", "-n", "15"] if shutil.which("nice") else []
"""Drawing comes after everything else that the machine has to do."""
DRAW = [*LAST, sys.executable, "-P", "-m", "bitduel.rendering.png"]


class NoPictureError(BitduelError):
    """A picture that could not be drawn."""


class PngWorker:
    """Draws what is asked for, never two at once: nobody can keep the machine busy by asking for pictures."""

    def __init__(self, quota: Quota) -> None:
        self.quota = quota
        self._kept: OrderedDict[tuple[str, int | None], bytes] = OrderedDict()
        self._one = asyncio.Semaphore(1)
        self._waiting = 0

    async def png(self, svg: str, asker: Asker, wide: int | None = None) -> bytes:
        """The file of a picture, from memory or drawn now; what is drawn counts for whoever asks."""
        key = sha256(svg.encode("utf-8", "replace")).hexdigest(), wide
        if key not in self._kept:
            if self._waiting >= WAITING:
                raise TooManyError("Too many pictures are asked for. Please try again in a minute.")
            self.quota.take(asker)
            await self._make(key, svg)
        self._kept.move_to_end(key)
        return self._kept[key]

    async def _make(self, key: tuple[str, int | None], svg: str) -> None:
        self._waiting += 1
        try:
            async with self._one:
                if key not in self._kept:
                    self._kept[key] = await run_in_threadpool(drawn, svg, key[1])
        finally:
            self._waiting -= 1
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)


def drawn(svg: str, wide: int | None = None) -> bytes:
    """A picture drawn by a process of its own; drawing would hold up all others in this one."""
    command = DRAW if wide is None else [*DRAW, str(wide)]
    given = svg.encode("utf-8", "replace")
    try:
        return subprocess.run(command, input=given, capture_output=True, check=True, timeout=LONGEST).stdout
    except (OSError, subprocess.SubprocessError):
        raise NoPictureError("The picture could not be drawn.") from None
