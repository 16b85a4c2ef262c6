"""Running the site: one process, or several over one PostgreSQL."""

import gc
import json
import logging
import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any, NamedTuple

import uvicorn
from starlette.types import ASGIApp
from uvicorn.supervisors import Multiprocess

from bitduel.core.errors import BitduelError
from bitduel.core.game import Game
from bitduel.core.logs import write_log
from bitduel.core.sockets import BusyError, listening
from bitduel.games import shelf
from bitduel.rendering.qr import qr_text
from bitduel.solver.evaluators import evaluator_for
from bitduel.storage import open_store
from bitduel.web.app import Surroundings, create_app
from bitduel.web.http.addresses import Addresses, as_ip
from bitduel.web.http.proxy import Proxies
from bitduel.web.http.wire_limits import LimitedProtocol
from bitduel.web.observability import Figures, JsonLogFormatter, forget_figures, serve_figures, share_figures
from bitduel.web.quotas import PEOPLE
from bitduel.web.throttling import Throttle

SETTINGS = "BITDUEL_SERVE"
SWITCH = 0.0005
"""Seconds after which a thread that computes lets the others in: a move should not wait for a solution."""
FIRST_FD = 3
"""Where systemd puts the first socket."""


class Wishes(NamedTuple):
    """How the site is to be served."""

    host: str = "127.0.0.1"
    port: int = 8000
    names: tuple[str, ...] = ()
    workers: int = 1
    db: str | None = None
    proxies: tuple[str, ...] = ()
    figures: int | None = None
    """The port on which the figures are told, if they are."""
    people: int = PEOPLE
    """So many people may share one address; 0 for no bound on an address."""
    lines: bool = False
    """Whether every request is told in a line."""
    arena: str | None = None
    """The folder whose runs are shown, if any."""


def serve(wishes: Wishes) -> None:
    """Listen until interrupted."""
    Proxies(wishes.proxies)
    Addresses(names=wishes.names)
    workers, db = wishes.workers, wishes.db
    with open_store(db) as store:
        if workers > 1 and not store.notifier:
            raise BitduelError("Several workers need PostgreSQL (--db postgresql://...), which carries their events.")
    with inherited() or listening("The site", wishes.host, wishes.port) as place, telling_figures(wishes.figures):
        print("Preparing ...", file=sys.stderr, flush=True)
        for kind in shelf():
            prepare(kind())
        host, port = place.getsockname()[:2]
        names = wishes.names if as_ip(wishes.host) else (*wishes.names, wishes.host)
        addresses = Addresses(host, port, names)
        settings = {**wishes._asdict(), "host": host, "port": port, "names": names, "pid": os.getpid()}
        os.environ[SETTINGS] = json.dumps(settings)
        announce(addresses)
        run(place, workers)


@contextmanager
def telling_figures(port: int | None) -> Iterator[None]:
    """Tell the figures on a port of their own, to this machine only."""
    if port is None:
        yield
        return
    share_figures()
    try:
        server = _figures_on(port)
        try:
            yield
        finally:
            server.shutdown()
    finally:
        forget_figures()


def _figures_on(port: int) -> Any:
    try:
        return serve_figures("127.0.0.1", port)
    except OSError as error:
        raise BusyError(f"The figures cannot be told on port {port}: {error.strerror}.") from None


def prepare(game: Game[Any]) -> None:
    """Solve a game now, so that nobody waits later; one that cannot be solved is played all the same."""
    try:
        evaluator_for(game).depth  # noqa: B018
    except BitduelError as error:
        print(f"bitduel: {error}", file=sys.stderr, flush=True)


def make_room() -> None:
    """Let the process hold as many connections as the system allows it."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


class Workers(Multiprocess):
    """Several processes; a terminal that is closed ends them, as it ends one."""

    def handle_hup(self) -> None:
        """End, as by SIGTERM."""
        self.handle_term()


def end_on_hangup() -> None:
    """Let a terminal that is closed end the site as SIGTERM does, unless that is ignored, as under nohup."""
    number = getattr(signal, "SIGHUP", None)
    if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
        signal.signal(number, lambda *_: signal.raise_signal(signal.SIGTERM))


def run(place: socket.socket, workers: int) -> None:
    """Serve on a socket that listens already, by one process or several."""
    make_room()
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
            Workers(config, sockets=[place]).run()
        else:
            server.run(sockets=[place])
    except KeyboardInterrupt:
        return
    if workers == 1 and not server.started:
        raise BusyError("The site could not start.")


def inherited() -> socket.socket | None:
    """The socket that whoever starts this process listens on for it, so that nobody is refused while it restarts."""
    if os.environ.get("LISTEN_PID") != str(os.getpid()) or os.environ.get("LISTEN_FDS") != "1":
        return None
    for name in ("LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"):
        os.environ.pop(name, None)
    found = socket.socket(fileno=FIRST_FD)
    found.set_inheritable(True)
    return found


def announce(addresses: Addresses) -> None:
    """Print where the site is; on a terminal with a QR code for phones, last what must not scroll away."""
    urls = addresses.urls()
    place = [f"bitduel is at {(urls or [addresses.local_url])[0]}/  (Ctrl-C stops it)"]
    more = [f"  {url}/" for url in urls[1:]]
    if more:
        more.insert(0, "Other addresses (which of them works depends on your network):")
    if urls:
        more.append(f"On this computer: {addresses.local_url}/")
        more.append(f"To show the address and its QR code: {addresses.local_url}/connect")
    if urls and sys.stdout.isatty():
        code = qr_text(f"{urls[0]}/", colour="NO_COLOR" not in os.environ)
        print(*more, code, *place, sep="\n", flush=True)
    else:
        print(*place, *more, sep="\n", flush=True)


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
    end_on_hangup()
    sys.setswitchinterval(SWITCH)
    settle_down()
    proxies = Proxies(settings["proxies"])
    LimitedProtocol.proxies = proxies
    handler = write_log(JsonLogFormatter() if settings["lines"] else None)
    logging.getLogger("bitduel").setLevel(logging.INFO if settings["lines"] else logging.WARNING)
    figures = Figures() if settings["figures"] is not None else None
    people = settings["people"]
    pace = Throttle(people) if people else None
    arena = Path(settings["arena"]) if settings["arena"] else None
    LimitedProtocol.at_end = pace.release if pace else None
    addresses = Addresses(settings["host"], settings["port"], settings["names"])
    store = open_store(settings["db"])

    def at_end() -> None:
        handler.report(everything=True)
        store.close()

    around = Surroundings(proxies, figures, settings["lines"], pace, arena, addresses, people, at_end)
    made = create_app(store, around=around)
    # Where a look-up would wait for another machine, a connection beyond the bounds is judged by what is known here.
    LimitedProtocol.bound(people, made.plays if store.notifier else made.finds_playing)
    return made


def settle_down() -> None:
    """What is there by now stays: looking through it again and again for what is not needed would stop everybody."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)
