"""A database file that is renamed, removed or replaced while it is open: nothing more is acknowledged."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from bitduel.storage import Store, open_store
from bitduel.storage.errors import MovedError, ReadOnlyError
from disks import overlay, read_only

Begin = Callable[..., str]
Change = Callable[[Path], None]


def rename(path: Path) -> None:
    path.rename(path.with_name("away.db"))


def remove(path: Path) -> None:
    path.unlink()


def replace(path: Path) -> None:
    copy = path.with_name("copy.db")
    copy.write_bytes(path.read_bytes())
    path.rename(path.with_name("away.db"))
    copy.rename(path)


CHANGES: list[Change] = [rename, remove, replace]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "matches.db"


def everything(store: Store, match_id: str, begin: Begin) -> list[Callable[[], Any]]:
    """Every kind of write and read."""
    return [
        lambda: store.add(match_id, 0, "add"),
        lambda: begin(store),
        lambda: store.seats.claim(match_id, 1, "ada"),
        lambda: store.seats.rename(match_id, 1, "Ada"),
        lambda: store.counts.add("ada", 1),
        store.check_write,
        lambda: store.find(match_id),
        lambda: store.matches(),
        lambda: store.seats.holders(match_id),
    ]


@pytest.mark.parametrize("together", [False, True], ids=["alone", "together"])
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_nothing_is_written_or_read_any_more(path: Path, begin: Begin, change: Change, together: bool) -> None:
    with open_store(f"sqlite:///{path}") as store:
        match_id = begin(store)
        if together:
            store.share_commits()
        change(path)
        there = path.exists()
        for work in everything(store, match_id, begin):
            with pytest.raises(MovedError, match="renamed, removed or replaced"):
                work()
        assert path.exists() == there, "no new file is made in its place"


@pytest.mark.parametrize("change", [rename, replace], ids=lambda change: change.__name__)
def test_when_the_right_file_is_back_everything_goes_on(path: Path, begin: Begin, change: Change) -> None:
    with open_store(f"sqlite:///{path}") as store:
        match_id = begin(store)
        store.share_commits()
        store.add(match_id, 0, "add")
        change(path)
        with pytest.raises(MovedError):
            store.add(match_id, 1, "add")
        path.with_name("away.db").replace(path)
        store.add(match_id, 1, "double")
        store.check_write()
    with open_store(f"sqlite:///{path}") as store:
        assert store.find(match_id).moves == ("add", "double")


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_file_that_goes_during_a_write_takes_no_acknowledgement_with_it(path: Path, change: Change) -> None:
    with open_store(f"sqlite:///{path}") as store:

        def work(_connection: Connection, _again: bool) -> None:
            change(path)

        with pytest.raises(MovedError):
            store._database.write(work)


def test_closed_the_old_file_has_everything_and_the_new_one_nothing_of_it(path: Path, begin: Begin) -> None:
    with open_store(f"sqlite:///{path.with_name('new.db')}") as other:
        theirs = begin(other)
    with open_store(f"sqlite:///{path}") as store:
        ours = begin(store)
        store.add(ours, 0, "add")
        path.rename(path.with_name("away.db"))
        path.with_name("new.db").rename(path)
        with pytest.raises(MovedError):
            store.add(ours, 1, "add")
    for file, match_id, moves in ((path, theirs, ()), (path.with_name("away.db"), ours, ("add",))):
        with open_store(f"sqlite:///{file}") as opened:
            assert [(kept.id, kept.moves) for kept in opened.matches()] == [(match_id, moves)]
        with closing(sqlite3.connect(file)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_new_connections_open_the_right_file_or_none(path: Path, begin: Begin) -> None:
    with open_store(f"sqlite:///{path}") as store:
        begin(store)
        replace(path)
        store._database.engine.dispose()
        with pytest.raises(MovedError):
            store._database.engine.connect()


def test_a_file_that_became_read_only_is_found_by_a_trial(path: Path, begin: Begin) -> None:
    with open_store(f"sqlite:///{path}") as store:
        match_id = begin(store)
        with read_only(path.parent), pytest.raises(ReadOnlyError, match="read-only"):
            store.check_write()
        store.check_write()
        store.add(match_id, 0, "add")


def test_a_file_from_an_image_is_not_taken_for_another_when_it_is_first_written(
    path: Path, tmp_path: Path, begin: Begin
) -> None:
    with open_store(f"sqlite:///{path}") as store:
        match_id = begin(store)
    place = tmp_path.parent / f"{tmp_path.name}-overlay"
    with overlay(path.parent, place) as merged, open_store(f"sqlite:///{merged / path.name}") as store:
        store.add(match_id, 0, "add")
        assert store.find(match_id).moves == ("add",)
