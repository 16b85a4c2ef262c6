"""The sandbox of a bot, where the system refuses what it wants."""

import sys
from pathlib import Path

import pytest

from bitduel.players import sandbox
from bitduel.players.sandbox import Launch

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Only Linux can seal a bot.")


class Refusing:
    """A system that mounts nothing."""

    def mount(self, *_: object) -> int:
        return -1


def test_where_nothing_can_be_mounted_a_bot_is_not_sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "LIBC", Refusing())
    launch = Launch(["bot"], {}, str(tmp_path), 64, True, 1 << 30, 0, 0, [], True)
    assert sandbox._restrict_files(launch) is False
