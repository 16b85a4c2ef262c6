"""200 honest players behind one address, alone and with rude neighbours there: how long their moves take.

First one match alone, then all of them, then all of them with each kind of neighbour in turn. Nobody honest may be
refused, and of the moves 99 in 100 must take less than ten times what they take in one match alone. The neighbours are
processes of their own, so that they slow down the site and not the measuring. `make siege` runs it.
"""

import argparse
import asyncio
import contextlib
import itertools
import subprocess
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from scripts.site_clients import Table, Visitor, late, make_room, seat_two, serving, told

HERE = "127.0.0.1"
PAUSE = 2.0
"""Seconds between two moves of one player."""
PAGES = 10.0
"""Seconds between two pages that one player opens besides."""
Neighbour = Callable[[int, Counter[str]], Awaitable[None]]


async def asking(port: int, met: Counter[str], method: str, path: str, body: bytes = b"") -> None:
    """One connection that asks for the same as fast as it is answered."""
    visitor = await Visitor(port, HERE).open()
    while True:
        status, _, _ = await visitor.ask(method, path, body)
        met[f"{status}"] += 1


async def home_on_300_connections(port: int, met: Counter[str]) -> None:
    """Request the front page, 300 times at once, again and again."""
    await asyncio.gather(*(asking(port, met, "GET", "/") for _ in range(300)))


async def two_who_create_matches(port: int, met: Counter[str]) -> None:
    """Create matches that nobody will play, as fast as possible."""
    wish = b'{"game": "double", "opponent": "friend"}'
    await asyncio.gather(*(asking(port, met, "POST", "/api/v1/matches", wish) for _ in range(2)))


async def ten_wrong_links_a_second(port: int, met: Counter[str]) -> None:
    """Links that lead nowhere."""
    visitor = await Visitor(port, HERE).open()
    while True:
        status, _, _ = await visitor.ask("GET", "/invite/zzzzzzz/wrong")
        met[f"{status}"] += 1
        await asyncio.sleep(0.1)


async def half_sent_on_520_connections(port: int, met: Counter[str]) -> None:
    """Send requests that never end, in the headers or the body; start again when cut off."""
    parts = itertools.cycle((b"Content-Le", b"Content-Length: 10\r\n\r\nhalf"))

    async def half() -> None:
        while True:
            reader, writer = await asyncio.open_connection(HERE, port)
            writer.write(b"POST /api/v1/matches HTTP/1.1\r\nHost: 127.0.0.1\r\n" + next(parts))
            met["begun"] += 1
            await reader.read()
            writer.close()

    await asyncio.gather(*(half() for _ in range(520)))


async def solving_on_20_connections(port: int, met: Counter[str]) -> None:
    """Positions that nobody has asked for before."""

    async def solve(number: int) -> None:
        visitor = await Visitor(port, HERE).open()
        while True:
            number += 20
            status, _, _ = await visitor.ask("GET", f"/games/64/position?opt-target={number}")
            met[f"{status}"] += 1

    await asyncio.gather(*(solve(2000 + number) for number in range(20)))


async def seats_of_300_strangers(port: int, met: Counter[str]) -> None:
    """Seats taken only to be answered as players are, each asking as fast as it is answered."""

    async def ask(number: int) -> None:
        await asyncio.sleep(number / 60)
        visitor = await Visitor(port, HERE).open()
        made = await visitor.json("POST", "/api/v1/matches", {"game": "double", "opponent": "friend"})
        visitor.headers = {"authorization": f"Bearer {made['token']}"}
        while True:
            status, _, _ = await visitor.ask("GET", f"/api/v1/matches/{made['match']['id']}")
            met[f"{status}"] += 1

    await asyncio.gather(*(ask(number) for number in range(300)))


NEIGHBOURS: list[Neighbour] = [
    home_on_300_connections,
    two_who_create_matches,
    ten_wrong_links_a_second,
    half_sent_on_520_connections,
    solving_on_20_connections,
    seats_of_300_strangers,
]


async def be_rude(name: str, port: int, seconds: float) -> None:
    """Be a neighbour for a while, and print what was met."""
    met: Counter[str] = Counter()
    neighbour = next(each for each in NEIGHBOURS if each.__name__ == name)

    async def again() -> None:
        while True:
            with contextlib.suppress(OSError, EOFError, RuntimeError, ValueError, StopIteration):
                await neighbour(port, met)
            met["thrown out"] += 1
            await asyncio.sleep(0.05)

    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(again(), seconds)
    print(", ".join(f"{what} {count}" for what, count in sorted(met.items())))


class School:
    """Matches between players of one address, each with a page open besides."""

    def __init__(self, port: int, tables: list[Table], by_browsers: bool) -> None:
        self.port = port
        self.tables = tables
        self.move = Table.browse if by_browsers else Table.move
        self.met: Counter[str] = Counter()

    async def play(self, seconds: float) -> list[float]:
        """Send moves and load pages for a while; any status but 200 is an error."""
        times: list[float] = []
        end = perf_counter() + seconds

        async def moves(number: int, table: Table) -> None:
            due = perf_counter() + PAUSE / 2 * number / len(self.tables)
            while due < end:
                await asyncio.sleep(max(0.0, due - perf_counter()))
                times.append(await self.move(table))
                due += PAUSE / 2

        async def pages(number: int, table: Table) -> None:
            visitor = await Visitor(self.port, HERE).open()
            visitor.headers = table.players[number % 2].headers
            await asyncio.sleep(PAGES / 2 * number / len(self.tables))
            while perf_counter() < end:
                status, _, _ = await visitor.ask("GET", f"/matches/{table.match}")
                self.met[f"{status}"] += 1
                await asyncio.sleep(PAGES / 2)
            visitor.close()

        parts = [part(number, table) for number, table in enumerate(self.tables) for part in (moves, pages)]
        await asyncio.gather(*parts)
        return times


async def measure(port: int, chosen: argparse.Namespace) -> bool:
    """One match, all of them, and all of them with each neighbour; whether everything stayed within its bounds."""
    one, listening = await seat_two(port, HERE)
    moving = Table.browse if chosen.browsers else Table.move
    for _ in range(50):
        await moving(one)
    alone = []
    for _ in range(chosen.alone):
        await asyncio.sleep(0.02)
        alone.append(await moving(one))
    print(told("one match alone", alone), flush=True)
    made = [await seat_two(port, HERE) for _ in range(chosen.players // 2)]
    listening += [task for _, tasks in made for task in tasks]
    school = School(port, [table for table, _ in made], chosen.browsers)
    good = report(f"{chosen.players} players", await school.play(chosen.seconds), alone, school.met, chosen.bearable)
    for neighbour in NEIGHBOURS:
        rude = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "scripts.one_address",
            "--rude",
            neighbour.__name__,
            str(port),
            str(chosen.seconds + 2),
            stdout=subprocess.PIPE,
        )
        await asyncio.sleep(1)
        times = await school.play(chosen.seconds)
        met = (await rude.communicate())[0].decode().strip()
        good &= report(neighbour.__name__.replace("_", " "), times, alone, school.met, chosen.bearable)
        print(f"    the neighbours met: {met}", flush=True)
    for task in listening:
        task.cancel()
    await asyncio.gather(*listening, return_exceptions=True)
    return good


def report(name: str, times: list[float], alone: list[float], met: Counter[str], bearable: float) -> bool:
    """Print how long moves took; whether that is bearable and every page was answered."""
    ratio, refused = late(times) / late(alone), sum(count for status, count in met.items() if status != "200")
    middle = median(times) / median(alone)
    print(
        f"{told(name, times)}   p99 {ratio:.1f} x, p50 {middle:.1f} x   pages {met['200']}, refused {refused}",
        flush=True,
    )
    met.clear()
    return ratio < bearable and not refused


def main() -> int:
    """Measure on a site with its usual bounds."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--players", type=int, default=200)
    options.add_argument("--seconds", type=float, default=20)
    options.add_argument("--alone", type=int, default=300, help="moves of one match alone")
    options.add_argument("--browsers", action="store_true", help="moves by forms and pages, not by the API")
    options.add_argument("--bearable", type=float, default=10, help="how much later 99 of 100 moves may be")
    options.add_argument("--rude", nargs=3, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    make_room()
    if chosen.rude:
        name, port, seconds = chosen.rude
        asyncio.run(be_rude(name, int(port), float(seconds)))
        return 0
    with TemporaryDirectory() as folder, serving(f"sqlite:///{folder}/school.db") as (port, _):
        return 0 if asyncio.run(measure(port, chosen)) else 1


if __name__ == "__main__":
    sys.exit(main())
