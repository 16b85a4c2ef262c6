"""Running the site: one process, or several over one PostgreSQL."""

import json
import os
import socket
import sys
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from bitduel.core.errors import BitduelError
from bitduel.games import shelf
from bitduel.solve.oracle import oracle
from bitduel.store import open_store
from bitduel.web.app import LOCAL, create_app

SETTINGS = "BITDUEL_SERVE"


def serve(host: str, port: int, names: tuple[str, ...], workers: int, db: str | None) -> None:
    """Listen until interrupted."""
    with open_store(db) as store:
        if workers > 1 and not store.notifier:
            raise BitduelError("Several workers need PostgreSQL (--db postgresql://...), which carries their events.")
    check_free(host, port)
    print("Preparing ...", file=sys.stderr, flush=True)
    for kind in shelf():
        oracle(kind()).depth  # noqa: B018 - solved now, so that nobody waits later
    hosts = sorted({*LOCAL, host, *names} - {"0.0.0.0", "::"})
    os.environ[SETTINGS] = json.dumps({"db": db, "hosts": hosts})
    print(f"bitduel is at http://{host if ':' not in host else f'[{host}]'}:{port}/  (Ctrl-C stops it)", flush=True)
    uvicorn.run(
        "bitduel.web.serve:app",
        factory=True,
        host=host,
        port=port,
        workers=workers,
        access_log=False,
        log_level="warning",
        server_header=False,
        date_header=True,
        timeout_graceful_shutdown=3,
        proxy_headers=False,
    )


class BusyError(BitduelError):
    """An address that cannot be listened on."""

    status = 1


def check_free(host: str, port: int) -> None:
    """Refuse an address that is taken or not ours, before anybody is told that the site is there."""
    try:
        family, kind, *_, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(place)
    except OSError as error:
        raise BusyError(f"The site cannot listen on {host} port {port}: {error.strerror}.") from None


def app() -> ASGIApp:
    """The application of one worker, as its environment says."""
    settings: dict[str, Any] = json.loads(os.environ[SETTINGS])
    return create_app(open_store(settings["db"]), settings["hosts"])
