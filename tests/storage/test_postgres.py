"""A server that restarts, vanishes, blocks or forbids."""

from collections.abc import Callable
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any

import pytest

from bitduel.core.match import Match
from bitduel.core.outcomes import RESIGNATION, Outcome
from bitduel.games.registry import make
from bitduel.storage import Store, open_store
from bitduel.storage.errors import LockedError, ReadOnlyError, UnreachableError

psycopg = pytest.importorskip("psycopg", reason="PostgreSQL is tested only where psycopg is installed")

Begin = Callable[..., str]
Run = Callable[..., Any]

MOVES = 400
RESIGNED = Outcome(2, RESIGNATION)


def play(url: str, match_id: str, pipe: Connection) -> None:
    with open_store(url) as store:
        for ply in range(MOVES):
            store.add(match_id, ply, f"move {ply}")
            pipe.send(ply)


def test_play_goes_on_when_the_server_is_restarted(
    postgres_cluster: Any, postgres_url: str, fork: Run, begin: Begin
) -> None:
    with open_store(postgres_url) as store:
        match_id = begin(store)
    ours, theirs = Pipe(duplex=False)
    fork(play, postgres_url, match_id, theirs)
    theirs.close()
    for ply in range(MOVES):
        if ply in (MOVES // 4, MOVES // 2):
            postgres_cluster.restart()
        assert ours.recv() == ply
    ours.close()
    with open_store(postgres_url) as store:
        assert store.get(match_id).moves == tuple(f"move {ply}" for ply in range(MOVES))


def test_an_open_store_outlives_a_restart(postgres_cluster: Any, postgres_url: str, begin: Begin) -> None:
    with open_store(postgres_url) as store:
        match_id = begin(store)
        postgres_cluster.restart()
        assert store.get(match_id).moves == ()
        postgres_cluster.restart()
        store.add(match_id, 0, "add")
        assert store.get(match_id).moves == ("add",)


def test_a_server_that_stays_away_is_said_to_be_unreachable(
    postgres_cluster: Any, postgres_url: str, begin: Begin
) -> None:
    with open_store(postgres_url, patience=0.1) as store:
        match_id = begin(store)
        postgres_cluster.stop()
        try:
            with pytest.raises(UnreachableError, match="cannot be reached"):
                store.add(match_id, 0, "add")
        finally:
            postgres_cluster.start()
        store.add(match_id, 0, "add")
        assert store.get(match_id).moves == ("add",)


def cut(store: Store, through: bool, meanwhile: Callable[[], object] = lambda: None) -> None:
    """Lose the connection at the next commit, after or before it takes effect."""
    dialect = store._database._engine.dialect
    commit = dialect.do_commit

    def broken(connection: Any) -> None:
        del dialect.do_commit
        if through:
            commit(connection)
        connection.driver_connection.close()
        meanwhile()
        raise psycopg.OperationalError("server closed the connection unexpectedly")

    dialect.do_commit = broken  # type: ignore[method-assign, assignment]


@pytest.mark.parametrize("through", [False, True])
def test_a_write_whose_fate_is_unknown_is_done_exactly_once(postgres_url: str, begin: Begin, through: bool) -> None:
    with open_store(postgres_url) as store:
        cut(store, through)
        match_id = begin(store)
        assert [kept.id for kept in store.matches()] == [match_id]
        for ply in range(4):
            cut(store, through)
            store.add(match_id, ply, "add")
        assert store.get(match_id).moves == ("add",) * 4
        cut(store, through)
        store.take_back(match_id, 2)
        assert store.get(match_id).moves == ("add",) * 2
        cut(store, through)
        store.end(match_id, RESIGNED)
        assert store.get(match_id).outcome == RESIGNED


def test_a_whole_match_whose_fate_is_unknown_is_kept_once(postgres_url: str) -> None:
    with open_store(postgres_url) as store:
        cut(store, True)
        match_id = store.begin(Match(make("64"), moves=["add", "double"]), ("human", "human"), ("Ada", "Ben"))
        assert [(kept.id, kept.moves) for kept in store.matches()] == [(match_id, ("add", "double"))]


def test_an_answer_that_comes_before_the_second_attempt_does_no_harm(postgres_url: str, begin: Begin) -> None:
    with open_store(postgres_url) as store, open_store(postgres_url) as other:
        match_id = begin(store)
        cut(store, True, lambda: other.add(match_id, 1, "double"))
        store.add(match_id, 0, "add")
        assert store.get(match_id).moves == ("add", "double")


def test_a_row_that_somebody_holds_is_said_to_be_locked(postgres_url: str, begin: Begin) -> None:
    with open_store(postgres_url, patience=0.05) as store:
        match_id = begin(store)
        with psycopg.connect(postgres_url) as other:
            other.execute("SELECT * FROM matches FOR UPDATE")
            with pytest.raises(LockedError, match="is locked by another program"):
                store.add(match_id, 0, "add")
        store.add(match_id, 0, "add")


def test_a_read_only_server_is_said_to_be_read_only(postgres_url: str, begin: Begin) -> None:
    closed = f"{postgres_url}&options=-cdefault_transaction_read_only%3Don"
    with pytest.raises(ReadOnlyError, match="read-only"):
        open_store(closed)
    open_store(postgres_url).close()
    with open_store(closed) as store:
        assert store.matches() == []
        with pytest.raises(ReadOnlyError, match="read-only"):
            begin(store)


def test_moves_are_on_disk_even_where_the_server_is_careless(postgres_url: str) -> None:
    with open_store(f"{postgres_url}&options=-csynchronous_commit%3Doff") as store:
        setting = store._database.write(
            lambda connection, _: connection.exec_driver_sql("SHOW synchronous_commit").scalar()
        )
    assert setting == "on"
