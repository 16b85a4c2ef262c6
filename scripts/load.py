"""How much one site carries: moves a second by the API and by browsers, a crowd that watches, and with what memory.

Visitors and server share the machine. A move is timed from its POST until the other player hears of it (by browsers:
until both have the page after it), first on a server with one match, then with all; every part is a ratio to the first.
`make load` runs it for SQLite, and where PostgreSQL is installed for 1, 2 and 4 workers on it.
"""

import argparse
import asyncio
import subprocess
import sys
from collections.abc import Callable, Coroutine
from contextlib import ExitStack
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from scripts.site_clients import (
    Ears,
    Table,
    Visitor,
    late,
    make_room,
    memory,
    postgres,
    processor,
    seat_two,
    serving,
    told,
)

Move = Callable[[Table], Coroutine[Any, Any, float]]


async def tables_of(port: int, count: int) -> tuple[list[Table], list["asyncio.Task[None]"]]:
    """Start matches whose players all listen."""
    found = [await seat_two(port) for _ in range(count)]
    return [table for table, _ in found], [task for _, tasks in found for task in tasks]


async def paced(tables: list[Table], move: Move, rate: float, seconds: float) -> tuple[list[float], float]:
    """So many moves a second, spread over the tables; how long each took, and how many a second there were."""
    times: list[float] = []
    began = perf_counter()

    async def play(number: int, table: Table) -> None:
        pause = len(tables) / rate
        due = began + number * pause / len(tables)
        while due < began + seconds:
            await asyncio.sleep(max(0.0, due - perf_counter()))
            times.append(await move(table))
            due += pause

    await asyncio.gather(*(play(number, table) for number, table in enumerate(tables)))
    return times, len(times) / (perf_counter() - began)


async def crowd(port: int, size: int) -> tuple[float, float]:
    """Return the median time of a move, alone and while a crowd watches another match."""
    (one, other), listening = await tables_of(port, 2)
    alone = [await one.calmly() for _ in range(120)]
    watchers = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "scripts.load",
        "--watch",
        str(port),
        f"{other.path}/events",
        str(size),
        stdout=subprocess.PIPE,
    )
    assert watchers.stdout
    await watchers.stdout.readline()
    busy: list[float] = []

    async def show() -> None:
        for _ in range(20):
            await other.move()
            await asyncio.sleep(0.25)

    showing = asyncio.create_task(show())
    while not showing.done():
        busy.append(await one.calmly())
    watchers.terminate()
    await watchers.wait()
    await leave(listening)
    return median(alone), median(busy)


async def watch(port: int, path: str, size: int) -> None:
    """Run a crowd in a process of its own, so that it does not slow the measurement."""
    listening = [
        asyncio.create_task(Ears().listen(await Visitor(port, f"127.8.{part}.{rest + 2}").open(), path))
        for part, rest in (divmod(number, 250) for number in range(size))
    ]
    await asyncio.sleep(1)
    print("here", flush=True)
    await asyncio.gather(*listening)


async def flood(port: int, table: Table, size: int) -> None:
    """Far more at once than can be done: some are told to come again, and nobody waits for ever."""
    visitors = [await Visitor(port).open() for _ in range(size)]
    began = perf_counter()

    async def look(visitor: Visitor) -> tuple[int, float, bool]:
        status, head, _ = await visitor.ask("GET", table.path)
        return status, perf_counter() - began, status == 200 or "retry-after" in head.lower()

    answers = await asyncio.gather(*(look(visitor) for visitor in visitors))
    for visitor in visitors:
        visitor.close()
    done = [spent for status, spent, _ in answers if status == 200]
    shed = sum(status == 503 for status, _, _ in answers)
    polite = all(polite for _, _, polite in answers)
    after = median([await table.calmly() for _ in range(20)])
    print(
        f"{size} requests at once: {len(done)} answered, the last after {max(done):.1f} s; {shed} asked to come again"
        f"{'' if polite else ' RUDELY'}; then a move p50 {after * 1e3:.1f} ms",
        flush=True,
    )


async def leave(listening: list["asyncio.Task[None]"]) -> None:
    """Everybody goes, and whatever went wrong with a stream is said."""
    for task in listening:
        if task.done():
            task.result()
        task.cancel()
    await asyncio.gather(*listening, return_exceptions=True)


async def measure(port: int, server: "subprocess.Popen[bytes]", chosen: argparse.Namespace) -> None:
    """All parts on one server."""
    one, listening = await tables_of(port, 1)
    await paced(one, Table.move, 20, 1)
    idle, _ = await paced(one, Table.move, 20, 3)
    print(told("one match, by the API", idle), flush=True)
    idle_pages, _ = await paced(one, Table.browse, 10, 3)
    print(told("one match, by browsers", idle_pages), flush=True)
    tables, more = await tables_of(port, chosen.matches)
    listening += more
    parts = (("API", Table.move, chosen.api, idle), ("browsers", Table.browse, chosen.browsers, idle_pages))
    for name, move, rate, before in parts:
        computed, began = processor(server.pid), perf_counter()
        times, reached = await paced(tables, move, rate, chosen.seconds)
        share = (processor(server.pid) - computed) / (perf_counter() - began)
        line = told(f"{chosen.matches} matches, {reached:.0f} moves/s by {name}", times)
        print(
            f"{line}   {late(times) / late(before):.1f} x   server {share:.0%}   {memory(server.pid):.0f} MB",
            flush=True,
        )
    await flood(port, one[0], chosen.flood)
    await leave(listening)
    alone, busy = await crowd(port, chosen.spectators)
    print(
        f"{chosen.spectators} spectators of another match: p50 {busy * 1e3:.1f} ms, alone {alone * 1e3:.1f} ms, "
        f"{busy / alone:.2f} x   {memory(server.pid):.0f} MB",
        flush=True,
    )


def main() -> None:
    """Every kind of server in turn."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--matches", type=int, default=200)
    options.add_argument("--api", type=float, default=400, help="moves a second by the API")
    options.add_argument("--browsers", type=float, default=150, help="moves a second by browsers")
    options.add_argument("--spectators", type=int, default=1000)
    options.add_argument("--flood", type=int, default=3000, help="requests that come at once")
    options.add_argument("--seconds", type=float, default=10)
    options.add_argument("--sqlite-only", action="store_true")
    options.add_argument("--watch", nargs=3, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    make_room()
    if chosen.watch:
        port, path, size = chosen.watch
        asyncio.run(watch(int(port), path, int(size)))
        return
    with TemporaryDirectory() as folder, ExitStack() as around:
        kinds = [("SQLite, 1 process", f"sqlite:///{folder}/load.db", 1)]
        if not chosen.sqlite_only and (cluster := postgres(around)):
            kinds += [(f"PostgreSQL, {count} workers", cluster, count) for count in (1, 2, 4)]
        for name, db, workers in kinds:
            print(f"\n{name}", flush=True)
            with serving(db, workers) as (port, server):
                asyncio.run(measure(port, server, chosen))


if __name__ == "__main__":
    main()
