"""Count what a move, a hint and an arena game run: functions of ours, their files, and calls.

On the site, a move is made by the API, by a form followed by its page, and by a script that takes the part of the page
that changes; the processor time of each is measured too. Templates, which Jinja compiles to functions, are counted
apart, and their calls with the others. The site runs in this process, with its threads, on a database in a temporary
folder. In the terminal, a move and a hint are typed at the prompt of a plain screen.
"""

import argparse
import asyncio
import io
import json
import sys
import threading
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from types import FrameType
from typing import Any
from urllib.parse import urlencode

import bitduel
from bitduel.cli import main as cli
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

    async def ask(self, method: str, path: str, body: bytes = b"", expected: int = 200, **headers: Any) -> Any:
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
        await self.ask("POST", f"{self.path}/move", fields, 200, cookie=cookie, **{"bitduel-part": "1"})

    async def by_page(self, ply: int) -> None:
        """Move as a browser without scripts does, which then loads the page."""
        cookie, fields = f"bitduel={self.tokens[ply % 2]}", urlencode({"ply": ply, "move": "add"}).encode()
        await self.ask("POST", f"{self.path}/move", fields, 303, cookie=cookie)
        await self.ask("GET", self.path, cookie=cookie)


async def count(app: Any, move: str) -> Counter[tuple[str, str]]:
    """Count one move in the middle of a match, once everything is warm."""
    counting, players = Counting(), Players(app)
    make: Move = getattr(players, move)
    threading.setprofile(counting)
    sys.setprofile(counting)
    for _ in ("cold", "warm"):
        await players.sit_down()
        for ply in range(4):
            await make(ply)
        met = await counting.run(make(4))
    sys.setprofile(None)
    threading.setprofile(None)
    return met


async def time(app: Any, move: str, times: int) -> float:
    """Return the median of the processor time of a move, in seconds."""
    players, took = Players(app), []
    for number in range(times):
        if number % LENGTH == 0:
            await players.sit_down()
        began = process_time()
        await getattr(players, move)(number % LENGTH)
        took.append(process_time() - began)
    return median(took)


def measure(move: str, times: int, top: int) -> None:
    """Serve a site in this process, count one move, and time many on an event loop whose threads are not traced."""
    with TemporaryDirectory() as folder, open_store(f"sqlite:///{folder}/walks.db") as store:
        app = create_app(store)
        met = asyncio.run(count(app, move))
        show(move, met, top, f" {1000 * asyncio.run(time(app, move, times)):6.2f} ms of processor time")


class Typist(io.StringIO):
    """Standard input that types lines and counts the calls between one line and the next prompt."""

    def __init__(self, lines: list[str], counted: int, counting: Counting) -> None:
        super().__init__()
        self.lines = iter(enumerate(lines))
        self.counted = counted
        self.counting = counting

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]  # as io.StringIO itself
        """Return the next line, and count from the chosen one to the next."""
        self.counting.on = False
        number, line = next(self.lines, (-1, ""))
        self.counting.on = number == self.counted
        return line and f"{line}\n"


def count_command(arguments: list[str], lines: list[str], counted: int) -> Counter[tuple[str, str]]:
    """Return what a command calls after one of the lines typed; from its start where none is chosen."""
    counting = Counting()
    typist, shown = Typist(lines, counted, counting), io.StringIO()
    before, sys.stdin = sys.stdin, typist
    threading.setprofile(counting)
    sys.setprofile(counting)
    counting.on = counted < 0
    try:
        with redirect_stdout(shown), redirect_stderr(shown), suppress(SystemExit):
            cli(arguments)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        sys.stdin = before
    return counting.met


def commands(folder: str) -> dict[str, tuple[list[str], list[str], int]]:
    """Return the walks by commands: arguments, lines to type, and the line after which calls are counted."""
    play = ["play", "double", "--plain", "--db", f"sqlite:///{folder}/terminal.db"]
    return {
        "terminal": (play, ["add", "double", "add", "double", "quit"], 2),
        "hint": (play, ["add", "hint", "hint", "quit"], 2),
        "arena": (["arena", "run", "perfect", "easy", "--games", "double", "--out", f"{folder}/run"], [], -1),
    }


def measure_commands(names: list[str], top: int) -> None:
    """Count the walks by commands, each after a first time that fills the caches."""
    for name in names:
        for _ in ("cold", "warm"):
            with TemporaryDirectory() as folder:
                met = count_command(*commands(folder)[name])
        show(name, met, top)


def show(name: str, met: Counter[tuple[str, str]], top: int, more: str = "") -> None:
    """Print one walk, and the functions called most."""
    templates = {key for key in met if not key[0].endswith(".py")}
    files, drawn = (len({file for file, _ in keys}) for keys in (met.keys() - templates, templates))
    parts = f" (+{len(templates):2} in {drawn:2} templates)" if drawn else ""
    print(
        f"{name:10} {len(met) - len(templates):4} functions {files:3} files{parts:23} {sum(met.values()):5} calls{more}"
    )
    for (file, function), count in met.most_common(top):
        print(f"    {count:4} {file.removeprefix(HOME)[1:]} {function}")


def main() -> int:
    """Measure every kind of walk."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--moves", nargs="*", default=["by_api", "by_script", "by_page"])
    options.add_argument("--commands", nargs="*", default=["terminal", "hint", "arena"])
    options.add_argument("--times", type=int, default=300)
    options.add_argument("--top", type=int, default=0, help="name so many functions, the most called first")
    chosen = options.parse_args()
    for move in chosen.moves:
        measure(move, chosen.times, chosen.top)
    measure_commands(chosen.commands, chosen.top)
    return 0


if __name__ == "__main__":
    sys.exit(main())
