"""A class of 200 scripted pupils behind one address: Swiss rounds, then an arena, with a teacher and a projector.

Pupils behave as their pages do: each has a stream of the class and one of the match, reads what has changed, thinks,
and moves. Nobody may be refused, 99 of 100 moves must be answered within 250 ms, and the server's memory must not
grow. With --kills the server is killed meanwhile; then no move that was acknowledged may be missing, and nobody may be
paired twice. `make class-load` runs it for ten minutes.
"""

import argparse
import asyncio
import contextlib
import json
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import aclosing
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from scripts.site_clients import Visitor, late, make_room, memory, processor, wait

HERE = "127.0.0.1"
CLASSES = "/api/v1/classes"
BEARABLE = 0.25
LOST = (OSError, EOFError, asyncio.IncompleteReadError, asyncio.LimitOverrunError)


class School:
    """What all of them share: the server, the class, and what was met."""

    def __init__(self, port: int, chosen: argparse.Namespace) -> None:
        self.port = port
        self.chosen = chosen
        self.code = ""
        self.times: list[float] = []
        self.met: Counter[str] = Counter()
        self.acknowledged: dict[str, dict[int, str]] = {}
        self.end = 0.0
        self.is_down = False

    @property
    def url(self) -> str:
        """The class in the API."""
        return f"{CLASSES}/{self.code}"


class Person:
    """Somebody with a token, who asks again where the server was away."""

    def __init__(self, school: School, token: str = "") -> None:
        self.school = school
        self.token = token
        self.visitor: Visitor | None = None

    async def ask(self, method: str, path: str, wish: object = None) -> tuple[int, Any]:
        """Ask the API; the status and the answer."""
        body = b"" if wish is None else json.dumps(wish).encode()
        while True:
            try:
                if self.visitor is None:
                    self.visitor = await self.connect()
                status, _, answer = await self.visitor.ask(method, path, body)
            except LOST:
                self.visitor = None
                if not self.school.chosen.kills:
                    self.school.met["connection lost"] += 1
                await asyncio.sleep(0.2)
                continue
            if status >= 400:
                what = f"{status} {method} {path.rpartition('/')[2][:12]} {answer[:90].decode(errors='replace')}"
                self.school.met["429" if status == 429 else what] += 1
            return status, json.loads(answer) if answer[:1] in b"{[" else None

    async def connect(self) -> Visitor:
        """Open a connection with the token."""
        visitor = await Visitor(self.school.port, HERE).open()
        visitor.headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
        return visitor

    async def changes(self, path: str) -> AsyncGenerator[str, None]:
        """Yield the events of a stream, and open it again where it ends."""
        while True:
            try:
                visitor = await self.connect()
                status, _ = await visitor.send("GET", path)
                if status != 200:
                    self.school.met[f"{status} events"] += 1
                    await asyncio.sleep(1)
                    continue
                try:
                    while line := await visitor.reader.readline():
                        if line.startswith(b"event: refused"):
                            self.school.met["stream refused"] += 1
                        if line.startswith(b"data: "):
                            yield line.decode()
                finally:
                    visitor.close()
            except LOST:
                pass
            await asyncio.sleep(0.3)


class Pupil(Person):
    """A pupil who plays what comes."""

    def __init__(self, school: School, number: int) -> None:
        super().__init__(school)
        self.number = number
        self.rng = Random(number)

    async def run(self) -> None:
        """Join, and do what there is to do until the end."""
        await asyncio.sleep(self.rng.uniform(0, self.school.chosen.arrive))
        status, joined = await self.ask("POST", f"{self.school.url}/pupils", {"name": f"Pupil {self.number}"})
        if status != 201:
            return
        self.token, self.visitor = joined["token"], None
        playing: tuple[str, asyncio.Task[None]] | None = None
        try:
            async for _ in self.changes(f"{self.school.url}/events"):
                _, state = await self.ask("GET", self.school.url)
                match = state["now"]["match"] if state and state.get("now") else None
                if playing and playing[0] != match:
                    playing[1].cancel()
                    playing = None
                if match and playing is None:
                    playing = match, asyncio.create_task(self.play(match))
        finally:
            if playing:
                playing[1].cancel()

    async def play(self, match: str) -> None:
        """Play a match: look whenever it has changed, think, and move."""
        path = f"/api/v1/matches/{match}"
        player = Person(self.school, self.token)
        try:
            async with aclosing(self.changes(f"{path}/events")) as changes:
                async for _ in changes:
                    _, found = await player.ask("GET", path)
                    view: dict[str, Any] = found["view"] if found else {"legal": [], "over": True}
                    if view["over"]:
                        return
                    if view["legal"]:
                        await self.move(player, match, view)
        finally:
            if player.visitor:
                player.visitor.close()

    async def move(self, player: Person, match: str, view: dict[str, Any]) -> None:
        """Think, and make a move."""
        await asyncio.sleep(self.rng.uniform(*self.school.chosen.think))
        move = self.rng.choice(view["legal"])
        began = perf_counter()
        wish = {"ply": view["ply"], "move": move}
        status, _ = await player.ask("POST", f"/api/v1/matches/{match}/moves", wish)
        self.school.times.append(perf_counter() - began)
        if status == 200:
            self.school.acknowledged.setdefault(match, {})[view["ply"]] = move


async def teach(teacher: Person) -> None:
    """Run Swiss rounds for the first half, and an arena for the second; look at everything that changes."""
    school = teacher.school
    wish: dict[str, Any] = {"kind": "swiss", "game": "double", "rounds": 50, "odd": "computer"}
    await teacher.ask("POST", f"{school.url}/activity", wish)
    half = (perf_counter() + school.end) / 2
    while perf_counter() < half:
        await asyncio.sleep(2)
        _, state = await teacher.ask("GET", school.url)
        if state["activity"]["playing"] == 0:
            await teacher.ask("POST", f"{school.url}/next", {"round": state["activity"]["round"]})
    school.met["rounds"] += state["activity"]["round"]
    await teacher.ask("POST", f"{school.url}/pause")
    await asyncio.sleep(2)
    await teacher.ask("POST", f"{school.url}/resume")
    await teacher.ask("POST", f"{school.url}/finish")
    await teacher.ask("POST", f"{school.url}/activity", {"kind": "arena", "game": "double", "minutes": 60})
    while perf_counter() < school.end:
        await asyncio.sleep(2)
        await teacher.ask("GET", school.url)


async def project(screen: Person) -> None:
    """Look at the projector's page whenever it changes."""
    async for _ in screen.changes(f"{screen.school.url}/events?as=screen"):
        await screen.ask("GET", f"{screen.school.url}/screen")


class Server:
    """The server's process, and how to kill it."""

    def __init__(self, port: int, folder: str) -> None:
        self.command = [sys.executable, "-m", "bitduel", "serve", "--classes", "--port", str(port)]
        self.command += ["--people", "250", "--db", f"sqlite:///{folder}/class.db"]
        self.port = port
        self.start()

    def start(self) -> None:
        """Start it."""
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL)
        wait(self.port)

    async def kill(self) -> None:
        """Kill it, and start it again."""
        self.process.kill()
        self.process.wait()
        await asyncio.to_thread(self.start)


async def check(school: School, teacher: Person) -> list[str]:
    """Return what is wrong: acknowledged moves that are missing, and pupils in two open matches."""
    wrong = []
    for match, moves in [*school.acknowledged.items()]:
        _, found = await teacher.ask("GET", f"/api/v1/matches/{match}")
        history = found["view"]["history"]
        wrong += [f"{match}: move {ply} is missing" for ply, move in moves.items() if history[ply : ply + 1] != [move]]
    _, state = await teacher.ask("GET", school.url)
    playing = Counter(pupil for each in state["matches"] if not each["over"] for pupil in each["pupils"] if pupil)
    return wrong + [f"pupil {pupil} plays {count} matches" for pupil, count in playing.items() if count > 1]


async def run(server: Server, chosen: argparse.Namespace) -> bool:
    """Run the class, and print what was met."""
    school = School(server.port, chosen)
    teacher = Person(school)
    _, made = await teacher.ask("POST", CLASSES, {"title": "Load"})
    school.code, teacher.token, teacher.visitor = made["class"]["code"], made["token"], None
    school.end = perf_counter() + chosen.arrive + chosen.seconds
    pupils = [asyncio.create_task(Pupil(school, number).run()) for number in range(chosen.pupils)]
    pupils.append(asyncio.create_task(project(Person(school))))
    await asyncio.sleep(chosen.arrive + 2)
    began, used, sizes = perf_counter(), processor(server.process.pid), [memory(server.process.pid)]
    lesson = asyncio.create_task(teach(teacher))
    pause = chosen.seconds / (chosen.kills + 1) if chosen.kills else chosen.seconds / 10
    while perf_counter() < school.end - pause / 2:
        await asyncio.sleep(pause)
        sizes.append(memory(server.process.pid))
        if chosen.kills and perf_counter() < school.end - pause / 2:
            await server.kill()
    await lesson
    seconds = perf_counter() - began
    if not chosen.kills:
        used = processor(server.process.pid) - used
        print(f"processor of the server: {100 * used / seconds:.0f}% of a core")
    for each in pupils:
        each.cancel()
    await asyncio.gather(*pupils, return_exceptions=True)
    wrong = await check(school, teacher)
    rounds = school.met.pop("rounds", 0)
    repeated = "409 POST" if chosen.kills else "409 POST moves"  # whose answer a kill has cut off is asked again
    refused = sum(count for what, count in school.met.items() if not what.startswith(repeated))
    print(f"{chosen.pupils} pupils, {rounds} Swiss rounds and an arena, {len(school.acknowledged)} matches")
    print(f"{len(school.times)} moves in {seconds:.0f} s: p50 {median(school.times) * 1e3:.1f} ms, ", end="")
    print(f"p99 {late(school.times) * 1e3:.1f} ms, longest {max(school.times) * 1e3:.0f} ms")
    print(f"429: {school.met.pop('429', 0)}; other errors: {dict(school.met.most_common(8)) or 'none'}")
    print(f"memory in MB: {', '.join(f'{each:.0f}' for each in sizes)}; wrong: {wrong[:5] or 'nothing'}")
    is_fast = bool(chosen.kills) or late(school.times) < BEARABLE
    return not wrong and not refused and is_fast


def main() -> int:
    """Run the class on a server of its own."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--pupils", type=int, default=200)
    options.add_argument("--seconds", type=float, default=600)
    options.add_argument("--arrive", type=float, default=10, help="seconds in which all pupils join")
    options.add_argument("--think", type=float, nargs=2, default=(1.5, 4.5), help="seconds for a move")
    options.add_argument("--kills", type=int, default=0, help="how often the server is killed meanwhile")
    options.add_argument("--port", type=int, default=18940)
    chosen = options.parse_args()
    make_room()
    with TemporaryDirectory() as folder:
        server = Server(chosen.port, folder)
        try:
            return 0 if asyncio.run(run(server, chosen)) else 1
        finally:
            with contextlib.suppress(ProcessLookupError):
                server.process.terminate()
            server.process.wait()


if __name__ == "__main__":
    sys.exit(main())
