"""`bitduel class`: a class that goes on after a restart, and what the teacher reads in the terminal."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from bitduel.core.errors import BitduelError
from bitduel.service.credentials import hashed
from bitduel.storage import open_store
from bitduel.web.class_command import LocalClass, announce_class, open_class, read_names
from bitduel.web.http.addresses import Addresses
from bitduel.web.serve import ServeOptions
from helpers import bitduel


@pytest.fixture
def db(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/class.db"


def test_the_same_class_goes_on_unless_another_is_wanted(db: str) -> None:
    first = open_class(db, "Year 7", ("Ada", "Ben"), 7, is_new=False)
    again = open_class(db, None, (), 7, is_new=False)
    assert (again.code, again.title, again.is_new) == (first.code, "Year 7", False)
    with_names = open_class(db, "Year 7", ("Ben", "Cleo"), 7, is_new=False)
    assert (with_names.code, with_names.is_new) == (first.code, False)
    other = open_class(db, "Year 8", (), 7, is_new=False)
    assert other.code not in (first.code, open_class(db, None, (), 7, is_new=True).code)
    with open_store(db) as store:
        record = store.classes.get(first.code)
        assert {hashed(each.secret) for each in (first, again, with_names)} == record.teachers
        assert [each.name for each in record.pupils.values()] == ["Ada", "Ben", "Cleo"]


def test_links_of_many_restarts_do_not_pile_up(db: str) -> None:
    secrets = [open_class(db, None, (), 7, is_new=False).secret for _ in range(25)]
    with open_store(db) as store:
        record = store.classes.get(open_class(db, None, (), 7, is_new=False).code)
    assert len(record.teachers) <= 20
    assert hashed(secrets[0]) in record.teachers
    assert hashed(secrets[-1]) in record.teachers


def test_names_are_read_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "names.txt"
    path.write_text("\ufeffAda  Lovelace\n\n  Zoë\r\n", encoding="utf-8")
    assert read_names(path) == ("Ada Lovelace", "Zoë")
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BitduelError, match="UTF-8"):
        read_names(path)


def test_a_list_with_a_name_twice_is_refused_and_leaves_no_class(tmp_path: Path, db: str) -> None:
    (tmp_path / "names.txt").write_text("Ada\nada\n")
    ran = bitduel("class", "--db", db, "--names", str(tmp_path / "names.txt"), "--port", "0")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == "bitduel: 'ada' is on the list twice, or looks like another name.\n"
    with open_store(db) as store:
        assert store.classes.newest_local() is None


def test_the_terminal_shows_the_address_the_code_and_the_teachers_link(capsys: pytest.CaptureFixture[str]) -> None:
    addresses = Addresses("0.0.0.0", 8000, ("school.lan",))
    announce_class(LocalClass("TUMAK", "Year 7", "s3cret", is_new=True), addresses, is_opened=False)
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == [
        "Year 7: a new class. Its code: TUMAK",
        "Pupils join at http://school.lan:8000/class/TUMAK",
    ]
    assert lines[-1].startswith("You teach at http://localhost:8000/class/TUMAK/teacher/s3cret ")


def test_the_laptop_can_have_a_name_in_the_network(monkeypatch: pytest.MonkeyPatch, db: str) -> None:
    served: list[ServeOptions] = []
    monkeypatch.setattr("bitduel.web.serve.serve", lambda options, _announce: served.append(options))
    ran = bitduel("class", "--db", db, "--name", "school.lan", "--name", "laptop.lan:8080", "--no-browser")
    assert (ran.status, ran.err) == (0, "")
    (options,) = served
    addresses = Addresses(options.host, options.port, options.names)
    assert addresses.accepts("school.lan:8000")
    assert list(addresses.urls())[:2] == ["http://school.lan:8000", "http://laptop.lan:8080"]


def test_a_name_that_no_computer_can_have_is_refused_and_leaves_no_class(db: str) -> None:
    ran = bitduel("class", "--db", db, "--name", "a b", "--port", "0")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("bitduel: --name takes a host such as school.lan")
    with open_store(db) as store:
        assert store.classes.newest_local() is None


@pytest.mark.thorough
def test_ctrl_c_ends_it_cleanly(db: str) -> None:
    command = [sys.executable, "-m", "bitduel", "class", "--db", db, "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout
    assert re.fullmatch(r"Class: a new class. Its code: [A-Z]{5}\n", process.stdout.readline())
    port = int(re.findall(r"localhost:(\d+)/", next(line for line in process.stdout if "You teach at" in line))[0])
    assert httpx.get(f"http://localhost:{port}/", timeout=60).status_code == 200
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "Preparing ...\n")
