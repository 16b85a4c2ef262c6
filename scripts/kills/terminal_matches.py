"""One person at a terminal on the file of a site, killed again and again; others watch the match on the site."""

import asyncio
from pathlib import Path
from random import Random
from time import perf_counter

from bitduel.storage import Store
from scripts.kills.ledger import Ledger, ViolationError
from scripts.kills.processes import Terminal
from scripts.kills.watched_matches import CUT, Figures, Viewer
from scripts.site_clients import Visitor

START = 0.15
"""Seconds within which a terminal has made its first move."""


class Loner:
    """Begins matches with `bitduel play` and goes on with them with `bitduel resume`."""

    def __init__(self, name: str, port: int, db: str, store: Store, dice: Random, figures: Figures) -> None:
        self.name = name
        self.port = port
        self.db = db
        self.store = store
        self.dice = dice
        self.figures = figures
        self.kept: dict[str, Ledger] = {}
        self._anew()

    def _anew(self) -> None:
        self.ledger = Ledger()
        self.called = f"{self.name} {len(self.kept)}"
        self.match: str | None = None
        self.viewers: list[Viewer] = []
        self.looking: asyncio.Task[None] | None = None

    async def play(self, kills: int) -> None:
        """Until so many terminals were killed."""
        while kills:
            killed = await self._sit_down()
            kills -= killed
            self.figures.kills += killed
            if self.ledger.match.outcome or not kills:
                self._leave()
                self._anew()

    async def _sit_down(self) -> bool:
        """One terminal: some moves typed ahead, and a kill before, between or after them."""
        terminal = await Terminal(self._command(), Path(f"{self.db.removeprefix('sqlite:///')}.errors")).open()
        before = self.ledger.answered
        lines = self._type(self.dice.randrange(1, 13))
        terminal.type(lines)
        if wanted := self.dice.randrange(len(lines) + 1):
            await terminal.until(1)
            began = perf_counter()
            await terminal.until(wanted)
            if wanted > 1:
                self.figures.times.append((perf_counter() - began) / (wanted - 1))
            self.ledger.answered = before + terminal.shown
            self._look()
        await asyncio.sleep(self.dice.uniform(0, self.figures.usual * 3 if wanted else START))
        self.figures.watching += len(self.viewers)
        killed = await terminal.kill()
        self.ledger.answered = before + terminal.shown
        self.figures.moves += terminal.shown
        await self._check()
        return killed

    async def _check(self) -> None:
        """Check that the stored moves are those typed, as far as they were shown, and that viewers hear of all."""
        self._look()
        kept = self.store.find(self.match).moves if self.match else ()
        self.figures.lost += self.ledger.match.ply - self.ledger.answered
        self.figures.kept += len(kept) - self.ledger.answered
        self.figures.unkept += self.ledger.match.ply - len(kept)
        self.ledger.settle(kept)
        await asyncio.gather(*(viewer.until(len(kept)) for viewer in self.viewers))

    def _command(self) -> list[str]:
        if self.match:
            return ["resume", self.match, "--db", self.db]
        return ["play", "64", "--set", "target=100000", "--name1", self.called, "--db", self.db]

    def _type(self, most: int) -> list[str]:
        """Return some moves in the form that a person types."""
        lines: list[str] = []
        while len(lines) < most and not self.ledger.match.outcome:
            match = self.ledger.match
            view = match.view(match.next_seat)
            lines.append(match.game.words.answer(view, self.ledger.send(self.dice)))
        return lines

    def _look(self) -> None:
        """Find the match once it is kept, and let others watch it."""
        if self.match:
            return
        found = self.store.matches(player=self.called)
        if len(found) > 1 or (self.ledger.answered and not found):
            raise ViolationError(f"{self.called} has begun one match, and {len(found)} are kept.")
        if found:
            self.match = found[0].id
            self.kept[self.match] = self.ledger
            self.viewers = [Viewer(self.port, self.match, self.ledger, self.figures) for _ in range(2)]
            self.looking = asyncio.create_task(self._pass_by(f"/api/v1/matches/{self.match}"))

    async def _pass_by(self, path: str) -> None:
        """Others look at the match once in a while; those who watch must hear of every move all the same."""
        visitor = Visitor(self.port)
        while True:
            await asyncio.sleep(self.dice.uniform(0, 0.5))
            try:
                await visitor.open()
                await visitor.json("GET", path)
                visitor.close()
            except CUT:
                continue

    def _leave(self) -> None:
        for viewer in self.viewers:
            viewer.leave()
        if self.looking:
            self.looking.cancel()
