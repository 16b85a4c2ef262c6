"""Sites to test and those who use them: in this process, or as server processes of their own."""

import asyncio
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

import httpx
from starlette.types import Message

from bitduel.core.match import Match
from bitduel.service.credentials import hashed, invitation, new_token
from bitduel.service.hub import Hub
from bitduel.service.match_service import MatchService
from bitduel.storage import Store
from bitduel.web.app import create_app
from bitduel.web.site import Site

T = TypeVar("T")
LOCAL = "http://localhost"
PATIENT = 60.0
"""Seconds after which something that must come has not come."""


class LocalApp:
    """The site in this process, on a loop of its own; browsers of it can be had."""

    def __init__(self, store: Store, site: Site | None = None) -> None:
        self.store = store
        self.site = site or Site(MatchService(store, Hub()))
        self.service = self.site.service
        self.asgi = create_app(store, site=self.site)
        self.runner = asyncio.Runner()
        self.opened: list[Browser] = []
        self.life = Lifespan(self)

    def run(self, work: Awaitable[T]) -> T:
        async def wait() -> T:
            return await asyncio.wait_for(work, PATIENT)

        return self.runner.run(wait())

    def browser(self, token: str | None = None, where: str = "127.0.0.1", **headers: str) -> "Browser":
        """A client with its own cookies; a token makes it the holder of that token's seats."""
        made = Browser(self, token, where, headers)
        self.opened.append(made)
        return made

    def together(self, *works: Awaitable[T]) -> list[T]:
        """What all of these give, done at once."""

        async def gather() -> list[T]:
            return list(await asyncio.gather(*works))

        return self.run(gather())

    def listen(self, path: str, headers: Mapping[str, str] | None = None, count: int = 1) -> tuple[Message, list[str]]:
        """The start of a stream and its first events, after which the reader goes away."""

        async def hear() -> tuple[Message, list[str]]:
            async with Stream(self, path, headers) as stream:
                start = await stream.start()
                return start, [await stream.event() for _ in range(count)]

        return self.run(hear())

    def close(self) -> None:
        for browser in self.opened:
            self.run(browser.client.aclose())
        self.life.stop()
        self.runner.close()


class Lifespan:
    """Starts the application and stops it again."""

    def __init__(self, app: LocalApp) -> None:
        self.app = app
        self.to_app: asyncio.Queue[Message] = asyncio.Queue()
        self.from_app: asyncio.Queue[Message] = asyncio.Queue()
        app.run(self._begin())

    async def _begin(self) -> None:
        self.task = asyncio.ensure_future(
            self.app.asgi({"type": "lifespan", "asgi": {"version": "3.0"}}, self.to_app.get, self.from_app.put)
        )
        await self._tell("startup")

    async def _tell(self, what: str) -> None:
        await self.to_app.put({"type": f"lifespan.{what}"})
        assert (await self.from_app.get())["type"] == f"lifespan.{what}.complete"

    def stop(self) -> None:
        async def end() -> None:
            await self._tell("shutdown")
            await self.task

        self.app.run(end())


class Stream:
    """One reader of an event stream, who takes what is sent as it comes."""

    def __init__(self, app: LocalApp, path: str, headers: Mapping[str, str] | None = None, where: str = "127.0.0.1"):
        given = {"host": "localhost", **(headers or {})}
        self.scope: dict[str, Any] = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": [(name.lower().encode(), value.encode()) for name, value in given.items()],
            "server": ("localhost", 80),
            "client": (where, 1),
        }
        self.app = app
        self.sent: asyncio.Queue[Message] = asyncio.Queue()
        self.gone = asyncio.Event()
        self.asked = False

    async def __aenter__(self) -> "Stream":
        self.task = asyncio.ensure_future(self.app.asgi(self.scope, self._receive, self.sent.put))
        return self

    async def __aexit__(self, *_: object) -> None:
        self.gone.set()
        await self.task

    async def _receive(self) -> Message:
        if not self.asked:
            self.asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def start(self) -> Message:
        """Status and headers."""
        return await self.sent.get()

    async def event(self) -> str:
        """The next piece, as it is sent."""
        message = await self.sent.get()
        body: bytes = message.get("body", b"")
        return body.decode()

    async def rest(self) -> list[str]:
        """All until the server itself ends the stream."""
        pieces = []
        while True:
            message = await self.sent.get()
            pieces.append(message.get("body", b"").decode())
            if not message.get("more_body"):
                return [piece for piece in pieces if piece]


class Browser:
    """Somebody who looks at the site, by forms or by the API."""

    def __init__(self, app: LocalApp, token: str | None, where: str, headers: Mapping[str, str]) -> None:
        self.app = app
        self.token = token
        transport = httpx.ASGITransport(app.asgi, raise_app_exceptions=False, client=(where, 1))
        self.client = httpx.AsyncClient(transport=transport, base_url=LOCAL, headers=dict(headers))
        if token:
            self.client.cookies.set("bitduel", token, domain="localhost.local")

    async def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        return await self.client.request(method, path, **more)

    def request(self, method: str, path: str, **more: Any) -> httpx.Response:
        return self.app.run(self.ask(method, path, **more))

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self.request("GET", path, **more)

    def post(self, path: str, **more: Any) -> httpx.Response:
        return self.request("POST", path, **more)

    @property
    def cookie(self) -> str:
        """The secret that the site has given this browser."""
        value: str = self.client.cookies["bitduel"]
        return value


class SeatedMatch:
    """A match between two people, put straight into the store, and the secrets of both seats."""

    def __init__(self, store: Store, match: Match, names: tuple[str, str] = ("Ada", "Ben"), seats: int = 2) -> None:
        self.tokens = [new_token(), new_token()]
        self.owners = [hashed(token) for token in self.tokens]
        self.full = seats == 2
        self.id = store.begin(match, ("human", "human"), names)
        for seat in range(1, seats + 1):
            store.seats.claim(self.id, seat, hashed(self.tokens[seat - 1]))
        self.invitation = invitation(self.tokens[0], self.id)
        store.seats.invite(self.id, hashed(self.invitation))


def bearer(token: str) -> dict[str, str]:
    """The header by which a program shows its seat."""
    return {"authorization": f"Bearer {token}"}


def free_port() -> int:
    with closing(socket.socket()) as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def inheriting(place: socket.socket, db: str, *options: str) -> "subprocess.Popen[bytes]":
    """A site on a socket that stays, as systemd starts one."""
    command = [sys.executable, "-m", "bitduel", "serve", "--db", db, *options]
    script = f"""import os
os.dup2({place.fileno()}, 3)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
os.execv({sys.executable!r}, {command!r})"""
    return subprocess.Popen(
        [sys.executable, "-c", script],
        pass_fds=[place.fileno()],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


class Server:
    """A server process, and all that it says."""

    def __init__(self, db: str, log: Path, prelude: str = "", port: int | None = None, *more: str) -> None:
        self.db = db
        self.log = log
        self.prelude = prelude
        self.port = port or free_port()
        self.more = more
        self.start()

    def start(self) -> None:
        """Begin; `ready` waits for it."""
        arguments = ["serve", "--people", "0", "--port", str(self.port), "--db", self.db, *self.more]
        code = f"import sys\n{self.prelude}\nfrom bitduel.cli import main\nmain({arguments!r})"
        command = [sys.executable, "-c", code] if self.prelude else [sys.executable, "-m", "bitduel", *arguments]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def ready(self) -> "Server":
        deadline = time.monotonic() + PATIENT
        while time.monotonic() < deadline:
            assert self.process.poll() is None, self.log.read_text()
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                time.sleep(0.02)
            else:
                return self
        raise AssertionError(f"the server does not listen: {self.log.read_text()}")

    def client(self, token: str | None = None) -> httpx.Client:
        """A program that speaks to this server."""
        url = f"http://127.0.0.1:{self.port}"
        return httpx.Client(base_url=url, headers=bearer(token) if token else {}, timeout=PATIENT)

    def kill(self) -> None:
        """SIGKILL: nothing is put in order."""
        self.process.kill()
        self.process.wait()


class Events:
    """The events of a server process, as a program reads them."""

    def __init__(self, client: httpx.Client, path: str) -> None:
        self.context = client.stream("GET", path)
        self.last = ("", "")

    def __enter__(self) -> "Events":
        self.response = self.context.__enter__()
        assert self.response.status_code == 200
        self.lines = self.response.iter_lines()
        return self

    def __exit__(self, *_: object) -> None:
        self.context.__exit__(None, None, None)

    def next(self) -> tuple[str, str]:
        """The name and the data of the next event that tells of a move, a seat or a round."""
        name = data = ""
        for line in self.lines:
            if not line and (name or data):
                found, name, data = (name, " ".join(data.split()[:4])), "", ""
                if found != self.last:
                    self.last = found
                    return found
                continue
            field, _, value = line.partition(": ")
            name, data = (value, data) if field == "event" else (name, value if field == "data" else data)
        raise AssertionError("the stream has ended")

    def until(self, ply: int) -> str:
        """Wait until the match has come so far."""
        while True:
            name, data = self.next()
            assert name == "changed", data
            if int(data.split()[0]) >= ply:
                return data


_FORM = re.compile(r'<form[^>]*method="post"[^>]*action="([^"]+)"[^>]*>(.*?)</form>', re.DOTALL)
_HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')
_BUTTON = re.compile(r'<button(?![^>]* disabled)[^>]*?name="([^"]+)" value="([^"]*)"')
"""A button that can be pressed."""


class Form:
    """A form as a browser without scripts sees it."""

    def __init__(self, action: str, inside: str) -> None:
        self.action = action
        self.hidden = dict(_HIDDEN.findall(inside))
        self.buttons = _BUTTON.findall(inside)


def forms(page: str) -> list[Form]:
    """The forms of a page."""
    return [Form(action, inside) for action, inside in _FORM.findall(page)]


def form_to(page: str, ending: str) -> Form:
    """The one form that is sent to an address with this ending."""
    (found,) = [form for form in forms(page) if form.action.endswith(ending)]
    return found


def links(page: str) -> list[str]:
    """Every address that a page refers to."""
    found = re.findall(r'(?:href|src|action|formaction|data-live|data-fragment)="([^"]*)"', page)
    return [link.replace("&amp;", "&") for link in found]


async def chunks(*pieces: bytes) -> AsyncIterator[bytes]:
    """A body whose length is not told."""
    for piece in pieces:
        yield piece


def rounds(default: int) -> int:
    """How often a race is run."""
    return int(os.environ.get("BITDUEL_RACES", default))


def choice(legal: Sequence[T], ply: int) -> T:
    """A move by the ruler's marks, which in every game leads to an end: bits toggled so take every value."""
    turn = ply // 2 + 1
    return legal[min((turn & -turn).bit_length() - 1, len(legal) - 1)]
