"""Runs: the same whatever plays them, whole whenever they end, and gone on with as if nothing had been."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any

import pytest

from bitduel.arena import run
from bitduel.arena.game_record import GAMES
from bitduel.arena.run_storage import RUN, open_folder
from bitduel.arena.runner import Standings
from bitduel.arena.schedule import make_schedule
from bitduel.core.errors import BitduelError
from bitduel.core.view import View
from bitduel.players import HaltError
from helpers import hear_signals

PATIENCE = 60
NAMES = ["perfect", "easy", "random"]
GAMES_PLAYED = "64,bits,battle"


def timeless(folder: Path) -> list[dict[str, Any]]:
    """The rows as they stand in the file, without the only thing that may differ."""
    rows = [json.loads(line) for line in (folder / GAMES).read_text(encoding="utf-8").splitlines()]
    return [{name: value for name, value in row.items() if name != "seconds"} for row in rows]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nothing has disturbed."""
    folder = tmp_path_factory.mktemp("arena") / "whole"
    run(NAMES, GAMES_PLAYED, rounds=20, seed=7, out=folder)
    return folder


def test_rows_stand_in_the_order_of_the_plan_and_say_who_won(whole: Path) -> None:
    rows = timeless(whole)
    schedule = make_schedule(NAMES, GAMES_PLAYED, rounds=20, seed=7)
    assert [schedule.game_number(row["id"]) for row in rows] == list(range(1, len(schedule) + 1))
    again = run(NAMES, GAMES_PLAYED, rounds=20, seed=7, out=whole)
    assert again.played == 0
    for standing in again.standings:
        own = [
            (row["winner"], row["seats"].index(standing.player) + 1) for row in rows if standing.player in row["seats"]
        ]
        assert standing.wins == sum(winner == seat for winner, seat in own)
        assert standing.draws == sum(winner is None for winner, _ in own)
        assert standing.games == len(own) == 20 * 3 * 2 * 2
    assert again.standings[0].player == "perfect"


def test_in_memory_a_run_is_the_same(whole: Path) -> None:
    found = run(NAMES, GAMES_PLAYED, rounds=20, seed=7)
    rows = [{name: value for name, value in row.items() if name != "seconds"} for row in found.rows]
    assert rows == timeless(whole)
    assert found.played == len(rows)


def test_two_processes_play_the_same_as_one(whole: Path, tmp_path: Path) -> None:
    run(NAMES, GAMES_PLAYED, rounds=20, seed=7, jobs=2, out=tmp_path)
    assert timeless(tmp_path) == timeless(whole)


def test_wherever_a_file_was_torn_it_is_mended(whole: Path, tmp_path: Path) -> None:
    text, rng = (whole / GAMES).read_bytes(), Random(3)
    cuts = [0, 1, len(text) - 1, len(text), text.index(b"\n"), text.index(b"\n") + 1]
    cuts += [rng.randrange(len(text)) for _ in range(3)]
    for number, cut in enumerate(cuts):
        folder = copied(whole, tmp_path / str(number), text[:cut])
        run(NAMES, GAMES_PLAYED, rounds=20, seed=7, out=folder)
        assert timeless(folder) == timeless(whole)


def copied(whole: Path, folder: Path, text: bytes) -> Path:
    folder.mkdir()
    (folder / RUN).write_bytes((whole / RUN).read_bytes())
    (folder / GAMES).write_bytes(text)
    return folder


def test_lines_that_are_no_rows_come_twice_or_stand_anywhere_are_put_right(whole: Path, tmp_path: Path) -> None:
    lines = (whole / GAMES).read_bytes().splitlines(keepends=True)
    Random(1).shuffle(lines)
    strange = [b"\0\0\0\n", b"[]\n", b'{"id": 3}\n', b'{"id": "64-9999999", "winner": 1}\n', b"\n", b"\xff\n"]
    folder = copied(
        whole, tmp_path / "a", b"".join([*lines[:150], *strange, *lines[:20], *lines[150:300]]) + b'{"id": "6'
    )
    (folder / f"{GAMES}abc.draft").write_bytes(b"half of")
    found = run(NAMES, GAMES_PLAYED, rounds=20, seed=7, out=folder)
    assert found.played == len(lines) - 300
    assert timeless(folder) == timeless(whole)
    assert sorted(path.name for path in folder.iterdir()) == [".lock", GAMES, RUN]


def test_a_watcher_hears_how_far_a_run_is(tmp_path: Path) -> None:
    heard: list[int] = []
    run(
        ["perfect", "random"],
        "64",
        rounds=300,
        out=tmp_path,
        on_progress=lambda standings: heard.append(standings.games),
    )
    assert heard[0] == 0
    assert heard[-1] == 600
    assert heard == sorted(heard)
    assert len(heard) > 3


def test_rows_are_there_as_soon_as_their_games_are_over(tmp_path: Path) -> None:
    def look(standings: Standings) -> None:
        path = tmp_path / GAMES
        assert path.read_bytes().count(b"\n") == standings.games

    run(["random", ("first", first)], "64", rounds=10, out=tmp_path, on_progress=look)


def first(view: View) -> str:
    return view.legal[0]


@pytest.mark.parametrize("jobs", [1, 2])
def test_functions_play_also_those_that_cannot_be_sent_to_another_process(jobs: int) -> None:
    found = run(["random", ("first", first), ("last", lambda view: view.legal[-1])], "64,31", rounds=3, jobs=jobs)
    one = run(["random", ("first", first), ("last", lambda view: view.legal[-1])], "64,31", rounds=3)
    assert [row["moves"] for row in found.rows] == [row["moves"] for row in one.rows]
    assert {name for row in found.rows for name in row["seats"]} == {"random", "first", "last"}


@pytest.mark.parametrize(
    "other",
    [
        {"players": ["perfect", "random"]},
        {"rounds": 21},
        {"seed": 8},
        {"games": "64"},
        {"options": {"target": 65}},
        {"max_plies": 399},
        {"trust_bots": True},
    ],
    ids=str,
)
def test_another_run_is_not_mixed_into_a_folder(whole: Path, other: dict[str, Any]) -> None:
    usual: dict[str, Any] = {"players": NAMES, "games": GAMES_PLAYED, "rounds": 20, "seed": 7, "out": whole}
    before = (whole / GAMES).read_bytes()
    with pytest.raises(BitduelError, match="has a different run"):
        run(**{**usual, **other})
    assert (whole / GAMES).read_bytes() == before


def test_a_folder_is_one_run_s_at_a_time(tmp_path: Path) -> None:
    schedule = make_schedule(["perfect", "random"], "64")
    with (
        open_folder(tmp_path, schedule),
        pytest.raises(BitduelError, match="Another run is using"),
        open_folder(tmp_path, schedule),
    ):
        pass
    with open_folder(tmp_path, schedule):
        pass


def test_folders_that_cannot_be_used_get_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BitduelError, match="Can't write to"):
        run(["perfect", "random"], "64", out=tmp_path / "file" / "more")
    (tmp_path / GAMES).touch()
    with pytest.raises(BitduelError, match=r"has games but no run\.json"):
        run(["perfect", "random"], "64", out=tmp_path)
    for text in ("", "[]", '{"a": 1', '"x"'):
        (tmp_path / RUN).write_text(text)
        with pytest.raises(BitduelError, match=r"can't be read|different run"):
            run(["perfect", "random"], "64", out=tmp_path)


@pytest.mark.parametrize("jobs", [0, -1, 1000, True, "2"])
def test_jobs_are_a_number(jobs: Any) -> None:
    with pytest.raises(BitduelError, match="jobs must be"):
        run(["perfect", "random"], "64", jobs=jobs)


@pytest.mark.parametrize("jobs", [1, 2])
def test_who_cannot_play_on_stops_the_run_and_it_can_go_on(tmp_path: Path, jobs: int) -> None:
    money = [30]

    def paid(view: View) -> str:
        money[0] -= 1
        if money[0] < 0:
            raise HaltError("The money is gone.")
        return view.legal[0]

    with pytest.raises(
        HaltError,
        match=r"^The money is gone. The games played so far are saved. Use the same command again to continue.$",
    ):
        run(["random", ("paid", paid)], "64", rounds=30, out=tmp_path, jobs=jobs)
    kept = len(timeless(tmp_path))
    assert 0 < kept < 60
    money[0] = 100_000
    found = run(["random", ("paid", paid)], "64", rounds=30, out=tmp_path, jobs=jobs)
    assert found.played == 60 - kept
    assert [row["moves"] for row in found.rows] == [
        row["moves"] for row in run(["random", ("paid", paid)], "64", rounds=30).rows
    ]


ROUNDS = 400
ASKED = ("arena", "run", *NAMES, "--games", "64,double", "--rounds", str(ROUNDS), "--seed", "5")


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("arena") / "long"
    run(NAMES, "64,double", rounds=ROUNDS, seed=5, out=folder)
    return folder


def started(folder: Path, *more: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "bitduel", *ASKED, "--out", str(folder), *more]
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command, stdout=pipe, stderr=pipe, text=True, start_new_session=True, preexec_fn=hear_signals
    )


def size(folder: Path) -> int:
    try:
        return (folder / GAMES).stat().st_size
    except OSError:
        return 0


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = monotonic() + PATIENCE
    while not condition():
        assert monotonic() < deadline
        sleep(0.001)


def living(group: int) -> Iterator[int]:
    """The processes of a group that are not dead."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, its_group = path.read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if state != "Z" and int(its_group) == group:
            yield int(path.parent.name)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
@pytest.mark.parametrize("jobs", [pytest.param("1", marks=pytest.mark.thorough), "2"])
def test_killed_at_any_moment_and_resumed_a_run_is_the_same_and_leaves_nobody_behind(
    long: Path, tmp_path: Path, jobs: str
) -> None:
    end, rng, kills = size(long), Random(int(jobs)), 0
    for part in sorted(rng.random() for _ in range(int(os.environ.get("BITDUEL_KILLS", "2")))):
        before = size(tmp_path)
        process = started(tmp_path, "--jobs", jobs)
        wait_until(lambda: process.poll() is not None or size(tmp_path) > max(part * end, before))  # noqa: B023
        kills += process.poll() is None
        process.kill()
        process.communicate()
        wait_until(lambda: not list(living(process.pid)))  # noqa: B023
    assert kills
    process = started(tmp_path, "--jobs", jobs)
    _, said = process.communicate(timeout=PATIENCE)
    assert (process.returncode, said) == (0, "")
    assert timeless(tmp_path) == timeless(long)


@pytest.mark.parametrize("jobs", [pytest.param("1", marks=pytest.mark.thorough), "2"])
def test_an_interrupted_run_says_so_in_one_line_and_goes_on(long: Path, tmp_path: Path, jobs: str) -> None:
    process = started(tmp_path, "--jobs", jobs)
    wait_until(lambda: size(tmp_path) > 0)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE)
    if process.returncode:
        assert (process.returncode, said.strip()) == (130, "bitduel: Interrupted.")
    run(NAMES, "64,double", rounds=ROUNDS, seed=5, out=tmp_path)
    assert timeless(tmp_path) == timeless(long)


def test_a_full_disk_is_one_sentence_and_leaves_whole_lines(long: Path, tmp_path: Path) -> None:
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))\n"
        "from bitduel.cli import main; main(sys.argv[1:])"
    )
    command = [sys.executable, "-c", code, *ASKED, "--out", str(tmp_path)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (ran.returncode, ran.stderr) == (1, f"bitduel: Can't write to '{tmp_path}': File too large.\n")
    text = (tmp_path / GAMES).read_bytes()
    assert text.endswith(b"\n")
    assert 0 < len(text) <= 300_000
    run(NAMES, "64,double", rounds=ROUNDS, seed=5, out=tmp_path)
    assert timeless(tmp_path) == timeless(long)
