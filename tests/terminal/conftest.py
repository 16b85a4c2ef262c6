"""Fixtures for stored matches."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest


@pytest.fixture
def db(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/matches.db"


@pytest.fixture
def here_is() -> Iterator[Callable[[str], None]]:
    """Move the machine to a time zone."""
    with pytest.MonkeyPatch.context() as patched:

        def move(zone: str) -> None:
            patched.setenv("TZ", zone)
            time.tzset()

        yield move
    time.tzset()
