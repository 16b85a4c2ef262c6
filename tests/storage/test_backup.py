"""A backup: one moment of the database while others write, whole or not there, and one sentence where it cannot be."""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest

from bitduel.core.match import Match
from bitduel.games.registry import make
from bitduel.storage import Store, StoreError, open_store
from bitduel.storage.errors import DamagedError, ForeignError, FullError
from bitduel.storage.sqlite_file import back_up
from disks import fill, read_only, tiny_disk
from helpers import bitduel

Begin = Callable[..., str]


def quiet(_left: int, _total: int) -> None:
    """Nobody looks at the progress."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    folder = tmp_path / "here"
    folder.mkdir()
    found = folder / "matches.db"
    with open_store(f"sqlite:///{found}") as store:
        store.begin(Match(make("64"), moves=["add"]), ("human", "human"), ("Ada", "Ben"))
    return found


@pytest.fixture
def db(path: Path) -> str:
    return f"sqlite:///{path}"


@pytest.fixture
def target(tmp_path: Path) -> Path:
    folder = tmp_path / "there"
    folder.mkdir()
    return folder / "backup.db"


def names(target: Path) -> list[str]:
    return sorted(file.name for file in target.parent.iterdir())


def test_a_backup_is_a_database_that_can_be_played_on(db: str, path: Path, target: Path) -> None:
    ran = bitduel("backup", str(target), "--db", db)
    assert (ran.err, ran.status) == ("", 0)
    assert ran.out == f"Backed up 1 match (143 kB) to {target}.\n"
    assert names(target) == ["backup.db"]
    assert names(path) == ["matches.db"]
    assert target.stat().st_mode & 0o077 == 0, "what is hidden in it is for its owner alone"
    copied = f"sqlite:///{target}"
    assert bitduel("history", "--json", "--db", copied).out == bitduel("history", "--json", "--db", db).out
    assert "New total is" in bitduel("resume", "--db", copied, stdin="1\nquit\n").out


def write_until(store: Store, match_id: str, stop: Event) -> int:
    """Make moves until told to stop; how many."""
    ply = 0
    while not stop.is_set():
        store.add(match_id, ply, "add" * 200)
        ply += 1
    return ply


def test_while_others_write_it_holds_one_moment_and_nothing_that_was_kept_before_is_missing(
    db: str, target: Path, begin: Begin
) -> None:
    stop, copies = Event(), []
    with open_store(db) as store, ThreadPoolExecutor(2) as pool:
        ids = [begin(store) for _ in range(2)]
        written = [pool.submit(write_until, store, match_id, stop) for match_id in ids]
        try:
            for number in range(20):
                before = [len(store.find(match_id).moves) for match_id in ids]
                copy = target.with_name(f"{number}.db")
                back_up(db, copy, False, quiet)
                copies.append((copy, before))
        finally:
            stop.set()
        ends = [each.result() for each in written]
    for copy, before in copies:
        with open_store(f"sqlite:///{copy}") as store:  # which checks the moves of each match against their count
            found = [len(store.find(match_id).moves) for match_id in ids]
        assert all(low <= here <= high for low, here, high in zip(before, found, ends, strict=True))
    assert copies[-1][1] > copies[0][1], "moves were made meanwhile"


def test_progress_is_told_from_the_beginning_to_the_end(db: str, target: Path, begin: Begin) -> None:
    told: list[tuple[int, int]] = []
    with open_store(db) as store:
        match_id = begin(store)
        for ply in range(3):
            store.add(match_id, ply, "x" * 3_000_000)
    back_up(db, target, False, lambda left, total: told.append((left, total)))
    assert len(told) > 2
    assert told[-1][0] == 0
    assert [left for left, _ in told] == sorted({left for left, _ in told}, reverse=True)


def test_what_is_there_is_replaced_only_on_request(db: str, target: Path) -> None:
    target.write_text("precious")
    ran = bitduel("backup", str(target), "--db", db)
    assert (ran.out, ran.status) == ("", 1)
    assert ran.err == f"bitduel: The backup {target} already exists. Use --force to replace it.\n"
    assert target.read_text() == "precious"
    assert bitduel("backup", str(target), "--force", "--db", db).status == 0
    assert names(target) == ["backup.db"]
    assert target.read_bytes().startswith(b"SQLite format 3")


def test_what_was_made_meanwhile_is_not_replaced_either(db: str, target: Path) -> None:
    def appear(_left: int, _total: int) -> None:
        target.write_text("precious")

    with pytest.raises(StoreError, match="already exists"):
        back_up(db, target, False, appear)
    assert target.read_text() == "precious"
    assert names(target) == ["backup.db"]


@pytest.mark.parametrize("end", ["-wal", "-shm", "-journal"])
def test_what_belongs_to_a_database_is_never_replaced(db: str, path: Path, end: str) -> None:
    beside = path.with_name(path.name + end)
    with pytest.raises(StoreError, match="name of a file that belongs to a database"):
        back_up(db, beside, True, quiet)
    assert not beside.exists()


def test_a_pipe_or_a_device_is_never_replaced(db: str, target: Path) -> None:
    os.mkfifo(target)
    with pytest.raises(StoreError, match="not an ordinary file"):
        back_up(db, target, True, quiet)
    assert target.is_fifo()


def test_neither_the_database_itself_nor_one_in_use_is_replaced(db: str, path: Path, target: Path) -> None:
    before = path.read_bytes()
    alias = target.with_name("alias.db")
    alias.symlink_to(path)
    for place in (path, alias):
        with pytest.raises(StoreError, match="the database itself"):
            back_up(db, place, True, quiet)
    assert path.read_bytes() == before
    with open_store(f"sqlite:///{target}") as used:
        used.begin(Match(make("64")), ("human", "human"), ("Ada", "Ben"))
        with pytest.raises(StoreError, match="in use"):
            back_up(db, target, True, quiet)


@pytest.mark.parametrize(
    ("file", "sentence"),
    [("here", "is the name of a folder"), ("nowhere/x.db", "a folder that doesn't exist"), ("", "Name a file")],
)
def test_a_name_that_can_be_none_is_one_sentence(
    db: str, path: Path, monkeypatch: pytest.MonkeyPatch, file: str, sentence: str
) -> None:
    monkeypatch.chdir(path.parent.parent)
    ran = bitduel("backup", file, "--db", db)
    assert sentence in ran.err
    assert (ran.out, ran.err.count("\n")) == ("", 1)
    assert ran.status in (1, 2)


def test_a_database_that_is_not_there_is_not_made(tmp_path: Path, target: Path) -> None:
    ran = bitduel("backup", str(target), "--db", f"sqlite:///{tmp_path}/none.db")
    assert (ran.out, ran.status) == ("", 1)
    assert "does not exist" in ran.err
    assert not (tmp_path / "none.db").exists()
    assert names(target) == []


def test_what_is_no_database_of_ours_or_damaged_is_not_copied(path: Path, db: str, target: Path) -> None:
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 8192)
    with pytest.raises(DamagedError):
        back_up(db, target, False, quiet)
    path.write_text("something else")
    with pytest.raises(ForeignError):
        back_up(db, target, False, quiet)
    assert names(target) == []


def test_a_database_of_an_older_version_is_copied_as_it_is(path: Path, db: str, target: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE bitduel_version SET version_num = '0003'")
        connection.commit()
    back_up(db, target, False, quiet)
    for file in (path, target):
        with closing(sqlite3.connect(file)) as connection:
            assert connection.execute("SELECT version_num FROM bitduel_version").fetchone() == ("0003",)


def test_postgresql_is_left_to_its_own_program_and_no_password_is_told(target: Path) -> None:
    ran = bitduel("backup", str(target), "--db", "postgresql://ada:secret@127.0.0.1:1/games")
    assert (ran.out, ran.status) == ("", 1)
    assert "pg_dump --format=custom" in ran.err
    assert "secret" not in ran.err


def test_a_disk_without_room_is_one_sentence_and_leaves_nothing(db: str, tmp_path: Path) -> None:
    with tiny_disk(tmp_path / "disk", 40) as disk:
        ran = bitduel("backup", str(disk / "backup.db"), "--db", db)
        assert (ran.out, ran.status) == ("", 1)
        assert ran.err == f"bitduel: The backup {disk}/backup.db cannot be written: the disk is full.\n"
        assert list(disk.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_one_sentence(db: str, target: Path) -> None:
    with read_only(target.parent):
        ran = bitduel("backup", str(target), "--db", db)
        assert (ran.out, ran.status) == ("", 1)
        assert ran.err == f"bitduel: The backup {target} cannot be written: it is on a read-only disk.\n"


def test_from_a_disk_that_is_full_or_read_only_matches_can_still_be_saved(tmp_path: Path, target: Path) -> None:
    with tiny_disk(tmp_path / "disk") as disk:
        db = f"sqlite:///{disk}/matches.db"
        with open_store(db) as store:
            store.begin(Match(make("64")), ("human", "human"), ("Ada", "Ben"))
        fill(disk)
        with pytest.raises(FullError):
            open_store(db)
        assert back_up(db, target, False, quiet).matches == 1
        with read_only(disk):
            assert back_up(db, target, True, quiet).matches == 1


def test_interrupted_it_leaves_nothing_behind(db: str, target: Path) -> None:
    class Interrupt(KeyboardInterrupt):
        pass

    def stop(_left: int, _total: int) -> None:
        raise Interrupt

    with pytest.raises(Interrupt):
        back_up(db, target, False, stop)
    assert names(target) == []


def test_it_works_where_files_cannot_be_linked(db: str, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(_self: Path, _target: Path) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", no_links)
    back_up(db, target, False, quiet)
    assert names(target) == ["backup.db"]
    with pytest.raises(StoreError, match="already exists"):
        back_up(db, target, False, lambda *_: None)


def test_a_backup_is_put_back_by_copying_it(db: str, path: Path, target: Path, begin: Begin) -> None:
    bitduel("backup", str(target), "--db", db)
    with open_store(db) as store:
        begin(store)
    shutil.copyfile(target, path)
    with open_store(db) as store:
        assert len(store.matches()) == 1


def test_the_command_says_how_it_ends_to_a_shell(db: str, target: Path) -> None:
    command = [sys.executable, "-m", "bitduel", "backup", str(target), "--db", db]
    runs = [subprocess.run(command, capture_output=True, env={**os.environ}).returncode for _ in range(2)]
    assert runs == [0, 1]
