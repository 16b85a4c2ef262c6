"""Sites for the tests."""

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bitduel.core.match import Match
from bitduel.games.registry import make
from bitduel.service.hub import Hub
from bitduel.service.match_service import MatchService
from bitduel.service.offers import OfferService
from bitduel.storage import open_store
from bitduel.storage.schema import now
from bitduel.web.http.quotas import Quota, Rate
from bitduel.web.png_worker import PngWorker
from bitduel.web.site import Site
from postgres_server import Cluster
from web.players import SeatPlayers, TwoPlayers
from web.sites import LocalApp, SeatedMatch, Server

StoreMatch = Callable[..., SeatedMatch]


@pytest.fixture
def store_match(app: LocalApp) -> StoreMatch:
    """Keep a match, with the moves so far, in the site's store."""

    def keep(game: str = "64", moves: tuple[str, ...] = (), first: int = 1, **more: Any) -> SeatedMatch:
        made = make(game, more.pop("options", {}))
        return SeatedMatch(app.store, Match(made, first, more.pop("deal", made.deal(Random(1))), moves), **more)

    return keep


@pytest.fixture
def offers(app: LocalApp) -> OfferService:
    """What the players of the site settle between them."""
    return app.site.offers


@pytest.fixture
def sit(app: LocalApp, store_match: StoreMatch) -> SeatPlayers:
    """Two people at a match of the site."""

    def sit_down(*args: Any, **more: Any) -> TwoPlayers:
        seated = store_match(*args, **more)
        return TwoPlayers(app, seated.id, seated.tokens)

    return sit_down


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalApp]:
    """One site for all tests that do not count anything; nobody goes away in it because a machine is slow."""
    url = f"sqlite:///{tmp_path_factory.mktemp('site')}/site.db"
    with open_store(url) as store, pytest.MonkeyPatch.context() as patch:
        patch.setattr("bitduel.web.png_worker.TIMEOUT", 600)  # drawing waits for all others on a busy machine
        service, began, many = MatchService(store, Hub()), now(), Quota(Rate(10**9, 60))
        service.presence.clock, service.presence.every = (lambda: began), 10**9
        site = Site(service, creation_quota=many, guess_quota=many, offer_quota=many, png_worker=PngWorker(many))
        site.flag_timer.every = 10**9
        made = LocalApp(store, site)
        yield made
        if "web.shared_browser" in sys.modules:  # its loop runs in this thread, and ours cannot run beside it
            sys.modules["web.shared_browser"].BROWSER.stop()
        made.close()


@pytest.fixture
def strict_app(tmp_path: Path) -> Iterator[LocalApp]:
    """A site with the limits it really has, and an empty store."""
    with open_store(f"sqlite:///{tmp_path}/strict.db") as store:
        made = LocalApp(store)
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
