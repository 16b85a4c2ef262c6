"""`bitduel prove`: where certificates go, and what is said about them."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from bitduel.games import Kind, shelf
from helpers import bitduel
from tampering import CHECKERS, accepts


def test_a_certificate_goes_to_standard_output_or_into_a_file(tmp_path: Path) -> None:
    file = tmp_path / "double.json"
    printed, dashed, filed = (bitduel("prove", "double", *more) for more in ((), ("-o", "-"), ("-o", str(file))))
    assert printed == dashed
    assert (printed.err, printed.status) == ("", 0)
    assert json.loads(printed.out)["value"] == "loss"
    assert file.read_text() == printed.out
    assert filed.out == (
        f"The certificate is in {file}: all 19 positions that are not over.\n"
        f"Check it: python3 checkers/number_race.py {file}\n"
    )


def test_what_is_said_to_check_it_checks_it(tmp_path: Path) -> None:
    file = tmp_path / "a b.json"
    said = bitduel("prove", "31", "-o", str(file)).out.splitlines()[1]
    command = shlex.split(said.removeprefix("Check it: "))
    assert command[0] == "python3"
    ran = subprocess.run(
        [sys.executable, *command[1:]], capture_output=True, text=True, check=True, cwd=CHECKERS.parent
    )
    assert ran.stdout.startswith("accepted: ")


def test_the_settled_form_of_a_hidden_game() -> None:
    data = json.loads(bitduel("prove", "battle", "--set", "bits=2").out)
    assert list(data) == ["game", "bits", "value", "seats"]
    assert (data["game"], data["bits"], data["value"]) == ("binary-battle", 2, "7/8")
    assert data["seats"][0]["1 0 0 3"] == ["1/2", "1/2"]
    secret = bitduel("prove", "battle", "--set", "bits=2", "--set", "secret=10")
    assert json.loads(secret.out) == data


@pytest.mark.parametrize("kind", shelf())
def test_solve_names_the_command_that_proves_what_it_said(kind: Kind, tmp_path: Path) -> None:
    out = bitduel("solve", kind.short).out
    (line,) = [line for line in out.splitlines() if line.startswith("Proof: ")]
    assert line == f"Proof: bitduel prove {kind.slug} -o FILE"
    file = tmp_path / "proof.json"
    arguments = shlex.split(line.removeprefix("Proof: bitduel ").replace("FILE", str(file)))
    assert bitduel(*arguments).status == 0
    assert accepts(CHECKERS / f"{kind.checker or 'battle'}.py", file.read_text(), tmp_path)


def test_solve_names_the_options_that_were_chosen_and_nothing_where_nothing_is_proved() -> None:
    out = bitduel("solve", "64", "--set", "target=1000000000", "--set", "step=2").out
    assert "Proof: bitduel prove binary-race-64 --set target=1000000000 -o FILE" in out
    assert "Proof" not in bitduel("solve", "64", "--set", "target=1000000000", "--moves", "add").out
    assert "Proof" not in bitduel("solve", "31", "--moves", "16,1,16").out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("battle", "--set", "bits=9"), "This table of Binary Battle is proved for up to 7 bits, not for 9."),
        (("64", "-o", "no/folder/64.json"), "cannot be written to 'no/folder/64.json': there is no such place"),
        (("64", "-o", ""), "cannot be written to ''"),
        (("64", "-o", "."), "cannot be written to '.'"),
        (("64", "-o", "a\0b"), "cannot be written to"),
        (("64", "-o", "x" * 300), "cannot be written to"),
        (("65",), "There is no game '65'."),
        (("64", "--set", "target=1"), "target must be"),
    ],
)
def test_what_cannot_be_done_gets_one_line(arguments: tuple[str, ...], sentence: str) -> None:
    ran = bitduel("prove", *arguments)
    assert sentence in ran.err
    assert (ran.out, ran.status, ran.err.count("\n")) == ("", 2, 1)


@pytest.mark.parametrize(("table", "most"), [("hidden", 7), ("open", 6)])
def test_beyond_what_is_proved_one_sentence_says_how_far_it_goes(table: str, most: int) -> None:
    ran = bitduel("prove", "battle", "--set", f"table={table}", "--set", f"bits={most + 1}")
    assert (ran.out, ran.status) == ("", 2)
    assert ran.err.count("\n") == 1
    assert f"is proved for up to {most} bits, not for {most + 1}." in ran.err


def test_small_things_are_said_as_they_are(tmp_path: Path) -> None:
    ran = bitduel("prove", "64", "-o", str(tmp_path))
    assert ran.status == 2
    assert ran.err.endswith("': that is a folder.\n")
    said = bitduel("prove", "double", "--set", "target=2", "-o", f"{tmp_path}/x").out
    assert "the one position that is not over." in said


@pytest.mark.parametrize(
    ("checker", "text"),
    [
        ("battle", '{"game":"binary-battle","bits":1,"value":"1","seats":[{"1 0 0 1":["1e99999999"]},{}]}'),
        ("battle", '{"game":"binary-battle","bits":30,"value":"1","seats":[{"1 0 0 1073741823":["1"]},{}]}'),
        ("battle", f'{{"game":"binary-battle","bits":{10**30},"value":"1","seats":[{{}},{{}}]}}'),
        ("battle_open", '{"game":"binary-battle","bits":100000000000,"table":"open","value":"1","seats":[{},{}]}'),
        (
            "bits",
            '{"options":{"bits":1000000,"first-move":"turn","edge":"open","repetition":3},"positions":{}}',
        ),
    ],
)
def test_a_small_file_does_not_keep_a_checker_busy(checker: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_text(text)
    command = [sys.executable, str(CHECKERS / f"{checker}.py"), str(file)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    assert ran.stdout.startswith("refused: ")
    assert ran.returncode == 1
