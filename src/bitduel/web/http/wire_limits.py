"""Limits of connections: size and duration of a request, and connections of one address."""

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any, ClassVar

from starlette.types import Scope
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from bitduel.web.http.clients import NOBODY, SECRET_LINK, Proxies, network_of
from bitduel.web.http.quotas import FEWEST, PEOPLE
from bitduel.web.http.request_checks import LARGEST_BODY

LARGEST_HEAD = 16 * 1024
"""The most bytes of the first line and the headers of a request."""
LARGEST_RAW = 8 * LARGEST_BODY
"""The most bytes after the headers, with the framing of chunks."""
LONGEST_WAIT = 10.0
"""Seconds in which a whole request must arrive, from the connection or its first byte on."""
HELD = 2.0
"""Seconds for which a connection that sent too much is held open and not read."""
LAST_WAIT = 1.0
"""Seconds that a shutdown waits for a connection without a request yet."""
LAST_LOOK = 0.1
"""Seconds that a shutdown waits for an answered connection: its next request may be on its way."""
LONGEST_UNREAD = 30.0
"""Seconds after which a connection is closed that reads nothing of what is sent."""
OF_A_PERSON = 15
"""Connections of each person at an address: a browser has six, and some people have two."""
SPARE_FILES = 1_000
"""Files that the process keeps for all but connections, and for those on trial."""
MOST_ON_TRIAL = 500
"""The most connections of an address beyond its bound that are read, in case a player is there."""
MOST = 8_000
"""The most connections of the process."""


class LimitedProtocol(HttpToolsProtocol):
    """A connection that is closed when its request is too large or too slow, or when there are too many."""

    of_address: ClassVar[Counter[str]] = Counter()
    silent: ClassVar[dict[str, dict["LimitedProtocol", None]]] = {}
    """By address, the connections without a whole request, the longest silent first."""
    tried: ClassVar[dict[str, dict["LimitedProtocol", None]]] = {}
    """By address, the connections beyond the bound that are read in case a player is there."""
    is_playing: ClassVar[Callable[[Scope], bool]] = staticmethod(lambda scope: False)
    most: ClassVar[int] = MOST
    most_of_one: ClassVar[int] = OF_A_PERSON * PEOPLE
    proxies: ClassVar[Proxies] = Proxies()
    """Trusted proxies, which are not bounded here."""
    at_end: ClassVar[Callable[[], None] | None] = None
    """Called when the process is about to end, to release delayed requests."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._head = 0
        self._in_head = True
        self._raw = 0
        self._in_body = False
        self._timer: asyncio.TimerHandle | None = None
        self._unread_timer: asyncio.TimerHandle | None = None
        self._counted: str | None = None
        self._idle = False
        self._is_on_trial = False
        self._is_closing = False
        self.waiting_task: asyncio.Task[Any] | None = None
        """The task of a request that waits for its turn; it is cancelled when the sender goes."""
        self.is_lost = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept the connection within the limits."""
        super().connection_made(transport)
        client = self.client[0] if self.client else ""
        where = network_of(client)
        self._count(where, self.proxies.trusts(client))
        self._wait()

    def _count(self, where: str, trusted: bool) -> None:
        """Count the connection; where the address or the process is full, another makes room, or it is on trial."""
        full = self.of_address[where] >= self.most_of_one and not trusted
        if (full and not self._replace_silent(where)) or (
            len(self.connections) > self.most and not self._replace_any()
        ):
            self._put_on_trial(where)
        self.of_address[where] += 1
        self._counted = where

    def _put_on_trial(self, where: str) -> None:
        """Read a connection beyond the limit, in case it belongs to a player."""
        self._is_on_trial = True
        tried = self.tried.setdefault(where, {})
        tried[self] = None
        if len(tried) > MOST_ON_TRIAL:
            next(iter(tried)).transport.close()

    @classmethod
    def bound(cls, people: int, is_playing: Callable[[Scope], bool]) -> None:
        """Set the bounds for people at one address (0 for no bound) and for the files the system allows."""
        cls.is_playing = is_playing
        with suppress(ImportError, OSError, ValueError):
            import resource

            cls.most = max(SPARE_FILES, min(MOST, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - SPARE_FILES))
        cls.most_of_one = OF_A_PERSON * max(people, FEWEST) if people else cls.most

    def _replace_silent(self, where: str) -> bool:
        """Close one silent connection of an address: incomplete requests first, idle players last."""
        held = self.silent.get(where, {})
        victim = min(held, key=LimitedProtocol._importance, default=None)
        if victim is None:
            return False
        victim._mark_silent(False)
        victim.transport.close()
        return True

    def _importance(self) -> int:
        """Return how much the connection matters; of equals the longest silent is closed."""
        scope = getattr(self, "scope", None) or {}
        return self._idle + (self._idle and scope.get("bitduel.client", NOBODY).is_playing)

    def _replace_any(self) -> bool:
        """Close one silent connection of the address that has most of them."""
        most = max(self.silent, key=lambda where: len(self.silent[where]), default=None)
        return most is not None and self._replace_silent(most)

    def _mark_silent(self, silent: bool, idle: bool = False) -> None:
        """Record whether the connection is silent, so that it may make room for another."""
        if self._counted is None:
            return
        self._idle = idle
        held = self.silent.setdefault(self._counted, {})
        held.pop(self, None)
        if silent and not self._is_on_trial and (self.cycle is None or self.cycle.response_complete):
            held[self] = None
        if not held:
            del self.silent[self._counted]

    def _end_trial(self) -> None:
        self._is_on_trial = False
        if self._counted is not None and self._counted in self.tried:
            self.tried[self._counted].pop(self, None)
            if not self.tried[self._counted]:
                del self.tried[self._counted]

    def shutdown(self) -> None:
        """Answer what is under way or on its way, and end a stream at once, before the process ends."""
        self._is_closing = True
        if LimitedProtocol.at_end:
            LimitedProtocol.at_end()
        if self.cycle is None or self.cycle.response_complete:
            self.loop.call_later(LAST_WAIT if self.cycle is None else LAST_LOOK, self._close_if_idle)
            return
        super().shutdown()
        if self.scope["path"].endswith("/events"):
            self.cycle.disconnected = True
            self.cycle.message_event.set()
            if self.cycle.response_started and self.cycle.chunked_encoding:
                self.transport.write(b"0\r\n\r\n")
            self.transport.close()

    def pause_writing(self) -> None:
        """Start the timer of a peer that reads nothing."""
        super().pause_writing()
        self._unread_timer = self._unread_timer or self.loop.call_later(LONGEST_UNREAD, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop the timer, because the peer reads again."""
        super().resume_writing()
        self._stop_unread_timer()

    def _stop_unread_timer(self) -> None:
        if self._unread_timer is not None:
            self._unread_timer.cancel()
            self._unread_timer = None

    def _close_if_idle(self) -> None:
        """Close, unless a request has arrived after all; its answer closes then."""
        if self.cycle is None or self.cycle.response_complete:
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Release the connection, and cancel its request that still waits."""
        self.is_lost = True
        if self.waiting_task:
            self.waiting_task.cancel()
        self._stop_timer()
        self._stop_unread_timer()
        self._mark_silent(False)
        self._end_trial()
        if self._counted is not None:
            self.of_address[self._counted] -= 1
            if not self.of_address[self._counted]:
                del self.of_address[self._counted]
            self._counted = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Count the bytes of headers and body, and refuse too many."""
        if self.transport.is_closing():
            return
        if self._in_head:
            self._head += len(data)
        super().data_received(data)
        if self._in_body:
            self._raw += len(data)
            if self._raw > LARGEST_RAW and not self.transport.is_closing():
                self._refuse(413, f"That is too large. The limit is {LARGEST_BODY} bytes.")
                return
        if self._in_head and self._head > LARGEST_HEAD and not self.transport.is_closing():
            self._refuse(431, f"The address and headers are too large. The limit is {LARGEST_HEAD} bytes.")

    def on_message_begin(self) -> None:
        """Start the limits of a request; its first bytes may have come with the end of the one before."""
        super().on_message_begin()
        self.scope["bitduel.connection"] = self  # type: ignore[typeddict-unknown-key]
        self._in_head = True
        self._wait()

    def on_headers_complete(self) -> None:
        """Check the headers; from now on the body is counted."""
        self._in_head = False
        self._head = self._raw = 0
        self._in_body = True
        if len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > LARGEST_HEAD:
            self._refuse(431, f"The address and headers are too large. The limit is {LARGEST_HEAD} bytes.")
            return
        is_link = self._is_on_trial and SECRET_LINK.search(self.url.decode("latin-1")) is not None
        if self._is_on_trial and not is_link:
            if not LimitedProtocol.is_playing({"type": "http", "headers": self.headers}):
                self._refuse(503, "The site is full right now. Please try again in a minute.")
                return
            self._end_trial()
        super().on_headers_complete()
        if self._is_closing or is_link:  # a link is looked at, and nothing else comes on that connection
            self.cycle.keep_alive = False

    def on_body(self, body: bytes) -> None:
        """Take nothing for a request that was refused."""
        if self.cycle is not None:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """Stop the timer of the request."""
        self._stop_timer()
        self._mark_silent(False)
        if self.cycle is not None:
            super().on_message_complete()
        self._in_head, self._in_body = True, False

    def on_response_complete(self) -> None:
        """Mark the connection as idle: until the next request it may make room for another."""
        super().on_response_complete()
        if self.cycle is None or self.cycle.response_complete:
            self._mark_silent(True, idle=True)

    def _unsupported_upgrade_warning(self) -> None:
        """Log nothing: a client must not be able to write into the log."""

    def _wait(self) -> None:
        self._stop_timer()
        self._mark_silent(True)
        self._timer = self.loop.call_later(LONGEST_WAIT, self._too_slow)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _too_slow(self) -> None:
        self._refuse(408, "The request took too long to arrive.")

    def _refuse(self, status: int, sentence: str) -> None:
        self._stop_timer()
        if self.transport.is_closing():
            return
        if self.cycle is not None and self.cycle.response_started and not self.cycle.response_complete:
            self.transport.close()  # an answer within an answer would be none
            return
        body = f"{sentence}\n".encode()
        lines = [
            STATUS_LINE[status],
            b"content-type: text/plain; charset=utf-8\r\n",
            b"cache-control: no-store\r\n",
            b"retry-after: 10\r\n" if status == 503 else b"",
            f"content-length: {len(body)}\r\nconnection: close\r\n\r\n".encode(),
            body,
        ]
        self.transport.write(b"".join(lines))
        if status == 431:  # and they would go on at once
            self.transport.pause_reading()
            self.loop.call_later(HELD, self.transport.close)
        else:
            self.transport.close()
