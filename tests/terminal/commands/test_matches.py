"""One stored match shown, replayed and reviewed."""

import json
import re
from pathlib import Path

import pytest

from helpers import bitduel
from terminal.stored_matches import newest


def test_a_match_is_shown_replayed_reviewed_exported_and_imported(db: str) -> None:
    bitduel("play", "double", "--db", db, "--name1", "Ada", stdin="double\nadd\ndouble\ndouble\nadd\ndouble\n")
    match = newest(db)
    assert "3. add, double" in bitduel("show", match[:4], "--db", db).out
    replayed = bitduel("replay", match, "--db", db).out
    assert "6. Player 2: double" in replayed
    assert replayed.endswith("Player 2 loses. Ada wins the game!\n")
    reviewed = bitduel("review", match, "--db", db).out
    assert "Player 2 could still have won here with add" in reviewed
    assert "1 turning point." in reviewed
    steps = json.loads(bitduel("review", match, "--json", "--db", db).out)["steps"]
    assert [step["turning"] for step in steps] == [False] * 5 + [True]
    text = bitduel("export", match, "--db", db).out
    ran = bitduel("import", "-", "--db", db, stdin=text)
    assert (ran.status, ran.out) == (0, f"This match is already saved as {match}. Nothing was added.\n")
    other = f"{db}2"
    ran = bitduel("import", "-", "--db", other, stdin=text)
    again = ran.out.removeprefix("Saved as match ").removesuffix(".\n")
    assert [kept["id"] for kept in json.loads(bitduel("history", "--json", "--db", other).out)] == [again]
    assert bitduel("export", again, "--db", other).out == text
    for where in (db, other):
        assert "2 of 3" in bitduel("stats", "--db", where).out
        assert json.loads(bitduel("stats", "--player", "ada", "--json", "--db", where).out)[0]["won"] == 1


def test_settings_are_named_in_words_wherever_a_match_is_described(db: str) -> None:
    size = ("--set", "target=221", "--set", "step=2")
    bitduel("play", "double", *size, "--db", db, stdin="add\nresign\n")
    match = newest(db)
    for command in ("show", "review", "replay"):
        assert bitduel(command, match, "--db", db).out.startswith(f"{match}  Double or Nothing to 221, adding 2\n")
    assert bitduel("solve", "double", *size).out.startswith("Double or Nothing to 221, adding 2\n")


def test_without_an_id_review_and_replay_take_the_newest_match_that_they_can(db: str) -> None:
    bitduel("play", "battle", "--set", "secret=11111", "--db", db, stdin="1\n")
    for command, none in (
        ("review", "There is no finished match to review yet."),
        ("replay", "There is no match that can be replayed yet."),
    ):
        ran = bitduel(command, "--db", db)
        assert ran.status == 1
        assert ran.err.endswith(f"{none}\n")
    bitduel("play", "64", "--db", db, stdin="1\n")
    assert bitduel("review", "--db", db).status == 1
    assert "1. Player 1: add" in bitduel("replay", "--db", db).out
    bitduel("play", "double", "--db", db, stdin="add\nresign\n")
    over = newest(db)
    for _ in range(25):
        bitduel("play", "battle", "--set", "secret=11111", "--db", db, stdin="1\n")
    assert bitduel("review", "--db", db).out.startswith(over)
    assert json.loads(bitduel("review", "--json", "--db", db).out)["id"] == over
    assert bitduel("replay", "--db", db).out.startswith(over)
    assert bitduel("review", newest(db), "--db", db).status == 1, "one that is named and goes on is refused"


@pytest.mark.parametrize("kind", ["64", "bits", "double", "battle", "31"])
def test_every_game_is_reviewed_when_it_is_over(kind: str, db: str) -> None:
    bitduel("play", kind, "--p1", "random", "--p2", "easy", "--seed", "4", "--db", db)
    ran = bitduel("review", newest(db), "--db", db)
    assert ran.status == 0
    assert "start" in ran.out


def test_the_dark_stays_dark_before_the_end(db: str) -> None:
    shown = []
    for secret, moves in (("01101", "4\n1\n5\n"), ("11111", "1\n2\n3\n")):
        bitduel("play", "battle", "--db", db, "--set", f"secret={secret}", stdin=moves)
        match = newest(db)
        outputs = [
            bitduel(*command, "--db", db)
            for command in (
                ("show", match),
                ("show", match, "--json"),
                ("export", match),
                ("replay", match),
                ("review", match),
                ("history", "--limit", "1"),
                ("history", "--limit", "1", "--json"),
                ("stats",),
            )
        ]
        text = "\n".join(ran.out + ran.err for ran in outputs)
        assert secret not in text
        assert "toggle" not in text
        shown.append(re.sub(rf"{match}|\d\d:\d\d(:[\d.]+)?", "", text))
    assert shown[0] == shown[1]


@pytest.mark.parametrize("command", ["show", "export", "replay", "review", "resume"])
@pytest.mark.parametrize("match", ["zzz", "", "../x", "a;b", "%"])
def test_an_unknown_id_gets_one_line(command: str, match: str, db: str) -> None:
    ran = bitduel(command, match, "--db", db)
    assert ran.status == 1
    assert ran.err.count("\n") == 1


def test_a_finished_match_in_the_dark_shows_each_number_beside_its_name(db: str) -> None:
    sample = Path(__file__).parents[1] / "transcripts" / "binary-battle" / "rulebook-sample.in"
    bitduel("play", "battle", "--set", "secret=01101", "--db", db, stdin=sample.read_text())
    won = json.loads(bitduel("history", "--json", "--db", db).out)[0]["over"]["winner"]
    for command in ("show", "replay"):
        assert f"Player {won} has 13." in bitduel(command, newest(db), "--db", db).out


def test_the_newest_match_is_meant_where_none_is_named(db: str) -> None:
    for command in ("show", "replay", "review", "export"):
        ran = bitduel(command, "--db", db)
        assert (ran.out, ran.err, ran.status) == ("", "bitduel: No matches saved yet.\n", 1)
    bitduel("play", "double", "--set", "target=3", "--db", db, stdin="add\nadd\n")
    for command in ("show", "replay", "review", "export"):
        assert bitduel(command, "--db", db) == bitduel(command, newest(db), "--db", db)


def test_a_review_counts_mistakes_and_names_the_last_chance(db: str) -> None:
    bitduel("play", "double", "--db", db, stdin="double\nadd\ndouble\ndouble\nadd\ndouble\n")
    reviewed = bitduel("review", "--db", db).out
    assert "Player 2 could still have won here with add. It was the last" in reviewed
    assert "Mistakes: 0 by Player 1, 1 by Player 2." in reviewed
