"""How far somebody has come in the lessons: one small file among the user's data; nothing depends on it."""

import json
from pathlib import Path

from bitduel.core.folders import data_folder, write_whole

LARGEST = 10_000
"""So many bytes are read at the most; what we write is a few hundred."""


class _DamagedError(Exception):
    """What is kept is not what we have written."""


def steps() -> dict[str, int]:
    """By game the step that comes next; nothing where nothing sensible is kept."""
    try:
        return _read()
    except (OSError, _DamagedError):
        return {}


def keep(slug: str, step: int) -> str:
    """Keep the step that comes next, as a whole or not at all; what went wrong, in one sentence."""
    try:
        write_whole(_path(), json.dumps({**_read(), slug: step}))
    except _DamagedError:
        return f"How far you have come is not kept: {_path()} is damaged. Move it away to begin anew."
    except OSError as error:
        return f"How far you have come is not kept: {error.strerror or error}."
    return ""


def _read() -> dict[str, int]:
    try:
        with _path().open("rb") as file:
            kept = json.loads(file.read(LARGEST))
    except FileNotFoundError:
        return {}
    except (ValueError, RecursionError):
        raise _DamagedError from None
    if not isinstance(kept, dict) or not all(type(step) is int and step > 0 for step in kept.values()):
        raise _DamagedError
    return kept


def _path() -> Path:
    return data_folder() / "lessons.json"
