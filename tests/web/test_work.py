"""Where work is done: one kind of it does not keep another waiting, and nobody waits without end."""

import asyncio
from threading import Event

import pytest

from bitduel.web.limits import BusyError, Rate, TooManyError
from bitduel.web.work import ASKER, SOLVING, STORE, SURVEYING, Room


def test_what_has_no_room_is_refused_at_once_and_the_rest_is_done() -> None:
    opened = Event()

    def wait(number: int) -> int:
        assert opened.wait(30)
        return number

    async def play() -> None:
        room, other = Room(threads=2, waiting=3), Room(threads=1, waiting=0)
        tasks = [asyncio.create_task(room.run(wait, number)) for number in range(5)]
        while room._limiter().statistics().tasks_waiting < 3:
            await asyncio.sleep(0)
        with pytest.raises(BusyError, match="very busy"):
            await room.run(wait, 9)
        assert await other.run(lambda: "meanwhile") == "meanwhile"
        opened.set()
        assert await asyncio.gather(*tasks) == [0, 1, 2, 3, 4]
        assert await room.run(lambda: "again") == "again"

    asyncio.run(play())


def test_each_loop_has_its_own_threads() -> None:
    room = Room(threads=1, waiting=1)
    assert [asyncio.run(room.run(int, str(number))) for number in range(3)] == [0, 1, 2]


def test_one_address_comes_so_often_and_no_more() -> None:
    async def play() -> None:
        room = Room(threads=1, waiting=1, rate=Rate(2, 60))
        for who, times in (("10.0.0.1", 2), ("10.0.0.2", 2), ("", 5)):
            ASKER.set(who)
            assert [await room.run(int, "7") for _ in range(times)] == [7] * times
        ASKER.set("10.0.0.1")
        with pytest.raises(TooManyError):
            await room.run(int, "7")

    asyncio.run(play())


def test_the_rooms_of_the_site_are_bounded() -> None:
    assert STORE.waiting <= 1000
    for room in (SOLVING, SURVEYING):
        assert (room.threads, room.waiting <= 32) == (1, True)
