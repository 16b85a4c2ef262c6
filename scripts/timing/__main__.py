"""What somebody learns about a game in the dark from how long the site takes; `make clocks` runs it.

Matches that differ only in what is hidden are asked about in random order, by everybody who may look, first inside
this program, where a difference of a few microseconds shows, then on a site that is served. Whether the method would
find a difference is measured too: by delays that are put in on purpose. What is found counts if it is found again.
"""

import argparse
import asyncio
import gc
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np

from bitduel.arena.intervals import wilson
from bitduel.storage import Store, open_store
from bitduel.storage.schema import ID_ALPHABET, ID_LENGTH
from scripts.site_clients import serving
from scripts.timing.clients import Inside, Outside, in_one_thread, planted
from scripts.timing.comparison import ALPHA, Times, Told, luck, taken, told
from scripts.timing.hidden_matches import PAIRS, PROGRAM, Ask, Held, Pair, answers, keep, move

Asker = Callable[[Ask], Awaitable[float]]
"""Asks, and says how many seconds the answer took."""
Asks = tuple[list[Ask], list[Ask]]
"""The same asked about things of two kinds."""
PLANTED = (0.0, 20e-6, 50e-6)
"""Delays that are put in on purpose, in seconds."""
QUICK = "/dev/shm" if Path("/dev/shm").is_dir() else None
"""Where the database is: waiting for a disk would drown what somebody with a better one can hear."""


async def measured(ask: Asker, asks: Sequence[Ask], looks: int, rng: np.random.Generator) -> Times:
    """How long each answer took, each asked for once a round, in another order every round."""
    times = np.zeros((len(asks), looks))
    gc.disable()
    for look in range(looks):
        for number in rng.permutation(len(asks)):
            times[number, look] = await ask(asks[number])
        gc.collect()
    gc.enable()
    return times


async def compared(ask: Asker, asks: Asks, chosen: argparse.Namespace, rng: np.random.Generator) -> Told:
    """Two kinds of things compared: looked at again until a delay as small as is wanted would be found, or for long.

    What is wanted is at least a fiftieth of the answer's own time. When it is enough depends on the noise alone, never
    on what is found.
    """
    one, both = len(asks[0]), [*asks[0], *asks[1]]
    times = await measured(ask, both, chosen.looks, rng)
    result = told(times[:one], times[one:], rng)
    wanted = max(chosen.wanted * 1e-6, float(np.median(times)) / 50)
    while result.detectable > wanted and times.shape[1] < chosen.looks * chosen.most:
        times = np.hstack([times, await measured(ask, both, chosen.looks, rng)])
        result = told(times[:one], times[one:], rng)
    return result


class Bench:
    """Measures on one site and prints a line for each comparison."""

    def __init__(self, ask: Asker, store: Store, chosen: argparse.Namespace) -> None:
        self.ask = ask
        self.store = store
        self.chosen = chosen
        self.rng = np.random.default_rng(chosen.seed)
        self.found: list[str] = []
        self.lines = 0

    def held(self, pair: Pair, each: int) -> tuple[list[Held], list[Held]]:
        """So many new matches of each kind."""
        one, two = ([keep(self.store, kind, pair.plies) for _ in range(each)] for kind in (pair.one, pair.two))
        return one, two

    async def line(self, name: str, make: Callable[[], Asks], once: bool = False) -> None:
        """One comparison, if it is wanted; what is found is looked for again, in new matches."""
        if self.chosen.only not in name:
            return
        for _ in range(2):
            result = await self.result(make(), once)
            if not result.found:
                break
        print(f"  {name:<44} {result}{'   TOLD APART' if result.found else ''}", flush=True)
        self.lines += 1
        self.found += [name] if result.found else []

    async def result(self, asks: Asks, once: bool) -> Told:
        """Return the result of comparing repeatable or one-time requests."""
        if not once:
            return await compared(self.ask, asks, self.chosen, self.rng)
        times = await measured(self.ask, [*asks[0], *asks[1]], 1, self.rng)
        return told(times[: len(asks[0])], times[len(asks[0]) :], self.rng)

    async def looking(self) -> None:
        """Everything that can be looked at."""
        for pair in PAIRS:
            (some, *_), _ = self.held(pair, 1)
            for seat in pair.viewers:
                who = f"seat {seat}" if seat else "spectator"
                for name in answers(some, seat):

                    def make(pair: Pair = pair, seat: int | None = seat, name: str = name) -> Asks:
                        one, two = (
                            [answers(held, seat)[name] for held in kind]
                            for kind in self.held(pair, self.chosen.matches)
                        )
                        return one, two

                    await self.line(f"{pair.name}, {who}: {name}", make)

    async def moving(self) -> None:
        """Time the next move, which can be made only once in a match, and the computer's reply."""
        for pair in (*PAIRS, PROGRAM):

            def make(pair: Pair = pair) -> Asks:
                one, two = ([move(held) for held in kind] for kind in self.held(pair, self.chosen.moves))
                return one, two

            await self.line(f"{pair.name}, seat 1: a move", make, once=True)

    async def looking_up(self) -> None:
        """Beginnings of ids, of which some match has one and none the other."""
        ids = [kept.id for kept in self.store.matches(limit=1000)]

        for path in ("/matches/{}", "/matches/{}/fragment", "/matches/{}/moment", "/api/v1/matches/{}"):

            def make(path: str = path) -> Asks:
                real = [self.beginning(ids) for _ in range(self.chosen.matches)]
                wrong = [self.other_than(ids, len(each)) for each in real]
                one, two = ([Ask("GET", path.format(each)) for each in kind] for kind in (real, wrong))
                return one, two

            await self.line(f"beginnings of ids: {path}", make)

    def beginning(self, ids: Sequence[str]) -> str:
        """Return the beginning of a random id."""
        return str(self.rng.choice(ids))[: int(self.rng.integers(3, ID_LENGTH))]

    def other_than(self, ids: Sequence[str], length: int) -> str:
        """Letters with which no id begins."""
        while True:
            found = "".join(self.rng.choice(list(ID_ALPHABET), length))
            if not any(each.startswith(found) for each in ids):
                return found

    async def walks(self) -> None:
        """From the beginning of a real id on: the letter that stands out is taken for the next.

        The last letter is no part of it, for a whole id is answered with its match.
        """
        ids = [kept.id for kept in self.store.matches(limit=1000)]
        right, steps, chance, arrived = 0, 0, 0.0, 0
        for _ in range(self.chosen.walks):
            at, lost = str(self.rng.choice(ids))[:2], False
            while len(at) < ID_LENGTH - 1:
                asks = [Ask("GET", f"/matches/{at}{letter}") for letter in ID_ALPHABET]
                found = taken(await measured(self.ask, asks, self.chosen.looks, self.rng))
                picked = ID_ALPHABET[int(np.argmax(abs(found - np.median(found))))]
                follows = {each[len(at)] for each in ids if each.startswith(at)}
                right, steps, chance = right + (picked in follows), steps + 1, chance + len(follows) / len(ID_ALPHABET)
                lost = lost or picked not in follows
                at += picked if picked in follows else min(follows)
            arrived += not lost
        share = wilson(right / steps, steps)
        print(
            f"  {self.chosen.walks} walks along ids: {arrived} arrived; {right} of {steps} letters right "
            f"({share.low:.0%} to {share.high:.0%}), {chance:.1f} by chance",
            flush=True,
        )
        self.found += ["walks along ids"] if luck(right, steps, chance) < ALPHA else []


async def calibrated(bench: Bench) -> None:
    """How often delays that are really there are found, and none where there is none."""
    pair, chosen = PAIRS[0], bench.chosen
    one, two = bench.held(pair, chosen.matches)
    asks = tuple([answers(held, 2)["API view"] for held in kind] for kind in (one, two))
    for delay in PLANTED:
        found = 0
        with planted(delay, int(pair.two.secret, 2)):
            for _ in range(chosen.trials):
                found += (await compared(bench.ask, (asks[0], asks[1]), chosen, bench.rng)).found
        share = wilson(found / chosen.trials, chosen.trials)
        sure = f"({share.low:.0%} to {share.high:.0%})"
        print(f"  {delay * 1e6:3.0f} us put in: found {found} of {chosen.trials} times {sure}", flush=True)
        if delay and share.value < 0.95:
            bench.found.append(f"no power for {delay * 1e6:.0f} us")


def main() -> None:
    """Measure, print, and fail where something was told apart."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=24, help="matches of each kind")
    parser.add_argument("--looks", type=int, default=12, help="how often each answer is asked for before it is judged")
    parser.add_argument("--most", type=int, default=6, help="how many times as often where there is much noise")
    parser.add_argument("--wanted", type=float, default=20, help="the delay to be found in this program, in us")
    parser.add_argument("--moves", type=int, default=200, help="matches of each kind for moves, one move each")
    parser.add_argument("--walks", type=int, default=8)
    parser.add_argument("--trials", type=int, default=20, help="how often planted delays are looked for")
    parser.add_argument("--where", choices=("inside", "served", "both"), default="both")
    parser.add_argument("--only", default="", help="only comparisons with this in their name")
    parser.add_argument("--seed", type=int, default=None)
    chosen = parser.parse_args()
    began = perf_counter()
    gc.freeze()
    found = inside(chosen) if chosen.where != "served" else []
    found += outside(chosen) if chosen.where != "inside" else []
    print(f"\n{perf_counter() - began:.0f} s; told apart: {', '.join(found) or 'nothing'}.")
    sys.exit(bool(found))


def inside(chosen: argparse.Namespace) -> list[str]:
    """Measure what can be told apart inside this process."""
    with in_one_thread(), TemporaryDirectory(dir=QUICK) as folder, open_store(f"sqlite:///{folder}/in.db") as store:
        bench = Bench(Inside(store).ask, store, chosen)
        often = f"{chosen.looks} to {chosen.looks * chosen.most} times"
        print(f"In this program, {chosen.matches} matches of each kind, each asked about {often}:")
        asyncio.run(_all(calibrated(bench), bench.looking(), bench.moving(), bench.looking_up()))
    return [f"inside: {name}" for name in bench.found]


def outside(chosen: argparse.Namespace) -> list[str]:
    """Measure what can be told apart on a served site."""
    with TemporaryDirectory(dir=QUICK) as folder:
        db = f"sqlite:///{folder}/out.db"
        with open_store(db) as store, serving(db) as (port, _):
            chosen.wanted, chosen.most = chosen.wanted * 5, -(-chosen.most // 3)
            bench = Bench(Outside(port).ask, store, chosen)
            print("\nOn a site that is served, over sockets:")
            asyncio.run(_all(bench.looking(), bench.moving(), bench.looking_up(), bench.walks()))
    return [f"served: {name}" for name in bench.found]


async def _all(*works: Awaitable[None]) -> None:
    for work in works:
        await work


if __name__ == "__main__":
    main()
