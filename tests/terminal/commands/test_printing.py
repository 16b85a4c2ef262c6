"""`bitduel print`: sheets for a lesson, to a file or standard output."""

import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path
from unittest.mock import patch

import pytest

from bitduel.cli import main
from bitduel.games.registry import GameClass, all_games
from helpers import bitduel


@pytest.mark.parametrize("kind", all_games(), ids=lambda kind: kind.short)
def test_all_sheets_of_a_game_go_to_standard_output(kind: GameClass) -> None:
    ran = bitduel("print", kind.short)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("<!doctype html>")
    for title in ("Rule sheet", "Worksheet, page 1", "Unplugged version"):
        assert title in ran.out
    assert "Worksheet: answers" not in ran.out


def test_a_worksheet_for_another_size_with_answers_goes_to_a_file(tmp_path: Path) -> None:
    file = tmp_path / "race.html"
    ran = bitduel(
        "print",
        "double",
        "--set",
        "target=24",
        "--sheet",
        "worksheet",
        "--answers",
        "--paper",
        "letter",
        "-o",
        str(file),
    )
    assert ran.out == f"The sheets are in {file}. Open it in a browser and print it.\n"
    text = file.read_text(encoding="utf-8")
    assert "paper-letter" in text
    assert "1, 4, 6" in text
    assert "Rule sheet" not in text


def test_a_qr_code_leads_to_a_site() -> None:
    ran = bitduel("print", "bits", "--set", "bits=5", "--sheet", "RULES", "--site", "http://192.168.1.20:8000")
    assert "http://192.168.1.20:8000/games/binary-race-bits?opt-bits=5" in ran.out


def test_the_kind_of_a_sites_address_may_be_written_large() -> None:
    ran = bitduel("print", "bits", "--sheet", "rules", "--site", "HTTP://school.lan")
    assert "HTTP://school.lan/games/binary-race-bits" in ran.out


def test_standard_output_is_utf_8_whatever_the_terminal_shows() -> None:
    raw = BytesIO()
    with patch.object(sys, "stdout", TextIOWrapper(raw, encoding="latin-1", errors="replace")):
        with pytest.raises(SystemExit):
            main(("print", "double", "--sheet", "worksheet"))
        sys.stdout.flush()
        text = raw.getvalue().decode("utf-8")
    assert "\u2192" in text


BAD = [
    (("--sheet", "poster"), "There is no sheet 'poster'. Choose from: rules, worksheet, unplugged, all."),
    (("--paper", "b5"), "There is no paper size 'b5'. Choose from: a4, letter."),
    (("--set", "target=3"), "To print sheets, target must be from 8 to 400, not 3."),
    (("--set", "target=1000000"), "To print sheets, target must be from 8 to 400, not 1000000."),
    (("--set", "target=x"), "target must be a whole number from 2 to 1000000000, not 'x'"),
    (("--sheet", "rules", "--answers"), "--answers goes with a worksheet: --sheet worksheet --answers."),
    (("--site", "here"), "--site must be an address such as http://192.168.1.20:8000, not 'here'."),
    *(
        (("--site", site), "--site must be an address such as http://192.168.1.20:8000, not '")
        for site in (
            "http://",
            "http:// a",
            "http://a b",
            "http://a\nb",
            "http://a?b",
            "http://a:x",
            "http://[",
            "ftp://a",
        )
    ),
    (("--site", "http://" + "a" * 3000), "--site must be at most 200 characters long, not 3007."),
    (
        ("-o", "/nowhere/at/all.html"),
        "The sheets can't be written to '/nowhere/at/all.html': that folder doesn't exist.",
    ),
    (("-o", "/"), "The sheets can't be written to '/': that is a folder."),
]


@pytest.mark.parametrize(("arguments", "sentence"), BAD, ids=[" ".join(arguments) for arguments, _ in BAD])
def test_what_cannot_be_printed_gets_one_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    ran = bitduel("print", "double", *arguments)
    assert ran.out == ""
    assert ran.err.startswith(f"bitduel: {sentence}")
    assert ran.err.count("\n") == 1
    assert ran.status == 2


def test_a_rule_sheet_has_no_limits() -> None:
    assert bitduel("print", "double", "--set", "target=1000000", "--sheet", "rules").status == 0


def test_a_file_that_cannot_be_written_gets_one_sentence(tmp_path: Path) -> None:
    with patch.object(Path, "write_text", side_effect=OSError(28, "No space left on device")):
        ran = bitduel("print", "double", "--sheet", "rules", "-o", str(tmp_path / "a.html"))
    assert ran.err.startswith("bitduel: The sheets can't be written to '")
    assert ran.err.endswith("': No space left on device.\n")
    assert ran.status == 2
