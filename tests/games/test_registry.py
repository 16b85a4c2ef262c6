"""The registry: the built-in games, and those that installed packages add."""

import json
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from pydoc import locate
from unittest.mock import patch

import pytest

from bitduel.core.match import Match
from bitduel.games import registry
from bitduel.games.registry import BUILT_IN, RENAMED, RENAMED_IMPORTS, all_games, make
from bitduel.storage import open_store
from helpers import bitduel
from sixth_game.little_nim import LittleNim, LittleNimWords


@pytest.fixture
def shelf_again() -> Iterator[None]:
    """Look for packages anew, now and afterwards."""
    all_games.cache_clear()
    with patch.object(registry, "_has_entry_points", lambda: True):
        yield
    all_games.cache_clear()


def entry(value: str) -> EntryPoint:
    return EntryPoint(name="extra", value=value, group=registry.GROUP)


@pytest.mark.usefixtures("shelf_again")
def test_a_package_adds_its_game_once_however_often_it_is_named() -> None:
    with patch("importlib.metadata.entry_points", lambda group: [entry("sixth_game.little_nim:LittleNim")] * 2):
        assert all_games() == [*BUILT_IN, LittleNim]
        assert make("nim") == LittleNim()


@pytest.mark.usefixtures("shelf_again")
@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("no_such_module:Game", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("json:dumps", "is not a game"),
        ("bitduel.core.game:Game", "missing: moves, observe, picture, play, ranges, start, verdict, words"),
        ("bitduel.games.registry:BinaryBattle", "the name 'binary-battle' is taken"),
        ("antigravity_exit:Game", "SystemExit: 3"),
    ],
)
def test_a_package_that_cannot_be_taken_is_named_in_one_line(
    value: str, why: str, caplog: pytest.LogCaptureFixture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "antigravity_exit.py").write_text("raise SystemExit(3)")
    monkeypatch.syspath_prepend(str(tmp_path))
    with patch("importlib.metadata.entry_points", lambda group: [entry(value)]):
        assert all_games() == BUILT_IN
    (said,) = [record.getMessage() for record in caplog.records]
    assert said.startswith("bitduel: can't use the game 'extra': ")
    assert why in said
    assert "\n" not in said


def test_matches_of_a_game_that_is_gone_are_left_out_and_the_others_stay(tmp_path: Path) -> None:
    db = f"sqlite:///{tmp_path}/matches.db"
    with open_store(db) as store:
        gone = store.begin(Match(LittleNim(), moves=["1"]), ("human", "human"), ("Ada", "Alan"))
        there = store.begin(Match(make("double", target=2), moves=["add"]), ("human", "human"), ("Ada", "Alan"))
    said = f"bitduel: Left out: Match {gone} needs the game 'little-nim', which is not installed.\n"
    ran = bitduel("history", "--json", "--db", db)
    assert ([each["id"] for each in json.loads(ran.out)], ran.err, ran.status) == ([there], said, 0)
    assert "double-or-nothing" in bitduel("stats", "--db", db).out
    for command in ("show", "replay", "review", "export", "resume"):
        ran = bitduel(command, gone, "--db", db)
        assert (ran.out, ran.status) == ("", 1)
        assert ran.err == f"bitduel: Match {gone} needs the game 'little-nim', which is not installed.\n"


def test_a_match_that_cannot_be_played_again_does_not_hide_the_others(tmp_path: Path) -> None:
    db = f"sqlite:///{tmp_path}/matches.db"
    with open_store(db) as store:
        damaged = store.begin(
            Match(make("battle"), deal="01101", moves=["toggle 1"]), ("human", "human"), ("Ada", "Alan")
        )
        store._database._engine.dispose()
        with store._database._engine.begin() as connection:
            connection.exec_driver_sql("""UPDATE matches SET options = '{"bits": 5, "secret": "00000"}'""")
        there = store.begin(Match(make("double", target=2), moves=["add"]), ("human", "human"), ("Ada", "Alan"))
    ran = bitduel("history", "--json", "--db", db)
    assert [each["id"] for each in json.loads(ran.out)] == [there]
    assert ran.err == (
        f"bitduel: Left out: Match {damaged} cannot be replayed: That deal is not the one in the settings.\n"
    )


class OldNim(LittleNim):
    """A game that was written before names of the contract changed."""

    slug, short = "old-nim", "old"

    def see(self, position: object, to_move: bool, over: bool) -> object:
        return position

    def judge(self) -> None:
        return None


class OldWords(LittleNimWords):
    """Words that were written before names of the contract changed."""

    def act(self, view: object, move: str) -> str:
        return f"playing {move}"


class OldWordsNim(LittleNim):
    """A game with such words."""

    slug, short = "old-nim", "old"
    words = OldWords()


def old_import() -> None:
    from bitduel.core.options import Whole  # type: ignore[attr-defined]  # noqa: F401


def old_module() -> None:
    import bitduel.core.laws  # type: ignore[import-not-found]  # noqa: F401


@pytest.mark.usefixtures("shelf_again")
@pytest.mark.parametrize(
    ("load", "renamed"),
    [
        (lambda: OldNim, "see is now observe, judge is now evaluator"),
        (lambda: OldWordsNim, "act is now move_phrase"),
        (old_import, "Whole is now bitduel.core.options.IntegerOption"),
        (old_module, "bitduel.core.laws is now bitduel.core.words"),
    ],
)
def test_a_game_with_old_names_of_the_contract_is_told_the_new_ones(
    load: Callable[[], object], renamed: str, caplog: pytest.LogCaptureFixture
) -> None:
    with (
        patch("importlib.metadata.entry_points", lambda group: [entry("old:Nim")]),
        patch.object(EntryPoint, "load", lambda _entry: load()),
    ):
        assert all_games() == BUILT_IN
    assert f"it was written for an older version of bitduel: {renamed}." in caplog.text


@pytest.mark.parametrize("contract", RENAMED)
def test_the_new_names_of_the_contract_are_in_it_and_the_old_ones_are_not(contract: type) -> None:
    assert all(hasattr(contract, new) or new in contract.__annotations__ for new in RENAMED[contract].values())
    assert not [old for old in RENAMED[contract] if hasattr(contract, old)]


def test_the_new_names_of_imports_can_be_imported() -> None:
    assert all(locate(new) for new in RENAMED_IMPORTS.values() if new.startswith("bitduel"))
    assert not [old for old in RENAMED_IMPORTS if old.startswith("bitduel") and locate(old)]
