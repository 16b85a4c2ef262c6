"""Disks without room and folders without rights: told in a sentence, and nothing that was kept is lost."""

import os
import resource
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from bitduel.core.match import Match
from bitduel.games.registry import make
from bitduel.storage import Store, StoreError, open_store
from bitduel.storage.errors import FullError, ReadOnlyError
from disks import tiny_disk

Begin = Callable[..., str]
Run = Callable[..., Any]

NOBODY = 65534


def sound(path: Path) -> bool:
    with closing(sqlite3.connect(path)) as connection:
        return bool(connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)])


def fill(store: Store, match_id: str) -> tuple[int, StoreError | None]:
    """Add moves until there is no more room; say how many were kept, and what was said."""
    for ply in range(2000):
        try:
            store.add(match_id, ply, "add" * 40)
        except StoreError as error:
            return ply, error
    return 2000, None


def fill_limited(url: str, match_id: str, pipe: Connection) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
    with open_store(url) as store:
        pipe.send(fill(store, match_id))


def test_a_disk_without_room_loses_nothing_that_was_kept(tmp_path: Path, fork: Run, begin: Begin) -> None:
    path = tmp_path / "matches.db"
    with open_store(f"sqlite:///{path}") as store:
        match_id = begin(store)
    ours, theirs = Pipe(duplex=False)
    fork(fill_limited, f"sqlite:///{path}", match_id, theirs)
    theirs.close()
    kept, error = ours.recv()
    ours.close()
    assert isinstance(error, FullError)
    assert "no room left" in str(error)
    assert_kept(path, match_id, kept)


def assert_kept(path: Path, match_id: str, kept: int) -> None:
    assert sound(path)
    with open_store(f"sqlite:///{path}") as store:
        assert len(store.get(match_id).moves) == kept > 0
        store.add(match_id, kept, "add")


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    with tiny_disk(tmp_path / "disk") as place:
        yield place


def test_a_full_disk_is_said_to_be_full_and_can_be_used_once_there_is_room(small: Path, begin: Begin) -> None:
    path = small / "matches.db"
    ballast = small / "ballast"
    ballast.write_bytes(bytes(250_000))
    with open_store(f"sqlite:///{path}") as store:
        match_id = begin(store)
        kept, error = fill(store, match_id)
        assert isinstance(error, FullError)
        assert "the disk is full" in str(error)
        ballast.unlink()
        store.add(match_id, kept, "add")
    assert_kept(path, match_id, kept + 1)


def test_no_database_is_begun_on_a_full_disk(small: Path) -> None:
    room = os.statvfs(small)
    (small / "ballast").write_bytes(bytes(room.f_bavail * room.f_frsize))
    with pytest.raises(FullError):
        open_store(f"sqlite:///{small}/matches.db")


@pytest.fixture
def public(tmp_path: Path) -> Iterator[Path]:
    """A folder that others can enter."""
    with tempfile.TemporaryDirectory(prefix="bitduel-public-") as folder:
        place = Path(folder)
        place.chmod(0o755)
        yield place
        place.chmod(0o755)


def try_as_nobody(url: str, pipe: Connection) -> None:
    """Rights do not bind root, so root becomes somebody else first."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    try:
        with open_store(url) as store:
            store.begin(Match(make("64")), ("human", "human"), ("Ada", "Ben"))
        pipe.send(None)
    except StoreError as error:
        pipe.send(error)


@pytest.mark.parametrize("there", [False, True])
def test_a_read_only_folder_is_said_to_be_read_only(public: Path, fork: Run, begin: Begin, there: bool) -> None:
    path = public / "matches.db"
    if there:
        with open_store(f"sqlite:///{path}") as store:
            begin(store)
        path.chmod(0o444)
    public.chmod(0o555)
    before = {file.name: file.read_bytes() for file in public.iterdir()}
    ours, theirs = Pipe(duplex=False)
    fork(try_as_nobody, f"sqlite:///{path}", theirs)
    theirs.close()
    error = ours.recv()
    ours.close()
    assert isinstance(error, ReadOnlyError)
    assert str(path) in str(error)
    assert {file.name: file.read_bytes() for file in public.iterdir()} == before
