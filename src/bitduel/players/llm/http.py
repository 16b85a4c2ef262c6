"""One question to a service over HTTP: bounded in time and size, and whatever goes wrong is told and not raised."""

import json
import ssl
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from socket import SHUT_RDWR, socket
from threading import Timer
from typing import Any, NamedTuple

from bitduel.players.llm.service import ModelService
from bitduel.players.player import time_in_words

MOST_BYTES = 1 << 22
"""An answer that is longer is read no further."""


class Response(NamedTuple):
    """What a service answered."""

    status: int
    body: bytes
    retry_after: str = ""
    location: str = ""


class Trouble(NamedTuple):
    """Why no answer can be used, as the end of a sentence, and whether it is worth trying again."""

    what: str
    again: bool = True
    wait: float | None = None
    """Seconds after which the service wants to be asked again."""
    status: int | None = None
    spent: bool = False
    """Whether the model may have answered all the same, so that it has to be paid."""


def post(service: ModelService, body: dict[str, Any], seconds: float) -> Response | Trouble:
    """Ask once; what went wrong keeps no traceback, for that would hold the key."""
    connection = _connection(service, seconds)
    watch = _Watch(connection, seconds)
    try:
        connection.connect()
        watch.start()
        connection.request("POST", f"{service.path}/chat/completions", json.dumps(body).encode(), _headers(service))
        with connection.getresponse() as response:
            found = _read(response)
        return _late(seconds) if watch.late else found
    except ssl.SSLCertVerificationError as error:
        return Trouble(f"has a certificate that cannot be trusted ({error.verify_message})", again=False)
    except TimeoutError:
        return _late(seconds)
    except OSError as error:
        return _late(seconds) if watch.late else Trouble(f"cannot be reached: {_reason(error)}", spent=watch.begun)
    except (HTTPException, ValueError):
        return _late(seconds) if watch.late else Trouble("does not speak HTTP as it should", spent=watch.begun)
    finally:
        watch.stop()
        connection.close()


def _late(seconds: float) -> Trouble:
    return Trouble(f"has not answered within {time_in_words(seconds)}", spent=True)


def _reason(error: OSError) -> str:
    if isinstance(error, ssl.SSLError):
        return "no encrypted connection could be made"
    return str(error.strerror or "the connection broke off").lower()


def _read(response: HTTPResponse) -> Response | Trouble:
    body = response.read(MOST_BYTES + 1)
    if len(body) > MOST_BYTES:
        return Trouble(f"has sent more than {MOST_BYTES >> 20} MB", again=False, status=response.status, spent=True)
    header = response.headers.get
    return Response(response.status, body, str(header("Retry-After", "")), str(header("Location", "")))


def _headers(service: ModelService) -> dict[str, str]:
    plain = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "bitduel"}
    return plain | ({"Authorization": service.key.header()} if service.key else {})


def _connection(service: ModelService, seconds: float) -> HTTPConnection:
    if service.scheme == "http":
        return HTTPConnection(service.host, service.port, timeout=seconds)
    return HTTPSConnection(service.host, service.port, timeout=seconds, context=ssl.create_default_context())


class _Watch:
    """Ends a connection when its time is up, however the service spends it: byte by byte, for example."""

    def __init__(self, connection: HTTPConnection, seconds: float) -> None:
        self.connection = connection
        self.late = self.begun = False
        self.timer = Timer(seconds, self._end)
        self.timer.daemon = True

    def start(self) -> None:
        """The time begins."""
        self.begun = True
        self.timer.start()

    def stop(self) -> None:
        """It was in time."""
        self.timer.cancel()

    def _end(self) -> None:
        self.late = True
        with suppress(OSError, AttributeError):
            socket.shutdown(self.connection.sock, SHUT_RDWR)
