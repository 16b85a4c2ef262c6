"""Stores for classes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bitduel.storage import Store, open_store


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.thorough)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A store over each kind of database in turn."""
    url = f"sqlite:///{tmp_path}/class.db" if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    with open_store(url) as opened:
        yield opened
