"""Where the program keeps things on this machine."""

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
