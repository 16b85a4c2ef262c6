"""Nothing lost: what was played is kept, and goes on where it was left."""

import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from unittest.mock import patch

import pytest

from bitduel.core.match import Match
from bitduel.core.words import PLAYERS
from bitduel.games import make
from bitduel.players.spec import Spec
from bitduel.solver.remarks import VIEWPOINT
from bitduel.solver.review import review
from bitduel.storage import PlyTakenError, open_store
from bitduel.terminal.autosave import Autosave
from bitduel.terminal.commands.history import below_each_other
from bitduel.terminal.paint_review import paint_review
from bitduel.terminal.text import wide
from helpers import bitduel, hear_signals


@pytest.fixture
def db(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/matches.db"


def newest(db: str) -> str:
    found = json.loads(bitduel("history", "--json", "--db", db).out)
    return str(found[0]["id"])


def test_a_match_is_kept_from_its_first_move_and_goes_on_where_it_was_left(db: str) -> None:
    assert bitduel("play", "64", "--db", db, stdin="").status == 1
    assert bitduel("history", "--db", db).out == "No match has been kept yet.\n"
    left = bitduel("play", "64", "--db", db, stdin="2\n1\n2\nquit\n")
    assert left.out.endswith("You have left the game.\n")
    ran = bitduel("resume", "--db", db, stdin="2\n2\n2\n")
    assert ran.out.startswith("Player 2, choose an operation:")
    assert ran.out.endswith("Player 2 wins by reaching exactly 64.\n")
    assert bitduel("resume", "--db", db).err == "bitduel: There is no match to go on with.\n"


def test_what_others_play_in_the_dark_is_not_shown_and_not_offered(db: str) -> None:
    people = Spec("human"), Spec("human")
    with open_store(db) as store:
        match = Match(make("battle"), deal="01101", moves=["toggle 1"])
        for game in (match, Match(make("64"), moves=["add"])):
            match_id = store.begin(game, people, PLAYERS)
            store.seats.claim(match_id, 1, "somebody")
        dark = next(kept.id for kept in store.matches() if kept.game == "binary-battle")
    assert bitduel("resume", "--db", db).err == "bitduel: There is no match to go on with.\n"
    refused = bitduel("resume", dark, "--db", db, stdin="1\n")
    assert refused.err.startswith(f"bitduel: The seats of match {dark} are taken elsewhere;")
    assert (refused.out, refused.status) == ("", 1)
    assert "New total is 6." in bitduel("resume", match_id, "--db", db, stdin="2\nquit\n").out


def test_playing_without_a_trace_leaves_none(db: str) -> None:
    bitduel("play", "64", "--no-save", "--db", db, stdin="2\n1\n2\n2\n2\n2\n")
    assert bitduel("history", "--db", db).out == "No match has been kept yet.\n"


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
        there.goes_on(here.match_id, 2, 0)
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
        there.goes_on(here.match_id, 1, 0)
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


def test_a_match_is_shown_replayed_reviewed_exported_and_imported(db: str) -> None:
    bitduel("play", "double", "--db", db, "--name1", "Ada", stdin="double\nadd\ndouble\ndouble\nadd\ndouble\n")
    match = newest(db)
    assert "3. add, double" in bitduel("show", match[:4], "--db", db).out
    replayed = bitduel("replay", match, "--db", db).out
    assert "6. Player 2: double" in replayed
    assert replayed.endswith("Player 2 loses. Ada wins the game!\n")
    reviewed = bitduel("review", match, "--db", db).out
    assert "Player 2 could still have won here, by add" in reviewed
    assert "1 turning point." in reviewed
    steps = json.loads(bitduel("review", match, "--json", "--db", db).out)["steps"]
    assert [step["turning"] for step in steps] == [False] * 5 + [True]
    text = bitduel("export", match, "--db", db).out
    ran = bitduel("import", "-", "--db", db, stdin=text)
    assert (ran.status, ran.out) == (0, f"This match is kept already, as {match}. Nothing was added.\n")
    other = f"{db}2"
    ran = bitduel("import", "-", "--db", other, stdin=text)
    again = ran.out.removeprefix("Kept as ").removesuffix(".\n")
    assert [kept["id"] for kept in json.loads(bitduel("history", "--json", "--db", other).out)] == [again]
    assert bitduel("export", again, "--db", other).out == text
    for where in (db, other):
        assert "2 of 3" in bitduel("stats", "--db", where).out
        assert json.loads(bitduel("stats", "--player", "ada", "--json", "--db", where).out)[0]["won"] == 1


RECORD = """[Game "double-or-nothing"]
[Player1 "Ada"]
[Player2 "Ben"]
[Date "2020-02-29"]
[Result "1-0"]
[Reason "resignation"]
1. double, add 1-0
"""


@pytest.fixture
def here_is() -> Iterator[Callable[[str], None]]:
    """Move the machine to a time zone."""
    with pytest.MonkeyPatch.context() as patched:

        def move(zone: str) -> None:
            patched.setenv("TZ", zone)
            time.tzset()

        yield move
    time.tzset()


def imported(db: str, text: str) -> str:
    ran = bitduel("import", "-", "--db", db, stdin=text)
    assert ran.status == 0, ran.err
    return ran.out


@pytest.mark.parametrize(
    "again",
    [
        RECORD,
        RECORD.replace("double-or-nothing", "DOUBLE").replace("1. double, add", "{a comment}\n1... double\nadd"),
        RECORD.replace("[Player1", '[Options "start=1 target=20"]\n[First "1"]\n[Kind1 "bot:x"]\n[Player1'),
        RECORD.replace("Ada", "ADA").replace('[Date "2020-02-29"]\n', ""),
        RECORD.replace("2020-02-29", "2020-02-29 23:59"),
    ],
    ids=range(5),
)
def test_a_match_is_imported_once_however_it_is_written(again: str, db: str) -> None:
    kept = imported(db, RECORD).removeprefix("Kept as ").rstrip(".\n")
    assert imported(db, again) == f"This match is kept already, as {kept}. Nothing was added.\n"
    assert len(json.loads(bitduel("history", "--json", "--db", db).out)) == 1


@pytest.mark.parametrize(
    "other",
    [
        RECORD.replace("2020-02-29", "2020-02-28"),
        RECORD.replace("Ben", "Bob"),
        RECORD.replace("1. double, add", "1. double, double"),
        RECORD.replace("1-0", "0-1"),
        RECORD.replace("resignation", "time"),
        RECORD.replace("[Player1", '[Options "target=21"]\n[Player1'),
        RECORD.replace("[Player1", '[First "2"]\n[Player1'),
        RECORD.replace("1. double, add 1-0", "1. double, add *").replace('[Result "1-0"]\n', ""),
    ],
    ids=range(8),
)
def test_another_match_is_added(other: str, db: str) -> None:
    imported(db, RECORD)
    assert imported(db, other).startswith("Kept as ")


def test_an_imported_match_is_no_newer_than_what_was_played_that_day(db: str) -> None:
    bitduel("play", "31", "--db", db, stdin="1\nresign\n")
    bitduel("play", "64", "--db", db, stdin="1\n")
    own, left = (kept["id"] for kept in reversed(json.loads(bitduel("history", "--json", "--db", db).out)))
    today = json.loads(bitduel("show", own, "--json", "--db", db).out)["started"][:10]
    for date in (f'[Date "{today}"]', "", '[Date "2999-01-01"]'):
        name = f'[Player2 "Ben {date[7:11]}"]'
        imported(db, f'[Game "double"]\n{date}\n{name}\n[Result "1-0"]\n[Reason "time"]\n1. add')
        imported(db, f'[Game "double"]\n{date}\n{name}\n1. double')
    assert bitduel("show", "--db", db).out.startswith(left)
    assert bitduel("review", "--db", db).out.startswith(own)
    assert '[Game "binary-race-64"]' in bitduel("export", "--db", db).out
    assert bitduel("replay", "--db", db).out.startswith(left)
    assert bitduel("history", "--limit", "1", "--db", db).out.startswith(left)
    assert "Add 2" in bitduel("resume", "--db", db, stdin="").out, "not an imported one either"
    told = json.loads(bitduel("history", "--json", "--db", db).out)
    assert [each["started"] for each in told if each["game"] == "double-or-nothing"] == [today] * 6


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "UTC", "Pacific/Auckland"])
def test_a_day_from_a_record_is_the_same_in_every_time_zone(zone: str, db: str, here_is: Callable[[str], None]) -> None:
    here_is(zone)
    imported(db, RECORD)
    listed = bitduel("history", "--db", db).out
    assert "2020-02-29  double" in listed
    assert bitduel("history", "--since", "2020-02-29", "--until", "2020-02-29", "--db", db).out == listed
    for wrong in (("--since", "2020-03-01"), ("--until", "2020-02-28")):
        assert bitduel("history", *wrong, "--db", db).out == "No match fits.\n"
    assert '[Date "2020-02-29"]' in bitduel("export", "--db", db).out


def test_without_an_id_review_and_replay_take_the_newest_match_that_they_can(db: str) -> None:
    bitduel("play", "battle", "--set", "secret=11111", "--db", db, stdin="1\n")
    for command, none in (("review", "No match has been finished yet."), ("replay", "kept yet that can be replayed.")):
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


def test_bad_files_get_one_line(db: str, tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.txt"
    foreign.write_bytes("[Game “x”]".encode("utf-16"))
    for file in (str(tmp_path / "missing"), str(tmp_path), str(foreign), "nul\x00byte"):
        ran = bitduel("import", file, "--db", db)
        assert ran.status in (1, 2)
        assert ran.err.count("\n") == 1
    assert bitduel("history", "--db", db).out == "No match has been kept yet.\n"


def test_a_record_cannot_bring_a_command_with_it(db: str) -> None:
    text = '[Game "31"]\n[Kind2 "bot:rm -rf /"]\n1. 16\n*'
    bitduel("import", "-", "--db", db, stdin=text)
    assert json.loads(bitduel("show", newest(db), "--json", "--db", db).out)["players"] == ["human", "human"]


def test_a_record_keeps_its_day(db: str) -> None:
    text = '[Game "double"]\n[Date "1999-12-31"]\n1. add'
    bitduel("import", "-", "--db", db, stdin=text)
    assert '[Date "1999-12-31"]' in bitduel("export", newest(db), "--db", db).out
    assert bitduel("history", "--since", "1999-12-30", "--until", "2000-01-01", "--db", db).out.startswith(newest(db))


@pytest.mark.parametrize(
    ("written", "note"),
    [
        ("2999-01-01", "Its date, 2999-01-01, is still to come, so today's was taken."),
        ("9999-12-31", "Its date, 9999-12-31, is still to come, so today's was taken."),
        *(
            (day, f"Its date, '{day}', is not a date such as 2026-11-15, so today's was taken.")
            for day in ("0001-01-01", "2026-02-30", "2026-11-155", "nonsense")
        ),
        ("????.??.??", ""),
        ("2026.11.15", ""),
        ("", ""),
    ],
)
def test_an_import_says_when_it_takes_another_date_than_the_record_has(written: str, note: str, db: str) -> None:
    ran = bitduel("import", "-", "--db", db, stdin=f'[Game "double"]\n[Date "{written}"]\n1. add')
    assert (ran.status, ran.out) == (0, f"Kept as {newest(db)}.{' ' * bool(note)}{note}\n")
    today = datetime.now(UTC).date().isoformat()
    day = json.loads(bitduel("history", "--json", "--db", db).out)[0]["started"]
    assert day == ("2026-11-15" if written == "2026.11.15" else today)


@pytest.mark.parametrize("kind", ["level:9999999", "bot:rm -rf /", "Nobody", "level:x"])
def test_an_imported_match_of_an_impossible_player_can_be_resumed(kind: str, db: str) -> None:
    bitduel("import", "-", "--db", db, stdin=f'[Game "double"]\n[Kind2 "{kind}"]\n1. add')
    assert bitduel("resume", "--db", db, stdin="quit\n").status == 0


def test_a_player_is_kept_in_its_canonical_form(db: str) -> None:
    bitduel("play", "double", "--p1", "HUMAN", "--p2", " Level:03", "--db", db, stdin="add\nquit\n")
    assert json.loads(bitduel("history", "--json", "--db", db).out)[0]["players"] == ["human", "level:3"]


def test_a_stored_player_that_could_run_a_command_is_not_started(db: str) -> None:
    with open_store(db) as store:
        store.begin(Match(make("double"), moves=["add"]), ("human", "bot:touch here"), ("Ada", "Bot"))
    ran = bitduel("resume", "--db", db, stdin="add\n")
    assert (ran.out, ran.status) == ("", 1)
    assert ran.err == (
        "bitduel: This match was played by 'bot:touch here', which cannot be started from a kept match.\n"
    )
    assert "Bot (bot:touch here)" in bitduel("history", "--db", db).out


@pytest.mark.parametrize("asked", ["ÅSE", "a\u030ase", "  Åse ", "åSE"])
def test_history_and_stats_know_a_name_by_the_same_spellings(asked: str, db: str) -> None:
    bitduel("play", "double", "--name1", "Åse", "--set", "target=2", "--db", db, stdin="add\n")
    assert "Åse" in bitduel("history", "--player", asked, "--db", db).out
    assert "Åse" in bitduel("stats", "--player", asked, "--db", db).out


def test_a_finished_match_in_the_dark_shows_each_number_beside_its_name(db: str) -> None:
    sample = Path(__file__).parent / "transcripts" / "binary-battle" / "rulebook-sample.in"
    bitduel("play", "battle", "--set", "secret=01101", "--db", db, stdin=sample.read_text())
    won = json.loads(bitduel("history", "--json", "--db", db).out)[0]["over"]["winner"]
    for command in ("show", "replay"):
        assert f"Player {won} has 13." in bitduel(command, newest(db), "--db", db).out


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
    assert ran.err.startswith("bitduel: This match is not kept: ")
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
    assert err.startswith("bitduel: This match is not kept")
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


def test_the_newest_match_is_meant_where_none_is_named(db: str) -> None:
    for command in ("show", "replay", "review", "export"):
        ran = bitduel(command, "--db", db)
        assert (ran.out, ran.err, ran.status) == ("", "bitduel: No match has been kept yet.\n", 1)
    bitduel("play", "double", "--set", "target=3", "--db", db, stdin="add\nadd\n")
    for command in ("show", "replay", "review", "export"):
        assert bitduel(command, "--db", db) == bitduel(command, newest(db), "--db", db)


def test_a_record_loses_no_name_where_only_letters_can_be_shown(tmp_path: Path) -> None:
    db = f"sqlite:///{tmp_path}/matches.db"
    bitduel("play", "double", "--name1", "李小龙", "--set", "target=2", "--db", db, stdin="add\n")
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    command = [sys.executable, "-m", "bitduel", "export", "--db", db]
    ran = subprocess.run(command, capture_output=True, check=True, env=ascii_only)
    assert '[Player1 "李小龙"]' in ran.stdout.decode()


def test_a_review_counts_mistakes_and_names_the_last_chance(db: str) -> None:
    bitduel("play", "double", "--db", db, stdin="double\nadd\ndouble\ndouble\nadd\ndouble\n")
    reviewed = bitduel("review", "--db", db).out
    assert "Player 2 could still have won here, by add, the last chance" in reviewed
    assert "Mistakes of Player 1: 0, of Player 2: 1." in reviewed


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
    assert below_each_other(rows, 80) == [
        "k7m  2026-11-16 07:00  bits  Ada - Alan  Ada won",
        "k7n  now  31",
        f"    {'X' * 70}",
        "    draw",
    ]


def test_a_review_shortens_names_and_never_moves() -> None:
    match = Match(make("bits", bits=12), moves=["flip 10", "flip 11"])
    shown = [line.plain for line in paint_review(review(match), ("Ada", "Computer (perfect)"), True, 40)]
    assert any("flip 11" in line for line in shown)
    assert all(wide(line) <= 40 for line in shown)


def test_a_review_tells_the_sides_apart_where_names_are_shortened() -> None:
    match = Match(make("bits", bits=12), moves=["flip 10", "flip 11"])
    shown = [line.plain for line in paint_review(review(match), ("Player 1", "Player 2"), True, 40)]
    assert shown[0].split() == ["Playe…1", "Playe…2"]
    narrow = [line.plain for line in paint_review(review(match), ("Computer (hard)", "Computer (easy)"), True, 40)]
    assert [line.split(":")[0][-5:] for line in narrow if ": flip" in line] == ["hard)", "easy)"]


def test_in_the_dark_every_figure_of_a_review_is_the_movers_own_and_luck_begins_where_the_last_one_stood() -> None:
    moves = [f"toggle {bit}" for bit in (1, 5, 2, 1, 3, 3, 4, 5, 5, 4, 1, 3)]
    found = review(Match(make("battle"), deal="10010", moves=moves), ("Ada", "Alan"))
    shown = [line.plain for line in paint_review(found, ("Ada", "Alan"), True, 200)]
    assert [line for line in shown if VIEWPOINT in line] == shown[:1]
    figures: dict[str, str] = {}
    mover, lucky = "nobody", 0
    for line in shown:
        if moved := re.match(r" +\d+\. (\w+): toggle", line):
            mover, before = moved[1], dict(figures)
            if own := re.search(r"(\w+) wins (\d+) times in 100$", line):
                assert own[1] == mover
                figures[mover] = own[2]
        elif told := re.search(rf"since {mover}'s last move that chance had \w+ from (\d+) to (\d+) in 100", line):
            lucky += 1
            assert told[1] == before[mover]
    assert lucky == sum(step.luck is not None and not step.luck.ended for step in found.steps) > 0
    assert list(figures) == ["Ada", "Alan"]


def test_where_all_is_open_a_review_speaks_of_no_chance() -> None:
    match = Match(make("double", target=3), moves=["add", "add"])
    assert "figure" not in "".join(line.plain for line in paint_review(review(match), ("Ada", "Alan"), True))
