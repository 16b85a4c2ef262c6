"""500 live matches at once on one machine, two viewers each: how long a move takes to reach the other player.

A move is timed from its POST to the event at the opponent's stream, first on a server with one match, then with all.
`make load` runs it; `make load ARGS="--matches 50"` is a short version.
"""

import argparse
import asyncio
import itertools
import resource
import socket
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import monotonic, perf_counter

import httpx

PACE = 20.0
"""Seconds between two moves of one match."""


@dataclass
class Player:
    """One seat: an API client from an address of its own, and a stream of events."""

    client: httpx.AsyncClient
    token: str
    seen: dict[int, float] = field(default_factory=dict)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def headers(self) -> dict[str, str]:
        """What proves the seat."""
        return {"Authorization": f"Bearer {self.token}"}

    async def watch(self, match: str) -> None:
        """Note when each ply is first heard of."""
        path = f"/api/v1/matches/{match}/events"
        async with self.client.stream("GET", path, headers=self.headers, timeout=None) as answer:
            async for line in answer.aiter_lines():
                if line.startswith("data: "):
                    self.seen.setdefault(int(line.split()[1]), perf_counter())
                    self.news.set()


def clients(port: int) -> "itertools.chain[httpx.AsyncClient]":
    """Clients that come from different addresses of this machine, as players would."""
    numbers = itertools.count(2)
    return itertools.chain.from_iterable(
        [httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", transport=_from(n), timeout=30)] for n in numbers
    )


def _from(number: int) -> httpx.AsyncHTTPTransport:
    # The server closes connections that are idle for long, and a POST must not meet a closed one.
    fresh = httpx.Limits(max_keepalive_connections=0)
    return httpx.AsyncHTTPTransport(local_address=f"127.0.{number // 250}.{number % 250 + 2}", limits=fresh)


async def seat_two(first: httpx.AsyncClient, second: httpx.AsyncClient) -> tuple[str, list[Player]]:
    """A match between two clients."""
    wish = {"game": "64", "options": {"target": 100000}, "opponent": "friend", "first": "1"}
    made = (await first.post("/api/v1/matches", json=wish)).raise_for_status().json()
    match = made["match"]["id"]
    joined = await second.post(f"/api/v1/matches/{match}/seat", json={"invitation": made["invitation"], "name": "Ben"})
    return match, [Player(first, made["token"]), Player(second, joined.raise_for_status().json()["token"])]


async def play(match: str, players: list[Player], moves: int, times: list[float], pace: float) -> None:
    """Move after move, each timed until the other player hears of it."""
    for ply in range(moves):
        mover, other = players[ply % 2], players[1 - ply % 2]
        await asyncio.sleep(pace)
        began = perf_counter()
        body = {"ply": ply, "move": "add"}
        answer = await mover.client.post(f"/api/v1/matches/{match}/moves", json=body, headers=mover.headers)
        answer.raise_for_status()
        while ply + 1 not in other.seen:
            other.news.clear()
            await asyncio.wait_for(other.news.wait(), 30)
        times.append(other.seen[ply + 1] - began)


async def run(port: int, count: int, moves: int, pace: float) -> list[float]:
    """Some matches at once."""
    source = clients(port)
    tables = [await seat_two(next(source), next(source)) for _ in range(count)]
    streams = [asyncio.create_task(player.watch(match)) for match, players in tables for player in players]
    while not all(player.seen for _, players in tables for player in players):
        await asyncio.sleep(0.1)
        for stream in streams:
            if stream.done():
                stream.result()
    times: list[float] = []
    starts = [
        asyncio.create_task(_later(i * pace / count, play(m, p, moves, times, pace))) for i, (m, p) in enumerate(tables)
    ]
    await asyncio.gather(*starts)
    for stream in streams:
        stream.cancel()
    await asyncio.gather(*streams, return_exceptions=True)
    for _, players in tables:
        for player in players:
            await player.client.aclose()
    return times


async def _later(delay: float, work: object) -> None:
    await asyncio.sleep(delay)
    await work  # type: ignore[misc]


def memory(pid: int) -> float:
    """Resident memory of a process in MB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


def told(name: str, times: list[float]) -> str:
    """One line of figures."""
    ordered = sorted(times)
    late = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    return f"{name:<24} {len(times):>6} moves   p50 {median(times) * 1e3:7.1f} ms   p99 {late * 1e3:7.1f} ms"


def main() -> None:
    """Measure an idle server and a busy one in the same run."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--matches", type=int, default=500)
    options.add_argument("--moves", type=int, default=8)
    chosen = options.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with TemporaryDirectory() as folder, socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        command = [sys.executable, "-m", "bitduel", "serve", "--port", str(port), "--db", f"sqlite:///{folder}/load.db"]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            wait(port)
            idle = asyncio.run(run(port, 1, 40, 0.02))
            print(told("one match", idle), flush=True)
            sizes = []
            for part in ("warming up", f"{chosen.matches} matches", f"{chosen.matches} matches again"):
                times = asyncio.run(run(port, chosen.matches, chosen.moves, PACE))
                sizes.append(memory(server.pid))
                print(told(part, times), f"  memory {sizes[-1]:.0f} MB", flush=True)
            print(
                f"no error; memory grew by {sizes[-1] - sizes[-2]:+.1f} MB in the last run; "
                f"p50 is {median(times) / median(idle):.1f} times that of one match"
            )
        finally:
            server.terminate()
            server.wait()


def wait(port: int) -> None:
    """Until the server answers."""
    deadline = monotonic() + 60
    while monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            continue
        return
    raise TimeoutError("The server did not start.")


if __name__ == "__main__":
    main()
