"""Disks that are too small or cannot be written; only root can make them."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def _mount(*arguments: str) -> None:
    program = shutil.which("mount")
    if not program or subprocess.run([program, *arguments], capture_output=True).returncode:
        pytest.skip("disks for a test can only be made by root, with the right to mount")


@contextmanager
def tiny_disk(place: Path, kilobytes: int = 600) -> Iterator[Path]:
    """A disk with little room."""
    place.mkdir()
    _mount("-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(place))
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", place], check=True)


@contextmanager
def read_only(place: Path) -> Iterator[None]:
    """A folder that cannot be written for a while, not even by root; what is open for writing stays so."""
    _mount("--bind", str(place), str(place))
    try:
        _mount("-o", "remount,bind,ro", str(place))
        yield
    finally:
        subprocess.run(["umount", "-l", place], check=True)


def fill(place: Path) -> Path:
    """A file that takes all the room that is left."""
    ballast = place / "ballast"
    with ballast.open("wb", buffering=0) as file:
        for size in (65_536, 4_096, 1):
            try:
                while file.write(bytes(size)) == size:
                    pass
            except OSError:
                continue
    return ballast


@contextmanager
def overlay(below: Path, place: Path) -> Iterator[Path]:
    """A folder over another one, as a container has it over its image: what is written becomes another file."""
    with tiny_disk(place, 4_000) as disk:
        for name in ("upper", "work", "merged"):
            (disk / name).mkdir()
        merged = disk / "merged"
        _mount(
            "-t",
            "overlay",
            "-o",
            f"lowerdir={below},upperdir={disk}/upper,workdir={disk}/work",
            "overlay",
            str(merged),
        )
        try:
            yield merged
        finally:
            subprocess.run(["umount", "-l", merged], check=True)
