"""A PNG as an array of pixels, for learners; only of the kind that our own painter makes."""

import struct
import zlib
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

SIGNATURE = b"\x89PNG\r\n\x1a\n"
PER_PIXEL = 4
"""Bytes of a pixel: red, green, blue and how opaque it is."""

Bytes = NDArray[np.uint8]


def pixels(png: bytes) -> Bytes:
    """Rows of pixels of red, green and blue; the picture must be opaque, of 8 bits a channel, not interlaced."""
    parts = list(_parts(png))
    wide, tall, *kind = struct.unpack(">IIBBBBB", parts[0][1])
    assert png.startswith(SIGNATURE)
    assert kind == [8, 6, 0, 0, 0], "not a PNG of ours"
    packed = b"".join(data for name, data in parts if name == b"IDAT")
    lines = np.frombuffer(zlib.decompress(packed), dtype=np.uint8).reshape(tall, 1 + PER_PIXEL * wide)
    drawn = np.zeros((tall + 1, PER_PIXEL * wide), dtype=np.uint8)
    for number, line in enumerate(lines):
        drawn[number + 1] = _unfiltered(int(line[0]), line[1:], drawn[number])
    return drawn[1:].reshape(tall, wide, PER_PIXEL)[:, :, :3].copy()


def _parts(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The chunks of the file: what each is called, and what is in it."""
    at = len(SIGNATURE)
    while at < len(png):
        length, name = struct.unpack_from(">I4s", png, at)
        yield name, png[at + 8 : at + 8 + length]
        at += 12 + length


def _unfiltered(kind: int, line: Bytes, above: Bytes) -> Bytes:
    """A line as it was before it was written as differences from what is beside and above it."""
    if kind == 0:
        return line
    if kind == 1:
        return np.cumsum(line.reshape(-1, PER_PIXEL), axis=0, dtype=np.uint8).reshape(-1)
    if kind == 2:
        return line + above
    return _predicted(kind, line.tolist(), above.tolist())


def _predicted(kind: int, line: list[int], above: list[int]) -> Bytes:
    """The two kinds that go on from what they have just found: the mean, and the nearest of three."""
    made = [0] * PER_PIXEL + line
    corner = [0] * PER_PIXEL + above
    for at, up in enumerate(above):
        left = made[at]
        guess = (left + up) // 2 if kind == 3 else _nearest(left, up, corner[at])
        made[at + PER_PIXEL] = (made[at + PER_PIXEL] + guess) & 255
    return np.array(made[PER_PIXEL:], dtype=np.uint8)


def _nearest(left: int, up: int, corner: int) -> int:
    """Of three neighbours the one nearest to left + up - corner, the first of equals."""
    by_left, by_up, by_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
    if by_left <= by_up and by_left <= by_corner:
        return left
    return up if by_up <= by_corner else corner
