"""Folders and files of the user, and the option that names the database."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path


def cache_folder() -> Path:
    """Return the folder for what can be computed again; create it if needed."""
    from platformdirs import user_cache_path

    folder = user_cache_path("bitduel", appauthor=False)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def data_folder() -> Path:
    """Return the folder for what cannot be computed again; create it if needed."""
    from platformdirs import user_data_path

    folder = user_data_path("bitduel", appauthor=False)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def write_atomically(path: Path, text: str) -> None:
    """Replace a file in one step, so that no reader sees half of it; raise OSError if that fails."""
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".draft")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(draft).replace(path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise


def db_option(command: Callable[..., None]) -> Callable[..., None]:
    """Add the option --db, which every command that opens the storage has."""
    import click

    text = "Where matches are saved, such as sqlite:///matches.db (or set BITDUEL_DB)."
    return click.option("--db", metavar="URL", help=text)(command)
