"""`bitduel class`: the site for a class, with the class already created."""

import os
import sys
import webbrowser
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import click

from bitduel.core.errors import BitduelError, RequiredExtra
from bitduel.core.folders import db_option

EXAMPLES = """\b
Examples:
  bitduel class
  bitduel class --title "Year 7" --names pupils.txt
  bitduel class --port 9000 --keep 30
  bitduel class --name school.lan
"""
LARGEST_LIST = 100_000
"""Bytes of a list of names that are read at most."""


class LocalClass(NamedTuple):
    """The class of this command: its code, its title, and the secret of the teacher's link."""

    code: str
    title: str
    secret: str
    is_new: bool


@click.command("class", epilog=EXAMPLES)
@click.option("--title", metavar="TEXT", help="The title of the class.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="The port to listen on.")
@click.option(
    "--name",
    "hosts",
    multiple=True,
    metavar="NAME",
    help="A name of this computer in the network: HOST, HOST:PORT or https://HOST. Can be repeated.",
)
@click.option(
    "--names",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="A list of names, one on each line; pupils then pick theirs.",
)
@click.option(
    "--keep",
    type=click.IntRange(1, 3650),
    default=7,
    show_default=True,
    metavar="DAYS",
    help="Delete the class, with all names, so many days after its last activity.",
)
@click.option("--new", is_flag=True, help="Create a new class, even if the last one is still there.")
@click.option("--no-browser", "browser", flag_value=False, default=True, help="Do not open the teacher's page.")
@db_option
def command(
    title: str | None,
    port: int,
    hosts: tuple[str, ...],
    names: Path | None,
    keep: int,
    new: bool,
    browser: bool,
    db: str | None,
) -> None:
    """Start the website for a class. Press Ctrl-C to stop it; started again, it goes on with the same class."""
    with RequiredExtra("web", "A class"):
        from bitduel.classroom.classes import MOST_PUPILS
        from bitduel.web.http.addresses import Addresses
        from bitduel.web.serve import ServeOptions, serve

    Addresses(names=hosts)
    room = open_class(db, title, read_names(names) if names else (), keep, new)
    people = MOST_PUPILS + 50
    options = ServeOptions("0.0.0.0", port, names=hosts, db=db, people=people, classes=True, keep=keep)
    serve(options, partial(announce_class, room, is_opened=browser and has_browser()))


def read_names(path: Path) -> tuple[str, ...]:
    """Return the names in a file, one on each line."""
    try:
        with path.open("rb") as file:
            text = file.read(LARGEST_LIST + 1).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BitduelError(f"{path} can't be read: it is not a text in UTF-8.") from None
    if len(text) > LARGEST_LIST:
        raise BitduelError(f"{path} is too long for a list of names.")
    return tuple(filter(None, (" ".join(line.split()) for line in text.splitlines())))


def open_class(db: str | None, title: str | None, names: tuple[str, ...], keep: int, is_new: bool) -> LocalClass:
    """Create a class, or go on with the last one of this command, with a new secret for the teacher's link."""
    from bitduel.classroom.classes import Classes
    from bitduel.service.credentials import hashed, new_token
    from bitduel.service.hub import Hub
    from bitduel.service.match_service import MatchService
    from bitduel.storage import open_store

    with open_store(db) as store:
        classes = Classes(MatchService(store, Hub()), keep_days=keep)
        classes.delete_expired()
        last = None if is_new else classes.newest_local()
        if last and title in (None, classes.title_of(last)):
            classes.add_missing(last, names)
            return LocalClass(last, classes.title_of(last), classes.add_teacher_secret(last), is_new=False)
        secret = new_token()
        code = classes.create(title or "", hashed(secret), names, is_local=True)
        return LocalClass(code, classes.title_of(code), secret, is_new=True)


def announce_class(room: LocalClass, addresses: Any, is_opened: bool) -> None:
    """Print how pupils join and the teacher's link; on a terminal with a QR code, and the teacher's link last."""
    from bitduel.rendering.qr import qr_text

    urls = list(addresses.urls()) or [addresses.local_url]
    teacher = f"{addresses.local_url}/class/{room.code}/teacher/{room.secret}"
    lines = [f"{room.title}: {'a new class' if room.is_new else 'the same class as last time'}. Its code: {room.code}"]
    lines.append(f"Pupils join at {urls[0]}/class/{room.code}")
    if urls[1:]:
        lines.append("Other addresses (which of them works depends on your network):")
        lines += [f"  {url}/class/{room.code}" for url in urls[1:]]
    if sys.stdout.isatty():
        lines.append(qr_text(f"{urls[0]}/class/{room.code}", colour="NO_COLOR" not in os.environ))
    lines.append(f"You teach at {teacher}  (keep this link secret; Ctrl-C stops the class)")
    print(*lines, sep="\n", flush=True)
    if is_opened:
        webbrowser.open(teacher)


def has_browser() -> bool:
    """Return whether a page can be opened in a window: a browser in the terminal would take it over."""
    has_windows = sys.platform in ("darwin", "win32") or bool({"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys())
    return has_windows and sys.stdout.isatty()
