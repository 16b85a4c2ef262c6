"""Where work is done: one kind of it does not keep another waiting, and nobody waits without end."""

import asyncio
from threading import Event

import pytest

from bitduel.web.http.clients import CLIENT, Client
from bitduel.web.http.quotas import OverloadedError
from bitduel.web.http.worker_pools import SOLVING, STORE, SURVEYING, FairQueue, WorkerPool


def queue_of(pool: WorkerPool) -> FairQueue:
    """The queue of a pool on the running loop."""
    return pool._queues.get(asyncio.get_running_loop()) or FairQueue(pool.threads, pool.for_others)


def test_what_has_no_room_is_refused_at_once_and_the_rest_is_done() -> None:
    opened = Event()

    def wait(number: int) -> int:
        assert opened.wait(30)
        return number

    async def play() -> None:
        pool, other = WorkerPool(threads=2, waiting=3), WorkerPool(threads=1, waiting=0)
        tasks = [asyncio.create_task(pool.run(wait, number)) for number in range(5)]
        while queue_of(pool).waiting < 3:
            await asyncio.sleep(0)
        with pytest.raises(OverloadedError, match="The site is busy"):
            await pool.run(wait, 9)
        assert await other.run(lambda: "meanwhile") == "meanwhile"
        opened.set()
        assert await asyncio.gather(*tasks) == [0, 1, 2, 3, 4]
        assert await pool.run(lambda: "again") == "again"

    asyncio.run(play())


def test_each_loop_has_its_own_threads() -> None:
    pool = WorkerPool(threads=1, waiting=1)
    assert [asyncio.run(pool.run(int, str(number))) for number in range(3)] == [0, 1, 2]


class Turns:
    """A pool with one thread that is held until all have come, and the order in which they are served."""

    def __init__(self, waiting: int) -> None:
        self.pool = WorkerPool(threads=1, waiting=waiting)
        self.served: list[str] = []
        self.opened = Event()

    def hold(self) -> None:
        assert self.opened.wait(30)

    async def come(self, name: str, client: Client) -> None:
        CLIENT.set(client)
        await self.pool.run(self.served.append, name)

    async def play(self, *askers: tuple[str, Client]) -> list[BaseException | None]:
        """Let all come one after the other while the thread is held; what became of each."""
        first = asyncio.create_task(self.pool.run(self.hold))
        while queue_of(self.pool).free:
            await asyncio.sleep(0)
        tasks = []
        for name, client in askers:
            tasks.append(asyncio.create_task(self.come(name, client)))
            await asyncio.sleep(0)
        self.opened.set()
        await first
        found = await asyncio.gather(*tasks, return_exceptions=True)
        assert (queue_of(self.pool).free, queue_of(self.pool).waiting) == (1, 0)
        return found


PLAYER = Client("school", "player", is_playing=True)
RUDE = Client("rude")


def test_those_who_play_come_first_and_the_others_by_turns() -> None:
    turns = Turns(waiting=20)
    asyncio.run(
        turns.play(
            *((f"rude {number}", RUDE) for number in range(4)),
            *((f"pupil {number}", Client("school", "pupil")) for number in range(2)),
            ("player", PLAYER),
        )
    )
    assert turns.served == ["player", "rude 0", "pupil 0", "rude 1", "pupil 1", "rude 2", "rude 3"]


def test_where_too_many_wait_the_last_of_those_who_wait_most_often_goes() -> None:
    turns = Turns(waiting=4)
    found = asyncio.run(
        turns.play(
            *((f"rude {number}", RUDE) for number in range(5)),
            ("pupil", Client("school", "pupil")),
            ("player", PLAYER),
            ("player again", PLAYER),
        )
    )
    assert turns.served == ["player", "player again", "rude 0", "pupil"]
    busy = [name for name, each in zip(("r0", "r1", "r2", "r3", "r4", "p", "x", "y"), found, strict=True) if each]
    assert busy == ["r1", "r2", "r3", "r4"]
    assert all(isinstance(each, OverloadedError) for each in found if each)


def test_those_who_do_not_play_never_send_away_those_who_do() -> None:
    turns = Turns(waiting=2)
    found = asyncio.run(turns.play(*((f"player {number}", PLAYER) for number in range(3)), ("rude", RUDE)))
    assert turns.served == ["player 0", "player 1"]
    assert [type(each) for each in found[2:]] == [OverloadedError, OverloadedError]


def test_who_goes_while_waiting_keeps_no_thread() -> None:
    async def play() -> None:
        turns = Turns(waiting=5)
        first = asyncio.create_task(turns.pool.run(turns.hold))
        while queue_of(turns.pool).free:
            await asyncio.sleep(0)
        waiting = [asyncio.create_task(turns.come(name, RUDE)) for name in "ab"]
        await asyncio.sleep(0)
        waiting[0].cancel()
        turns.opened.set()
        await asyncio.gather(first, *waiting, return_exceptions=True)
        assert turns.served == ["b"]
        assert queue_of(turns.pool).free == 1

    asyncio.run(play())


def test_the_rooms_of_the_site_are_bounded() -> None:
    assert STORE.waiting <= 1000
    for pool in (SOLVING, SURVEYING):
        assert (pool.threads, pool.waiting <= 256) == (1, True)


def test_others_never_have_all_threads_so_a_player_finds_one_free() -> None:
    async def play() -> None:
        pool, opened = WorkerPool(threads=3, waiting=9, for_others=2), Event()
        others = [asyncio.create_task(pool.run(opened.wait, 30)) for _ in range(4)]
        while queue_of(pool).waiting < 2:
            await asyncio.sleep(0)
        CLIENT.set(PLAYER)
        assert await pool.run(lambda: "played") == "played"
        opened.set()
        assert await asyncio.gather(*others) == [True] * 4
        assert (queue_of(pool).free, queue_of(pool).free_for_others) == (3, 2)

    asyncio.run(play())


def test_made_up_visitors_of_one_address_have_one_turn_together() -> None:
    turns = Turns(waiting=20)
    made_up = [(f"rude {number}", Client("rude", f"visitor {number}")) for number in range(4)]
    asyncio.run(turns.play(*made_up, ("pupil", Client("school")), ("guest", Client("home", "guest"))))
    assert turns.served == ["rude 0", "pupil", "guest", "rude 1", "rude 2", "rude 3"]


def test_made_up_visitors_of_one_address_do_not_fill_the_room_for_others() -> None:
    turns = Turns(waiting=3)
    made_up = [(f"rude {number}", Client("rude", f"visitor {number}")) for number in range(4)]
    found = asyncio.run(turns.play(*made_up, ("pupil", Client("school"))))
    assert "pupil" in turns.served
    assert [isinstance(each, OverloadedError) for each in found].count(True) == 2
