"""The wire: how large and how slow a request may be, and how many connections one address may hold."""

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any, ClassVar

from starlette.types import Scope
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from bitduel.web.http.proxy import Proxies
from bitduel.web.http.request_checks import LARGEST_BODY
from bitduel.web.quotas import FEWEST, LINK, NOBODY, PEOPLE, household

LARGEST_HEAD = 16 * 1024
"""So many bytes the first line and the headers of a request may have."""
LARGEST_RAW = 8 * LARGEST_BODY
"""So many bytes may come after the headers, chunks and what stands between and behind them included."""
LONGEST_WAIT = 10.0
"""Seconds in which a whole request must have come, from its first byte or from the connection on."""
HELD = 2.0
"""Seconds for which somebody who sent too much is not listened to, and keeps the connection."""
LAST_WAIT = 1.0
"""Seconds that a connection without a request yet is waited for when the process is about to end."""
LAST_LOOK = 0.1
"""Seconds for one that has been answered: its next request may be on its way already."""
LONGEST_UNREAD = 30.0
"""Seconds after which somebody is let go who reads nothing of what is sent."""
OF_A_PERSON = 15
"""So many connections each of the people who may share an address can hold: a browser has six, and some have two."""
SPARE_FILES = 1_000
"""So many files the process keeps for all but connections, and for those on trial."""
MOST_ON_TRIAL = 500
"""So many connections beyond the bound of an address are listened to at a time."""
MOST = 8_000
"""So many connections there may be at all."""


class LimitedProtocol(HttpToolsProtocol):
    """A connection that is let go when it is too large, too slow, or one too many."""

    of_address: ClassVar[Counter[str]] = Counter()
    silent: ClassVar[dict[str, dict["LimitedProtocol", None]]] = {}
    """By address, the connections without a whole request, those first that have been silent longest."""
    tried: ClassVar[dict[str, dict["LimitedProtocol", None]]] = {}
    """By address, the connections beyond the bound that are listened to in case a player is there."""
    is_playing: ClassVar[Callable[[Scope], bool]] = staticmethod(lambda scope: False)
    most: ClassVar[int] = MOST
    most_of_one: ClassVar[int] = OF_A_PERSON * PEOPLE
    proxies: ClassVar[Proxies] = Proxies()
    """They speak for many, and bound those themselves."""
    at_end: ClassVar[Callable[[], None] | None] = None
    """Called when the process is about to end: nobody is to be kept waiting any more."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._head = 0
        self._in_head = True
        self._raw = 0
        self._in_body = False
        self._patience: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None
        self._counted: str | None = None
        self._idle = False
        self._on_trial = False
        self._leaving = False
        self.waiting_task: asyncio.Task[Any] | None = None
        self.is_lost = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin, unless there are too many already."""
        super().connection_made(transport)
        client = self.client[0] if self.client else ""
        where = household(client)
        self._hold(where, self.proxies.trusts(client))
        self._wait()

    def _hold(self, where: str, trusted: bool) -> None:
        """Count the connection; where the address or the process is full, another makes room, or it is on trial."""
        full = self.of_address[where] >= self.most_of_one and not trusted
        if (full and not self._replace_silent(where)) or (
            len(self.connections) > self.most and not self._replace_any()
        ):
            self._try(where)
        self.of_address[where] += 1
        self._counted = where

    def _try(self, where: str) -> None:
        """Listen beyond the bound for whether this is a player, who is never kept out by others."""
        self._on_trial = True
        tried = self.tried.setdefault(where, {})
        tried[self] = None
        if len(tried) > MOST_ON_TRIAL:
            next(iter(tried)).transport.close()

    @classmethod
    def bound(cls, people: int, is_playing: Callable[[Scope], bool]) -> None:
        """Size the bounds for so many people at one address (0 for no bound) and for the files the system allows."""
        cls.is_playing = is_playing
        with suppress(ImportError, OSError, ValueError):
            import resource

            cls.most = max(SPARE_FILES, min(MOST, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - SPARE_FILES))
        cls.most_of_one = OF_A_PERSON * max(people, FEWEST) if people else cls.most

    def _replace_silent(self, where: str) -> bool:
        """Hang up on one of an address who waits to be heard: incomplete requests first, idle players last."""
        held = self.silent.get(where, {})
        victim = min(held, key=LimitedProtocol._importance, default=None)
        if victim is None:
            return False
        victim._fall_silent(False)
        victim.transport.close()
        return True

    def _importance(self) -> int:
        """Return how unfit the connection is to make room for another; of equals the longest silent goes."""
        scope = getattr(self, "scope", None) or {}
        return self._idle + (self._idle and scope.get("bitduel.asker", NOBODY).is_playing)

    def _replace_any(self) -> bool:
        """The same of the address that holds most of them."""
        most = max(self.silent, key=lambda where: len(self.silent[where]), default=None)
        return most is not None and self._replace_silent(most)

    def _fall_silent(self, silent: bool, idle: bool = False) -> None:
        """Note whether nothing is being answered, so that the connection may make room for another."""
        if self._counted is None:
            return
        self._idle = idle
        held = self.silent.setdefault(self._counted, {})
        held.pop(self, None)
        if silent and not self._on_trial and (self.cycle is None or self.cycle.response_complete):
            held[self] = None
        if not held:
            del self.silent[self._counted]

    def _end_trial(self) -> None:
        self._on_trial = False
        if self._counted is not None and self._counted in self.tried:
            self.tried[self._counted].pop(self, None)
            if not self.tried[self._counted]:
                del self.tried[self._counted]

    def shutdown(self) -> None:
        """The process is about to end: what is under way or on its way is answered, and a stream is let go at once."""
        self._leaving = True
        if LimitedProtocol.at_end:
            LimitedProtocol.at_end()
        if self.cycle is None or self.cycle.response_complete:
            self.loop.call_later(LAST_WAIT if self.cycle is None else LAST_LOOK, self._leave)
            return
        super().shutdown()
        if self.scope["path"].endswith("/events"):
            self.cycle.disconnected = True
            self.cycle.message_event.set()
            if self.cycle.response_started and self.cycle.chunked_encoding:
                self.transport.write(b"0\r\n\r\n")
            self.transport.close()

    def pause_writing(self) -> None:
        """What was sent is not read; that may last, but not for ever."""
        super().pause_writing()
        self._unread = self._unread or self.loop.call_later(LONGEST_UNREAD, self.transport.abort)

    def resume_writing(self) -> None:
        """It is read again."""
        super().resume_writing()
        self._read_at_last()

    def _read_at_last(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _leave(self) -> None:
        """Close, unless a request has come after all; its answer closes then."""
        if self.cycle is None or self.cycle.response_complete:
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Make room for another; a request that still waits for its turn need not be answered."""
        self.is_lost = True
        if self.waiting_task:
            self.waiting_task.cancel()
        self._be_patient_no_more()
        self._read_at_last()
        self._fall_silent(False)
        self._end_trial()
        if self._counted is not None:
            self.of_address[self._counted] -= 1
            if not self.of_address[self._counted]:
                del self.of_address[self._counted]
            self._counted = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Count what comes before the end of the headers."""
        if self.transport.is_closing():
            return
        if self._in_head:
            self._head += len(data)
        super().data_received(data)
        if self._in_body:
            self._raw += len(data)
            if self._raw > LARGEST_RAW and not self.transport.is_closing():
                self._refuse(413, f"At most {LARGEST_BODY} bytes are taken.")
                return
        if self._in_head and self._head > LARGEST_HEAD and not self.transport.is_closing():
            self._refuse(431, f"At most {LARGEST_HEAD} bytes of address and headers are taken.")

    def on_message_begin(self) -> None:
        """A request begins; its first bytes may have come with the end of the one before."""
        super().on_message_begin()
        self.scope["bitduel.connection"] = self  # type: ignore[typeddict-unknown-key]
        self._in_head = True
        self._wait()

    def on_headers_complete(self) -> None:
        """The headers are there; from now on the door counts."""
        self._in_head = False
        self._head = self._raw = 0
        self._in_body = True
        if len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > LARGEST_HEAD:
            self._refuse(431, f"At most {LARGEST_HEAD} bytes of address and headers are taken.")
            return
        is_link = self._on_trial and LINK.search(self.url.decode("latin-1")) is not None
        if self._on_trial and not is_link:
            if not LimitedProtocol.is_playing({"type": "http", "headers": self.headers}):
                self._refuse(503, "There are too many connections.")
                return
            self._end_trial()
        super().on_headers_complete()
        if self._leaving or is_link:  # a link is looked at, and nothing else comes on that connection
            self.cycle.keep_alive = False

    def on_body(self, body: bytes) -> None:
        """Nothing is taken for a request that was refused."""
        if self.cycle is not None:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """The whole request is there."""
        self._be_patient_no_more()
        self._fall_silent(False)
        if self.cycle is not None:
            super().on_message_complete()
        self._in_head, self._in_body = True, False

    def on_response_complete(self) -> None:
        """The answer is sent; until the next request this connection may make room for another."""
        super().on_response_complete()
        if self.cycle is None or self.cycle.response_complete:
            self._fall_silent(True, idle=True)

    def _unsupported_upgrade_warning(self) -> None:
        """Say nothing: whoever asks for another protocol than the site speaks must not write into its log."""

    def _wait(self) -> None:
        self._be_patient_no_more()
        self._fall_silent(True)
        self._patience = self.loop.call_later(LONGEST_WAIT, self._too_slow)

    def _be_patient_no_more(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _too_slow(self) -> None:
        self._refuse(408, "The request did not come in time.")

    def _refuse(self, status: int, sentence: str) -> None:
        self._be_patient_no_more()
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
