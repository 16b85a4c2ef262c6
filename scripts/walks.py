"""Count what a move on the site runs: functions of ours, their files and calls, and the processor time of each.

A move is made by the API, by a form that is followed by its page, and by a script that takes the part of the page that
changes. The site runs in this process, with its threads, on a database in a temporary folder.
"""

import argparse
import asyncio
import json
import sys
import threading
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from types import FrameType
from typing import Any
from urllib.parse import urlencode

import bitduel
from bitduel.storage import open_store
from bitduel.web.app import create_app

HOME = str(Path(bitduel.__file__).parent)
LENGTH = 12
"""Moves of a match, with which Double or Nothing is not over yet."""
Move = Callable[[int], Awaitable[None]]


class Counting:
    """Counts the calls of our functions in every thread while it is switched on."""

    def __init__(self) -> None:
        self.met: Counter[tuple[str, str]] = Counter()
        self.on = False

    def __call__(self, frame: FrameType, event: str, _arg: object) -> None:
        """Count one call."""
        if self.on and event == "call" and frame.f_code.co_filename.startswith(HOME):
            self.met[frame.f_code.co_filename, frame.f_code.co_qualname] += 1

    async def run(self, work: Awaitable[None]) -> Counter[tuple[str, str]]:
        """Return what one piece of work calls."""
        self.met.clear()
        self.on = True
        await work
        self.on = False
        return Counter(self.met)


class Players:
    """Two players of one match, who move by turns in one of three ways."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def ask(self, method: str, path: str, body: bytes = b"", expected: int = 200, **headers: str) -> Any:
        """Send a request straight to the application, and return the answer."""
        kind = "application/json" if path.startswith("/api/") else "application/x-www-form-urlencoded"
        given = {"host": "localhost", "content-length": str(len(body)), **({"content-type": kind} if body else {})}
        scope: dict[str, Any] = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in {**given, **headers}.items()],
            "server": ("localhost", 80),
            "client": ("127.0.0.1", 1),
        }
        sent: list[Any] = []

        async def receive() -> Any:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        await self.app(scope, receive, send)
        text = b"".join(message.get("body", b"") for message in sent)
        assert sent[0]["status"] == expected, text
        return json.loads(text) if path.startswith("/api/") else None

    async def sit_down(self) -> None:
        """Begin a match and take both seats."""
        wish = json.dumps({"game": "double", "opponent": "friend", "first": "1"}).encode()
        made = await self.ask("POST", "/api/v1/matches", wish, 201)
        self.path = f"/matches/{made['match']['id']}"
        wish = json.dumps({"invitation": made["invitation"]}).encode()
        taken = await self.ask("POST", f"/api/v1{self.path}/seat", wish)
        self.tokens = [made["token"], taken["token"]]

    async def by_api(self, ply: int) -> None:
        """Move as a program does."""
        wish = json.dumps({"ply": ply, "move": "add"}).encode()
        await self.ask("POST", f"/api/v1{self.path}/moves", wish, authorization=f"Bearer {self.tokens[ply % 2]}")

    async def by_script(self, ply: int) -> None:
        """Move as a browser with scripts does."""
        cookie, fields = f"bitduel={self.tokens[ply % 2]}", urlencode({"ply": ply, "move": "add"}).encode()
        await self.ask("POST", f"{self.path}/move", fields, cookie=cookie, **{"bitduel-part": "1"})

    async def by_page(self, ply: int) -> None:
        """Move as a browser without scripts does, which then loads the page."""
        cookie, fields = f"bitduel={self.tokens[ply % 2]}", urlencode({"ply": ply, "move": "add"}).encode()
        await self.ask("POST", f"{self.path}/move", fields, 303, cookie=cookie)
        await self.ask("GET", self.path, cookie=cookie)


async def measure(players: Players, counting: Counting, move: str, times: int, top: int) -> None:
    """Count one move in the middle of a match, and time many."""
    make: Move = getattr(players, move)
    for _ in ("cold", "warm"):
        await players.sit_down()
        for ply in range(4):
            await make(ply)
        met = await counting.run(make(4))
    sys.setprofile(None)
    threading.setprofile(None)
    took = []
    for number in range(times):
        if number % LENGTH == 0:
            await players.sit_down()
        began = process_time()
        await make(number % LENGTH)
        took.append(process_time() - began)
    files = len({file for file, _ in met})
    print(
        f"{move:10} {len(met):4} functions {files:3} files {sum(met.values()):5} calls "
        f"{1000 * median(took):6.2f} ms of processor time"
    )
    for (file, name), count in met.most_common(top):
        print(f"    {count:4} {file.removeprefix(HOME)[1:]} {name}")


async def run(move: str, times: int, top: int) -> None:
    """Serve a site in this process and measure one kind of move."""
    counting = Counting()
    threading.setprofile(counting)
    with TemporaryDirectory() as folder, open_store(f"sqlite:///{folder}/walks.db") as store:
        app = create_app(store)
        sys.setprofile(counting)
        await measure(Players(app), counting, move, times, top)


def main() -> int:
    """Measure all three kinds of moves."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--moves", nargs="*", default=["by_api", "by_script", "by_page"])
    options.add_argument("--times", type=int, default=300)
    options.add_argument("--top", type=int, default=0, help="name so many functions, the most called first")
    chosen = options.parse_args()
    for move in chosen.moves:
        asyncio.run(run(move, chosen.times, chosen.top))
    return 0


if __name__ == "__main__":
    sys.exit(main())
