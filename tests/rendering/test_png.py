"""A PNG read back: all five kinds of lines, and the painter's own pictures."""

import struct
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitduel.rendering.png import PIXEL_BYTES, SIGNATURE, pixels, png


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def written(image: np.ndarray, kinds: list[int]) -> bytes:
    """A PNG of these pixels, each line written as differences of its own kind."""
    tall, wide, _ = image.shape
    raw = image.reshape(tall, wide * PIXEL_BYTES).astype(int)
    lines = []
    for number, kind in enumerate(kinds):
        line = raw[number]
        left = np.concatenate([np.zeros(PIXEL_BYTES, int), line[:-PIXEL_BYTES]])
        up = raw[number - 1] if number else np.zeros_like(line)
        corner = np.concatenate([np.zeros(PIXEL_BYTES, int), up[:-PIXEL_BYTES]])
        guess = left + up - corner
        near = np.stack([abs(guess - each) for each in (left, up, corner)]).argmin(axis=0)
        nearest = np.choose(near, [left, up, corner])
        known = [np.zeros_like(line), left, up, (left + up) // 2, nearest][kind]
        lines.append(bytes([kind]) + ((line - known) % 256).astype(np.uint8).tobytes())
    head = struct.pack(">IIBBBBB", wide, tall, 8, 6, 0, 0, 0)
    return SIGNATURE + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"".join(lines))) + chunk(b"IEND", b"")


@given(st.lists(st.integers(0, 4), min_size=1, max_size=6), st.integers(1, 7), st.integers(0, 2**32 - 1))
def test_what_was_written_is_read_whatever_the_kinds_of_its_lines(kinds: list[int], wide: int, seed: int) -> None:
    image = np.random.default_rng(seed).integers(0, 256, (len(kinds), wide, PIXEL_BYTES), np.uint8)
    assert (pixels(written(image, kinds)) == image[:, :, :3]).all()


def test_a_picture_of_the_painter_has_the_colours_that_it_says() -> None:
    box = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="6"><rect width="8" height="6" fill="#102030"/></svg>'
    )
    drawn = pixels(png(box))
    assert drawn.shape == (6, 8, 3)
    assert (drawn == (0x10, 0x20, 0x30)).all()


def test_another_kind_of_picture_is_refused() -> None:
    grey = SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    with pytest.raises(AssertionError, match="not a PNG of ours"):
        pixels(grey)
