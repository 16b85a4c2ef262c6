"""`bitduel arena run` as one types it."""

import json
import os
import pty
import re
import subprocess
import sys
import termios
from contextlib import suppress
from pathlib import Path

import pytest

from bitduel.arena.game_record import GAMES
from bitduel.arena.runner import RunningScore, run
from bitduel.terminal.commands.arena import standings_table
from bitduel.terminal.text import display_width
from helpers import bitduel

LAST = ("regret", "95%", "CI", "faults")
LEAVE = "Use one or the other."


def test_a_run_says_what_it_takes_how_far_it_is_and_who_stands_how(tmp_path: Path) -> None:
    ran = bitduel("arena", "run", "perfect", "random", "--games", "64,31", "--rounds", "10", "--out", str(tmp_path))
    assert (ran.status, ran.err) == (0, "")
    said = ran.out.splitlines()
    assert said[0] == "40 games: 2 players, 2 games, 10 rounds; each pair of players meets 40 times."
    assert (
        "To detect a difference of 5 percentage points, two players need about 3,138 games against each other"
        in said[1]
    )
    assert "40 of 40 games" in said
    assert said[-2] == f"40 games played. The results are in {tmp_path}."
    assert said[-4].split()[0] == "perfect"
    assert (tmp_path / GAMES).read_bytes().count(b"\n") == 40
    again = bitduel("arena", "run", "perfect", "random", "--games", "64,31", "--rounds", "10", "--out", str(tmp_path))
    assert again.out.splitlines()[-2] == f"40 games played (40 of them earlier). The results are in {tmp_path}."


def test_programs_get_one_object(tmp_path: Path) -> None:
    asked = ("perfect", "level:2", "--games", "double", "--set", "target=9", "--rounds", "2", "--seed", "4")
    ran = bitduel("arena", "run", *asked, "--out", str(tmp_path), "--json")
    data = json.loads(ran.out)
    assert data["players"] == ["perfect", "level:2"]
    assert data["games"][0]["options"]["target"] == 9
    assert (data["rounds"], data["seed"], data["total"], data["played"]) == (2, 4, 4, 4)
    assert {standing["player"]: standing["games"] for standing in data["standings"]} == {"perfect": 4, "level:2": 4}


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (("perfect",), "at least two players"),
        (("perfect", "perfect"), "listed twice"),
        (("perfect", "human"), "person can't play"),
        (("perfect", "random", "--games", "chess"), "no game 'chess'"),
        (("perfect", "random", "--set", "size=3"), "None of these games"),
        (("perfect", "random", "--rounds", "0"), "rounds must be"),
        (("perfect", "random", "--jobs", "0"), "jobs must be"),
        (("perfect", "random", "--seconds", "0"), "more than 0 seconds"),
        (("perfect", "random", "--games", "battle", "--set", "bits=9"), "solved for up to 6 bits"),
    ],
)
def test_what_cannot_be_run_gets_one_line_and_nothing_else(
    asked: tuple[str, ...], sentence: str, tmp_path: Path
) -> None:
    ran = bitduel("arena", "run", *asked, "--out", str(tmp_path))
    assert ran.status in (1, 2)
    assert ran.out == ""
    assert sentence in ran.err
    assert ran.err.count("\n") == 1


def test_the_arena_says_what_it_can_do() -> None:
    assert "run " in bitduel("arena").out
    assert "Choose from: " in bitduel("arena", "dance").err


def test_on_a_terminal_there_is_a_bar_and_the_standings(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "bitduel", "arena", "run", "perfect", "random", "--games", "64", "--rounds", "50"]
    process = subprocess.Popen([*command, "--out", str(tmp_path)], stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    seen = b""
    try:
        while part := os.read(ours, 1 << 16):
            seen += part
    except OSError:
        pass
    os.close(ours)
    assert process.wait(60) == 0
    assert "━".encode() in seen
    assert b"perfect" in seen
    assert b"100 games played" in seen


def test_a_preset_settles_the_run_and_brings_its_players(tmp_path: Path) -> None:
    ran = bitduel("arena", "run", "easy", "random", "--preset", "gg-bench", "--out", str(tmp_path), "--json")
    found = json.loads(ran.out)
    assert (ran.status, found["total"], found["rounds"], found["seed"]) == (0, 150, 15, 0)
    made = bitduel("arena", "run", "level:1", "easy", "--preset", "reference", "--games", "64", "--out", str(tmp_path))
    assert (made.out, made.status) == ("", 2)
    assert made.err == "bitduel: The preset reference already sets --games. Use one or the other.\n"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--preset", "x"], "There is no preset 'x'. Choose from: gg-bench, reference."),
        (["--preset", "gg-bench"], "The arena needs at least two players."),
        (
            ["--preset", "reference", "--set", "target=9"],
            f"The preset reference already sets --set. {LEAVE}",
        ),
        (
            ["--preset", "gg-bench", "--llm-set", "legal=no"],
            f"The preset gg-bench already sets legal. {LEAVE}",
        ),
    ],
)
def test_what_a_preset_settles_cannot_be_chosen(given: list[str], said: str, tmp_path: Path) -> None:
    ran = bitduel("arena", "run", *given, "--out", str(tmp_path / "x"))
    assert (ran.out, ran.err, ran.status) == ("", f"bitduel: {said}\n", 2)
    assert not (tmp_path / "x").exists()


def test_standings_are_as_narrow_as_the_screen() -> None:
    few = [RunningScore("perfect", 44, 29, 7), RunningScore("medium", 7, 29, 44)]
    assert standings_table(few, 88)[:2] == [
        "player    score      wins     draws    losses",
        "perfect   73.1%        44        29         7",
    ]
    assert standings_table(few, 40) == [
        "player   score  wins  draws  losses",
        "perfect  73.1%    44     29       7",
        "medium   26.9%     7     29      44",
    ]
    many = [RunningScore("bot:python my_bot.py", 1_000_000, 2, 2_000_000)]
    assert standings_table(many, 40) == [
        "bot:python my_bot.py",
        "  33.3%: 1,000,000 wins, 2 draws,",
        "  2,000,000 losses",
    ]
    assert all(
        display_width(line) <= width
        for table in (few, many)
        for width in (40, 45, 50, 60)
        for line in standings_table(table, width)
    )


def test_a_report_tells_of_one_player_after_the_other_where_there_is_little_room(tmp_path: Path) -> None:
    from bitduel.arena.report import build
    from bitduel.terminal.commands.arena_report import report_lines

    run(["perfect", "level:1"], "double,bits", rounds=5, out=tmp_path)
    report = build(tmp_path)
    narrow = report_lines(report, 40)
    assert all(display_width(line) <= 40 for line in narrow)
    at = narrow.index("perfect")
    assert narrow[at + 1].startswith("  matches 20, faults 0, strength ")
    assert narrow[at + 3].startswith("  regret 0.0000 (95% CI 0.00-")
    assert "level:1" in narrow
    assert report_lines(report, 80) == report_lines(report, 200)
    assert any(
        line.split() == ["player", "matches", "score", "95%", "CI", "strength", *LAST]
        for line in report_lines(report, 80)
    )


@pytest.mark.parametrize("command", ["run", "report"])
def test_on_a_narrow_terminal_no_line_of_it_is_wider(command: str, tmp_path: Path) -> None:
    asked = ["run", "perfect", "random", "--games", "64", "--rounds", "5", "--out", "r"]
    ran = [sys.executable, "-m", "bitduel", "arena"]
    subprocess.run([*ran, *asked], cwd=tmp_path, capture_output=True, check=True)
    asked = asked if command == "run" else ["report", "r"]
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 40))
    with subprocess.Popen(
        [*ran, *asked], stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL, cwd=tmp_path
    ) as process:
        os.close(theirs)
        seen = b""
        with suppress(OSError):
            while part := os.read(ours, 1 << 16):
                seen += part
    os.close(ours)
    assert process.returncode == 0
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen.decode()).splitlines()
    assert any("perfect" in line for line in shown)
    assert [line for line in shown if display_width(line) > 40] == []
