"""The SQLite file: private, and left alone whenever it is not ours or not sound."""

import os
import shutil
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from bitduel.core.match import Match
from bitduel.games.registry import make
from bitduel.storage import StoreError, open_store
from bitduel.storage.errors import DamagedError, ForeignError, LockedError, NewerError
from bitduel.storage.sqlite_file import APPLICATION_ID

Begin = Callable[..., str]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "matches.db"


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a few matches in it."""
    path = tmp_path_factory.mktemp("sound") / "matches.db"
    with open_store(f"sqlite:///{path}") as store:
        for _ in range(40):
            match = Match(make("64"), moves=["add"] * 12)
            store.begin(match, ("human", "human"), ("Ada", "Ben"))
    return path


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that is empty again for each example of a property."""
    return tmp_path_factory.mktemp("scratch")


def everything(folder: Path) -> dict[str, bytes]:
    """Each file of a folder."""
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def emptied(folder: Path) -> Path:
    shutil.rmtree(folder)
    folder.mkdir()
    return folder / "matches.db"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_file_and_its_side_files_are_for_the_user_alone(path: Path, begin: Begin) -> None:
    before = os.umask(0)
    try:
        with open_store(f"sqlite:///{path}") as store:
            begin(store)
            found = {file.name: mode(file) for file in path.parent.iterdir()}
    finally:
        os.umask(before)
    assert found == {"matches.db": 0o600, "matches.db-shm": 0o600, "matches.db-wal": 0o600}


def test_the_users_folder_is_made_for_the_user_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "share" / "bitduel"
    monkeypatch.delenv("BITDUEL_DB", raising=False)
    monkeypatch.setattr("platformdirs.user_data_path", lambda *_, **__: folder)
    open_store().close()
    assert mode(folder) == mode(folder.parent) == 0o700
    assert mode(folder / "matches.db") == 0o600


@pytest.mark.usefixtures("power_cuts")
def test_a_move_is_on_disk_when_it_is_kept(path: Path) -> None:
    with open_store(f"sqlite:///{path}") as store:
        settings = store._database.write(
            lambda connection, _: [
                connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("journal_mode", "synchronous")
            ]
        )
    assert settings == ["wal", 2]


def test_whoever_was_interrupted_while_beginning_has_it_finished_the_next_time(path: Path, begin: Begin) -> None:
    with closing(sqlite3.connect(path)) as begun:
        begun.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    assert path.stat().st_size > 0
    with open_store(f"sqlite:///{path}") as store:
        begin(store)
        mode = store._database.read(lambda connection, _: connection.execute(text("PRAGMA journal_mode")).scalar())
    assert mode == "wal"


def test_no_folder_is_made_for_a_url(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no such file or directory"):
        open_store(f"sqlite:///{tmp_path}/nowhere/matches.db")
    assert everything(tmp_path) == {}


def test_an_empty_file_becomes_a_database(path: Path) -> None:
    path.touch()
    with open_store(f"sqlite:///{path}") as store:
        assert store.matches() == []


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for place in (tmp_path, tmp_path / "pipe"):
        with pytest.raises(StoreError, match="is not a file"):
            open_store(f"sqlite:///{place}")


@settings(deadline=None)
@given(content=st.binary(min_size=1, max_size=300))
def test_garbage_is_refused_and_left_alone(scratch: Path, content: bytes) -> None:
    path = emptied(scratch)
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"not a SQLite database|damaged"):
        open_store(f"sqlite:///{path}")
    assert everything(scratch) == {"matches.db": content}


@settings(deadline=None)
@given(data=st.data())
def test_a_truncated_database_is_refused_and_left_alone(scratch: Path, sound: Path, data: st.DataObject) -> None:
    size = sound.stat().st_size
    length = data.draw(st.integers(1, size - 1) | st.integers(1, size // 4096 - 1).map(lambda pages: pages * 4096))
    path = emptied(scratch)
    shutil.copy(sound, path)
    os.truncate(path, length)
    with pytest.raises(DamagedError, match=r"is damaged.*Nothing in it was changed\."):
        open_store(f"sqlite:///{path}")
    assert path.read_bytes() == sound.read_bytes()[:length]


def test_an_empty_file_with_a_log_beside_it_is_refused_and_left_alone(path: Path) -> None:
    path.touch()
    log = path.with_name("matches.db-wal")
    log.write_bytes(b"all that is left")
    with pytest.raises(DamagedError):
        open_store(f"sqlite:///{path}")
    assert everything(path.parent) == {"matches.db": b"", "matches.db-wal": b"all that is left"}


@settings(deadline=None)
@given(places=st.lists(st.tuples(st.integers(0, 1 << 30), st.binary(min_size=1, max_size=64)), min_size=1, max_size=8))
def test_whatever_is_wrong_inside_is_told_in_a_sentence(
    scratch: Path, sound: Path, places: list[tuple[int, bytes]]
) -> None:
    content = bytearray(sound.read_bytes())
    for place, noise in places:
        start = place % (len(content) - len(noise))
        content[start : start + len(noise)] = noise
    path = emptied(scratch)
    path.write_bytes(content)
    sentence = complaint(path)
    assert sentence is None or (sentence.isprintable() and sentence.endswith("."))


def complaint(path: Path) -> str | None:
    """What a store says when all of it is used."""
    try:
        with open_store(f"sqlite:///{path}") as store:
            for kept in store.matches():
                kept.match()
            match_id = store.begin(Match(make("64")), ("human", "human"), ("Ada", "Ben"))
            store.add(match_id, 0, "add")
    except StoreError as error:
        return str(error)
    return None


@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_a_database_of_another_program_is_refused_and_left_alone(path: Path, journal: str) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute(f"PRAGMA journal_mode = {journal}")
        other.execute("CREATE TABLE matches (id TEXT)")
        other.commit()
    before = everything(path.parent)
    with pytest.raises(ForeignError, match=r"belongs to another program\. Nothing in it was changed\."):
        open_store(f"sqlite:///{path}")
    assert everything(path.parent) == before


def test_a_database_with_our_signature_but_other_tables_is_refused(path: Path) -> None:
    open_store(f"sqlite:///{path}").close()
    with closing(sqlite3.connect(path)) as other:
        other.execute("ALTER TABLE bitduel_version RENAME TO alembic_version")
    before = everything(path.parent)
    with pytest.raises(ForeignError):
        open_store(f"sqlite:///{path}")
    assert everything(path.parent) == before


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ("UPDATE bitduel_version SET version_num = '9999'", NewerError),
        ("UPDATE bitduel_version SET version_num = '0000'", DamagedError),
        ("UPDATE bitduel_version SET version_num = X'00'", DamagedError),
        ("UPDATE bitduel_version SET version_num = ''", DamagedError),
        ("DELETE FROM bitduel_version", DamagedError),
    ],
)
def test_a_database_of_another_version_is_refused_and_left_alone(
    path: Path, change: str, error: type[StoreError]
) -> None:
    open_store(f"sqlite:///{path}").close()
    with closing(sqlite3.connect(path)) as other:
        other.execute(change)
        other.commit()
    before = everything(path.parent)
    with pytest.raises(error, match=r"Nothing in it was changed"):
        open_store(f"sqlite:///{path}")
    assert everything(path.parent) == before


def test_a_locked_database_is_said_to_be_locked(path: Path, begin: Begin) -> None:
    with open_store(f"sqlite:///{path}", patience=0) as store:
        match_id = begin(store)
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(LockedError, match="is locked by another program"):
                store.add(match_id, 0, "add")
            assert store.get(match_id).moves == ()
            other.execute("ROLLBACK")
        store.add(match_id, 0, "add")
        assert store.get(match_id).moves == ("add",)


def test_a_database_that_another_program_has_for_itself_is_said_to_be_locked(path: Path) -> None:
    open_store(f"sqlite:///{path}").close()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(LockedError):
            open_store(f"sqlite:///{path}", patience=0)


def test_a_match_with_a_move_missing_is_said_to_be_damaged(path: Path, begin: Begin) -> None:
    with open_store(f"sqlite:///{path}") as store:
        match_id = begin(store)
        for ply in range(3):
            store.add(match_id, ply, "add")
        with closing(sqlite3.connect(path)) as other:
            other.execute("UPDATE moves SET ply = 7 WHERE ply = 1")
            other.commit()
        with pytest.raises(DamagedError, match=f"moves of match {match_id} are missing"):
            store.get(match_id)
