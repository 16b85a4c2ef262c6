"""Two ways to ask a site something and take the time: inside this program, and over sockets."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from time import perf_counter
from typing import Any

from dark_matches import Ask
from visitors import Visitor

from bitduel.games.binary_battle.rules import BinaryBattle
from bitduel.service.hub import Hub
from bitduel.service.match_service import MatchService
from bitduel.storage import Store
from bitduel.web.app import create_app
from bitduel.web.png_worker import PngWorker
from bitduel.web.quotas import Quota, Rate
from bitduel.web.site import Site
from bitduel.web.worker_pools import WorkerPool

CONNECTIONS = 64
"""One address is answered so many times a second; whoever measures comes from many."""


class Inside:
    """The whole application in this program, without sockets and threads: as little noise as can be had."""

    def __init__(self, store: Store) -> None:
        many = Quota(Rate(10**9, 60))
        site = Site(MatchService(store, Hub()), creations=many, guesses=many, sayings=many, studio=PngWorker(many))
        self.app = create_app(store, site=site)

    async def ask(self, ask: Ask) -> float:
        """The time until the first piece of the answer."""
        path, _, query = ask.path.partition("?")
        given = {"host": "localhost", "content-type": ask.kind, "content-length": str(len(ask.body))}
        given |= {"authorization": f"Bearer {ask.token}"} if ask.token else {}
        scope: dict[str, Any] = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": ask.method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in given.items()],
            "server": ("localhost", 80),
            "client": ("127.0.0.1", 1),
        }
        first, asked = asyncio.Event(), iter([{"type": "http.request", "body": ask.body, "more_body": False}])
        at = 0.0

        async def receive() -> Any:
            for message in asked:
                return message
            await first.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            nonlocal at
            if message["type"] == "http.response.body" and not at:
                at = perf_counter()
                first.set()

        began = perf_counter()
        await self.app(scope, receive, send)
        return at - began


class Outside:
    """A site that is served, asked from many addresses in turn."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.visitors: list[Visitor] = []
        self.turn = count()

    async def ask(self, ask: Ask) -> float:
        """The time until the whole answer has come, or the first event of a stream."""
        if len(self.visitors) < CONNECTIONS:
            self.visitors.append(await Visitor(self.port).open())
        visitor = self.visitors[next(self.turn) % len(self.visitors)]
        if ask.stream:
            visitor = await Visitor(self.port, visitor.address).open()
        visitor.headers = {"authorization": f"Bearer {ask.token}"} if ask.token else {}
        began = perf_counter()
        status, head = await visitor.send(ask.method, ask.path, ask.body, ask.kind)
        assert status not in (429, 500, 503), (status, ask.path)
        if ask.stream:
            await visitor.reader.readuntil(b"data: ")
        else:
            await visitor.body(head)
        took = perf_counter() - began
        if ask.stream:
            visitor.close()
        return took


@contextmanager
def planted(seconds: float, secret: int) -> Iterator[None]:
    """The games with one secret are so much slower to look at."""
    usual = BinaryBattle.observe

    def see(self: BinaryBattle, position: Any, to_move: bool, over: bool) -> Any:
        end = perf_counter() + (seconds if position.secret == secret else 0)
        while perf_counter() < end:
            pass
        return usual(self, position, to_move, over)

    BinaryBattle.observe = see  # type: ignore[method-assign]
    try:
        yield
    finally:
        BinaryBattle.observe = usual  # type: ignore[method-assign]


async def at_once(_room: WorkerPool, work: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Work done here and now, without a thread."""
    return work(*args, **kwargs)


@contextmanager
def in_one_thread() -> Iterator[None]:
    """No threads, so that as little as possible comes between."""
    usual, WorkerPool.run = WorkerPool.run, at_once  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        WorkerPool.run = usual  # type: ignore[method-assign]
