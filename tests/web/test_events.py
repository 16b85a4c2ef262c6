"""The stream of events: it says that a match has changed and never what, and nobody can hold too many."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bitduel.core.match import Match
from bitduel.games import make
from bitduel.service.hub import Hub
from bitduel.service.match_service import MatchService, hashed
from bitduel.storage import open_store
from bitduel.web.quotas import Places
from bitduel.web.site import Site
from web.conftest import Hold
from web.houses import Held, House, Stream, bearer


def data(event: str) -> str:
    lines = dict(line.split(": ", 1) for line in event.strip().splitlines())
    assert lines["event"] == "changed"
    return lines["data"]


@pytest.mark.parametrize("prefix", ["/matches", "/api/v1/matches"])
def test_a_reader_is_told_at_once_where_the_match_is(house: House, hold: Hold, prefix: str) -> None:
    held = hold(moves=("add",))
    start, events = house.listen(f"{prefix}/{held.id}/events")
    headers = dict(start["headers"])
    assert start["status"] == 200
    assert headers[b"content-type"].startswith(b"text/event-stream")
    assert headers[b"cache-control"] == b"no-store"
    assert data(events[0]) == "1 open 2 1"


def test_every_change_wakes_every_reader(house: House, hold: Hold) -> None:
    held = hold(seats=1)
    path = f"/matches/{held.id}/events"
    one, two = house.browser(held.tokens[0]), house.browser(held.tokens[1])

    async def play() -> None:
        async with Stream(house, path) as a, Stream(house, path, bearer(held.tokens[0])) as b:
            for reader in (a, b):
                await reader.start()

            async def hear(told: str) -> None:
                for reader in (a, b):
                    while data(await reader.event()) != told:
                        pass

            await hear("0 open 1 1 here1")
            await two.ask("POST", f"/invite/{held.id}/{held.invitation}")
            await hear("0 open 2 1 here1")
            await one.ask("POST", f"/matches/{held.id}/move", data={"ply": "0", "move": "add"})
            await hear("1 open 2 1 here1")
            await two.ask("GET", f"/matches/{held.id}")
            await hear("1 open 2 1 here1 here2")
            await two.ask("POST", f"/matches/{held.id}/resign")
            await hear("1 over 2 1 here1 here2")
            await one.ask("POST", f"/matches/{held.id}/next")
            await hear("1 over 2 1 rematch1 here1 here2")
            await two.ask("POST", f"/matches/{held.id}/next")
            await hear("1 over 2 2 rematch1 here1 rematch2 here2")

    house.run(play())


def test_what_changes_nothing_wakes_nobody(house: House, hold: Hold) -> None:
    held = hold()
    who = house.browser(held.tokens[0])
    who.get(f"/matches/{held.id}")

    async def play() -> str:
        async with Stream(house, f"/matches/{held.id}/events") as reader:
            await reader.start()
            await reader.event()
            await who.ask("POST", f"/matches/{held.id}/move", data={"ply": "0", "move": "sing"})
            await who.ask("POST", f"/matches/{held.id}/move", data={"ply": "7", "move": "add"})
            await who.ask("GET", f"/matches/{held.id}")
            await asyncio.sleep(0)
            assert reader.sent.empty()
            await who.ask("POST", f"/matches/{held.id}/move", data={"ply": "0", "move": "add"})
            return data(await reader.event())

    assert house.run(play()) == "1 open 2 1 here1"


@pytest.fixture
def narrow(tmp_path: Path) -> Iterator[House]:
    """A site with room for few streams."""
    with open_store(f"sqlite:///{tmp_path}/narrow.db") as store:
        site = Site(MatchService(store, Hub()), streams_per_visitor=Places(2), streams_per_address=Places(3))
        made = House(store, site)
        yield made
        made.close()


def refused(house: House, path: str, token: str, where: str) -> bool:
    """Whether one more reader is turned away."""

    async def look() -> bool:
        async with Stream(house, path, bearer(token), where) as reader:
            start = await reader.start()
            return start["status"] == 429 or "refused" in await reader.event()

    return house.run(look())


def test_streams_are_limited_per_seat_and_per_address_and_given_back(narrow: House) -> None:
    held = Held(narrow.store, Match(make("64"), 1))
    path = f"/api/v1/matches/{held.id}/events"

    async def crowd() -> list[bool]:
        async with AsyncExitStack() as stack:

            async def full(token: str, where: str) -> bool:
                reader = await stack.enter_async_context(Stream(narrow, path, bearer(token), where))
                start = await reader.start()
                return start["status"] == 429 or "refused" in await reader.event()

            ada, ben = held.tokens
            seat = [await full(ada, where) for where in ("1.1.1.1", "2.2.2.2", "3.3.3.3")]
            address = [await full(who, "9.9.9.9") for who in (ben, ben, "carl", "dora", "emil")]
            return seat + address

    assert narrow.run(crowd()) == [False, False, True, False, False, False, False, True]
    assert not refused(narrow, path, held.tokens[0], "9.9.9.9")
    assert not narrow.desk.hub._watchers


def test_a_reader_that_is_turned_away_is_told_so_and_let_go(narrow: House) -> None:
    held = Held(narrow.store, Match(make("64"), 1))
    path, headers = f"/matches/{held.id}/events", bearer(held.tokens[0])

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


def test_the_holder_of_a_seat_is_known_only_by_a_hash(narrow: House) -> None:
    held = Held(narrow.store, Match(make("64"), 1))

    async def look() -> str:
        async with Stream(narrow, f"/matches/{held.id}/events", bearer(held.tokens[0])) as reader:
            await reader.start()
            await reader.event()
            return str(narrow.site.streams_per_visitor.__dict__)

    kept = narrow.run(look())
    assert hashed(held.tokens[0]) in kept
    assert held.tokens[0] not in kept
