"""Sites, workers and terminals killed in the middle of moves: nothing is lost, doubled or unseen by a live viewer.

Each is the real program, killed by SIGKILL at a random moment within the time of a few moves, and started again at
once; players ask again until they are answered, viewers come again when their stream ends. After every kill the store
is held against what was sent, acknowledged and shown. `make kills` runs it.
"""

import argparse
import asyncio
import os
import signal
import sqlite3
import sys
from collections.abc import Awaitable, Callable, Iterable
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter

from bitduel.storage import Store, open_store
from scripts.kills.ledger import PATIENCE, Ledger, ViolationError
from scripts.kills.processes import Site, Workers, listening, make_ready
from scripts.kills.terminal_matches import Loner
from scripts.kills.watched_matches import Figures, Table, Viewer
from scripts.site_clients import make_room, postgres

TABLES = 3
"""So many matches are played at once on a site."""
WEIGHTS = {"sites": 0.3, "workers": 0.2, "terminals": 0.5}
"""How kills are shared out: a worker takes a second to start, the others are forked."""
Kind = Callable[[str, int, Random, Figures], Awaitable[None]]


class House:
    """A site with tables at which moves go on all the time, and somebody who kills."""

    def __init__(self, port: int, db: str, dice: Random, figures: Figures) -> None:
        self.db = db
        self.dice = dice
        self.figures = figures
        self.sent = asyncio.Event()
        self.hasty = False
        """Whether the next blow does not wait until all is well again."""
        self.tables = [Table(port, Random(dice.random()), figures, self.sent.set) for _ in range(TABLES)]

    async def besiege(self, kills: int, kill: Callable[[], Awaitable[None]]) -> None:
        """Play and kill; at the end everything is answered, and kept just so."""
        ended = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            for table in self.tables:
                group.create_task(table.play(ended))
            for _ in range(kills):
                await kill()
                self.figures.kills += 1
            ended.set()
        with open_store(self.db) as store:
            check_all(store, {match: ledger for table in self.tables for match, ledger in table.ledgers.items()})

    async def moment(self) -> None:
        """Wait for a random moment within the next few moves, one of which has just been sent."""
        before = sum(table.answers for table in self.tables)
        while sum(table.answers for table in self.tables) == before:
            self.sent.clear()
            await self.sent.wait()
        await asyncio.sleep(self.dice.uniform(0, 3 * self.figures.usual))

    def think(self, thought: float) -> None:
        """All players take so long."""
        for table in self.tables:
            table.thought = thought

    def due(self) -> list[tuple[Viewer, int]]:
        """Return the moves that every viewer must hear of, whatever happens now."""
        found = [(viewer, table.ledger.due) for table in self.tables for viewer in table.viewers]
        self.figures.watching += len(found)
        return found

    async def heard(self, due: list[tuple[Viewer, int]]) -> None:
        """Until they have; if it is not waited for, the next blow hits those who are just coming again."""
        if self.dice.random() < 0.75:
            await asyncio.gather(*(viewer.until(ply) for viewer, ply in due))

    def check(self, store: Store) -> None:
        """Return the matches under way."""
        for table in self.tables:
            if table.match:
                table.ledger.check(store.find(table.match).moves, table.ledger.due)


def check_all(store: Store, known: dict[str, Ledger]) -> None:
    """All matches, to the last move; a match whose beginning was never answered has none."""
    for kept in store.matches():
        ledger = known.pop(kept.id, None) or Ledger()
        ledger.check(kept.moves, ledger.match.ply)
        if kept.outcome != ledger.match.outcome:
            raise ViolationError(f"A match ended by {ledger.match.outcome} is kept as ended by {kept.outcome}.")
    if known:
        raise ViolationError(f"Matches that were begun are not kept: {', '.join(known)}.")


async def kill_sites(folder: str, kills: int, dice: Random, figures: Figures) -> None:
    """Two sites at once, each killed and started again on its file."""
    shares = [kills - kills // 2, kills // 2]
    async with asyncio.TaskGroup() as group:
        for number, share in enumerate(shares):
            if share:
                group.create_task(_kill_site(Path(folder, f"{number}.db"), share, Random(dice.random()), figures))


async def _kill_site(path: Path, kills: int, dice: Random, figures: Figures) -> None:
    db = f"sqlite:///{path}"
    site = Site(db, path.with_suffix(".log"))
    house = House(site.port, db, dice, figures)

    def check() -> None:
        with open_store(db) as store:
            house.check(store)

    async def kill() -> None:
        if house.hasty:
            await asyncio.sleep(dice.uniform(0, 0.3))  # while it starts
        else:
            await house.moment()
        house.hasty = dice.random() < 0.1
        due, at_once = house.due(), dice.random() < 0.5
        site.kill()
        if at_once:
            check()  # else the site is the first to open what is left
        site.start()
        if house.hasty:
            return
        if not at_once:
            await listening(site.port, PATIENCE)
            check()
        await house.heard(due)

    try:
        await house.besiege(kills, kill)
    finally:
        site.kill()
    sound(path)


def sound(path: Path) -> None:
    """Check the integrity of the database file."""
    with closing(sqlite3.connect(path)) as connection:
        if connection.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
            raise ViolationError(f"{path} is damaged.")


async def kill_workers(url: str, kills: int, dice: Random, figures: Figures) -> None:
    """One of two workers, again and again; viewers hang on either."""
    with TemporaryDirectory() as folder:
        workers = Workers(url, Path(folder, "log"))
        house = House(workers.port, url, dice, figures)
        try:
            await listening(workers.port, PATIENCE)
            with open_store(url) as store:
                await house.besiege(kills, lambda: _kill_worker(workers, house, store))
        finally:
            workers.end()


async def _kill_worker(workers: Workers, house: House, store: Store) -> None:
    wanted = house.dice.choice((1, 2, 2, 2))  # else one worker dies before the other has come back
    began = perf_counter()
    house.think(0.2)  # so that a worker can start
    while len(workers.at_work()) < wanted and perf_counter() < began + PATIENCE:
        await asyncio.sleep(0.05)
    house.think(0)
    await house.moment()
    if not (found := workers.at_work()):
        raise ViolationError("No worker is at work.")
    due = house.due()
    os.kill(house.dice.choice(found), signal.SIGKILL)
    house.check(store)
    await house.heard(due)


async def kill_terminals(folder: str, kills: int, dice: Random, figures: Figures) -> None:
    """Four terminals at once on the file of a site; viewers watch there."""
    path = Path(folder, "terminals.db")
    db = f"sqlite:///{path}"
    site = Site(db, path.with_suffix(".log"))
    try:
        await listening(site.port, PATIENCE)
        with open_store(db) as store:
            loners = [Loner(f"Ada {seat}", site.port, db, store, Random(dice.random()), figures) for seat in range(4)]
            async with asyncio.TaskGroup() as group:
                for number, loner in enumerate(loners):
                    group.create_task(loner.play(kills // 4 + (number < kills % 4)))
            known = {match: ledger for loner in loners for match, ledger in loner.kept.items()}
            check_all(store, known)
    finally:
        site.kill()
    sound(path)


def shares(kills: int, kinds: Iterable[str]) -> dict[str, int]:
    """How many of each kind."""
    weights = {kind: WEIGHTS[kind] for kind in kinds}
    found = {kind: int(kills * weight / sum(weights.values())) for kind, weight in weights.items()}
    found[next(iter(found))] += kills - sum(found.values())
    return found


async def progress(kind: str, kills: int, figures: Figures) -> None:
    """Print a line of progress now and then."""
    while True:
        await asyncio.sleep(10)
        print(f"  {kind}: {figures.kills} of {kills}", flush=True)


async def one_kind(kind: str, work: Kind, where: str, kills: int, dice: Random) -> bool:
    """Kill, and say in one line what came of it; whether all was well."""
    figures, began = Figures(), perf_counter()
    watching = asyncio.create_task(progress(kind, kills, figures))
    verdict = "nothing lost, doubled or unseen"
    try:
        await work(where, kills, dice, figures)
    except* (ViolationError, TimeoutError) as group:
        verdict = "VIOLATED: " + "; ".join(sorted({str(each) or "no answer came" for each in leaves(group)}))
    watching.cancel()
    print(f"{kind:<10}{figures.told()}; {perf_counter() - began:.0f} s; {verdict}", flush=True)
    return not verdict.startswith("VIOLATED")


def leaves(group: BaseExceptionGroup[BaseException]) -> list[BaseException]:
    """All errors of a group of groups."""
    return [
        leaf for each in group.exceptions for leaf in (leaves(each) if isinstance(each, BaseExceptionGroup) else [each])
    ]


def main() -> int:
    """All kinds, one after the other."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--kills", type=int, default=1000)
    options.add_argument("--only", choices=WEIGHTS, action="append", help="one kind alone; can be given again")
    options.add_argument("--postgres", help="the URL of an empty database, instead of a server of our own")
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    make_room()
    make_ready()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # whatever was started is ended too
    kinds = {kind: WEIGHTS[kind] for kind in chosen.only or WEIGHTS}
    works: dict[str, Kind] = {"sites": kill_sites, "workers": kill_workers, "terminals": kill_terminals}
    well = True
    with TemporaryDirectory() as folder, ExitStack() as around:
        url = chosen.postgres or (postgres(around) if "workers" in kinds else None)
        if url is None:
            kinds.pop("workers", None)
        for kind, kills in shares(chosen.kills, kinds).items():
            where = url if kind == "workers" else folder
            assert where
            if kills:
                well &= asyncio.run(one_kind(kind, works[kind], where, kills, Random(f"{chosen.seed} {kind}")))
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
