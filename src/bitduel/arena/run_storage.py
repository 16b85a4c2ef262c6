"""The storage of a run: its schedule in run.json and a row per game in games.jsonl, never half-written."""

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
from bitduel.core.folders import write_atomically

RUN, LOCK = "run.json", ".lock"
MISSING = -1
BUFFER = 1 << 20


class FolderError(BitduelError):
    """A folder that cannot be used for a run."""


class UnwritableError(FolderError):
    """A folder that accepts no more rows; those already there stay."""

    status = 1


class MemoryStorage:
    """Rows that are stored only in memory."""

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule
        self.rows: dict[int, str] = {}
        self.results: list[tuple[int, int | None]] = []

    def missing(self) -> Iterator[int]:
        """Return the numbers of all games."""
        return iter(range(1, len(self.schedule) + 1))

    def add(self, numbers: list[int], rows: list[str]) -> None:
        """Keep rows."""
        self.rows.update(zip(numbers, rows, strict=True))

    def sort(self) -> None:
        """Put the rows into the order of the schedule."""
        self.rows = dict(sorted(self.rows.items()))


class FolderStorage:
    """The rows of a run in a folder: appended as they come, each once, and sorted at the end."""

    def __init__(self, path: Path, schedule: Schedule, file: BinaryIO) -> None:
        self.path = path
        self.schedule = schedule
        self._file = file
        self._size = 0
        self._offsets = array("q", [MISSING]) * (len(schedule) + 1)
        self._last = 0
        self._is_sorted = True
        self.results: list[tuple[int, int | None]] = []
        """The games already in the folder, and who won them."""
        self._read()

    def missing(self) -> Iterator[int]:
        """Return the numbers of the games that are still to be played."""
        return (number for number in range(1, len(self.schedule) + 1) if self._offsets[number] == MISSING)

    def add(self, numbers: list[int], rows: list[str]) -> None:
        """Append rows; a disk that takes only a part of them is left as it was."""
        lines = [f"{row}\n".encode() for row in rows]
        content = b"".join(lines)
        try:
            written = 0
            while written < len(content):
                written += self._file.write(content[written:])
        except OSError as error:
            with suppress(OSError):
                self._file.truncate(self._size)
            raise _unwritable(self.path, error) from None
        for number, line in zip(numbers, lines, strict=True):
            self._note(number, len(line))

    def sort(self) -> None:
        """Rewrite the rows in the order of the schedule, unless they are sorted."""
        if self._is_sorted:
            return
        try:
            handle, draft = tempfile.mkstemp(dir=self.path, prefix=GAMES, suffix=".draft")
            try:
                with os.fdopen(handle, "wb", BUFFER) as file, (self.path / GAMES).open("rb") as rows:
                    with mmap.mmap(rows.fileno(), 0, access=mmap.ACCESS_READ) as text:
                        for offset in self._offsets[1:]:
                            file.write(text[offset : text.find(b"\n", offset) + 1])
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
        """Index the rows that are there; an incomplete last line is cut off."""
        with (self.path / GAMES).open("rb") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    break
                result = _result(self.schedule, line)
                if result and self._offsets[result[0]] == MISSING:
                    self.results.append(result)
                    self._note(result[0], len(line))
                else:
                    self._size += len(line)
                    self._is_sorted = False
        self._file.truncate(self._size)

    def _note(self, number: int, length: int) -> None:
        self._offsets[number] = self._size
        self._size += length
        self._is_sorted = self._is_sorted and number > self._last
        self._last = number


@contextmanager
def open_folder(path: Path, schedule: Schedule) -> Iterator[FolderStorage]:
    """Open the folder of a schedule, new or to be resumed, and lock it."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        lock = (path / LOCK).open("wb")
    except OSError as error:
        raise _unwritable(path, error) from None
    with lock:
        _lock(lock, path)
        for draft in (draft for name in (RUN, GAMES) for draft in path.glob(f"{name}*.draft")):
            draft.unlink(missing_ok=True)  # half written by a run that was killed
        _check_schedule(path, schedule)
        try:
            file = (path / GAMES).open("ab", buffering=0)
        except OSError as error:
            raise _unwritable(path, error) from None
        with file:
            yield FolderStorage(path, schedule, file)


def _check_schedule(path: Path, schedule: Schedule) -> None:
    """Write the schedule down, or raise FolderError if the folder has another one."""
    asked = schedule.as_data()
    try:
        if (path / RUN).exists():
            stored = json.loads((path / RUN).read_text(encoding="utf-8"))
            if different := _differences(stored, asked):
                raise FolderError(
                    f"'{path}' has a different run (different: {', '.join(different)}). Choose another folder, or use "
                    "the same settings again."
                )
        elif (path / GAMES).exists():
            raise FolderError(f"'{path}' has games but no {RUN}. Choose another folder.")
        else:
            write_atomically(path / RUN, json.dumps({"version": __version__, **asked}, indent=2) + "\n")
            shutil.copymode(path / LOCK, path / RUN)
    except OSError as error:
        raise _unwritable(path, error) from None
    except (ValueError, AttributeError):
        raise FolderError(f"'{path / RUN}' can't be read. Choose another folder.") from None


def _differences(stored: dict[str, Any], asked: dict[str, Any]) -> list[str]:
    """Return the names of the settings that differ, including each setting and the URL of language models."""
    names = []
    for name, value in asked.items():
        before = stored.get(name)
        if isinstance(before, dict) and isinstance(value, dict):
            names += [f"{name} {each}" for each in _differences(before, value)]
        elif before != value:
            names.append(name)
    return names


def _result(schedule: Schedule, line: bytes) -> tuple[int, int | None] | None:
    """Return the number and winner of the game in a line; None if it is no game of the schedule."""
    try:
        row = json.loads(line)
        number = schedule.game_number(row["id"])
        return None if number is None else (number, row["winner"])
    except (ValueError, LookupError, TypeError, AttributeError):
        return None


def _lock(file: BinaryIO, path: Path) -> None:
    """Lock a file for as long as it is open; the system unlocks it however the program ends."""
    try:
        try:
            import fcntl
        except ImportError:
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise FolderError(f"Another run is using '{path}'. Wait until it ends, or choose another folder.") from None


def _unwritable(path: Path, error: OSError) -> UnwritableError:
    return UnwritableError(f"Can't write to '{path}': {error.strerror or error}.")
