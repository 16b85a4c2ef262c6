"""Processes that die, and processes that want the same thing at once."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from multiprocessing import Barrier, Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any

from bitduel.core.match import Match
from bitduel.games.registry import make
from bitduel.storage import PlyTakenError, open_store

Begin = Callable[..., str]
Run = Callable[..., Any]

KILLS = int(os.environ.get("BITDUEL_KILLS", "10"))
RACES = int(os.environ.get("BITDUEL_RACES", "50"))


def sound(path: Path) -> bool:
    with closing(sqlite3.connect(path)) as connection:
        return bool(connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)])


def received(pipe: Connection) -> Iterator[Any]:
    """All that a process says until it ends."""
    try:
        while True:
            yield pipe.recv()
    except EOFError:
        return


def play_on(url: str, pipe: Connection) -> None:
    """Resume or begin a long match and tell each move once it is kept, match after match."""
    rng = Random(os.getpid())
    game = make("64", {"target": 1_000_000})
    with open_store(url) as store:
        while True:
            kept = store.unfinished()
            match = kept.match() if kept else Match(game)
            match_id = kept.id if kept else store.begin(match, ("random", "random"), ("Ada", "Ben"))
            pipe.send((match_id, None))
            while match.to_move:
                move = rng.choice(match.legal)
                match.play(move)
                store.add(match_id, match.ply - 1, move, match.outcome)
                pipe.send((match_id, move))


def test_no_acknowledged_move_is_lost_or_doubled_by_kill_9(tmp_path: Path, fork: Run) -> None:
    rng = Random(4)
    path = tmp_path / "matches.db"
    told: dict[str, list[str]] = {}
    for _ in range(KILLS):
        ours, theirs = Pipe(duplex=False)
        process = fork(play_on, f"sqlite:///{path}", theirs)
        theirs.close()
        for _ in range(rng.randrange(60)):
            hear(told, ours.recv())
        process.kill()
        for said in received(ours):
            hear(told, said)
        ours.close()
        process.join()
        if path.exists():
            assert sound(path)
            told = agreed(f"sqlite:///{path}", told)
    assert sum(map(len, told.values())) > KILLS


def hear(told: dict[str, list[str]], said: tuple[str, str | None]) -> None:
    match_id, move = said
    told.setdefault(match_id, []).extend([move] if move else [])


def agreed(url: str, told: dict[str, list[str]]) -> dict[str, list[str]]:
    """What is kept, which is what was told and at most one thing more."""
    with open_store(url) as store:
        kept = {match.id: list(match.match().moves) for match in store.matches()}
    assert kept.keys() >= told.keys()
    for match_id, moves in told.items():
        assert kept[match_id][: len(moves)] == moves
    more = sum(len(moves) - len(told.get(match_id, [])) for match_id, moves in kept.items())
    assert more + len(kept) - len(told) in (0, 1)
    return kept


def test_a_database_whose_maker_was_killed_can_be_used(tmp_path: Path, fork: Run, begin: Begin) -> None:
    rng = Random(5)
    for number in range(KILLS):
        path = tmp_path / f"{number}.db"
        ours, theirs = Pipe(duplex=False)
        process = fork(play_on, f"sqlite:///{path}", theirs)
        theirs.close()
        ours.poll(rng.uniform(0, 0.06))
        process.kill()
        process.join()
        ours.close()
        with open_store(f"sqlite:///{path}") as store:
            begin(store)
        assert sound(path)


def race(url: str, match_id: str, name: str, start: Any, pipe: Connection) -> None:
    """Try for every ply at the same time as the others; tell which were won."""
    won = []
    with open_store(url) as store:
        for ply in range(RACES):
            start.wait()
            try:
                store.add(match_id, ply, f"{name} {ply}")
                won.append(ply)
            except PlyTakenError:
                continue
    pipe.send(won)


def test_of_two_processes_that_race_for_a_ply_one_wins(url: str, fork: Run, begin: Begin) -> None:
    with open_store(url) as store:
        match_id = begin(store)
    start = Barrier(2)
    won = {}
    pipes = {}
    for name in ("one", "two"):
        pipes[name], theirs = Pipe(duplex=False)
        fork(race, url, match_id, name, start, theirs)
        theirs.close()
    for name, pipe in pipes.items():
        won[name] = pipe.recv()
        pipe.close()
    assert sorted(won["one"] + won["two"]) == list(range(RACES))
    winner = {ply: name for name, plies in won.items() for ply in plies}
    with open_store(url) as store:
        assert store.get(match_id).moves == tuple(f"{winner[ply]} {ply}" for ply in range(RACES))


def push_and_pull(url: str, match_id: str, seed: int, pipe: Connection) -> None:
    """Add and take back moves at random, as one sees the match; tell how many more there are for it."""
    rng = Random(seed)
    more = 0
    with open_store(url) as store:
        for _ in range(RACES):
            seen = len(store.get(match_id).moves)
            fewer = rng.randrange(min(seen, 2) + 1)
            try:
                if rng.random() < 0.6:
                    store.add(match_id, seen, "add")
                    more += 1
                else:
                    store.take_back(match_id, seen - fewer, of=seen)
                    more -= fewer
            except PlyTakenError:
                continue
    pipe.send(more)


def test_no_move_is_lost_where_moves_are_added_and_taken_back_at_once(url: str, fork: Run, begin: Begin) -> None:
    with open_store(url) as store:
        match_id = begin(store)
        ours, theirs = Pipe(duplex=False)
        for seed in range(3):
            fork(push_and_pull, url, match_id, seed, theirs)
        theirs.close()
        assert sum(received(ours)) == len(store.get(match_id).moves)
        ours.close()


def use(url: str, start: Any, pipe: Connection) -> None:
    start.wait()
    with open_store(url) as store:
        pipe.send(store.begin(Match(make("64")), ("human", "human"), ("Ada", "Ben")))


def test_many_can_open_a_new_database_at_once(url: str, fork: Run) -> None:
    start = Barrier(4)
    ours, theirs = Pipe(duplex=False)
    for _ in range(4):
        fork(use, url, start, theirs)
    theirs.close()
    begun = set(received(ours))
    ours.close()
    with open_store(url) as store:
        assert {kept.id for kept in store.matches()} == begun
    assert len(begun) == 4
