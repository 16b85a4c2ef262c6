"""SVG to PNG, with whatever common font the system has.

`python -m bitduel.rendering.png` reads SVG and writes PNG: drawing holds up everything else in a process, so that a
server lets another do it.
"""

import sys
from functools import cache
from pathlib import Path

from bitduel.core.extras import extra

FOLDERS = (
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
"""Fonts that pictures are set in, the best first; a few files are read much faster than all of a system's."""


@cache
def font() -> tuple[str, tuple[str, ...]] | None:
    """The first of the known fonts that is there, with its files."""
    there = {path.name: str(path) for folder in FOLDERS for path in Path(folder).expanduser().rglob("*.ttf")}
    for family, names in FONTS.items():
        files = tuple(there[name] for name in names if name in there)
        if files:
            return family, files
    return None


def png(svg: str, wide: int | None = None) -> bytes:
    """A picture that is complete in itself, as wide as it says or as it is told."""
    with extra("web", "Drawing PNG files"):
        from resvg_py import svg_to_bytes

    family, files = font() or (None, ())
    known = svg.isascii()  # a name in another script may need any font of the system
    made: bytes = svg_to_bytes(
        svg_string=svg, width=wide, skip_system_fonts=known, font_files=list(files), sans_serif_family=family
    )
    return made


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else None
    sys.stdout.buffer.write(png(sys.stdin.buffer.read().decode(), wanted))
