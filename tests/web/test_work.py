"""Where work is done: one kind of it does not keep another waiting, and nobody waits without end."""

import asyncio
from threading import Event

import pytest

from bitduel.web.limits import BusyError
from bitduel.web.work import Room


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
