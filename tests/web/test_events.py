"""The stream of events: it says that a match has changed and never what, and nobody can hold too many."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bitduel.core.match import Match
from bitduel.games.registry import make
from bitduel.service.credentials import hashed
from bitduel.service.hub import Hub
from bitduel.service.match_service import MatchService
from bitduel.storage import open_store
from bitduel.web.http.quotas import ConcurrencyLimit
from bitduel.web.site import Site
from web.fixtures import StoreMatch
from web.sites import LocalApp, SeatedMatch, Stream, bearer


def data(event: str) -> str:
    lines = dict(line.split(": ", 1) for line in event.strip().splitlines())
    assert lines["event"] == "changed"
    return lines["data"]


@pytest.mark.parametrize("prefix", ["/matches", "/api/v1/matches"])
def test_a_reader_is_told_at_once_where_the_match_is(app: LocalApp, store_match: StoreMatch, prefix: str) -> None:
    seated = store_match(moves=("add",))
    start, events = app.listen(f"{prefix}/{seated.id}/events")
    headers = dict(start["headers"])
    assert start["status"] == 200
    assert headers[b"content-type"].startswith(b"text/event-stream")
    assert headers[b"cache-control"] == b"no-store"
    assert data(events[0]) == "1 open 2 1"


def test_every_change_wakes_every_reader(app: LocalApp, store_match: StoreMatch) -> None:
    seated = store_match(seats=1)
    path = f"/matches/{seated.id}/events"
    one, two = app.browser(seated.tokens[0]), app.browser(seated.tokens[1])

    async def play() -> None:
        async with Stream(app, path) as a, Stream(app, path, bearer(seated.tokens[0])) as b:
            for reader in (a, b):
                await reader.start()

            async def hear(told: str) -> None:
                for reader in (a, b):
                    while data(await reader.event()) != told:
                        pass

            await hear("0 open 1 1 here1")
            await two.ask("POST", f"/invite/{seated.id}/{seated.invitation}")
            await hear("0 open 2 1 here1")
            await one.ask("POST", f"/matches/{seated.id}/move", data={"ply": "0", "move": "add"})
            await hear("1 open 2 1 here1")
            await two.ask("GET", f"/matches/{seated.id}")
            await hear("1 open 2 1 here1 here2")
            await two.ask("POST", f"/matches/{seated.id}/resign")
            await hear("1 over 2 1 here1 here2")
            await one.ask("POST", f"/matches/{seated.id}/next")
            await hear("1 over 2 1 rematch1 here1 here2")
            await two.ask("POST", f"/matches/{seated.id}/next")
            await hear("1 over 2 2 rematch1 here1 rematch2 here2")

    app.run(play())


def test_what_changes_nothing_wakes_nobody(app: LocalApp, store_match: StoreMatch) -> None:
    seated = store_match()
    who = app.browser(seated.tokens[0])
    who.get(f"/matches/{seated.id}")

    async def play() -> str:
        async with Stream(app, f"/matches/{seated.id}/events") as reader:
            await reader.start()
            await reader.event()
            await who.ask("POST", f"/matches/{seated.id}/move", data={"ply": "0", "move": "sing"})
            await who.ask("POST", f"/matches/{seated.id}/move", data={"ply": "7", "move": "add"})
            await who.ask("GET", f"/matches/{seated.id}")
            await asyncio.sleep(0)
            assert reader.sent.empty()
            await who.ask("POST", f"/matches/{seated.id}/move", data={"ply": "0", "move": "add"})
            return data(await reader.event())

    assert app.run(play()) == "1 open 2 1 here1"


@pytest.fixture
def narrow(tmp_path: Path) -> Iterator[LocalApp]:
    """A site with room for few streams."""
    with open_store(f"sqlite:///{tmp_path}/narrow.db") as store:
        site = Site(
            MatchService(store, Hub()), streams_per_visitor=ConcurrencyLimit(2), streams_per_address=ConcurrencyLimit(3)
        )
        made = LocalApp(store, site)
        yield made
        made.close()


def refused(app: LocalApp, path: str, token: str, where: str) -> bool:
    """Whether one more reader is turned away."""

    async def look() -> bool:
        async with Stream(app, path, bearer(token), where) as reader:
            start = await reader.start()
            return start["status"] == 429 or "refused" in await reader.event()

    return app.run(look())


def test_streams_are_limited_per_seat_and_per_address_and_given_back(narrow: LocalApp) -> None:
    seated = SeatedMatch(narrow.store, Match(make("64"), 1))
    path = f"/api/v1/matches/{seated.id}/events"

    async def crowd() -> list[bool]:
        async with AsyncExitStack() as stack:

            async def full(token: str, where: str) -> bool:
                reader = await stack.enter_async_context(Stream(narrow, path, bearer(token), where))
                start = await reader.start()
                return start["status"] == 429 or "refused" in await reader.event()

            ada, ben = seated.tokens
            seat = [await full(ada, where) for where in ("1.1.1.1", "2.2.2.2", "3.3.3.3")]
            address = [await full(who, "9.9.9.9") for who in (ben, ben, "carl", "dora", "emil")]
            return seat + address

    assert narrow.run(crowd()) == [False, False, True, False, False, False, False, True]
    assert not refused(narrow, path, seated.tokens[0], "9.9.9.9")
    assert not narrow.service.hub.subscribers


def test_a_reader_that_is_turned_away_is_told_so_and_let_go(narrow: LocalApp) -> None:
    seated = SeatedMatch(narrow.store, Match(make("64"), 1))
    path, headers = f"/matches/{seated.id}/events", bearer(seated.tokens[0])

    async def crowd() -> list[str]:
        async with Stream(narrow, path, headers) as a, Stream(narrow, path, headers) as b:
            for reader in (a, b):
                await reader.start()
                await reader.event()
            async with Stream(narrow, path, headers) as third:
                await third.start()
                return await third.rest()

    (told,) = narrow.run(crowd())
    assert "event: refused" in told
    assert "retry: 60000" in told


def test_the_holder_of_a_seat_is_known_only_by_a_hash(narrow: LocalApp) -> None:
    seated = SeatedMatch(narrow.store, Match(make("64"), 1))

    async def look() -> str:
        async with Stream(narrow, f"/matches/{seated.id}/events", bearer(seated.tokens[0])) as reader:
            await reader.start()
            await reader.event()
            return str(narrow.site.streams_per_visitor.__dict__)

    kept = narrow.run(look())
    assert hashed(seated.tokens[0]) in kept
    assert seated.tokens[0] not in kept
