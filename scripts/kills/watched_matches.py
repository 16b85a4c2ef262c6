"""Matches that are played and watched whatever dies: players who ask again, viewers who come again."""

import asyncio
import contextlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from secrets import token_urlsafe
from statistics import median
from time import perf_counter
from typing import Any

from scripts.kills.ledger import PATIENCE, Ledger, ViolationError
from scripts.site_clients import Visitor

CUT = (OSError, EOFError)
"""What a connection ends with when the other side dies."""
AGAIN = 0.03
"""Seconds after which one tries again; a browser takes three."""


@dataclass
class Figures:
    """What came of one kind of kill."""

    kills: int = 0
    moves: int = 0
    lost: int = 0
    """Answers that never came."""
    kept: int = 0
    unkept: int = 0
    """Of those that were looked after before asking again: how many moves were kept, and how many not."""
    watching: int = 0
    cut: int = 0
    """Viewers at the moment of a kill, and streams that ended."""
    live: float = 0.0
    again: float = 0.0
    """Seconds until a viewer had heard of a move, at worst: one whose stream went on, and one who had to come again."""
    times: list[float] = field(default_factory=lambda: [0.01])

    @property
    def usual(self) -> float:
        """Seconds that a move takes."""
        return median(self.times[-99:])

    def told(self) -> str:
        """One line."""
        return (
            f"{self.kills:5} kills, {self.moves} moves, {self.lost} without an answer (of {self.kept + self.unkept} "
            f"looked after {self.kept} were kept), {self.watching} viewers, {self.cut} streams cut, "
            f"news within {self.live:.2f} s, after a cut {self.again:.2f} s"
        )


class Viewer:
    """Somebody who watches a match as a browser's EventSource does: whenever the stream ends, they come again."""

    def __init__(self, port: int, match: str, ledger: Ledger, figures: Figures) -> None:
        self.visitor = Visitor(port)
        self.path = f"/api/v1/matches/{match}/events"
        self.ledger = ledger
        self.figures = figures
        self.pause = AGAIN
        self.heard = -1
        self.on = False
        """Whether the stream goes on."""
        self.cuts = 0
        self.news = asyncio.Condition()
        self.task = asyncio.create_task(self._watch())

    async def until(self, ply: int, patience: float = PATIENCE) -> None:
        """Until a ply was heard of; ViolationError where that does not come."""
        began, on, cuts = perf_counter(), self.on, self.cuts
        try:
            async with asyncio.timeout(patience), self.news:
                await self.news.wait_for(lambda: self.heard >= ply or self.task.done())
        except TimeoutError:
            raise ViolationError(f"Move {ply} was not seen for {patience:.0f} s: {self.heard} were.") from None
        if self.task.done() and not self.task.cancelled():
            self.task.result()
        took = perf_counter() - began
        if on and cuts == self.cuts:
            self.figures.live = max(self.figures.live, took)
        else:
            self.figures.again = max(self.figures.again, took)

    def leave(self) -> None:
        """Watch no more; whatever went wrong before is said."""
        if self.task.done():
            self.task.result()
        self.figures.cut += self.cuts
        self.task.cancel()

    async def _watch(self) -> None:
        try:
            while True:
                with contextlib.suppress(*CUT):
                    await self._listen()
                await asyncio.sleep(self.pause)
        finally:
            async with self.news:
                self.news.notify_all()

    async def _listen(self) -> None:
        await self.visitor.open()
        try:
            status, _ = await self.visitor.send("GET", self.path)
            if status == 200:
                await self._read()
        finally:
            self.cuts += self.on
            self.on = False
            self.visitor.close()

    async def _read(self) -> None:
        name = ""
        while (line := await self.visitor.reader.readline()) not in (b"", b"0\r\n"):
            kind, _, value = line.decode().strip().partition(": ")
            if kind == "event":
                name = value
            elif kind == "retry":
                self.pause = int(value) / 1000
            elif kind == "data" and name == "changed":
                self.on, self.heard = True, int(value.split()[0])
                self.ledger.see(self.heard)
                async with self.news:
                    self.news.notify_all()


class Player(Visitor):
    """Somebody on a seat by the API, who asks again until there is an answer."""

    def __init__(self, port: int, figures: Figures) -> None:
        super().__init__(port)
        self.headers = {"authorization": f"Bearer {token_urlsafe(32)}"}
        self.figures = figures
        self.asked = 0

    async def once(self, method: str, path: str, wish: object = None) -> Any:
        """Return the answer, or None if there is none; a refusal is a violation."""
        try:
            if not self.asked % 3:  # another connection may lead to another worker
                await self.open()
            self.asked += 1
            status, _, body = await self.ask(method, path, b"" if wish is None else json.dumps(wish).encode())
        except CUT:
            self.asked = 0
            return None
        if status == 503:
            return None
        if status >= 300:
            raise ViolationError(f"{method} {path} {wish}: {status} {body.decode()}")
        return json.loads(body)

    async def insist(self, method: str, path: str, wish: object = None) -> Any:
        """Return the answer, asking again until there is one."""
        async with asyncio.timeout(2 * PATIENCE):
            while (answer := await self.once(method, path, wish)) is None:
                await asyncio.sleep(AGAIN)
            return answer

    async def open(self) -> "Player":
        """Connect, once more."""
        if self.asked:
            self.close()
        await super().open()
        return self


class Table:
    """Two players who play match after match by the API, and those who watch."""

    def __init__(self, port: int, dice: Random, figures: Figures, sent: Callable[[], None]) -> None:
        self.port = port
        self.dice = dice
        self.figures = figures
        self.sent = sent
        """Called whenever a move goes out."""
        self.ledgers: dict[str, Ledger] = {}
        self.viewers: list[Viewer] = []
        self.ledger = Ledger()
        self.match: str | None = None
        """The match under way."""
        self.answers = 0
        self.thought = 0.0
        """Seconds that a player thinks about a move at most."""

    async def play(self, ended: asyncio.Event) -> None:
        """Until told to end."""
        while not ended.is_set():
            players, path = await self._begin()
            while not self.ledger.match.outcome and not ended.is_set():
                await asyncio.sleep(self.dice.uniform(0, self.thought))
                await self._move(players[self.ledger.match.next_seat - 1], path)
                if self.dice.random() < 0.75:  # else one move may hide that another was not told
                    await self.all_heard(self.ledger.answered)
            await self.all_heard(self.ledger.answered)
            for viewer in self.viewers:
                viewer.leave()
            for player in players:
                player.close()
            self.viewers = []

    async def all_heard(self, ply: int) -> None:
        """Until all who watch have heard of a ply."""
        await asyncio.gather(*(viewer.until(ply) for viewer in self.viewers))

    async def _begin(self) -> tuple[list[Player], str]:
        one, two = (Player(self.port, self.figures) for _ in range(2))
        wish = {"game": "64", "options": {"target": 100_000}, "opponent": "friend", "first": "1"}
        made = await one.insist("POST", "/api/v1/matches", wish)
        match, path = made["match"]["id"], f"/api/v1/matches/{made['match']['id']}"
        self.match, self.ledger = match, Ledger()
        self.ledgers[match] = self.ledger
        await two.insist("POST", f"{path}/seat", {"invitation": made["invitation"]})
        self.viewers = [Viewer(self.port, match, self.ledger, self.figures) for _ in range(2)]
        return [one, two], path

    async def _move(self, player: Player, path: str) -> None:
        """Send a move until it is answered; the fate of the first attempt is unknown."""
        ply, move = self.ledger.match.ply, self.ledger.send(self.dice)
        wish = {"ply": ply, "move": move}
        self.sent()
        began = perf_counter()
        answer = await player.once("POST", f"{path}/moves", wish)
        if answer is None:
            self.figures.lost += 1
            if self.dice.random() < 0.5:
                found = await player.insist("GET", path)
                there = self.ledger.check(found["view"]["history"], ply) > ply
                self.figures.kept += there
                self.figures.unkept += not there
            answer = await player.insist("POST", f"{path}/moves", wish)
        else:
            self.figures.times.append(perf_counter() - began)
        self.ledger.answer()
        self.answers += 1
        self.ledger.check(answer["view"]["history"], self.ledger.answered)
        self.figures.moves += 1
