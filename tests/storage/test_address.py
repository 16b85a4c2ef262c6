"""Which database is meant, and what is said of a URL that means none."""

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitduel.core.errors import MissingExtraError
from bitduel.storage import StoreError, open_store
from bitduel.storage.address import find_address
from bitduel.storage.errors import AddressError, UnreachableError

FILES = {
    "sqlite:////tmp/a.db": "/tmp/a.db",
    "sqlite+pysqlite:////tmp/a.db": "/tmp/a.db",
    "sqlite:///a.db": str(Path("a.db").absolute()),
    "sqlite:////tmp/100%25 & more.db": "/tmp/100% & more.db",
}


def test_a_sqlite_url_names_a_file() -> None:
    assert {url: str(find_address(url).path) for url in FILES} == FILES


def test_a_file_may_have_any_name(tmp_path: Path) -> None:
    open_store(f"sqlite:///{tmp_path}/a%25b%3Fc=d #é.db").close()
    assert [file.name for file in tmp_path.iterdir()] == ["a%b?c=d #é.db"]


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_every_way_to_say_postgresql_means_psycopg_3(scheme: str) -> None:
    address = find_address(f"{scheme}://ada:secret@server/games")
    assert address.url.drivername == "postgresql+psycopg"
    assert address.label == "The PostgreSQL database 'games' on server"
    assert "secret" not in repr(address)


BAD = [
    "x",
    "matches.db",
    "/tmp/matches.db",
    "sqlite:",
    "sqlite://",
    "sqlite:///",
    "sqlite:///:memory:",
    "sqlite:///a.db?timeout=3",
    "sqlite://server/a.db",
    "sqlite+aiosqlite:///a.db",
    "mysql://ada:hunter2@server/games",
    "postgresql+asyncpg://ada:hunter2@server/games",
    "postgresql://ada:hunter2@server:port/games",
    "postgresql://ada:p@hunter2@server/games",
    "http://ada:hunter2@server",
    "://",
    "\0",
]


@pytest.mark.parametrize("url", BAD)
def test_a_url_of_no_database_is_refused_without_showing_it(url: str) -> None:
    with pytest.raises(AddressError) as caught:
        open_store(url)
    assert str(caught.value).isprintable()
    assert "hunter2" not in str(caught.value)


@given(st.text())
def test_any_text_is_an_address_or_refused(text: str) -> None:
    try:
        find_address(f"sqlite:{text}")
        find_address(text or "x")
    except AddressError as error:
        assert str(error).isprintable()  # noqa: PT017 - either is fine


def test_the_environment_names_a_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BITDUEL_DB", f"sqlite:///{tmp_path}/mine.db")
    assert find_address(None).path == tmp_path / "mine.db"
    assert find_address("sqlite:////tmp/a.db").path == Path("/tmp/a.db")


@pytest.mark.parametrize("value", [None, ""])
def test_without_any_word_it_is_in_the_users_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str | None
) -> None:
    monkeypatch.setattr("platformdirs.user_data_path", lambda *_, **__: tmp_path)
    monkeypatch.delenv("BITDUEL_DB", raising=False)
    if value is not None:
        monkeypatch.setenv("BITDUEL_DB", value)
    address = find_address(None)
    assert (address.path, address.is_default) == (tmp_path / "matches.db", True)


def test_a_server_that_is_not_there_is_said_to_be_unreachable_at_once_and_without_its_password(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("psycopg", reason="PostgreSQL is tested only where psycopg is installed")
    monkeypatch.setattr("time.sleep", lambda _: pytest.fail("it waits"))
    with pytest.raises(UnreachableError) as caught:
        open_store("postgresql://ada:hunter2@127.0.0.1:1/games?password=hunter2")
    assert str(caught.value).startswith("The PostgreSQL database 'games' on 127.0.0.1 cannot be reached: ")
    assert "hunter2" not in str(caught.value)


def test_a_setting_that_postgresql_does_not_have_is_told_in_a_sentence() -> None:
    pytest.importorskip("psycopg", reason="PostgreSQL is tested only where psycopg is installed")
    with pytest.raises(StoreError, match="invalid connection option"):
        open_store("postgresql://127.0.0.1:1/games?colour=red")


def test_without_psycopg_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'bitduel\[postgresql\]'"):
        open_store("postgresql://127.0.0.1:1/games")
