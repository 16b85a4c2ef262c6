"""SVG to PNG, with whatever common font the system has, and PNG to pixels.

`python -m bitduel.rendering.png` reads SVG and writes PNG, so that a server can draw in another process.
"""

import struct
import sys
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bitduel.core.errors import RequiredExtra

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FONT_FOLDERS = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "~/.local/share/fonts",
    "~/.fonts",
    "/System/Library/Fonts",
    "/Library/Fonts",
    "C:/Windows/Fonts",
)
FONTS = {
    "Liberation Sans": ("LiberationSans-Regular.ttf", "LiberationSans-Bold.ttf"),
    "Arial": ("arial.ttf", "arialbd.ttf", "Arial.ttf", "Arial Bold.ttf"),
    "DejaVu Sans": ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"),
    "Noto Sans": ("NotoSans-Regular.ttf", "NotoSans-Bold.ttf"),
}
"""Fonts for pictures, the best first; a few files are read much faster than all of a system's."""

SIGNATURE = b"\x89PNG\r\n\x1a\n"
PIXEL_BYTES = 4
"""Red, green, blue and opacity."""


@cache
def font() -> tuple[str, tuple[str, ...]] | None:
    """Return the first of the known fonts that is installed, with its files."""
    installed = {path.name: str(path) for folder in FONT_FOLDERS for path in Path(folder).expanduser().rglob("*.ttf")}
    for family, names in FONTS.items():
        files = tuple(installed[name] for name in names if name in installed)
        if files:
            return family, files
    return None


def png(svg: str, width: int | None = None) -> bytes:
    """Draw a picture that is complete in itself, in its own width or in this one."""
    with RequiredExtra("web", "Drawing PNG files"):
        from resvg_py import svg_to_bytes

    family, files = font() or (None, ())
    # A name in another script may need any font of the system.
    image: bytes = svg_to_bytes(
        svg_string=svg, width=width, skip_system_fonts=svg.isascii(), font_files=list(files), sans_serif_family=family
    )
    return image


def pixels(image: bytes) -> "NDArray[np.uint8]":
    """Return rows of red, green and blue from a PNG as `png` draws it: 8 bits, opaque, not interlaced."""
    import numpy as np

    chunks = list(_chunks(image))
    width, height, *kind = struct.unpack(">IIBBBBB", chunks[0][1])
    assert image.startswith(SIGNATURE)
    assert kind == [8, 6, 0, 0, 0], "not a PNG of ours"
    packed = b"".join(data for name, data in chunks if name == b"IDAT")
    lines = np.frombuffer(zlib.decompress(packed), dtype=np.uint8).reshape(height, 1 + PIXEL_BYTES * width)
    rows = np.zeros((height + 1, PIXEL_BYTES * width), dtype=np.uint8)
    for number, line in enumerate(lines):
        rows[number + 1] = _unfiltered(int(line[0]), line[1:], rows[number])
    return rows[1:].reshape(height, width, PIXEL_BYTES)[:, :, :3].copy()


def _chunks(image: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(SIGNATURE)
    while at < len(image):
        length, name = struct.unpack_from(">I4s", image, at)
        yield name, image[at + 8 : at + 8 + length]
        at += 12 + length


def _unfiltered(kind: int, line: Any, above: Any) -> Any:
    """Undo a PNG filter: none, left, up, mean of both, or Paeth."""
    if kind == 0:
        return line
    if kind == 1:
        return line.reshape(-1, PIXEL_BYTES).cumsum(axis=0, dtype=line.dtype).reshape(-1)
    if kind == 2:
        return line + above
    row = [0] * PIXEL_BYTES + line.tolist()
    corner = [0] * PIXEL_BYTES + above.tolist()
    for at, up in enumerate(above.tolist()):
        left = row[at]
        guess = (left + up) // 2 if kind == 3 else _paeth(left, up, corner[at])
        row[at + PIXEL_BYTES] = (row[at + PIXEL_BYTES] + guess) & 255
    return row[PIXEL_BYTES:]


def _paeth(left: int, up: int, corner: int) -> int:
    """Return the neighbour nearest to left + up - corner, the first of equals."""
    by_left, by_up, by_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
    if by_left <= by_up and by_left <= by_corner:
        return left
    return up if by_up <= by_corner else corner


if __name__ == "__main__":
    wanted_width = int(sys.argv[1]) if len(sys.argv) > 1 else None
    sys.stdout.buffer.write(png(sys.stdin.buffer.read().decode(), wanted_width))
