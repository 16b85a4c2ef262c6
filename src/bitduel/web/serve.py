"""Running the site: one process, or several over one PostgreSQL."""

import json
import os
import signal
import socket
import sys
from contextlib import suppress
from threading import Thread
from time import sleep
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.supervisors import Multiprocess

from bitduel.core.errors import BitduelError
from bitduel.core.game import Game
from bitduel.games import shelf
from bitduel.solve.oracle import oracle
from bitduel.store import open_store
from bitduel.web.app import LOCAL, create_app
from bitduel.web.protocol import Wire

SETTINGS = "BITDUEL_SERVE"


def serve(host: str, port: int, names: tuple[str, ...], workers: int, db: str | None) -> None:
    """Listen until interrupted."""
    with open_store(db) as store:
        if workers > 1 and not store.notifier:
            raise BitduelError("Several workers need PostgreSQL (--db postgresql://...), which carries their events.")
    with listening(host, port) as place:
        print("Preparing ...", file=sys.stderr, flush=True)
        for kind in shelf():
            prepare(kind())
        hosts = sorted({*LOCAL, host, *names} - {"0.0.0.0", "::"})
        os.environ[SETTINGS] = json.dumps({"db": db, "hosts": hosts, "pid": os.getpid()})
        print(f"bitduel is at {address_of(host, place)}  (Ctrl-C stops it)", flush=True)
        run(place, workers)


def prepare(game: Game[Any]) -> None:
    """Solve a game now, so that nobody waits later; one that cannot be solved is played all the same."""
    try:
        oracle(game).depth  # noqa: B018
    except BitduelError as error:
        print(f"bitduel: {error}", file=sys.stderr, flush=True)


def make_room() -> None:
    """Let the process hold as many connections as the system allows it."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def run(place: socket.socket, workers: int) -> None:
    """Serve on a socket that listens already, by one process or several."""
    make_room()
    config = uvicorn.Config(
        "bitduel.web.serve:app",
        factory=True,
        http=Wire,
        ws="none",
        workers=workers,
        access_log=False,
        log_level="warning",
        server_header=False,
        date_header=True,
        timeout_graceful_shutdown=3,
        proxy_headers=False,
    )
    server = uvicorn.Server(config)
    try:
        if workers > 1:
            Multiprocess(config, sockets=[place]).run()
        else:
            server.run(sockets=[place])
    except KeyboardInterrupt:
        return
    if workers == 1 and not server.started:
        raise BusyError("The site could not start.")


class BusyError(BitduelError):
    """An address that cannot be listened on."""

    status = 1


def listening(host: str, port: int) -> socket.socket:
    """A socket at the address, had before anybody is told of the site; BusyError where it is taken or not ours."""
    try:
        family, kind, *_, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        found = socket.socket(family, kind)
        try:
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            found.bind(place)
            found.set_inheritable(True)
        except BaseException:
            found.close()
            raise
    except OSError as error:
        raise BusyError(f"The site cannot listen on {host} port {port}: {error.strerror}.") from None
    return found


def address_of(host: str, place: socket.socket) -> str:
    """Where the site is, with the port that it really has."""
    return f"http://{host if ':' not in host else f'[{host}]'}:{place.getsockname()[1]}/"


def follow(parent: int) -> None:
    """End when the process that started this one has: nobody else would, and the address would stay taken."""
    while os.getppid() == parent:
        sleep(0.5)
    os.kill(os.getpid(), signal.SIGTERM)


def app() -> ASGIApp:
    """The application of one worker, as its environment says."""
    settings: dict[str, Any] = json.loads(os.environ[SETTINGS])
    if os.getpid() != settings["pid"]:
        Thread(target=follow, args=(settings["pid"],), daemon=True).start()
    return create_app(open_store(settings["db"]), settings["hosts"])
