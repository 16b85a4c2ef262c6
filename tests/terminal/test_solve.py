import json
from pathlib import Path
from unittest.mock import patch

import pytest

from bitduel.games import Kind, find, shelf
from helpers import bitduel

KEYS = ["game", "options", "moves", "to_move", "over", "value", "plies", "win_probability", "choices"]


def solved(*arguments: str) -> dict[str, object]:
    ran = bitduel("solve", *arguments, "--json")
    assert ran.status == 0, ran.err
    found = json.loads(ran.out)
    assert list(found) == KEYS
    return dict(found)


@pytest.mark.parametrize("kind", shelf())
def test_the_json_has_the_settled_form(kind: Kind) -> None:
    found = solved(kind.slug)
    assert found["game"] == kind.slug
    assert found["to_move"] == 1
    assert found["over"] is None
    choices = found["choices"]
    assert isinstance(choices, list)
    assert all(list(choice) == ["move", "value", "plies", "win_probability"] for choice in choices)
    hidden = kind().hidden
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
        (("64", "--moves", "jump"), "'jump' is not a move. Possible: add, double."),
        (("bits", "--moves", "reset 2"), "'reset 2' is not possible now."),
        (("64", "--set", "target=2", "--moves", "double,add"), "The match is over."),
        (("battle", "--moves", "toggle 1"), "depends on what was dealt: set secret too."),
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
    assert "Player 1 is to move and loses in 7 moves." in out
    assert "Best play: " in out
    assert " 1L  2W  3L" in out
    assert "Proved in whole numbers" in bitduel("solve", "battle", "--set", "bits=2").out
    assert "exactly 7/8" in bitduel("solve", "battle", "--set", "bits=2").out
    assert bitduel("solve", "31", "--moves", "16,1,16").out.count("wins the game!") == 1


def test_solve_says_on_request_what_a_hint_says_there() -> None:
    out = bitduel("solve", "64", "--moves", "add", "--why").out
    assert out.endswith(
        "To Player 2:\n"
        "Best: add.\n"
        "Adding 2 to make 5 loses in 16 of your moves against best play, but nothing holds out longer.\n"
        "From 5, only adding 2 to make 7 wins for your opponent, not doubling to 10.\n"
        "Doubling an odd number loses here, and adding 2 fits 30 times, an even number: your opponent makes the last.\n"
        "Doubling to 6 lets your opponent double to 12 and win in 10 moves.\n"
        "\n"
    )
    assert "To Player" not in bitduel("solve", "64", "--moves", "add").out
    assert "To Player" not in bitduel("solve", "31", "--moves", "16,1,16", "--why").out


def test_a_chance_against_an_assumed_opponent_is_marked_in_text_and_json() -> None:
    wasted = ("battle", "--set", "bits=3", "--set", "secret=110", "--moves", ",".join(["toggle 3"] * 30))
    out = bitduel("solve", *wasted).out
    assert " (assumed).\n" in out
    assert "(assumed) An opponent who plays the equilibrium would have won by now" in out
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
    assert ran.err == "bitduel: --over takes two different options, not target twice.\n"


def test_the_rules_of_an_exact_finish_do_not_contradict_themselves() -> None:
    assert "The first to reach 31 wins at once." in bitduel("rules", "31", "--set", "finish=exact").out
    assert "The first to reach or pass 31 wins at once." in bitduel("rules", "31").out


def test_of_a_drawn_game_a_few_moves_are_told() -> None:
    line = next(line for line in bitduel("solve", "bits").out.splitlines() if line.startswith("Best play"))
    assert line.count(",") == 6
    assert line.endswith("and so on: neither lets the other win.")
