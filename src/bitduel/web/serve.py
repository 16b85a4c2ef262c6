"""The server of the site: one process, or several over one PostgreSQL."""

import gc
import json
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any, NamedTuple

import uvicorn
from starlette.types import ASGIApp
from uvicorn.supervisors import Multiprocess

from bitduel.classroom.classes import KEEP_DAYS
from bitduel.core.errors import BitduelError
from bitduel.core.game import Game
from bitduel.core.signals import stop_raising
from bitduel.games.registry import all_games
from bitduel.rendering.qr import qr_text
from bitduel.service.logs import write_log
from bitduel.service.sockets import BusyError, listen
from bitduel.solver.evaluators import evaluator_for
from bitduel.storage import open_store
from bitduel.web.app import SiteOptions, create_app
from bitduel.web.http.addresses import Addresses, as_ip
from bitduel.web.http.clients import Proxies
from bitduel.web.http.quotas import PEOPLE
from bitduel.web.http.throttling import Throttle
from bitduel.web.http.wire_limits import LimitedProtocol
from bitduel.web.observability import Figures, JsonLogFormatter, serving_figures

SETTINGS = "BITDUEL_SERVE"
SWITCH = 0.0005
"""Seconds after which a computing thread is switched: a move should not wait for a solution."""
FIRST_FD = 3
"""The file descriptor of the first socket from systemd."""


class ServeOptions(NamedTuple):
    """The options of `bitduel serve`."""

    host: str = "127.0.0.1"
    port: int = 8000
    names: tuple[str, ...] = ()
    workers: int = 1
    db: str | None = None
    proxies: tuple[str, ...] = ()
    figures: int | None = None
    """The port of the figures for Prometheus, if any."""
    people: int = PEOPLE
    """The number of people who may share one address; 0 for no bound on an address."""
    lines: bool = False
    """Whether every request is logged."""
    arena: str | None = None
    """The folder whose runs are shown, if any."""
    lobby: bool = True
    """Whether people can find an opponent."""
    classes: bool = False
    """Whether teachers can create classes."""
    keep: int = KEEP_DAYS
    """The days for which a class stays."""


def serve(options: ServeOptions, announcement: Callable[[Addresses], None] | None = None) -> None:
    """Serve until interrupted, after printing the addresses or another announcement."""
    Proxies(options.proxies)
    Addresses(names=options.names)
    workers, db = options.workers, options.db
    with open_store(db) as store:
        if workers > 1 and not store.notifications:
            raise BitduelError("Several workers need PostgreSQL (--db postgresql://...) to share events.")
    with (
        inherited_socket() or listen("The site", options.host, options.port) as listener,
        nullcontext() if options.figures is None else serving_figures("127.0.0.1", options.figures),
    ):
        print("Preparing ...", file=sys.stderr, flush=True)
        for kind in all_games():
            prepare(kind())
        host, port = listener.getsockname()[:2]
        names = options.names if as_ip(options.host) else (*options.names, options.host)
        addresses = Addresses(host, port, names)
        settings = {**options._asdict(), "host": host, "port": port, "names": names, "pid": os.getpid()}
        os.environ[SETTINGS] = json.dumps(settings)
        (announcement or announce)(addresses)
        run(listener, workers)


def prepare(game: Game[Any]) -> None:
    """Solve a game now, so that nobody waits later; one that cannot be solved is still played."""
    try:
        evaluator_for(game).depth  # noqa: B018
    except BitduelError as error:
        print(f"bitduel: {error}", file=sys.stderr, flush=True)


def raise_file_limit() -> None:
    """Raise the limit of open files to what the system allows."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


class Workers(Multiprocess):
    """Server processes that end when their terminal is closed, as one does."""

    def handle_hup(self) -> None:
        """End, as by SIGTERM."""
        self.handle_term()


def end_on_hangup() -> None:
    """Let a terminal that is closed end the site as SIGTERM does, unless that is ignored, as under nohup."""
    number = getattr(signal, "SIGHUP", None)
    if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
        signal.signal(number, lambda *_: signal.raise_signal(signal.SIGTERM))


def run(listener: socket.socket, workers: int) -> None:
    """Serve on a socket that listens already, by one process or several."""
    raise_file_limit()
    config = uvicorn.Config(
        "bitduel.web.serve:app",
        factory=True,
        http=LimitedProtocol,
        ws="none",
        workers=workers,
        access_log=False,
        log_level="warning",
        server_header=False,
        date_header=True,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=3,
        proxy_headers=False,
        log_config=None,
    )
    server = uvicorn.Server(config)
    try:
        if workers > 1:
            Workers(config, sockets=[listener]).run()
        else:
            server.run(sockets=[listener])
    except KeyboardInterrupt:
        stop_raising()
        return
    if workers == 1 and not server.started:
        raise BusyError("The site could not start.")


def inherited_socket() -> socket.socket | None:
    """Return the listening socket that a supervisor passes, so that nobody is refused during a restart."""
    if os.environ.get("LISTEN_PID") != str(os.getpid()) or os.environ.get("LISTEN_FDS") != "1":
        return None
    for name in ("LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"):
        os.environ.pop(name, None)
    found = socket.socket(fileno=FIRST_FD)
    found.set_inheritable(True)
    return found


def announce(addresses: Addresses) -> None:
    """Print the addresses of the site; on a terminal with a QR code, and the main address last."""
    urls = addresses.urls()
    listener = [f"bitduel is at {(urls or [addresses.local_url])[0]}/  (Ctrl-C stops it)"]
    more = [f"  {url}/" for url in urls[1:]]
    if more:
        more.insert(0, "Other addresses (which of them works depends on your network):")
    if urls:
        more.append(f"On this computer: {addresses.local_url}/")
        more.append(f"To show the address and its QR code: {addresses.local_url}/connect")
    if urls and sys.stdout.isatty():
        code = qr_text(f"{urls[0]}/", colour="NO_COLOR" not in os.environ)
        print(*more, code, *listener, sep="\n", flush=True)
    else:
        print(*listener, *more, sep="\n", flush=True)


def end_with_parent(parent: int) -> None:
    """End this process when its parent has ended; otherwise the address would stay taken."""
    while os.getppid() == parent:
        sleep(0.5)
    os.kill(os.getpid(), signal.SIGTERM)


def app() -> ASGIApp:
    """Return the application of one worker, from the settings in its environment."""
    settings: dict[str, Any] = json.loads(os.environ[SETTINGS])
    if os.getpid() != settings["pid"]:
        Thread(target=end_with_parent, args=(settings["pid"],), daemon=True).start()
    end_on_hangup()
    sys.setswitchinterval(SWITCH)
    tune_garbage_collector()
    proxies = Proxies(settings["proxies"])
    LimitedProtocol.proxies = proxies
    handler = write_log(JsonLogFormatter() if settings["lines"] else None)
    logging.getLogger("bitduel").setLevel(logging.INFO if settings["lines"] else logging.WARNING)
    figures = Figures() if settings["figures"] is not None else None
    people = settings["people"]
    throttle = Throttle(people) if people else None
    arena = Path(settings["arena"]) if settings["arena"] else None
    LimitedProtocol.at_end = throttle.release if throttle else None
    addresses = Addresses(settings["host"], settings["port"], settings["names"])
    store = open_store(settings["db"])

    def at_end() -> None:
        handler.report(everything=True)
        store.close()

    options = SiteOptions(
        proxies,
        figures,
        settings["lines"],
        throttle,
        arena,
        addresses,
        people,
        lobby=settings["lobby"],
        classes=settings["classes"],
        keep_days=settings["keep"],
        at_end=at_end,
    )
    application = create_app(store, options=options)
    # Where a look-up would wait for another machine, a connection beyond the bounds is accepted by what is known here.
    LimitedProtocol.bound(people, application.plays if store.notifications else application.finds_playing)
    return application


def tune_garbage_collector() -> None:
    """Exclude what is loaded by now from garbage collection, which would interrupt requests."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)
