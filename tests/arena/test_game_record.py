"""Rows are read one by one; what is torn or broken is said in a sentence, and nothing else is believed."""

import json
from pathlib import Path

import pytest

from arena.synthetic_rows import PLAIN, line, written
from bitduel.arena.game_record import RowError, games_file, parse_row, read_rows
from bitduel.arena.report import build


def test_a_row_is_read_whatever_else_is_in_it() -> None:
    found = parse_row(line(more="than we know").encode())
    assert found.seats == ["ada", "ben"]
    assert found.title == ("double-or-nothing", (("start", 1), ("target", 20), ("step", 1)))


def test_what_was_torn_off_at_the_end_is_ignored(tmp_path: Path) -> None:
    folder = written(tmp_path, [line(id="1"), line(id="2")[:-40]])
    assert [each.id for each in read_rows(games_file(folder))] == ["1"]


def test_a_whole_row_at_the_end_needs_no_new_line(tmp_path: Path) -> None:
    folder = written(tmp_path, [line(id="1"), line(id="2").rstrip()])
    assert [each.id for each in read_rows(games_file(folder))] == ["1", "2"]


@pytest.mark.parametrize("broken", ["{\n", "[]\n", "3\n", "\n", '{"id": "x"}\n', "\udcff\n", "[" * 100_000 + "\n"])
def test_a_broken_line_is_told_with_its_number(tmp_path: Path, broken: str) -> None:
    (tmp_path / "games.jsonl").write_bytes((line() + broken + line()).encode("utf-8", "surrogateescape"))
    with pytest.raises(RowError, match=r"^Line 2 of games.jsonl .*\.$"):
        list(read_rows(games_file(tmp_path)))


ODD = {
    "seats": ["ada"],
    "winner": 3,
    "regret": [float("nan"), 0],
    "decisions": [0, -1],
    "blunders": [3, 0],
    "held": [[2, 1], [0, 0]],
    "losses": [0.0],
    "moves": [1, 2, 3],
    "luck": "much",
    "tokens": [None],
    "faults": [{"late": "x"}, {}],
    "options": {"a": []},
    "seconds": [float("inf"), 0],
    "round": None,
    "reason": 5,
    "game": [],
    "isolated": ["yes", None],
}


@pytest.mark.parametrize("name", ODD)
def test_a_value_that_no_row_can_have_is_named(name: str) -> None:
    with pytest.raises(RowError, match="has an impossible value: ") as told:
        parse_row(line(**{name: ODD[name]}).encode())
    assert len(str(told.value)) < 120


@pytest.mark.parametrize("name", sorted(set(PLAIN) - {"first", "seed", "isolated"}))
def test_a_missing_key_is_named(name: str) -> None:
    with pytest.raises(RowError, match=f"has no '{name}'"):
        parse_row(json.dumps({key: value for key, value in PLAIN.items() if key != name}).encode())


def test_more_cannot_be_given_away_than_there_were_decisions() -> None:
    with pytest.raises(RowError, match="regret is"):
        parse_row(line(regret=[2.5, 0]).encode())


def test_of_older_rows_nobody_knows_whether_their_bots_were_isolated() -> None:
    old = {key: value for key, value in PLAIN.items() if key != "isolated"}
    assert parse_row(json.dumps({**old, "seats": ["bot:python a.py", "ben"]}).encode()).isolated == [False, None]


def test_a_folder_without_games_says_so(tmp_path: Path) -> None:
    with pytest.raises(RowError, match=r"There is no games.jsonl in"):
        build(tmp_path)
    with pytest.raises(RowError, match="nothing to report"):
        build(written(tmp_path, []))
