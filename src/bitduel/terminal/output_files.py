"""Files that commands write: checked before long work, and one sentence where that fails."""

import sys
from io import TextIOWrapper
from pathlib import Path

from bitduel.core.errors import BitduelError

STANDARD_OUTPUT = "-"


def check_path(out: str, problem: str) -> None:
    """Refuse a path that cannot be written to, before long work."""
    try:
        if out == STANDARD_OUTPUT or (out and Path(out).parent.is_dir() and not Path(out).is_dir()):
            return
        is_folder = bool(out) and Path(out).is_dir()
    except (OSError, ValueError):
        is_folder = False
    reason = "that is a folder" if is_folder else "that folder doesn't exist"
    raise BitduelError(f"{problem}: {reason}.")


def write_file(path: Path, text: str, problem: str) -> None:
    """Write a text to a file; raise BitduelError with the problem and its reason."""
    try:
        path.write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        raise BitduelError(f"{problem}: {error.strerror if isinstance(error, OSError) else error}.") from None


def write_output(text: str) -> None:
    """Write a file to standard output, in UTF-8 whatever the terminal shows."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="strict")
    sys.stdout.write(text)
