"""Nothing lost: what is played is stored, and goes on where it was left."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
from functools import partial
from pathlib import Path
from unittest.mock import patch

import pytest

from bitduel.core.match import Match
from bitduel.core.words import PLAYERS
from bitduel.games.registry import make
from bitduel.players.spec import Spec
from bitduel.storage import PlyTakenError, open_store
from bitduel.terminal.autosave import Autosave
from helpers import bitduel, hear_signals
from terminal.stored_matches import newest


def test_a_match_is_kept_from_its_first_move_and_goes_on_where_it_was_left(db: str) -> None:
    assert bitduel("play", "64", "--db", db, stdin="").status == 1
    assert bitduel("history", "--db", db).out == "No matches saved yet.\n"
    left = bitduel("play", "64", "--db", db, stdin="2\n1\n2\nquit\n")
    assert left.out.endswith("You left the game.\n")
    ran = bitduel("resume", "--db", db, stdin="2\n2\n2\n")
    assert ran.out.startswith("Player 2, choose an operation:")
    assert ran.out.endswith("Player 2 wins by reaching exactly 64.\n")
    assert bitduel("resume", "--db", db).err == "bitduel: There is no unfinished match to continue.\n"


def test_what_others_play_in_the_dark_is_not_shown_and_not_offered(db: str) -> None:
    people = Spec("human"), Spec("human")
    with open_store(db) as store:
        match = Match(make("battle"), deal="01101", moves=["toggle 1"])
        for game in (match, Match(make("64"), moves=["add"])):
            match_id = store.begin(game, people, PLAYERS)
            store.seats.claim(match_id, 1, "somebody")
        dark = next(kept.id for kept in store.matches() if kept.game == "binary-battle")
    assert bitduel("resume", "--db", db).err == "bitduel: There is no unfinished match to continue.\n"
    refused = bitduel("resume", dark, "--db", db, stdin="1\n")
    assert refused.err.startswith(f"bitduel: Match {dark} is being played elsewhere.")
    assert (refused.out, refused.status) == ("", 1)
    assert "New total is 6." in bitduel("resume", match_id, "--db", db, stdin="2\nquit\n").out


def test_playing_without_a_trace_leaves_none(db: str) -> None:
    bitduel("play", "64", "--no-save", "--db", db, stdin="2\n1\n2\n2\n2\n2\n")
    assert bitduel("history", "--db", db).out == "No matches saved yet.\n"


def test_a_sitting_goes_on_with_its_score_and_its_next_starter(db: str) -> None:
    play = ("play", "double", "--rounds", "3", "--set", "target=4", "--name1", "Ada", "--db", db)
    assert bitduel(*play, stdin="double\ndouble\ndouble\n").status == 1
    ran = bitduel("resume", "--db", db, stdin="double\n")
    assert ran.out.startswith("Round 2 of 3. Player 2 starts.")
    assert "Score after round 2 of 3: Ada 1, Player 2 1." in ran.out
    assert ran.status == 1
    ran = bitduel("resume", "--db", db, stdin="double\ndouble\n")
    assert ran.out.startswith("Round 3 of 3. Ada starts.")
    assert ran.out.endswith("Player 2 is the champion, 2 to 1!\n")
    assert bitduel("resume", "--db", db).status == 1


def test_undo_takes_back_nothing_that_was_played_elsewhere_since(db: str) -> None:
    people = Spec("human"), Spec("human")
    match = Match(make("64"))
    with Autosave(db, people, PLAYERS) as here, Autosave(db, people, PLAYERS) as there:
        for move in ("add", "double"):
            match.play(move)
            here.moved(match)
        assert here.match_id
        there.resume(here.match_id, 2, 0)
        elsewhere = match.at(2)
        for move in ("add", "double", "add"):
            elsewhere.play(move)
            there.moved(elsewhere)
        match.undo(2)
        with pytest.raises(PlyTakenError):
            here.taken_back(match)
        with open_store(db) as store:
            assert store.get(here.match_id).moves == tuple(elsewhere.moves)


def test_undo_at_one_place_after_undo_at_another_with_as_many_moves_takes_back_nothing(db: str) -> None:
    people = Spec("human"), Spec("human")
    match = Match(make("64"), moves=["add"])
    with Autosave(db, people, PLAYERS) as here, Autosave(db, people, PLAYERS) as there:
        here.moved(match)
        assert here.match_id
        there.resume(here.match_id, 1, 0)
        there.taken_back(Match(make("64")))
        there.moved(Match(make("64"), moves=["double"]))
        with pytest.raises(PlyTakenError):
            here.taken_back(Match(make("64")))
        with pytest.raises(PlyTakenError):
            here.moved(match.after("add"))
        with open_store(db) as store:
            assert store.get(here.match_id).moves == ("double",)


def test_undo_and_resignation_are_kept(db: str) -> None:
    bitduel("play", "bits", "--db", db, stdin="1\n2\nundo\n2\n3\nresign\n")
    data = json.loads(bitduel("show", newest(db), "--json", "--db", db).out)
    assert data["moves"] == ["flip 2", "flip 3"]
    assert data["over"] == {"winner": 2, "reason": "resignation"}


def test_a_first_turn_resignation_is_a_match_too(db: str) -> None:
    bitduel("play", "64", "--db", db, stdin="resign\n")
    assert "Player 1 resigned" in bitduel("history", "--db", db).out


def test_a_player_is_kept_in_its_canonical_form(db: str) -> None:
    bitduel("play", "double", "--p1", "HUMAN", "--p2", " Level:03", "--db", db, stdin="add\nquit\n")
    assert json.loads(bitduel("history", "--json", "--db", db).out)[0]["players"] == ["human", "level:3"]


def test_a_stored_player_that_could_run_a_command_is_not_started(db: str) -> None:
    with open_store(db) as store:
        store.begin(Match(make("double"), moves=["add"]), ("human", "bot:touch here"), ("Ada", "Bot"))
    ran = bitduel("resume", "--db", db, stdin="add\n")
    assert (ran.out, ran.status) == ("", 1)
    assert ran.err == (
        "bitduel: This match was played by 'bot:touch here', which can't be started again from a saved match.\n"
    )
    assert "Bot (bot:touch here)" in bitduel("history", "--db", db).out


@pytest.mark.parametrize("url", ["nonsense", "mysql://x"])
def test_what_is_no_address_of_a_store_is_one_line_before_anything_is_played(url: str) -> None:
    ran = bitduel("play", "64", "--db", url, stdin="2\n")
    assert (ran.out, ran.status, ran.err.count("\n")) == ("", 1, 1)


@pytest.mark.parametrize("url", ["sqlite:////proc/nowhere/x.db", "postgresql://nobody:secret@127.0.0.1:1/x"])
def test_a_store_that_cannot_be_written_is_one_line_and_the_game_goes_on(url: str) -> None:
    with patch("bitduel.storage.open_store", partial(open_store, patience=0.1)):
        ran = bitduel("play", "double", "--set", "target=3", "--db", url, stdin="add\nadd\n")
    assert ran.status == 0
    assert ran.out == bitduel("play", "double", "--set", "target=3", "--no-save", stdin="add\nadd\n").out
    assert ran.err.startswith("bitduel: This match can't be saved. ")
    assert "--no-save" in ran.err
    assert ran.err.count("\n") == 1
    assert "secret" not in ran.err


def test_a_database_that_is_renamed_during_a_match_is_one_line_and_the_game_goes_on(tmp_path: Path) -> None:
    path, away = tmp_path / "matches.db", tmp_path / "away.db"
    command = [sys.executable, "-m", "bitduel", "play", "64", "--db", f"sqlite:///{path}"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as game:
        assert game.stdin
        assert game.stdout
        game.stdin.write("1\n")
        game.stdin.flush()
        while not (line := game.stdout.readline()).startswith("New total is"):
            assert line
        path.rename(away)
        out, err = game.communicate("1\nquit\n", timeout=60)
    assert "New total is" in out
    assert game.returncode == 0
    assert err.startswith("bitduel: This match can't be saved")
    assert "renamed, removed or replaced" in err
    assert err.count("\n") == 1
    assert not path.exists()
    with open_store(f"sqlite:///{away}") as store:
        assert [kept.moves for kept in store.matches()] == [("add",)]


KILLS = int(os.environ.get("BITDUEL_KILLS", "6"))


@pytest.mark.thorough
@pytest.mark.parametrize(("blow", "times"), [(signal.SIGKILL, KILLS), (signal.SIGHUP, 2), (signal.SIGTERM, 2)])
def test_a_sudden_end_loses_no_move_that_was_shown_and_doubles_none(tmp_path: Path, blow: int, times: int) -> None:
    rng = random.Random(9)
    for number in range(times):
        path = tmp_path / f"{number}.db"
        command = [
            sys.executable,
            "-m",
            "bitduel",
            "play",
            "64",
            "--set",
            "target=1000000",
            "--db",
            f"sqlite:///{path}",
        ]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, preexec_fn=hear_signals
        )
        assert process.stdin
        assert process.stdout
        process.stdin.write("1\n" * 500)
        process.stdin.flush()
        wanted, shown = rng.randrange(1, 60), 0
        for line in process.stdout:
            shown += line.startswith("New total is")
            if shown == wanted:
                break
        process.send_signal(blow)
        shown += sum(line.startswith("New total is") for line in process.stdout)
        process.wait()
        process.stdin.close()
        process.stdout.close()
        with open_store(f"sqlite:///{path}") as store:
            [kept] = store.matches()
        assert shown <= len(kept.moves) <= shown + 1
        assert set(kept.moves) == {"add"}
        with sqlite3.connect(path) as raw:
            assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        raw.close()
        ran = bitduel("resume", "--db", f"sqlite:///{path}", stdin="1\n")
        assert f"New total is {1 + 2 * (len(kept.moves) + 1)}." in ran.out
