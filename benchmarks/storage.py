"""Moves stored one by one, beside bare commits to SQLite."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.figure import Figure, alternating_times
from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.games.registry import all_games
from bitduel.storage import Store, open_store

MOVES = 20
BURSTS = 40
"""Short bursts in turn, so that a disturbance of the disk hits both."""


def figures() -> Iterator[Figure]:
    """Yield the rate of moves made in a match, each on disk before the next."""
    with TemporaryDirectory() as folder, open_store(f"sqlite:///{folder}/matches.db") as store:
        raw = bare_database(Path(folder) / "raw.db")
        stored, bare = alternating_times(lambda: _play(store), lambda: _commit(raw), BURSTS)
        raw.close()
    yield Figure("durable moves of a match", MOVES / stored, "bare SQLite commits", MOVES / bare, "per second")


def _play(store: Store) -> None:
    """Play and store move by move, as the terminal does."""
    match = Match(open_ended_game()(target=1_000_000))
    match.play(match.legal[0])
    match_id = store.begin(match, ("human", "human"), ("Ada", "Ben"))
    for _ in range(MOVES):
        match.play(match.legal[0])
        store.add(match_id, match.ply - 1, match.moves[-1], match.outcome)


def open_ended_game() -> type[Game[Any]]:
    """Return a game whose target can be far away."""
    return next(kind for kind in all_games() if any(option.name == "target" for option in kind.declared_options))


def bare_database(path: Path) -> sqlite3.Connection:
    """Open a bare database that waits for the disk as the store does."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE moves (id INTEGER PRIMARY KEY, move TEXT)")
    return connection


def _commit(connection: sqlite3.Connection) -> None:
    for _ in range(MOVES):
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO moves (move) VALUES ('add')")
        connection.execute("COMMIT")
