"""Classes in the store: one record for each version, and of two who change one class the second sees the first."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from bitduel.storage import Store, StoreError
from bitduel.storage.classes import BoardKey, ClassChanges, ClassRecord, ClassStore, UnknownClassError
from bitduel.storage.schema import SECOND, now


@pytest.fixture
def code(store: Store) -> str:
    return store.classes.create(lambda: "TUMAK", "Year 7", "teacher", now() + 60 * SECOND, is_local=True)


def add(store: Store, name: str) -> int:
    return store.classes.change("TUMAK", lambda _record, changes: changes.add_pupil(name=name))[0]


def test_a_code_is_taken_once(store: Store, code: str) -> None:
    codes = iter(["TUMAK", "TUMAK", "BABAB"])
    assert store.classes.create(lambda: next(codes), "", "other", now(), is_local=False) == "BABAB"
    with pytest.raises(StoreError):
        store.classes.create(lambda: "TUMAK", "", "other", now(), is_local=False)


def test_a_record_is_read_again_only_as_far_as_it_has_changed(store: Store, code: str) -> None:
    add(store, "Ada")
    first = store.classes.get(code)
    assert store.classes.get(code) is first
    add(store, "Ben")
    second = store.classes.get(code)
    assert second.pupils[1] is first.pupils[1]
    assert [each.name for each in second.pupils.values()] == ["Ada", "Ben"]
    fresh = ClassStore(store._database).get(code)
    assert fresh == second


def test_a_change_that_fails_leaves_nothing(store: Store, code: str) -> None:
    def fail(_record: ClassRecord, changes: ClassChanges) -> None:
        changes.add_pupil(name="Ada")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store.classes.change(code, fail)
    assert not store.classes.get(code).pupils


def test_changes_at_once_come_one_after_the_other(store: Store, code: str) -> None:
    with ThreadPoolExecutor(6) as pool:
        ids = list(pool.map(lambda number: add(store, f"Pupil {number}"), range(12)))
    assert sorted(ids) == list(range(1, 13))
    assert store.classes.get(code).version == 13


def test_a_board_begins_once(store: Store, code: str) -> None:
    def begin(record: ClassRecord, changes: ClassChanges) -> bool:
        number = record.activity_number or changes.add_activity("pairs", {}, 1, None)
        if BoardKey(1, 1, 1) in record.boards:
            return False
        changes.add_board(number, BoardKey(1, 1, 1), kind="bye", pupil_1=1, pupil_2=None, over=1)
        return True

    with ThreadPoolExecutor(4) as pool:
        began = list(pool.map(lambda _: store.classes.change(code, begin)[0], range(8)))
    assert began.count(True) == 1
    assert store.classes.active() == [code]


def test_a_deleted_class_is_gone(store: Store, code: str) -> None:
    add(store, "Ada")
    assert store.classes.newest_local() == code
    assert store.classes.expired(now()) == []
    assert store.classes.expired(now() + 61 * SECOND) == [code]
    store.classes.change(code, lambda _record, changes: changes.delete_class())
    with pytest.raises(UnknownClassError):
        store.classes.get(code)
    assert store.classes.newest_local() is None
    assert not store.classes.is_member("teacher")
