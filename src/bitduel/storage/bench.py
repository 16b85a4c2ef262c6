"""How fast moves are kept, beside bare commits to SQLite."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bitduel.core.figures import Figure, seconds
from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.games import shelf
from bitduel.storage import Store, open_store

MOVES = 20
TURNS = 40
"""Short batches by turns, for what disturbs the disk disturbs both."""


def figures() -> Iterator[Figure]:
    """Moves made in a match and kept one by one, each on disk before the next."""
    with TemporaryDirectory() as folder, open_store(f"sqlite:///{folder}/matches.db") as store:
        raw = bare_database(Path(folder) / "raw.db")
        times = [(seconds(lambda: _play(store), 1), seconds(lambda: _commit(raw), 1)) for _ in range(TURNS)]
        raw.close()
    kept, bare = (MOVES / min(column) for column in zip(*times, strict=True))
    yield Figure("durable moves of a match", kept, "bare SQLite commits", bare, "per second")


def _play(store: Store) -> None:
    """As the terminal does it: make the move, keep it, go on."""
    match = Match(far()(target=1_000_000))
    match.play(match.legal[0])
    match_id = store.begin(match, ("human", "human"), ("Ada", "Ben"))
    for _ in range(MOVES):
        match.play(match.legal[0])
        store.add(match_id, match.ply - 1, match.moves[-1], match.outcome)


def far() -> type[Game[Any]]:
    """A game whose target can be far away."""
    return next(kind for kind in shelf() if any(option.name == "target" for option in kind.declared))


def bare_database(path: Path) -> sqlite3.Connection:
    """A database with as little around it as there can be, that waits for the disk as the store does."""
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
