"""Seats over the network: one holder each, and only hashes kept."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event, Thread
from typing import Any

from alembic import command
from sqlalchemy import create_engine, text

from bitduel.storage import Store, open_store
from bitduel.storage.schema import alembic_config


def test_a_seat_has_one_holder(store: Store, begin: Any) -> None:
    sitting = begin(store)
    assert store.seats.owners(sitting) == {}
    assert store.seats.claim(sitting, 1, "ada")
    assert store.seats.claim(sitting, 1, "ada")
    assert not store.seats.claim(sitting, 1, "ben")
    assert store.seats.claim(sitting, 2, "ben")
    assert store.seats.owners(sitting) == {1: "ada", 2: "ben"}


def test_of_many_who_want_a_seat_exactly_one_gets_it(store: Store, begin: Any) -> None:
    for _ in range(10):
        sitting = begin(store)
        barrier = Barrier(4)

        def want(name: str, sitting: str = sitting, barrier: Barrier = barrier) -> bool:
            barrier.wait()
            return store.seats.claim(sitting, 2, name)

        with ThreadPoolExecutor(4) as pool:
            won = list(pool.map(want, "abcd"))
        assert sum(won) == 1


def test_ones_own_sittings_come_newest_first(store: Store, begin: Any) -> None:
    sittings = [begin(store) for _ in range(3)]
    for sitting in sittings:
        store.seats.claim(sitting, 1, "ada")
        store.seats.claim(sitting, 2, "ada")
    assert [held.rounds[0].sitting for held in store.held_by("ada")] == sittings[::-1]
    assert store.held_by("ben") == []


def test_invitations_and_names_are_kept(store: Store, begin: Any) -> None:
    sitting = begin(store)
    assert store.seats.invitation(sitting) is None
    store.seats.invite(sitting, "hash")
    assert store.seats.invitation(sitting) == "hash"
    store.seats.rename(sitting, 2, "Grace")
    assert store.get(sitting).names == ("Ada", "Grace")
    assert [kept.id for kept in store.matches(player="grace")] == [sitting]


def test_a_database_of_the_first_version_is_brought_up_to_date_with_its_matches(url: str, begin: Any) -> None:
    with open_store(url) as store:
        match = begin(store)
        store.add(match, 0, "add")
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        connection.execute(text("DROP TABLE seats"))
        connection.execute(text("DROP TABLE invitations"))
        connection.execute(text("DROP TABLE tickets"))
        connection.execute(text("DROP TABLE counts"))
        connection.execute(text("DROP TABLE heartbeats"))
        connection.execute(text("DROP TABLE lobby"))
        for table in ("classes", "class_teachers", "pupils", "activities", "class_boards", "class_answers"):
            connection.execute(text(f"DROP TABLE {table}"))
        connection.execute(text("DROP INDEX ix_matches_flag"))
        for column in ("backs", "clock", "clock_seconds", "left_1", "left_2", "running", "flag", "seen", "paused"):
            connection.execute(text(f"ALTER TABLE matches DROP COLUMN {column}"))
        settings = alembic_config()
        settings.attributes["connection"] = connection
        command.stamp(settings, "0001")
    engine.dispose()
    with open_store(url) as store:
        assert store.get(match).moves == ("add",)
        assert store.get(match).clock is None
        assert store.seats.claim(match, 1, "ada")


def test_postgresql_carries_events_to_other_connections(postgres_url: str) -> None:
    with open_store(postgres_url) as store:
        assert store.notifications
        heard, stopped, ready = [], Event(), Event()
        notifier = store.notifications

        def hear(payload: str) -> None:
            heard.append(payload)
            stopped.set()

        listener = Thread(target=notifier.listen, args=("bitduel", stopped, hear, ready.set), daemon=True)
        listener.start()
        assert ready.wait(60)
        notifier.notify("bitduel", "k7m")
        listener.join(60)
        stopped.set()
        assert heard == ["k7m"]


def test_sqlite_carries_none(sqlite_url: str) -> None:
    with open_store(sqlite_url) as store:
        assert store.notifications is None
