"""The list of stored matches, and the results of the players."""

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from bitduel.core.match import Match
from bitduel.games.registry import all_games, find
from bitduel.learning.lesson_progress import StepMark, open_lesson_progress
from bitduel.learning.levels import LEVELS, Lamp, lit_lamps, own_matches
from bitduel.learning.progress import open_puzzle_progress
from bitduel.learning.puzzle_deck import FIRST_DAY, daily_puzzle
from bitduel.players.spec import HUMAN, Spec
from bitduel.storage import open_store
from bitduel.terminal.commands.history import lamp_lines, narrow_listing
from helpers import bitduel
from terminal.stored_matches import RECORD, imported


def test_history_is_filtered(db: str) -> None:
    bitduel("play", "64", "--db", db, "--name1", "Ada", stdin="2\n1\n2\n2\n2\n2\n")
    bitduel("play", "31", "--db", db, "--name2", "Grace", stdin="16\n")

    def found(*filters: str) -> int:
        ran = bitduel("history", "--json", "--db", db, *filters)
        return len(json.loads(ran.out))

    assert found() == 2
    assert found("--game", "31") == found("--player", "ada") == found("--result", "2") == found("--result", "open") == 1
    assert found("--result", "1") == found("--until", "2020-01-01") == 0
    assert found("--since", "2020-01-01") == 2
    for wrong in (("--since", "yesterday"), ("--game", "chess"), ("--result", "won"), ("--limit", "0")):
        ran = bitduel("history", "--db", db, *wrong)
        assert (ran.status, ran.err.count("\n")) == (2, 1)


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "UTC", "Pacific/Auckland"])
def test_the_first_and_the_last_day_bound_a_history_and_a_huge_limit_gets_one_line(
    zone: str, db: str, here_is: Callable[[str], None]
) -> None:
    here_is(zone)
    imported(db, RECORD)
    for day in ("9999-12-31", "9999-12-30", "0001-01-02", "0001-01-01"):
        for bound in ("--until", "--since"):
            ran = bitduel("history", bound, day, "--db", db)
            assert (ran.status, ran.err) == (0, "")
            fits = (bound == "--until") == (day > "2020")
            assert ("double-or-nothing" in ran.out) == fits, (bound, day)
    for limit in ("99999999999999999999", str(2**63), "-1", "1e3"):
        ran = bitduel("history", "--limit", limit, "--db", db)
        assert (ran.status, ran.err.count("\n")) == (2, 1)


@pytest.mark.parametrize("asked", ["ÅSE", "a\u030ase", "  Åse ", "åSE"])
def test_history_and_stats_know_a_name_by_the_same_spellings(asked: str, db: str) -> None:
    bitduel("play", "double", "--name1", "Åse", "--set", "target=2", "--db", db, stdin="add\n")
    assert "Åse" in bitduel("history", "--player", asked, "--db", db).out
    assert "Åse" in bitduel("stats", "--player", asked, "--db", db).out


def test_stats_show_the_lamps_of_the_levels_that_are_beaten(db: str) -> None:
    with open_store(db) as store:
        for level in ("easy", "perfect"):
            match = Match(find("31")())
            match_id = store.begin(match, (Spec(HUMAN), Spec(level)), ("Ada", "Computer"))
            for move in ("16", "1", "16"):
                match.play(move)
                store.add(match_id, match.ply - 1, move, match.outcome)
        finished = list(store.matches())
    lit = lit_lamps(own_matches(finished))
    assert len(lit) == 2
    for width, has_signs in product((80, 40), (True, False)):
        on, off = ("●", "○") if has_signs else ("*", "-")
        first, heads, *rows = lamp_lines(finished, width, has_signs)
        assert first == "Levels beaten: 2 of 20"
        assert heads.split() == ["easy", "medium", "hard", "perfect"]
        for kind, row in zip(all_games(), rows, strict=False):
            assert row.startswith(kind.title if width == 80 else kind.short)
            assert row.split()[-4:] == [f"{on}1" if Lamp(kind.slug, level) in lit else off for level in LEVELS]
        assert rows[5].startswith(f"({on} you beat that level")
        assert f"{on}1 only going first" in " ".join("".join(rows[5:]).split()) or width == 40
        assert all(len(line) <= width for line in (first, heads, *rows))
        assert has_signs or "".join(rows).isascii()
    ran = bitduel("stats", "--db", db)
    assert "Levels beaten: 2 of 20\n" in ran.out
    assert "\x1b" not in ran.out
    assert bitduel("stats", "--player", "Bob", "--db", db).out == "No finished matches by Bob yet.\n"


def test_a_level_that_is_beaten_in_the_terminal_lights_its_lamp(db: str) -> None:
    bitduel("play", "31", "--vs", "easy", "--first", "1", "--db", db, stdin="16\n16\n")
    with open_store(db) as store:
        (stored,) = store.matches()
    assert (stored.given, stored.is_from_position) == (0, False)
    assert "Levels beaten: 1 of 20\n" in bitduel("stats", "--db", db).out


def test_stats_show_lessons_and_puzzles_even_before_the_first_match(
    db: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert bitduel("stats", "--db", db).out == "No finished matches to count yet.\n"
    open_puzzle_progress().note_solved(daily_puzzle(FIRST_DAY), FIRST_DAY)
    open_lesson_progress().note_step("binary-race-31", 1, StepMark.DONE)
    game = daily_puzzle(FIRST_DAY).puzzle.game
    *_, last, one, two = bitduel("stats", "--db", db).out.splitlines()
    assert last == "Lessons and puzzles"
    assert {one, two} >= {"Binary Race to 31: lesson (1 of 9 steps done)"}
    assert f"{game.title}: puzzles (1 solved, up to grade {daily_puzzle(FIRST_DAY).puzzle.grade})" in {one, two}


def test_history_tells_who_gave_up_and_a_dark_match_gives_no_clue(tmp_path: Path) -> None:
    db = f"sqlite:///{tmp_path}/matches.db"
    bitduel("play", "double", "--db", db, stdin="add\nresign\n")
    assert bitduel("history", "--db", db).out.rstrip().endswith("Player 2 resigned")
    bitduel("play", "battle", "--db", db, "--set", "secret=01101", stdin="1\n")
    shown = bitduel("show", "--db", db).out
    assert "unfinished" in shown
    assert "The secret" not in shown


def test_in_history_only_a_match_that_does_not_fit_takes_more_lines() -> None:
    rows = [("k7m", "2026-11-16 07:00", "bits", "Ada - Alan", "Ada won"), ("k7n", "now", "31", "X" * 70, "draw")]
    assert narrow_listing(rows, 80) == [
        "k7m  2026-11-16 07:00  bits  Ada - Alan  Ada won",
        "k7n  now  31",
        f"    {'X' * 70}",
        "    draw",
    ]
