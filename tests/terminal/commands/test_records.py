"""Records: matches written as text and read again."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from helpers import bitduel
from terminal.stored_matches import RECORD, imported, newest


@pytest.mark.parametrize(
    "again",
    [
        RECORD,
        RECORD.replace("double-or-nothing", "DOUBLE").replace("1. double, add", "{a comment}\n1... double\nadd"),
        RECORD.replace("[Player1", '[Options "start=1 target=20"]\n[First "1"]\n[Kind1 "bot:x"]\n[Player1'),
        RECORD.replace("Ada", "ADA").replace('[Date "2020-02-29"]\n', ""),
        RECORD.replace("2020-02-29", "2020-02-29 23:59"),
    ],
    ids=range(5),
)
def test_a_match_is_imported_once_however_it_is_written(again: str, db: str) -> None:
    kept = imported(db, RECORD).removeprefix("Saved as match ").rstrip(".\n")
    assert imported(db, again) == f"This match is already saved as {kept}. Nothing was added.\n"
    assert len(json.loads(bitduel("history", "--json", "--db", db).out)) == 1


@pytest.mark.parametrize(
    "other",
    [
        RECORD.replace("2020-02-29", "2020-02-28"),
        RECORD.replace("Ben", "Bob"),
        RECORD.replace("1. double, add", "1. double, double"),
        RECORD.replace("1-0", "0-1"),
        RECORD.replace("resignation", "time"),
        RECORD.replace("[Player1", '[Options "target=21"]\n[Player1'),
        RECORD.replace("[Player1", '[First "2"]\n[Player1'),
        RECORD.replace("1. double, add 1-0", "1. double, add *").replace('[Result "1-0"]\n', ""),
    ],
    ids=range(8),
)
def test_another_match_is_added(other: str, db: str) -> None:
    imported(db, RECORD)
    assert imported(db, other).startswith("Saved as match ")


def test_an_imported_match_is_no_newer_than_what_was_played_that_day(db: str) -> None:
    bitduel("play", "31", "--db", db, stdin="1\nresign\n")
    bitduel("play", "64", "--db", db, stdin="1\n")
    own, left = (kept["id"] for kept in reversed(json.loads(bitduel("history", "--json", "--db", db).out)))
    today = json.loads(bitduel("show", own, "--json", "--db", db).out)["started"][:10]
    for date in (f'[Date "{today}"]', "", '[Date "2999-01-01"]'):
        name = f'[Player2 "Ben {date[7:11]}"]'
        imported(db, f'[Game "double"]\n{date}\n{name}\n[Result "1-0"]\n[Reason "time"]\n1. add')
        imported(db, f'[Game "double"]\n{date}\n{name}\n1. double')
    assert bitduel("show", "--db", db).out.startswith(left)
    assert bitduel("review", "--db", db).out.startswith(own)
    assert '[Game "binary-race-64"]' in bitduel("export", "--db", db).out
    assert bitduel("replay", "--db", db).out.startswith(left)
    assert bitduel("history", "--limit", "1", "--db", db).out.startswith(left)
    assert "Add 2" in bitduel("resume", "--db", db, stdin="").out, "not an imported one either"
    told = json.loads(bitduel("history", "--json", "--db", db).out)
    assert [each["started"] for each in told if each["game"] == "double-or-nothing"] == [today] * 6


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "UTC", "Pacific/Auckland"])
def test_a_day_from_a_record_is_the_same_in_every_time_zone(zone: str, db: str, here_is: Callable[[str], None]) -> None:
    here_is(zone)
    imported(db, RECORD)
    listed = bitduel("history", "--db", db).out
    assert "2020-02-29  double" in listed
    assert bitduel("history", "--since", "2020-02-29", "--until", "2020-02-29", "--db", db).out == listed
    for wrong in (("--since", "2020-03-01"), ("--until", "2020-02-28")):
        assert bitduel("history", *wrong, "--db", db).out == "No matches found.\n"
    assert '[Date "2020-02-29"]' in bitduel("export", "--db", db).out


def test_bad_files_get_one_line(db: str, tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.txt"
    foreign.write_bytes("[Game “x”]".encode("utf-16"))
    for file in (str(tmp_path / "missing"), str(tmp_path), str(foreign), "nul\x00byte"):
        ran = bitduel("import", file, "--db", db)
        assert ran.status in (1, 2)
        assert ran.err.count("\n") == 1
    assert bitduel("history", "--db", db).out == "No matches saved yet.\n"


def test_a_record_cannot_bring_a_command_with_it(db: str) -> None:
    text = '[Game "31"]\n[Kind2 "bot:rm -rf /"]\n1. 16\n*'
    bitduel("import", "-", "--db", db, stdin=text)
    assert json.loads(bitduel("show", newest(db), "--json", "--db", db).out)["players"] == ["human", "human"]


def test_a_record_keeps_its_day(db: str) -> None:
    text = '[Game "double"]\n[Date "1999-12-31"]\n1. add'
    bitduel("import", "-", "--db", db, stdin=text)
    assert '[Date "1999-12-31"]' in bitduel("export", newest(db), "--db", db).out
    assert bitduel("history", "--since", "1999-12-30", "--until", "2000-01-01", "--db", db).out.startswith(newest(db))


@pytest.mark.parametrize(
    ("written", "note"),
    [
        ("2999-01-01", "Its date, 2999-01-01, is in the future, so today's date was used."),
        ("9999-12-31", "Its date, 9999-12-31, is in the future, so today's date was used."),
        *(
            (day, f"Its date, '{day}', is not a date such as 2026-11-15, so today's date was used.")
            for day in ("0001-01-01", "2026-02-30", "2026-11-155", "nonsense")
        ),
        ("????.??.??", ""),
        ("2026.11.15", ""),
        ("", ""),
    ],
)
def test_an_import_says_when_it_takes_another_date_than_the_record_has(written: str, note: str, db: str) -> None:
    ran = bitduel("import", "-", "--db", db, stdin=f'[Game "double"]\n[Date "{written}"]\n1. add')
    assert (ran.status, ran.out) == (0, f"Saved as match {newest(db)}.{' ' * bool(note)}{note}\n")
    today = datetime.now(UTC).date().isoformat()
    day = json.loads(bitduel("history", "--json", "--db", db).out)[0]["started"]
    assert day == ("2026-11-15" if written == "2026.11.15" else today)


@pytest.mark.parametrize("kind", ["level:9999999", "bot:rm -rf /", "Nobody", "level:x"])
def test_an_imported_match_of_an_impossible_player_can_be_resumed(kind: str, db: str) -> None:
    bitduel("import", "-", "--db", db, stdin=f'[Game "double"]\n[Kind2 "{kind}"]\n1. add')
    assert bitduel("resume", "--db", db, stdin="quit\n").status == 0


def test_a_record_loses_no_name_where_only_letters_can_be_shown(tmp_path: Path) -> None:
    db = f"sqlite:///{tmp_path}/matches.db"
    bitduel("play", "double", "--name1", "李小龙", "--set", "target=2", "--db", db, stdin="add\n")
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    command = [sys.executable, "-m", "bitduel", "export", "--db", db]
    ran = subprocess.run(command, capture_output=True, check=True, env=ascii_only)
    assert '[Player1 "李小龙"]' in ran.stdout.decode()
