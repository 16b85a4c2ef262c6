"""Reading what we draw for cameras and link previews: QR codes and PNG files, written without the libraries we use."""

import re
import zlib
from collections.abc import Callable
from struct import unpack
from typing import NamedTuple

from pictures import parsed

Grid = list[list[bool]]

MASKS: list[Callable[[int, int], int]] = [
    lambda y, x: (y + x) % 2,
    lambda y, x: y % 2,
    lambda y, x: x % 3,
    lambda y, x: (y + x) % 3,
    lambda y, x: (y // 2 + x // 3) % 2,
    lambda y, x: y * x % 2 + y * x % 3,
    lambda y, x: (y * x % 2 + y * x % 3) % 2,
    lambda y, x: ((y + x) % 2 + y * x % 3) % 2,
]
BLOCKS = {1: [16], 2: [28], 3: [44], 4: [32] * 2, 5: [43] * 2, 6: [27] * 4, 7: [31] * 4, 8: [38, 38, 39, 39]}
"""For each version at level M, how many data words each block has."""
ALIGNED = {1: [], 2: [18], 3: [22], 4: [26], 5: [30], 6: [34], 7: [22, 38], 8: [24, 42]}
LEVEL_M = 0


def grid_of(svg: str, quiet: int = 4) -> Grid:
    """The modules of a drawn code; what is around them must be white."""
    root = parsed(svg)
    size = int(root.get("viewBox", "").split()[2])
    dark = [[False] * size for _ in range(size)]
    (path,) = root.iter("path")
    for x, y, wide in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\d+z", path.get("d", "")):
        for place in range(int(x), int(x) + int(wide)):
            dark[int(y)][place] = True
    edge = [*range(quiet), *range(size - quiet, size)]
    assert not any(dark[y][x] or dark[x][y] for y in edge for x in range(size))
    return [row[quiet:-quiet] for row in dark[quiet:-quiet]]


def read_qr(grid: Grid) -> str:
    """The text of a code at level M in byte mode, up to version 8."""
    size = len(grid)
    version = (size - 17) // 4
    places = [(8, x) for x in (*range(6), 7, 8)] + [(y, 8) for y in (7, *range(5, -1, -1))]
    told = int("".join(str(int(grid[y][x])) for y, x in places), 2) ^ 0b101010000010010
    assert told >> 13 == LEVEL_M
    mask = MASKS[told >> 10 & 7]
    bits = [grid[y][x] ^ (mask(y, x) == 0) for y, x in _path(size) if not _reserved(y, x, size, version)]
    words = [int("".join(str(int(bit)) for bit in bits[at : at + 8]), 2) for at in range(0, len(bits) - 7, 8)]
    data = _ordered(words, BLOCKS[version])
    stream = "".join(format(word, "08b") for word in data)
    assert stream[:4] == "0100"
    count = int(stream[4:12], 2)
    return int(stream[12 : 12 + 8 * count], 2).to_bytes(count).decode()


def _path(size: int) -> list[tuple[int, int]]:
    """Two columns at a time from the right, up and down in turn; the column of the clock is left out."""
    columns = [x if x > 6 else x - 1 for x in range(size - 1, 0, -2)]
    walk = []
    for number, right in enumerate(columns):
        rows = range(size - 1, -1, -1) if number % 2 == 0 else range(size)
        walk += [(y, x) for y in rows for x in (right, right - 1)]
    return walk


def _reserved(y: int, x: int, size: int, version: int) -> bool:
    corner = (y < 9 and x < 9) or (y < 9 and x >= size - 8) or (y >= size - 8 and x < 9)
    told = version >= 7 and ((y < 6 and x >= size - 11) or (x < 6 and y >= size - 11))
    centres = [6, *ALIGNED[version]]
    squares = [(a, b) for a in centres for b in centres if not _in_corner(a, b, size)] if version > 1 else []
    return corner or told or 6 in (y, x) or any(abs(y - a) <= 2 and abs(x - b) <= 2 for a, b in squares)


def _in_corner(y: int, x: int, size: int) -> bool:
    return (y, x) in ((6, 6), (6, size - 7), (size - 7, 6))


def _ordered(words: list[int], blocks: list[int]) -> list[int]:
    """The data words of each block one after the other; they are sent in turn."""
    sent = iter(words)
    found: list[list[int]] = [[] for _ in blocks]
    for place in range(max(blocks)):
        for block, length in zip(found, blocks, strict=True):
            if place < length:
                block.append(next(sent))
    return [word for block in found for word in block]


class Png(NamedTuple):
    """A picture file: its size, and how many different rows of pixels it has."""

    wide: int
    tall: int
    rows: int


def read_png(data: bytes) -> Png:
    """A whole PNG file with sound checksums and as many pixels as it says."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, at = [], 8
    while at < len(data):
        length, kind = unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        assert unpack(">I", data[at + 8 + length : at + 12 + length]) == (zlib.crc32(kind + body),)
        chunks.append((kind, body))
        at += 12 + length
    assert (chunks[0][0], chunks[-1]) == (b"IHDR", (b"IEND", b""))
    wide, tall, depth, colours = unpack(">IIBB", chunks[0][1][:10])
    assert (depth, colours) == (8, 6)
    pixels = zlib.decompress(b"".join(body for kind, body in chunks if kind == b"IDAT"))
    row = 1 + 4 * wide
    assert len(pixels) == row * tall
    return Png(wide, tall, len({pixels[at : at + row] for at in range(0, len(pixels), row)}))
