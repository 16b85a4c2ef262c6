"""Servers for the tests, and clients of the official SDK."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from agents import Agent, LocalServer, agent, agents, listening, local_server, program
from bitduel.storage import open_store


@pytest.fixture(scope="session")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    """One store for all servers, in whatever process."""
    return f"sqlite:///{tmp_path_factory.mktemp('mcp')}/mcp.db"


@pytest.fixture(scope="session")
def here(url: str) -> Iterator[LocalServer]:
    """A server in this process."""
    with open_store(url) as store:
        yield local_server(store)


@pytest.fixture(scope="session")
def pair(here: LocalServer) -> Iterator[list[Agent]]:
    """Two clients of one server, who know nothing of each other."""
    with agents(here.server, here.server) as two:
        yield two


@pytest.fixture(scope="session")
def ada(pair: list[Agent]) -> Agent:
    """A client."""
    return pair[0]


@pytest.fixture(scope="session")
def ben(pair: list[Agent]) -> Agent:
    """Another client."""
    return pair[1]


@pytest.fixture(scope="session")
def by_pipe(here: LocalServer, url: str) -> Iterator[Agent]:
    """A client that has started a server of its own."""
    with agent(program(url)) as one:
        yield one


@pytest.fixture(scope="session")
def address(here: LocalServer, url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a server process listens."""
    with listening(url, Path(tmp_path_factory.mktemp("http")) / "log") as found:
        yield found


@pytest.fixture(scope="session")
def by_http(address: str) -> Iterator[Agent]:
    """A client of a server that listens."""
    with agent(address) as one:
        yield one
