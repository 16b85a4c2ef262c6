"""False certificates that somebody wrote to be accepted: everything in them fits, and every checker refuses them."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bitduel.core.certificate import Certificate
from bitduel.core.options import ChoiceOption, IntegerOption
from bitduel.games.binary_race_31 import BinaryRace31
from bitduel.games.double_or_nothing import DoubleOrNothing
from bitduel.games.registry import make
from bitduel.solver.certificates import prove, table_certificate
from forging import ENDLESS, WHOLE, doubled, forged_positions, forged_tables, functions, respelled
from tampering import CHECKERS, accepts

ONE_OF_EACH: list[tuple[str, dict[str, Any]]] = [
    ("double", {"target": 8}),
    ("31", {"length": 4}),
    ("bits", {"bits": 2}),
    ("battle", {"bits": 2}),
    ("battle", {"bits": 2, "table": "open"}),
    ("31", {"length": 999_999}),
    ("64", {"target": 999_999, "step": 90_001}),
]
"""A game for each checker."""


def script(found: Certificate) -> Path:
    """The script that checks a certificate."""
    return CHECKERS / f"{found.checker}.py"


def test_there_is_a_game_here_for_each_checker() -> None:
    used = [script(prove(make(name, options))) for name, options in ONE_OF_EACH]
    assert sorted(used) == sorted(CHECKERS.glob("*.py"))


@pytest.mark.parametrize("bits", [2, *(pytest.param(bits, marks=pytest.mark.thorough) for bits in (3, 4))])
@pytest.mark.parametrize("plies", ENDLESS)
def test_a_draw_is_no_win_however_many_plies_it_is_said_to_take(bits: int, plies: float, tmp_path: Path) -> None:
    found = prove(make("bits", {"bits": bits, "first-move": "empty"}))
    assert found.data["value"] == "draw"
    forged = list(forged_positions(script(found), found.data, plies, 12))
    values = Counter(json.loads(text)["value"] for text in forged)
    assert values["loss"] or values["win"] or plies != plies, "nothing was forged"
    assert not [text for text in forged if accepts(script(found), text, tmp_path)]


@pytest.mark.parametrize("plies", ENDLESS[:4])
def test_no_entry_that_the_start_does_not_need_is_wrong_either(plies: float, tmp_path: Path) -> None:
    found = prove(make("bits"))
    forged = list(forged_positions(script(found), found.data, plies, 12))
    assert forged
    assert not [text for text in forged if accepts(script(found), text, tmp_path)]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("bits", {"bits": 2, "first-move": "empty"}),
        ("bits", {"bits": 3, "first-move": "game", "edge": "strict"}),
        ("double", {"target": 12}),
        ("31", {"length": 5}),
    ],
    ids=str,
)
@pytest.mark.parametrize("plies", WHOLE)
def test_in_whole_numbers_only_the_right_entries_follow_from_each_other(
    name: str, options: dict[str, Any], plies: float
) -> None:
    found = prove(make(name, options))
    assert not list(forged_positions(script(found), found.data, plies, 12))


@pytest.mark.parametrize(("name", "options"), ONE_OF_EACH, ids=str)
def test_numbers_are_whole_and_written_in_digits(name: str, options: dict[str, Any], tmp_path: Path) -> None:
    found = prove(make(name, options))
    for text, what in respelled(json.dumps(found.data)):
        assert not accepts(script(found), text, tmp_path), f"{what}: {text:.300}"


@pytest.mark.parametrize(("name", "options"), ONE_OF_EACH, ids=str)
def test_no_name_comes_twice(name: str, options: dict[str, Any], tmp_path: Path) -> None:
    found = prove(make(name, options))
    for text, what in doubled(json.dumps(found.data)):
        assert not accepts(script(found), text, tmp_path), what


def renamed(data: Mapping[str, Any], **options: Any) -> str:
    """A certificate that says other options, in its command as well."""
    chosen = {**data["options"], **options}
    words = [f"bitduel prove {data['game']}", *(f"{name}={value}" for name, value in chosen.items())]
    return json.dumps({**data, "options": chosen, "command": " --set ".join(words)})


@pytest.mark.parametrize(("name", "options"), [each for each in ONE_OF_EACH if each[0] != "battle"], ids=str)
def test_options_are_those_of_the_game(name: str, options: dict[str, Any], tmp_path: Path) -> None:
    game = make(name, options)
    found = prove(game)
    assert accepts(script(found), renamed(found.data), tmp_path)
    for option in game.declared_options:
        others: list[Any] = [
            None,
            True,
            False,
            "",
            [],
            {},
            -1,
            10**30,
            1e16,
            float("nan"),
            str(game.options[option.name]),
        ]
        if isinstance(option, IntegerOption):
            others += [option.low - 1, option.high + 1]
        if isinstance(option, ChoiceOption):
            others += [2, *(str(choice).upper() for choice in option.choices)]
        for other in others:
            if json.dumps(other) != json.dumps(game.options[option.name]):
                text = renamed(found.data, **{option.name: other})
                assert not accepts(script(found), text, tmp_path), (option.name, other)
    for name_too in ("more", "secret", "Step"):
        assert not accepts(script(found), renamed(found.data, **{name_too: 1}), tmp_path)


@pytest.mark.parametrize("bits", [None, True, False, "2", [2], 2.0, 0, -2, 8, 10**30, float("inf")], ids=str)
@pytest.mark.parametrize("table", ["hidden", "open"])
def test_so_are_the_bits_of_a_battle(table: str, bits: object, tmp_path: Path) -> None:
    for size in (1, 2):
        found = prove(make("battle", {"bits": size, "table": table}))
        assert not accepts(script(found), json.dumps({**found.data, "bits": bits}), tmp_path)


def larger(kind: Any, **sizes: int) -> Certificate:
    """The certificate of a game that is larger than any that can be played."""

    class Larger(kind):  # type: ignore[misc]
        declared_options = tuple(
            IntegerOption(option.name, option.default, option.help, option.low, 10**30)
            if isinstance(option, IntegerOption)
            else option
            for option in kind.declared_options
        )

    found: Certificate = Larger(**sizes).certificate()
    return found


def test_a_game_larger_than_any_has_no_certificate(tmp_path: Path) -> None:
    for found in (
        larger(DoubleOrNothing, target=10**9 + 1),
        larger(DoubleOrNothing, target=10**9, step=10**9 + 1),
        larger(BinaryRace31, length=1_000_001),
        larger(BinaryRace31, length=10**17),
    ):
        assert not accepts(script(found), found.text(), tmp_path)
    for found in (larger(DoubleOrNothing, target=10**9), larger(BinaryRace31, length=1_000_000)):
        assert accepts(script(found), found.text(), tmp_path)


@cache
def raced(number: int, target: int, step: int) -> tuple[str, int]:
    """Value and plies of a number race, by trying everything."""
    if number >= target:
        return ("loss", 0) if number == target else ("win", 0)
    after = [raced(then, target, step) for then in (number + step, 2 * number)]
    wins = [plies for value, plies in after if value == "loss"]
    return ("win", 1 + min(wins)) if wins else ("loss", 1 + max(plies for _, plies in after))


@pytest.mark.parametrize("step", [1, 2, 3, 4, 5, 7, 12, 30])
def test_whatever_is_said_of_a_number_only_the_truth_follows_from_higher_ones(step: int) -> None:
    entry = functions(CHECKERS / "number_race_law.py")["entry"]
    for target in range(2, 90):
        chain: dict[str, Any] = {}
        for number in range(target, 0, -1):
            kept = []
            for said in (["win", 0, "add"], ["win", 0, "double"], ["loss", 0]):
                found = entry(number, target, step, {**chain, str(number): said}, set())
                if found and [found[0], *found[2:]] == [said[0], *said[2:]]:
                    kept.append(found)
            assert len(kept) == 1, (number, target, kept)
            assert tuple(kept[0][:2]) == raced(number, target, step)
            chain[str(number)] = kept[0]


def test_a_chain_holds_no_number_that_nobody_asks_about(tmp_path: Path) -> None:
    found = prove(make("double", {"target": 10**9}))
    chain = found.data["chain"]
    for number, entry in (("-1", ["loss", 1e16]), ("0", ["loss", 0]), ("1000000001", ["win", 0, "add"])):
        text = json.dumps({**found.data, "chain": {**chain, number: entry}})
        assert not accepts(script(found), text, tmp_path)
    loop = {"-1": ["loss", 1e16], "-2": ["win", 1e16, "add"]}
    assert not accepts(script(found), json.dumps({**found.data, "chain": {**chain, **loop}}), tmp_path)


@pytest.mark.parametrize("wait", [1e16, -1e16, pytest.param(1e300, marks=pytest.mark.thorough), float("inf")])
def test_a_plan_that_waits_for_ever_wins_nothing(wait: float, tmp_path: Path) -> None:
    path = CHECKERS / "battle_open.py"
    forged = [text for text in forged_tables(path, 3, range(1, 4), wait) if "e+" in text or "Infinity" in text]
    assert forged or wait < 0, "nothing was forged"
    assert not [text for text in forged if accepts(path, text, tmp_path)]


@pytest.mark.parametrize("bits", [1, 2])
@pytest.mark.parametrize("least", [0, -1, -2])
def test_a_plan_toggles_the_bits_there_are(bits: int, least: int, tmp_path: Path) -> None:
    path = CHECKERS / "battle_open.py"
    forged = list(forged_tables(path, bits, range(least, bits + 1), 0))
    assert forged
    assert not [text for text in forged if accepts(path, text, tmp_path)]


@pytest.mark.parametrize("bits", [1, 2])
@pytest.mark.parametrize("wait", [0, 3, -5, 10**16])
def test_in_whole_numbers_a_plan_proves_the_right_value_or_nothing(bits: int, wait: int, tmp_path: Path) -> None:
    path, right = CHECKERS / "battle_open.py", prove(make("battle", {"bits": bits, "table": "open"})).data["value"]
    accepted = [text for text in forged_tables(path, bits, range(1, bits + 1), wait) if accepts(path, text, tmp_path)]
    assert accepted
    assert {json.loads(text)["value"] for text in accepted} == {right}


def test_a_plan_holds_no_position_to_which_it_does_not_come(tmp_path: Path) -> None:
    found = prove(make("battle", {"bits": 1, "table": "open"}))
    elsewhere = {f"{mine} {theirs} 0 1": [1, mine ^ 1, 0, 0] for mine in (8, 9) for theirs in (8, 9)}
    for seat in (0, 1):
        seats = [{**plan, **elsewhere} if number == seat else plan for number, plan in enumerate(found.data["seats"])]
        assert not accepts(script(found), json.dumps({**found.data, "seats": seats}), tmp_path)


def shifted(plan: Mapping[str, list[str]], key: str, by: Fraction) -> dict[str, list[str]]:
    """A plan that makes one toggle more likely by as much as another one less, below 0 where that is what comes out."""
    first, second, *rest = plan[key]
    return {**plan, key: [str(Fraction(first) + by), str(Fraction(second) - by), *rest]}


@pytest.mark.parametrize("bits", [2, 3])
def test_plans_in_the_dark_prove_the_value_or_nothing(bits: int, tmp_path: Path) -> None:
    found = prove(make("battle", {"bits": bits}))
    first, second = found.data["seats"]
    values = [found.data["value"], "1", "0", "1/2", "5/8", "2/3"]
    others = [
        (plans, value)
        for key in first
        if all(Fraction(share) for share in first[key][:2])
        for by in (Fraction(1, 4), Fraction(1), Fraction(-1), Fraction(10**30))
        for plans in ([shifted(first, key, by), second], [first, shifted(second, key, by) if key in second else first])
        for value in values
    ]
    others += [(plans, value) for plans in ([second, first], [first, first], [second, second]) for value in values]
    accepted = 0
    for plans, value in others:
        text = json.dumps({**found.data, "value": value, "seats": plans})
        fair = all(Fraction(share) >= 0 for plan in plans for shares in plan.values() for share in shares)
        if accepts(script(found), text, tmp_path):
            assert fair
            assert value == found.data["value"]
            accepted += 1
    assert accepted < len(others)


def test_a_plan_that_is_not_best_proves_neither_bound(tmp_path: Path) -> None:
    left, right = {"1 0 0 1": ["1"]}, {"1 0 0 1": ["1"], "2 1 0 0": ["1"]}
    for value in ("0", "1/2", "1", "2"):
        for plans in ([left, right], [right, left], [left, left]):
            data = {"game": "binary-battle", "bits": 1, "value": value, "seats": plans}
            assert not accepts(CHECKERS / "battle.py", json.dumps(data), tmp_path)


@pytest.mark.parametrize(
    ("name", "options", "changes"),
    [
        ("bits", {"bits": 2}, {"options": {"bits": 2, "first-move": "zwölf"}}),
        ("31", {"length": 4}, {"options": {"length": 4, "finish": "zwölf"}}),
        ("31", {"length": 999_999}, {"options": {"length": 4, "finish": "zwölf"}}),
        ("64", {"target": 999_999}, {"chain": {"zwölf": 1}}),
    ],
    ids=str,
)
def test_refused_is_said_on_a_screen_that_knows_no_foreign_letters(
    name: str, options: dict[str, Any], changes: dict[str, Any], tmp_path: Path
) -> None:
    found, file = prove(make(name, options)), tmp_path / "x.json"
    file.write_text(json.dumps({**found.data, **changes}, ensure_ascii=False), "utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    command = [sys.executable, str(script(found)), str(file)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert (ran.stdout[:9], ran.stderr, ran.returncode) == ("refused: ", "", 1)


def test_what_does_not_follow_is_named(tmp_path: Path) -> None:
    found = table_certificate(make("double"))
    file = tmp_path / "x.json"
    file.write_text(json.dumps({**found.data, "positions": {**found.data["positions"], "7": ["loss", 14, ["add"]]}}))
    command = [sys.executable, str(script(found)), str(file)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "what does not follow: ['7'" in ran.stdout
