"""Where a run is kept: what was asked in run.json, a row a game in games.jsonl; whole at every moment."""

import json
import mmap
import os
import shutil
import tempfile
from array import array
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from bitduel import __version__
from bitduel.arena.game_record import GAMES
from bitduel.arena.schedule import Schedule
from bitduel.core.errors import BitduelError
from bitduel.core.folders import write_whole

RUN, LOCK = "run.json", ".lock"
NOWHERE = -1
AT_ONCE = 1 << 20


class FolderError(BitduelError):
    """A folder in which a run cannot be kept."""


class UnwritableError(FolderError):
    """A folder that takes no more; what it has stays."""

    status = 1


class Folder:
    """The rows of one run: appended as they come, each once, and put into the plan's order at the end."""

    def __init__(self, path: Path, plan: Schedule, file: BinaryIO) -> None:
        self.path = path
        self.plan = plan
        self._file = file
        self._size = 0
        self._begins = array("q", [NOWHERE]) * (len(plan) + 1)
        self._last = 0
        self._ordered = True
        self.results: list[tuple[int, int | None]] = []
        """The games that are there since before, and who won them."""
        self._read()

    def missing(self) -> Iterator[int]:
        """The numbers of the games that are still to be played."""
        return (number for number in range(1, len(self.plan) + 1) if self._begins[number] == NOWHERE)

    def add(self, numbers: list[int], rows: list[str]) -> None:
        """Put rows on disk; a disk that takes only a part of them is left as it was."""
        lines = [f"{row}\n".encode() for row in rows]
        whole = b"".join(lines)
        try:
            written = 0
            while written < len(whole):
                written += self._file.write(whole[written:])
        except OSError as error:
            with suppress(OSError):
                self._file.truncate(self._size)
            raise _unwritable(self.path, error) from None
        for number, line in zip(numbers, lines, strict=True):
            self._note(number, len(line))

    def put_in_order(self) -> None:
        """Write the rows once more, in the plan's order, unless they are."""
        if self._ordered:
            return
        try:
            handle, draft = tempfile.mkstemp(dir=self.path, prefix=GAMES, suffix=".draft")
            try:
                with os.fdopen(handle, "wb", AT_ONCE) as file, _mapped(self.path / GAMES) as text:
                    for begin in self._begins[1:]:
                        file.write(text[begin : text.find(b"\n", begin) + 1])
                    file.flush()
                    os.fsync(handle)
                shutil.copymode(self.path / GAMES, draft)
                Path(draft).replace(self.path / GAMES)
            except BaseException:
                Path(draft).unlink(missing_ok=True)
                raise
        except OSError as error:
            raise _unwritable(self.path, error) from None

    def _read(self) -> None:
        """Find what is there; the end of a line that was torn is cut off."""
        with (self.path / GAMES).open("rb") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    break
                found = _told(self.plan, line)
                if found and self._begins[found[0]] == NOWHERE:
                    self.results.append(found)
                    self._note(found[0], len(line))
                else:
                    self._size += len(line)
                    self._ordered = False
        self._file.truncate(self._size)

    def _note(self, number: int, length: int) -> None:
        self._begins[number] = self._size
        self._size += length
        self._ordered = self._ordered and number > self._last
        self._last = number


@contextmanager
def opened(path: Path, plan: Schedule) -> Iterator[Folder]:
    """The folder of a plan, made or gone on with, and nobody else's meanwhile."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        lock = (path / LOCK).open("wb")
    except OSError as error:
        raise _unwritable(path, error) from None
    with lock:
        _lock(lock, path)
        _tidy(path)
        _agree(path, plan)
        try:
            file = (path / GAMES).open("ab", buffering=0)
        except OSError as error:
            raise _unwritable(path, error) from None
        with file:
            yield Folder(path, plan, file)


def _tidy(path: Path) -> None:
    """Take away what a run left half written that was killed."""
    for name in (RUN, GAMES):
        for draft in path.glob(f"{name}*.draft"):
            draft.unlink(missing_ok=True)


def _agree(path: Path, plan: Schedule) -> None:
    """Write down what was asked, or refuse what is not the same."""
    asked = plan.as_data()
    try:
        if (path / RUN).exists():
            kept = json.loads((path / RUN).read_text(encoding="utf-8"))
            if other := _different(kept, asked):
                raise FolderError(
                    f"In '{path}' another run is kept, with another {', '.join(other)}; choose another folder, or ask "
                    "for the same again."
                )
        elif (path / GAMES).exists():
            raise FolderError(f"In '{path}' are games of which nobody knows what was asked; choose another folder.")
        else:
            write_whole(path / RUN, json.dumps({"version": __version__, **asked}, indent=2) + "\n")
            shutil.copymode(path / LOCK, path / RUN)
    except OSError as error:
        raise _unwritable(path, error) from None
    except (ValueError, AttributeError):
        raise FolderError(f"What '{path / RUN}' says cannot be read; choose another folder.") from None


def _different(kept: dict[str, Any], asked: dict[str, Any]) -> list[str]:
    """What was asked otherwise before; of how language models are asked, each switch, and the url of their service."""
    found = []
    for name, value in asked.items():
        before = kept.get(name)
        if isinstance(before, dict) and isinstance(value, dict):
            found += [f"{name} {each}" for each in _different(before, value)]
        elif before != value:
            found.append(name)
    return found


def _told(plan: Schedule, line: bytes) -> tuple[int, int | None] | None:
    """Which game of the plan a line tells, and who won; None where it tells none."""
    try:
        row = json.loads(line)
        number = plan.number_of(row["id"])
        return None if number is None else (number, row["winner"])
    except (ValueError, LookupError, TypeError, AttributeError):
        return None


@contextmanager
def _mapped(path: Path) -> Iterator[Any]:
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as text:
        yield text


def _lock(file: BinaryIO, path: Path) -> None:
    """Hold a file for as long as it is open; what ends the program in any way lets it go."""
    try:
        try:
            import fcntl
        except ImportError:
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise FolderError(f"Another run is writing into '{path}'; wait for it, or choose another folder.") from None


def _unwritable(path: Path, error: OSError) -> UnwritableError:
    return UnwritableError(f"Nothing can be kept in '{path}': {error.strerror or error}.")
