"""Stores to test with."""

import multiprocessing
import warnings
from collections.abc import Callable, Iterator
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from bitduel.core.match import Match
from bitduel.games.registry import make
from bitduel.storage import Store, open_store


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/matches.db"


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> str:
    """Each kind of database in turn."""
    found: str = request.getfixturevalue(f"{request.param}_url")
    return found


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with open_store(url) as opened:
        yield opened


Run = Callable[..., BaseProcess]


@pytest.fixture
def fork() -> Iterator[Run]:
    """Run a function in a process of its own, which is gone at the end of the test."""
    started: list[BaseProcess] = []

    def run(function: Callable[..., None], *arguments: object) -> BaseProcess:
        process = multiprocessing.get_context("fork").Process(target=function, args=arguments, daemon=True)
        with warnings.catch_warnings(action="ignore", category=DeprecationWarning):
            process.start()
        started.append(process)
        return process

    yield run
    for process in started:
        process.kill()
        process.join()
        process.close()


Begin = Callable[..., str]


@pytest.fixture
def begin() -> Begin:
    """Keep a new match of the first number race between two people."""

    def keep(store: Store, game: str = "64", names: tuple[str, str] = ("Ada", "Ben"), **more: object) -> str:
        return store.begin(Match(make(game)), ("human", "human"), names, **more)  # type: ignore[arg-type]

    return keep
