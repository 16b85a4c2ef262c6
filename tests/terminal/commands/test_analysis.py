"""`bitduel solve`, `atlas` and `prove`: values of positions and games, and certificates."""

import json
import shlex
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest

from bitduel.games.registry import GameClass, all_games, find
from helpers import bitduel
from tampering import CHECKERS, accepts

KEYS = ["game", "options", "moves", "to_move", "over", "value", "plies", "win_probability", "choices"]


def solved(*arguments: str) -> dict[str, object]:
    ran = bitduel("solve", *arguments, "--json")
    assert ran.status == 0, ran.err
    found = json.loads(ran.out)
    assert list(found) == KEYS
    return dict(found)


@pytest.mark.parametrize("kind", all_games())
def test_the_json_has_the_settled_form(kind: GameClass) -> None:
    found = solved(kind.slug)
    assert found["game"] == kind.slug
    assert found["to_move"] == 1
    assert found["over"] is None
    choices = found["choices"]
    assert isinstance(choices, list)
    assert all(list(choice) == ["move", "value", "plies", "win_probability"] for choice in choices)
    hidden = kind().is_hidden
    assert (found["value"] is None) == hidden
    assert (found["win_probability"] is None) == (not hidden)


def test_values_at_the_start() -> None:
    assert (solved("64")["value"], solved("64")["plies"]) == ("win", 32)
    assert (solved("double")["value"], solved("double")["plies"]) == ("loss", 14)
    assert (solved("bits")["value"], solved("bits")["plies"]) == ("draw", None)
    assert (solved("31")["value"], solved("31")["plies"]) == ("win", 3)
    assert solved("battle")["win_probability"] == pytest.approx(53385752187865 / 78837601833728)


def test_one_can_stand_somewhere_else() -> None:
    found = solved("bits", "--moves", "Flip 2,  flip 3, flip 1")
    assert found["moves"] == ["flip 2", "flip 3", "flip 1"]
    assert found["to_move"] == 2


def test_a_forced_pass_need_not_be_said() -> None:
    found = solved("bits", "--set", "first-move=flip", "--moves", "flip 2, reset 2, flip 3")
    assert found["moves"] == ["flip 2", "reset 2", "pass", "flip 3"]


def test_a_finished_game_says_how_it_ended() -> None:
    found = solved("31", "--moves", "16,1,16")
    assert found["over"] == {"winner": 1, "reason": "finish"}
    assert (found["value"], found["plies"], found["choices"]) == ("loss", 0, [])
    assert solved("bits", "--moves", "flip 2, reset 2")["value"] == "draw"
    assert solved("64", "--set", "target=3", "--moves", "double, double")["value"] == "win"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("64", "--moves", "jump"), "'jump' is not a move. Choose from: add, double."),
        (("bits", "--moves", "reset 2"), "You can't play 'reset 2' now."),
        (("64", "--set", "target=2", "--moves", "double,add"), "The match is over."),
        (("battle", "--moves", "toggle 1"), "depends on the secret. Set 'secret' too."),
    ],
)
def test_impossible_moves_get_one_line(arguments: tuple[str, ...], sentence: str) -> None:
    ran = bitduel("solve", *arguments)
    assert sentence in ran.err
    assert (ran.out, ran.status, ran.err.count("\n")) == ("", 2, 1)


def test_a_size_beyond_memory_gets_one_line_with_the_estimate() -> None:
    with patch.object(find("31"), "evaluator", lambda _: None):
        ran = bitduel("solve", "31", "--set", "length=999999")
    assert ran.status == 1
    assert ran.err.count("\n") == 1
    assert "1,000,008,000,016 positions" in ran.err


@pytest.mark.parametrize("finish", ["sample", "any", "exact"])
def test_the_longest_track_is_answered_at_once(finish: str) -> None:
    found = solved("31", "--set", "length=1000000", "--set", f"finish={finish}")
    assert (found["value"], found["plies"]) == ("win", 124_999)
    found = solved("31", "--set", "length=1000000", "--set", f"finish={finish}", "--moves", "8")
    assert (found["value"], found["plies"]) == ("win", 124_999)
    found = solved("31", "--set", "length=1000000", "--set", f"finish={finish}", "--moves", "16")
    assert (found["value"], found["plies"]) == ("loss", 124_998)


def test_people_read_who_wins_why_and_how() -> None:
    out = bitduel("solve", "double").out
    assert "Player 1 to move: loses in 7 moves." in out
    assert "Perfect play: " in out
    assert " 1L  2W  3L" in out
    assert "Proved with exact fractions" in bitduel("solve", "battle", "--set", "bits=2").out
    assert "exactly 7/8" in bitduel("solve", "battle", "--set", "bits=2").out
    assert bitduel("solve", "31", "--moves", "16,1,16").out.count("wins the game!") == 1


def test_solve_says_on_request_what_a_hint_says_there() -> None:
    out = bitduel("solve", "64", "--moves", "add", "--why").out
    assert out.endswith(
        "To Player 2:\n"
        "Best: add.\n"
        "Adding 2 to make 5 loses in 16 moves against perfect play, but no other move lasts longer.\n"
        "From 5, your opponent wins only by adding 2 to make 7, not by doubling to 10.\n"
        "Doubling an odd number loses here. Adding 2 still fits 30 times (an even number), so your opponent makes the "
        "last addition.\n"
        "Doubling to 6 lets your opponent win in 10 moves by doubling to 12.\n"
        "\n"
    )
    assert "To Player" not in bitduel("solve", "64", "--moves", "add").out
    assert "To Player" not in bitduel("solve", "31", "--moves", "16,1,16", "--why").out


def test_a_chance_against_an_assumed_opponent_is_marked_in_text_and_json() -> None:
    wasted = ("battle", "--set", "bits=3", "--set", "secret=110", "--moves", ",".join(["toggle 3"] * 30))
    out = bitduel("solve", *wasted).out
    assert " (assumed).\n" in out
    assert "(assumed) A perfect opponent would have won by now" in out
    data = json.loads(bitduel("solve", *wasted, "--json").out)
    assert list(data) == [*KEYS[:-1], "assumed", "choices"]
    assert data["assumed"] is True
    assert all(choice["assumed"] is True for choice in data["choices"])
    assert "assumed" not in bitduel("solve", "battle", "--set", "bits=3").out


def test_the_atlas_in_three_forms(tmp_path: Path) -> None:
    out = bitduel("atlas", "double", "--over", "target=2..20").out
    assert "2W" in out
    assert "20L" in out
    data = json.loads(bitduel("atlas", "double", "--over", "target=2..20", "--json").out)
    assert data["over"] == ["target"]
    assert data["cells"][0] == {"target": 2, "value": "win", "plies": 1, "win_probability": None}
    assert len(data["cells"]) == 19
    picture = tmp_path / "atlas.svg"
    assert bitduel("atlas", "double", "--over", "target=2..20", "--svg", str(picture)).status == 0
    assert picture.read_text().startswith("<svg")


def test_wrong_atlases_get_one_line(tmp_path: Path) -> None:
    for arguments in (
        ("--over", "bogus=1..2"),
        ("--over", "target=5..2"),
        ("--over", "target=2..3", "--over", "step=1..2", "--over", "start=1..2"),
        ("--over", "target=2..100000", "--over", "step=1..100"),
        ("--over", "target=2..3", "--svg", str(tmp_path / "no" / "folder.svg")),
    ):
        ran = bitduel("atlas", "64", *arguments)
        assert ran.status == 2
        assert ran.err.count("\n") == 1


def test_an_atlas_over_one_option_twice_is_refused() -> None:
    ran = bitduel("atlas", "64", "--over", "target=2..9", "--over", "target=3..5")
    assert (ran.out, ran.status) == ("", 2)
    assert ran.err == "bitduel: --over takes two different settings, not target twice.\n"


def test_the_rules_of_an_exact_finish_do_not_contradict_themselves() -> None:
    assert "The first player to reach 31 wins." in bitduel("rules", "31", "--set", "finish=exact").out
    assert "The first player to reach or pass 31 wins." in bitduel("rules", "31").out


def test_of_a_drawn_game_a_few_moves_are_told() -> None:
    line = next(line for line in bitduel("solve", "bits").out.splitlines() if line.startswith("Perfect play"))
    assert line.count(",") == 6
    assert line.endswith("and so on. Neither player can force a win.")


def test_a_certificate_goes_to_standard_output_or_into_a_file(tmp_path: Path) -> None:
    file = tmp_path / "double.json"
    printed, dashed, filed = (bitduel("prove", "double", *more) for more in ((), ("-o", "-"), ("-o", str(file))))
    assert printed == dashed
    assert (printed.err, printed.status) == ("", 0)
    assert json.loads(printed.out)["value"] == "loss"
    assert file.read_text() == printed.out
    assert filed.out == (
        f"The proof is in {file}: all 19 open positions.\nTo check it: python3 checkers/number_race.py {file}\n"
    )


def test_what_is_said_to_check_it_checks_it(tmp_path: Path) -> None:
    file = tmp_path / "a b.json"
    said = bitduel("prove", "31", "-o", str(file)).out.splitlines()[1]
    command = shlex.split(said.removeprefix("To check it: "))
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


@pytest.mark.parametrize("kind", all_games())
def test_solve_names_the_command_that_proves_what_it_said(kind: GameClass, tmp_path: Path) -> None:
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
        (
            ("battle", "--set", "bits=9"),
            "Binary Battle with these settings can be proved for up to 7 bits. 9 bits are too many.",
        ),
        (("64", "-o", "no/folder/64.json"), "can't be written to 'no/folder/64.json': that folder doesn't exist"),
        (("64", "-o", ""), "can't be written to ''"),
        (("64", "-o", "."), "can't be written to '.'"),
        (("64", "-o", "a\0b"), "can't be written to"),
        (("64", "-o", "x" * 300), "can't be written to"),
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
    assert f"can be proved for up to {most} bits. {most + 1} bits are too many." in ran.err


def test_small_things_are_said_as_they_are(tmp_path: Path) -> None:
    ran = bitduel("prove", "64", "-o", str(tmp_path))
    assert ran.status == 2
    assert ran.err.endswith("': that is a folder.\n")
    said = bitduel("prove", "double", "--set", "target=2", "-o", f"{tmp_path}/x").out
    assert "the only open position." in said


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
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert ran.stdout.startswith("refused: ")
    assert ran.returncode == 1
