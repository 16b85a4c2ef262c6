"""Presence of pupils: from their requests here, and from the store for other processes and the next start."""

from pathlib import Path

from bitduel.classroom.classes import Classes
from bitduel.service.hub import Hub
from bitduel.service.match_service import MatchService
from bitduel.storage import open_store
from classroom.classroom_helpers import TestClass
from fake_time import FakeTime


def test_a_sign_of_a_pupil_is_known_to_another_process_once_it_is_stored(tmp_path: Path, time: FakeTime) -> None:
    with open_store(f"sqlite:///{tmp_path}/class.db") as store:
        room = TestClass(store, 2)
        other = Classes(MatchService(store, Hub()))
        time.pass_by(100)
        room.service.presence.clock = time
        room.pupil(1)
        assert [each.here for each in other.teacher_state(room.code, room.owner).pupils] == [False, False]
        room.classes.store_presence()
        other.store_presence()
        here = {each.id: each.here for each in other.teacher_state(room.code, room.owner).pupils}
        assert here == {1: True, 2: False}


def test_an_open_page_counts_as_a_sign(tmp_path: Path, time: FakeTime) -> None:
    with open_store(f"sqlite:///{tmp_path}/class.db") as store:
        room = TestClass(store, 1)
        record = store.classes.get(room.code)
        owner = record.pupils[1].owner
        assert owner
        with room.service.presence.watching(owner):
            time.pass_by(600)
            assert room.classes.presence.until(record)[1] > time()
        time.pass_by(100)
        assert room.classes.presence.until(record)[1] < time()
