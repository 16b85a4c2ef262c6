"""Two ways to ask a site something and take the time: inside this program, and over sockets."""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import ExitStack, contextmanager
from itertools import count
from time import perf_counter
from typing import Any
from unittest.mock import patch
from weakref import WeakKeyDictionary

from bitduel.games.binary_battle.rules import BattleRules
from bitduel.service.hub import Hub
from bitduel.service.match_service import MatchService
from bitduel.storage import Store
from bitduel.web.app import create_app
from bitduel.web.http import worker_pools
from bitduel.web.http.quotas import Quota, Rate
from bitduel.web.png_worker import PngWorker
from bitduel.web.site import Site
from scripts.site_clients import Visitor
from scripts.timing.hidden_matches import Ask

CONNECTIONS = 64
"""One address is answered so many times a second; whoever measures comes from many."""


class Inside:
    """The whole application in this program, without sockets and threads: as little noise as can be had."""

    def __init__(self, store: Store) -> None:
        many = Quota(Rate(10**9, 60))
        site = Site(
            MatchService(store, Hub()),
            creation_quota=many,
            guess_quota=many,
            offer_quota=many,
            png_worker=PngWorker(many),
        )
        self.app = create_app(store, site=site)

    async def ask(self, ask: Ask) -> float:
        """Return the time until the first piece of the answer."""
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
        """Return the time until the whole answer, or the first event of a stream."""
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
    """Delay the games with one secret by a given time."""
    usual = BattleRules.observe

    def see(self: BattleRules, position: Any, to_move: bool, over: bool) -> Any:
        end = perf_counter() + (seconds if position.secret == secret else 0)
        while perf_counter() < end:
            pass
        return usual(self, position, to_move, over)

    BattleRules.observe = see  # type: ignore[method-assign]
    try:
        yield
    finally:
        BattleRules.observe = usual  # type: ignore[method-assign]


class SameThread(Executor):
    """Does all work here and now, without a thread."""

    def __init__(self, *_: object) -> None: ...

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        """Do the work, and return its result as if a thread had done it."""
        done: Future[Any] = Future()
        try:
            done.set_result(work(*args, **kwargs))
        except Exception as error:
            done.set_exception(error)
        return done


@contextmanager
def in_one_thread() -> Iterator[None]:
    """Use no threads, so that as little as possible comes between."""
    with ExitStack() as patches:
        patches.enter_context(patch.object(worker_pools, "ThreadPoolExecutor", SameThread))
        for pool in (worker_pools.STORE, worker_pools.SURVEYING, worker_pools.SOLVING):
            patches.enter_context(patch.object(pool, "_queues", WeakKeyDictionary()))
        yield
