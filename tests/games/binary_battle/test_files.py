"""Files: only what they prove is believed."""

import gzip
import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from battle_by_hand import solved
from bitduel.core.evaluation import best_choices
from bitduel.core.match import Match
from bitduel.games.binary_battle import BinaryBattle, evaluator
from bitduel.games.binary_battle.equilibrium import SHIPPED_BITS, Equilibrium, Proof, load, save, shipped, solve
from bitduel.games.binary_battle.equilibrium.files import FOLDER, LIMIT, compressed
from bitduel.games.binary_battle.equilibrium.information_states import start
from bitduel.games.binary_battle.evaluator import HiddenEvaluator
from bitduel.games.registry import make


@pytest.mark.parametrize("bits", SHIPPED_BITS)
def test_what_the_package_ships_is_proved(bits: int) -> None:
    found = shipped(bits)
    assert found.proof
    assert Proof(found.proof.plans).value == found.exact


@pytest.mark.parametrize("bits", [2, 4])
def test_the_package_ships_the_value_that_is_solved(bits: int) -> None:
    assert solve(bits).exact == shipped(bits).exact


@pytest.mark.parametrize("bits", [1, 3])
def test_what_the_package_ships_is_written_as_it_is_read(bits: int) -> None:
    file = (FOLDER / f"{bits}.json.gz").read_bytes()
    assert gzip.decompress(compressed(shipped(bits))) == gzip.decompress(file)


@pytest.mark.parametrize("bits", [1, 3, 5])
def test_what_is_saved_is_loaded(bits: int, tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    save(solved(bits), path)
    again = load(path, bits)
    assert (again.exact, again.value) == (solved(bits).exact, solved(bits).value)
    assert again.behaviour(2, *start(bits)) == solved(bits).behaviour(2, *start(bits))
    assert list(tmp_path.iterdir()) == [path]


def test_whatever_is_damaged_proves_the_same_or_nothing(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    save(solved(2), path)
    whole = path.read_bytes()
    for place in range(len(whole)):
        for damage in (255, 1, 3):
            path.write_bytes(whole[:place] + bytes([whole[place] ^ damage]) + whole[place + 1 :])
            try:
                assert load(path, 2).exact == Fraction(7, 8)
            except ValueError:
                continue
    for length in (0, 10, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(ValueError, match="kept"):
            load(path, 2)


@pytest.mark.parametrize("text", ["[]", "{}", "null", "3", '"binary-battle 2"', "[" * 100_000, "\0", "9" * 5000])
def test_other_files_are_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    path.write_text(text)
    with pytest.raises(ValueError, match="doesn't contain an equilibrium for 3 bits"):
        load(path, 3)


def test_another_size_a_missing_file_and_too_much_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    save(solved(3), path)
    with pytest.raises(ValueError, match="2 bits"):
        load(path, 2)
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "missing.json", 3)
    path.write_bytes(b" " * (LIMIT + 1))
    with pytest.raises(ValueError, match="too large"):
        load(path, 3)


def forged(content: dict[str, Any], where: list[Any], value: object) -> dict[str, Any]:
    copy = json.loads(json.dumps(content))
    inside = copy
    for step in where[:-1]:
        inside = inside[step]
    inside[where[-1]] = value
    return dict(copy)


def test_no_number_of_a_file_can_be_bent(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    save(solved(3), path)
    content = json.loads(path.read_text())
    for seat in (0, 1):
        plan = content["plans"][seat]
        for value in (plan["scale"] + 1, -plan["scale"], float(plan["scale"]), str(plan["scale"]), True, None, 0):
            path.write_text(json.dumps(forged(content, ["plans", seat, "scale"], value)))
            with pytest.raises(ValueError, match="doesn't contain an equilibrium"):
                load(path, 3)
        for row, numbers in enumerate(plan["turns"]):
            for place, number in enumerate(numbers):
                for value in (number + 1, number - 1, float(number), str(number), bool(number), None):
                    path.write_text(json.dumps(forged(content, ["plans", seat, "turns", row, place], value)))
                    with pytest.raises(ValueError, match="doesn't contain an equilibrium"):
                        load(path, 3)
            for rows in (plan["turns"][:row] + plan["turns"][row + 1 :], [*plan["turns"], numbers]):
                path.write_text(json.dumps(forged(content, ["plans", seat, "turns"], rows)))
                with pytest.raises(ValueError, match="doesn't contain an equilibrium"):
                    load(path, 3)


def test_a_plan_that_is_a_strategy_but_not_the_best_one_proves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    save(solved(3), path)
    content = json.loads(path.read_text())
    content["plans"] = content["plans"][::-1]
    path.write_text(json.dumps(content))
    with pytest.raises(ValueError, match="not best replies"):
        load(path, 3)


def test_a_fraction_is_said_to_be_exact_only_where_it_is_proved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluator, "cache_folder", lambda: tmp_path)
    evaluator.equilibrium.cache_clear()
    save(solve(3), tmp_path / "binary-battle-3.json")
    content = json.loads((tmp_path / "binary-battle-3.json").read_text())
    (tmp_path / "binary-battle-3.json").write_text(json.dumps({**content, "value": "767857/1000000"}))
    assert "exactly 43/56" in HiddenEvaluator(BinaryBattle(bits=3)).notes()[0]
    rough = Equilibrium(3, solved(3).strategies)
    monkeypatch.setattr(evaluator, "equilibrium", lambda _: rough)
    about, gap = HiddenEvaluator(BinaryBattle(bits=3)).notes()
    assert about == "With perfect play the first player wins 76.7857143% of the time, to the digits shown."
    assert "gap" in gap


def test_what_is_not_proved_is_not_kept(tmp_path: Path) -> None:
    save(solve(2, exact=False), tmp_path / "kept.json")
    assert not list(tmp_path.iterdir())


def test_a_chance_that_rests_on_an_assumption_says_so() -> None:
    game = make("battle", {"bits": 3})
    hidden = HiddenEvaluator(BinaryBattle(bits=3))
    early, late = (Match(game, deal="110", moves=["toggle 3"] * plies) for plies in (2, 60))
    assert not any(choice.evaluation.is_assumed for choice in hidden.choices(early.view(1)))
    found = hidden.choices(late.view(1))
    assert all(choice.evaluation.is_assumed for choice in found)
    assert best_choices(found)[0].evaluation.as_data()["assumed"] is True


def test_loading_needs_no_scipy(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    save(solved(4), path)
    script = (
        "import sys, pathlib, bitduel.games.binary_battle.equilibrium as b; game = b.load(pathlib.Path(sys.argv[1]), 4)"
    )
    script += "; game.choices(1, 1, 0, 0, 15); sys.exit('scipy' in sys.modules)"
    subprocess.run([sys.executable, "-c", script, str(path)], check=True, cwd=Path(__file__).parents[1])
