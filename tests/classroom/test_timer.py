"""The timer works on classes that were touched, and on announcements of other processes."""

import asyncio
from pathlib import Path

from bitduel.classroom.timer import ClassTimer
from bitduel.storage import open_store
from classroom.classroom_helpers import TestClass


def test_a_class_that_is_touched_is_worked_on(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path}/class.db") as store:
        room = TestClass(store, 2)
        timer = ClassTimer(room.classes)

        async def run() -> None:
            task = asyncio.create_task(timer.run())
            while room.classes.on_change is None:
                await asyncio.sleep(0)
            await asyncio.to_thread(room.start, "arena", minutes=1)
            match = room.pupil(1).now.match
            assert match
            await asyncio.to_thread(room.resign, 1)
            while room.pupil(1).now.match in (None, match):
                await asyncio.sleep(0.01)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

        asyncio.run(asyncio.wait_for(run(), 60))
        assert room.classes.on_change is None


def test_announcements_about_classes_are_heard_and_others_are_not(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path}/class.db") as store:
        timer = ClassTimer(TestClass(store).classes)
        assert timer.heard("class-TUMAK")
        assert timer._touched == {"TUMAK"}
        assert not timer.heard("bcdfghj 0 1 text")
