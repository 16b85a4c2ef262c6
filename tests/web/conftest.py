"""Sites for the tests."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bitduel.core.match import Match
from bitduel.games import make
from bitduel.service.hub import Hub
from bitduel.service.match_service import MatchService
from bitduel.storage import open_store
from bitduel.storage.timestamps import now
from bitduel.web.offers import OfferService
from bitduel.web.png_worker import PngWorker
from bitduel.web.quotas import Quota, Rate
from bitduel.web.site import Site
from postgres_server import Cluster
from web.houses import Held, House, Server
from web.tables import Sit, Two

Hold = Callable[..., Held]


@pytest.fixture
def hold(house: House) -> Hold:
    """Keep a match, with the moves so far, in the house's store."""

    def keep(game: str = "64", moves: tuple[str, ...] = (), first: int = 1, **more: Any) -> Held:
        made = make(game, more.pop("options", {}))
        return Held(house.store, Match(made, first, more.pop("deal", made.deal(Random(1))), moves), **more)

    return keep


@pytest.fixture
def table(house: House) -> OfferService:
    """What the players of the house settle between them."""
    return house.site.table


@pytest.fixture
def sit(house: House, hold: Hold) -> Sit:
    """Two people at a table of the house."""

    def seated(*args: Any, **more: Any) -> Two:
        held = hold(*args, **more)
        return Two(house, held.id, held.tokens)

    return seated


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One site for all tests that do not count anything; nobody goes away in it because a machine is slow."""
    with open_store(f"sqlite:///{tmp_path_factory.mktemp('site')}/site.db") as store:
        desk, began, many = MatchService(store, Hub()), now(), Quota(Rate(10**9, 60))
        desk.presence.clock, desk.presence.every = (lambda: began), 10**9
        made = House(store, Site(desk, creations=many, guesses=many, sayings=many, studio=PngWorker(many)))
        yield made
        made.close()


@pytest.fixture
def strict_house(tmp_path: Path) -> Iterator[House]:
    """A site with the limits it really has, and an empty store."""
    with open_store(f"sqlite:///{tmp_path}/strict.db") as store:
        made = House(store)
        yield made
        made.close()


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Start a server process that is gone at the end of the test."""
    started: list[Server] = []

    def start(db: str, prelude: str = "") -> Server:
        started.append(Server(db, tmp_path / f"server-{len(started)}.log", prelude))
        return started[-1].ready()

    yield start
    for server in started:
        server.kill()


@pytest.fixture(scope="session")
def shared_url(postgres_cluster: Cluster) -> str:
    """A database beside the one that other tests empty."""
    import psycopg

    folder = str(postgres_cluster.folder)
    with psycopg.connect(host=folder, user="tester", dbname="postgres", autocommit=True) as connection:
        connection.execute("CREATE DATABASE web")
    return f"postgresql://tester@/web?host={folder}"


@pytest.fixture(scope="session")
def pair(shared_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Server]]:
    """Two server processes on one PostgreSQL."""
    logs = tmp_path_factory.mktemp("pair")
    open_store(shared_url).close()
    servers = Server(shared_url, logs / "one.log"), Server(shared_url, logs / "two.log")
    try:
        yield servers[0].ready(), servers[1].ready()
    finally:
        for server in servers:
            server.kill()


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(4) as executor:
        yield executor
