"""Where the program keeps things on this machine."""

import os
import tempfile
from pathlib import Path


def cache_folder() -> Path:
    """The folder for what can be computed again; made if it is missing."""
    from platformdirs import user_cache_path

    folder = user_cache_path("bitduel", appauthor=False)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def data_folder() -> Path:
    """The folder for what cannot be computed again; made if it is missing."""
    from platformdirs import user_data_path

    folder = user_data_path("bitduel", appauthor=False)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def write_whole(path: Path, text: str) -> None:
    """Put a text into a file in one step, so that nobody ever sees half of it; raises OSError where that cannot be."""
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".draft")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(draft).replace(path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
