"""Every rude client at once against a site on which matches go on: what the polite notice of it.

First the matches are timed alone, then during the siege, which ends by itself. The rude clients are a process of their
own, so that they slow down the site and not the measuring. `make siege` runs it.
"""

import argparse
import asyncio
import contextlib
import subprocess
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from scripts.site_clients import Ears, Table, Visitor, late, make_room, memory, seat_two, serving, told

RUDE = "127.9.0."
"""The addresses of the rude begin so."""

Attack = Callable[[int, str, Counter[str]], Awaitable[None]]


async def home_with_any_query(port: int, where: str, met: Counter[str]) -> None:
    """Request the front page with a new query string each time."""
    visitor, number = await Visitor(port, where).open(), 0
    while True:
        number += 1
        status, _, _ = await visitor.ask("GET", f"/?x={number}")
        met[f"home {status}"] += 1


async def huge_headers(port: int, where: str, met: Counter[str]) -> None:
    """Headers without an end."""
    while True:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(where, 0))
        writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ")
        with contextlib.suppress(OSError):
            for _ in range(200):
                writer.write(b"a" * 65536)
                await writer.drain()
                await asyncio.sleep(0)
        met["endless headers cut off"] += 1
        writer.close()
        with contextlib.suppress(OSError):
            await reader.read(1000)


async def half_requests(port: int, where: str, met: Counter[str]) -> None:
    """Send requests that never end, as many as the site accepts."""
    held: list[asyncio.StreamWriter] = []
    while True:
        _, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(where, 0))
        writer.write(b"POST /api/v1/matches HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Le")
        held.append(writer)
        met["half requests"] += 1
        await asyncio.sleep(0.005)


async def cold_solves(port: int, where: str, met: Counter[str]) -> None:
    """Positions that nobody has asked for before."""
    visitor, number = await Visitor(port, where).open(), 100
    while True:
        number += 1
        body = f'{{"game": "64", "options": {{"target": {number}}}}}'.encode()
        status, _, _ = await visitor.ask("POST", "/api/v1/solve", body)
        met[f"solve {status}"] += 1


async def rounds_without_end(port: int, where: str, met: Counter[str]) -> None:
    """One more round, and one more."""
    visitor = await Visitor(port, where).open()
    made = await visitor.json("POST", "/api/v1/matches", {"game": "double", "opponent": "easy"})
    visitor.headers = {"authorization": f"Bearer {made['token']}"}
    match = made["match"]["id"]
    while True:
        await visitor.ask("POST", f"/api/v1/matches/{match}/resignation")
        status, _, body = await visitor.ask("POST", f"/api/v1/matches/{match}/next")
        met[f"next {status}"] += 1
        if status == 200:
            match = body.split(b'"id":"')[1].split(b'"')[0].decode()


async def maps_and_pictures(port: int, where: str, met: Counter[str]) -> None:
    """Whatever has to be drawn anew."""
    visitor, number = await Visitor(port, where).open(), 2
    while True:
        number += 1
        for path in (f"atlas?opt-target={number}..{number + 30}", f"picture.png?opt-target={number}"):
            status, _, _ = await visitor.ask("GET", f"/games/64/{path}")
            met[f"drawn {status}"] += 1


async def walks_to_ids(port: int, where: str, met: Counter[str]) -> None:
    """Beginnings of ids, and guesses at links."""
    visitor = await Visitor(port, where).open()
    while True:
        for letter in "23456789bcdfghjkmnpqrstvwxyz":
            status, _, _ = await visitor.ask("GET", f"/matches/{letter}")
            met[f"id {status}"] += 1
            status, _, _ = await visitor.ask("GET", f"/invite/{letter}/guess")
            met[f"guess {status}"] += 1


ATTACKS: list[Attack] = [
    home_with_any_query,
    huge_headers,
    half_requests,
    cold_solves,
    rounds_without_end,
    maps_and_pictures,
    walks_to_ids,
]


async def again(attack: Attack, port: int, where: str, met: Counter[str]) -> None:
    """Run a rude client again whatever happens to it."""
    while True:
        with contextlib.suppress(OSError, EOFError, RuntimeError, ValueError, StopIteration):
            await attack(port, where, met)
        met["thrown out"] += 1
        await asyncio.sleep(0.05)


async def polite(tables: list[Table], pause: float, seconds: float) -> list[float]:
    """Make moves in all matches at intervals; any error fails the siege."""
    times: list[float] = []
    end = perf_counter() + seconds

    async def play(number: int, table: Table) -> None:
        await asyncio.sleep(pause * number / len(tables))
        while perf_counter() < end:
            times.append(await table.move())
            await asyncio.sleep(pause)

    await asyncio.gather(*(play(number, table) for number, table in enumerate(tables)))
    return times


async def attack_all(port: int, chosen: argparse.Namespace) -> None:
    """Run every attack at once for a while, and print what was met."""
    met: Counter[str] = Counter()
    rude = [
        again(attack, port, f"{RUDE}{number * 10 + copy + 1}", met)
        for number, attack in enumerate(ATTACKS)
        if chosen.only in ("", attack.__name__)
        for copy in range(chosen.each)
    ]
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(asyncio.gather(*rude), chosen.seconds)
    print(", ".join(f"{what} {count}" for what, count in sorted(met.items())))


async def siege(port: int, pid: int, chosen: argparse.Namespace) -> bool:
    """Measure the matches alone, then besieged; return whether every polite client was served."""
    found = [await seat_two(port) for _ in range(chosen.matches)]
    tables, listening = [table for table, _ in found], [task for _, tasks in found for task in tasks]
    for address in range(20):
        spectator = await Visitor(port).open()
        listening.append(asyncio.create_task(Ears().listen(spectator, f"{tables[address % len(tables)].path}/events")))
    await polite(tables, 1.0, 2)
    idle, before = await polite(tables, 1.0, chosen.seconds / 2), memory(pid)
    print(told(f"{chosen.matches} matches alone", idle), f"  {before:.0f} MB", flush=True)
    rude = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "scripts.siege",
        *("--rude", str(port), "--seconds", str(chosen.seconds + 2), "--each", str(chosen.each), "--only", chosen.only),
        stdout=subprocess.PIPE,
    )
    await asyncio.sleep(1)  # until it has started, which takes a processor too
    besieged, after = await polite(tables, 1.0, chosen.seconds), memory(pid)
    met = (await rude.communicate())[0].decode().strip()
    for task in listening:
        task.cancel()
    await asyncio.gather(*listening, return_exceptions=True)
    ratio = late(besieged) / late(idle)
    print(told(f"{chosen.matches} matches besieged", besieged), f"  {after:.0f} MB", flush=True)
    print(f"p99 {ratio:.1f} x, p50 {median(besieged) / median(idle):.1f} x, no error; memory {after - before:+.0f} MB")
    print(f"the rude met: {met}")
    return bool(ratio < chosen.bearable) and after - before < chosen.memory


def main() -> int:
    """Besiege a site on SQLite."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--matches", type=int, default=50)
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--each", type=int, default=2, help="so many of each kind of rude client")
    options.add_argument(
        "--only", choices=["", *(attack.__name__ for attack in ATTACKS)], default="", help="one kind alone"
    )
    options.add_argument("--bearable", type=float, default=10, help="how much later 99 of 100 moves may be")
    options.add_argument("--memory", type=float, default=300, help="MB by which the site may grow")
    options.add_argument("--rude", type=int, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    make_room()
    if chosen.rude:
        asyncio.run(attack_all(chosen.rude, chosen))
        return 0
    with TemporaryDirectory() as folder, serving(f"sqlite:///{folder}/siege.db") as (port, server):
        return 0 if asyncio.run(siege(port, server.pid, chosen)) else 1


if __name__ == "__main__":
    sys.exit(main())
