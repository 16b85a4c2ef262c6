"""Certificates: made for every game and reading, accepted by the standalone scripts, refused if anything is changed."""

import ast
import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bitduel.core.certificate import Certificate
from bitduel.core.errors import CertificateError
from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.games.binary_battle import BinaryBattle
from bitduel.games.binary_race_bits import BinaryRaceBits
from bitduel.games.registry import GameClass, make
from bitduel.solver.certificates import is_proved, prove, table_certificate
from bitduel.solver.evaluators import TableEvaluator, evaluator_for
from forging import doubled, respelled
from helpers import all_readings
from tampering import CHECKERS, accepts, changed

SCRIPTS = sorted(CHECKERS.glob("*.py"))

SMALL: list[tuple[str, dict[str, Any]]] = [
    ("double", {}),
    ("64", {"target": 21}),
    ("64", {"target": 5, "start": 2, "step": 9}),
    ("bits", {"bits": 2}),
    ("31", {"length": 5}),
    ("31", {"length": 4, "finish": "exact"}),
    ("31", {"length": 1_000_000, "finish": "exact"}),
    ("battle", {"bits": 1}),
    ("battle", {"bits": 2}),
    ("battle", {"bits": 1, "table": "open"}),
    ("battle", {"bits": 2, "table": "open"}),
]
QUICK = [SMALL[number] for number in (2, 3, 5, 6, 7, 9)]
"""The smallest of each checker, for the first tier."""
LARGE: list[tuple[str, dict[str, Any]]] = [
    ("bits", {"bits": 3, "first-move": "flip", "edge": "strict", "repetition": 0}),
    ("64", {}),
    ("bits", {}),
    ("bits", {"first-move": "empty", "edge": "strict"}),
    ("31", {}),
    ("31", {"finish": "exact"}),
    ("double", {"target": 1_000_000_000}),
    ("64", {"target": 999_999_937, "step": 3}),
    ("64", {"target": 700_000_000, "start": 12, "step": 1000}),
    ("battle", {"bits": 3}),
    ("battle", {"bits": 4}),
    ("battle", {"bits": 4, "table": "open"}),
]


def script(found: Certificate) -> Path:
    """The script that checks a certificate."""
    return CHECKERS / f"{found.checker}.py"


@pytest.mark.parametrize(("kind", "chosen"), all_readings(), ids=str)
def test_every_default_game_and_reading_is_proved(kind: GameClass, chosen: dict[str, Any], tmp_path: Path) -> None:
    found = prove(kind(**chosen))
    assert accepts(script(found), found.text(), tmp_path)


@pytest.mark.parametrize(
    ("name", "options"),
    [pytest.param(*each, marks=[] if each in QUICK else pytest.mark.thorough) for each in SMALL],
    ids=str,
)
def test_a_certificate_changed_in_any_one_place_is_refused(name: str, options: dict[str, Any], tmp_path: Path) -> None:
    found = prove(make(name, options))
    assert accepts(script(found), found.text(), tmp_path)
    for text, what in changed(found.data):
        assert not accepts(script(found), text, tmp_path), what


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "options"), LARGE, ids=str)
def test_a_larger_one_changed_anywhere_is_refused(name: str, options: dict[str, Any], tmp_path: Path) -> None:
    found = prove(make(name, options))
    assert accepts(script(found), found.text(), tmp_path)
    for text, what in changed(found.data, most=8):
        assert not accepts(script(found), text, tmp_path), what


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_checker_is_short_and_needs_nothing_but_python(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") < 50
    nodes = list(ast.walk(ast.parse(text)))
    modules = {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    modules |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    assert modules <= sys.stdlib_module_names
    assert not [node for node in nodes if isinstance(node, ast.Assert)], "python -O would leave it out"


@pytest.mark.parametrize("flags", [(), ("-O",), ("-I", "-S")], ids=str)
def test_a_checker_says_accepted_or_refused_and_leaves_with_a_status(flags: tuple[str, ...], tmp_path: Path) -> None:
    found, file = prove(make("double")), tmp_path / "double.json"

    def run() -> tuple[str, str, int]:
        command = [sys.executable, *flags, str(script(found)), str(file)]
        ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
        return ran.stdout, ran.stderr, ran.returncode

    file.write_text(found.text())
    assert run() == (
        "accepted: double-or-nothing --set start=1 --set target=20 --set step=1 is a loss for the player who starts; "
        "plies: 14\n",
        "",
        0,
    )
    file.write_text(found.text().replace('"loss", 14', '"loss", 12'))
    out, err, status = run()
    assert (out[:9], err, status) == ("refused: ", "", 1)
    for nonsense in ("", "[]", "{}", "null", "[" * 100_000, '{"game": 1}'):
        file.write_text(nonsense)
        out, err, status = run()
        assert (out[:9], err, status) == ("refused: ", "", 1)


def test_no_checker_accepts_the_certificate_of_another_game(tmp_path: Path) -> None:
    for name, options in SMALL:
        found = prove(make(name, options))
        for path in SCRIPTS:
            assert accepts(path, found.text(), tmp_path) == (path == script(found)), (name, path)


NO_GAMES: list[tuple[str, dict[str, object]]] = [
    ("number_race", {"start": 25, "target": 20, "step": 1}),
    ("number_race", {"start": 20, "target": 20, "step": 1}),
    ("number_race", {"start": 1, "target": 20, "step": 0}),
    ("number_race", {"start": 1, "target": 20, "step": -1}),
    ("number_race_law", {"start": 25, "target": 20, "step": 1}),
    ("number_race_law", {"start": 20, "target": 20, "step": 1}),
    ("track", {"length": 0, "finish": "any"}),
    ("track_law", {"length": 0, "finish": "any"}),
    ("bits", {"bits": 0, "first-move": "turn", "edge": "open", "repetition": 3}),
    ("bits", {"bits": 1, "first-move": "turn", "edge": "round", "repetition": 3}),
    ("bits", {"bits": 1, "first-move": "turn", "edge": "open", "repetition": 2}),
]
"""Options that no game has, with which a list of one position might look right."""

STARTS = {"number_race": "25", "track": "0 0", "bits": "0 0 1 1"}
ENTRIES = [["loss", 1, ["add", "double"]], ["win", 1, ["1", "2", "4", "8", "16"]], ["win", 1, ["flip 1"]], ["loss", 0]]


@pytest.mark.parametrize(("checker", "options"), NO_GAMES, ids=str)
def test_games_that_do_not_exist_have_no_certificate(checker: str, options: dict[str, object], tmp_path: Path) -> None:
    slug = {"n": "double-or-nothing", "t": "binary-race-31", "b": "binary-race-bits"}[checker[0]]
    command = " --set ".join([f"bitduel prove {slug}", *(f"{name}={value}" for name, value in options.items())])
    for entry in ENTRIES:
        heading = {"game": slug, "options": options, "command": command, "value": entry[0], "plies": entry[1]}
        key = str(options.get("start", STARTS.get(checker)))
        body = {"positions": {key: entry}} if checker in STARTS else {"chain": {key: entry[:2]}}
        assert not accepts(CHECKERS / f"{checker}.py", json.dumps({**heading, **body}), tmp_path)


def sixth() -> type[Game[Any]]:
    """The game that is no part of the house."""
    path = Path(__file__).parents[1] / "sixth_game" / "little_nim.py"
    spec = importlib.util.spec_from_file_location("little_nim", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    kind: type[Game[Any]] = module.LittleNim
    return kind


def test_a_game_from_outside_is_proved_like_the_others_and_brings_its_own_checker(tmp_path: Path) -> None:
    own = Path(__file__).parents[1] / "sixth_game" / "check_little_nim.py"
    for sticks in (1, 7, 40):
        found = prove(sixth()(sticks=sticks))
        assert found.checker == ""
        assert accepts(own, found.text(), tmp_path)
    right = prove(sixth()()).data
    for text, what in (*changed(right), *respelled(json.dumps(right)), *doubled(json.dumps(right))):
        assert not accepts(own, text, tmp_path), what


class Silent(BinaryBattle):
    slug, short = "silent-battle", "silent"

    def certificate(self) -> None:  # type: ignore[override]
        return None


def test_what_cannot_be_proved_is_refused_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("bitduel.solver.certificates.MOST_POSITIONS", 1000)
        with pytest.raises(CertificateError, match="a certificate, which can list at most 1,000"):
            prove(make("bits", {"bits": 31}))
    with pytest.raises(CertificateError, match="has hidden information and no proof of its own"):
        prove(Silent())
    with pytest.raises(CertificateError, match="8 bits are too many"):
        prove(make("battle", {"bits": 8}))
    with pytest.raises(CertificateError, match="7 bits are too many"):
        prove(make("battle", {"bits": 7, "table": "open"}))


def test_a_table_is_listed_wherever_it_fits_and_the_law_asked_beyond(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bitduel.solver.certificates.MOST_POSITIONS", 3000)
    near, far = (prove(make("double", {"target": target})) for target in (2000, 2001))
    assert "positions" in near.data
    assert "chain" in far.data
    assert accepts(script(near), near.text(), tmp_path)
    assert accepts(script(far), far.text(), tmp_path)


def test_the_law_and_the_table_prove_the_same(tmp_path: Path) -> None:
    for name, options in (("64", {"target": 100, "step": 3}), ("double", {}), ("31", {}), ("31", {"finish": "exact"})):
        game = make(name, options)
        by_table, by_law = table_certificate(game), game.certificate()
        assert by_law
        assert [by_law.data[key] for key in ("value", "plies")] == [by_table.data[key] for key in ("value", "plies")]
        assert accepts(script(by_law), by_law.text(), tmp_path)


def test_solve_points_to_a_proof_only_of_what_it_said() -> None:
    double, large = make("double"), make("double", {"target": 10**9})
    assert is_proved(Match(double, moves=["add"]), evaluator_for(double))
    assert is_proved(Match(large), evaluator_for(large))
    assert not is_proved(Match(large, moves=["add"]), evaluator_for(large))
    bits = BinaryRaceBits(bits=3)
    assert is_proved(Match(bits, moves=["flip 1"]), TableEvaluator(bits))
    nim = sixth()()
    assert is_proved(Match(nim), TableEvaluator(nim))
