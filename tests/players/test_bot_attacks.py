"""Bots with bad manners: each loses by the right ending, costs no memory, and leaves nothing behind."""

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import bitduel
from bitduel.core.match import Match
from bitduel.core.outcomes import Outcome
from bitduel.games.registry import make
from bitduel.players import FaultError, Listener, PlayerLimits, process
from bitduel.players.bot import BotPlayer
from bots import GREETING, NOBODY, SOURCE, Script, python_of_nobody

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="there is no /proc to look for processes in"
)

HANG = "while True: time.sleep(1000)"

LASTING = {
    "SIGTERM ignored": "for n in set(signal.Signals) - {9, 19}: signal.signal(n, signal.SIG_IGN)\nwhile True: pass",
    "children": f"[subprocess.Popen(['sh', '-c', 'sleep 1000; : MARK']) for _ in range(5)]\n{HANG}",
    "a fork bomb": "while True:\n try: os.fork()\n except OSError: pass",
}
"""What goes on until it is ended for being late."""

ENDING = {
    "crash": ("os.abort()", "crash"),
    "a child with its own session": (
        "subprocess.Popen(['sh', '-c', 'sleep 1000; : MARK'], start_new_session=True); sys.exit(1)",
        "crash",
    ),
    "an orphan that hides its mark": (
        "if not os.fork():\n os.setsid()\n if os.fork(): os._exit(0)\n"
        " os.execve('/bin/sh', ['sh', '-c', 'sleep 1000; : MARK'], {})\nos.wait(); sys.exit(2)",
        "crash",
    ),
    "300 forks": (
        "for _ in range(300):\n try:\n  if not os.fork(): os.setsid(); time.sleep(1000)\n except OSError: pass\n"
        "os.abort()",
        "crash",
    ),
    "10 GB": ("bytearray(10 << 30)", "crash"),
    "1 GB of output": ("while True: os.write(1, b'x' * 65536)", "garbled answer"),
    "1 GB of lines": ("while True: os.write(1, b'x\\n' * 32768)", "garbled answer"),
    "a folder full of knots": (
        "for _ in range(1200): os.mkdir('d'); os.chdir('d')\nos.mkdir('x', 0)\nos.abort()",
        "crash",
    ),
}
"""What shows by itself that it is wrong."""


@pytest.fixture(params=[True, False], ids=["apart", "not apart"])
def folders(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where bots get their folders; with a space of processes of their own, and as where the system has none."""
    monkeypatch.setattr(process, "USE_NAMESPACES", request.param)
    place = Path(tempfile.mkdtemp())
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    yield place
    assert list(place.iterdir()) == []
    place.rmdir()


def faulted(script: Script, seconds: float) -> str:
    """By which ending the bot loses at its first move."""
    seat = BotPlayer(script.spec.removeprefix("bot:"), PlayerLimits(seconds=seconds))
    with pytest.raises(FaultError) as fault:
        seat.choose(Match(make("31")).view(1))
    return fault.value.reason


@pytest.mark.parametrize("name", ENDING)
def test_an_attack_is_a_fault_and_leaves_nothing(name: str, folders: Path, tmp_path: Path) -> None:
    code, ending = ENDING[name]
    script = Script(tmp_path, f"{GREETING}\n{code}")
    assert faulted(script, 60) == ending
    assert script.left() == []


@pytest.mark.parametrize("name", LASTING)
def test_whoever_is_late_is_ended_with_all_that_it_has_started(name: str, folders: Path, tmp_path: Path) -> None:
    script = Script(tmp_path, f"{GREETING}\n{LASTING[name]}")
    assert faulted(script, 0.5) == "time"
    assert script.left() == []


def test_closing_standard_output_is_a_crash(tmp_path: Path) -> None:
    script = Script(tmp_path, f"{GREETING}\nos.close(1); hear()")
    found = next((ending for seconds in (1, 10, 60) if (ending := faulted(script, seconds)) != "time"), "time")
    assert found == "crash"
    assert script.left() == []


def test_the_memory_of_a_bot_is_bounded(tmp_path: Path) -> None:
    seat = BotPlayer(
        Script(tmp_path, f"{GREETING}\nbytearray(200 << 20)").spec.removeprefix("bot:"), PlayerLimits(60, 100)
    )
    with pytest.raises(FaultError, match="it ended with status 1: MemoryError"):
        seat.choose(Match(make("31")).view(1))


def test_a_bot_can_be_let_go_while_it_is_asked(folders: Path, tmp_path: Path) -> None:
    script = Script(tmp_path, f"{GREETING}\n{HANG}")
    seat = BotPlayer(script.spec.removeprefix("bot:"), PlayerLimits(seconds=600))
    found: list[BaseException] = []

    def ask() -> None:
        try:
            seat.choose(Match(make("31")).view(1))
        except FaultError as fault:
            found.append(fault)

    asking = threading.Thread(target=ask)
    asking.start()
    script.comes()
    seat.close()
    asking.join()
    assert len(found) == 1
    assert script.left() == []


def test_the_clock_of_the_driver_ends_a_bot_too(folders: Path, tmp_path: Path) -> None:
    script = Script(tmp_path, f"import time\n{HANG}")
    assert bitduel.play("31", script.spec, "random", seconds=0.3).outcome == Outcome(2, "time")
    assert script.left() == []


def test_whoever_forgets_to_close_a_bot_leaves_nothing_behind_either(folders: Path, tmp_path: Path) -> None:
    script = Script(tmp_path, f"{GREETING}\nsay(type='move', id=1, move='1')\n{HANG}")
    seat = BotPlayer(script.spec.removeprefix("bot:"), PlayerLimits(seconds=60))
    assert seat.choose(Match(make("31")).view(1)) == "1"
    assert script.left()
    del seat
    assert script.left() == []


def test_a_sandbox_that_was_killed_is_noticed_and_nothing_is_left(folders: Path, tmp_path: Path) -> None:
    script = Script(tmp_path, f"{GREETING}\nsay(type='move', id=1, move='1')\n{HANG}")
    seat = BotPlayer(script.spec.removeprefix("bot:"), PlayerLimits(seconds=60))
    assert seat.choose(Match(make("31")).view(1)) == "1"
    assert seat._process
    os.kill(seat._process.sandbox_pid, 9)
    seat.close()
    script.goes()  # the kernel ends what is left of its namespace a moment later


class Fault(Listener):
    """Keeps what was wrong."""

    said = ""

    def ended(self, match: Match, fault: str) -> None:
        self.said = fault


def test_standard_error_is_free_however_much_it_is(tmp_path: Path) -> None:
    flooding = "os.write(2, b'x' * 65536)"
    code = f"{GREETING}\nfor _ in range(1000): {flooding}\nsay(type='move', id=1, move='17')\nhear()"
    script, fault = Script(tmp_path, code), Fault()
    assert bitduel.play("31", script.spec, "random", seconds=120, listener=fault).outcome == Outcome(2, "illegal move")
    assert fault.said == "'17' is not legal"


MEASURED = """
import sys
from pathlib import Path
from bitduel.core.match import Match
from bitduel.games.registry import make
from bitduel.players import FaultError, PlayerLimits
from bitduel.players.bot import BotPlayer
def peak():
    return int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0])
def lose(path):
    try:
        BotPlayer(f"{sys.executable} {path}", PlayerLimits(60)).choose(Match(make("31")).view(1))
    except FaultError as fault:
        return fault.reason
lose(sys.argv[1])
before = peak()
print(*[lose(path) for path in sys.argv[2:]], (peak() - before) // 1024, sep=";")
"""


def test_a_flood_costs_no_memory_here(tmp_path: Path) -> None:
    floods = [
        "while True: os.write(1, b'x' * 65536)",
        "for _ in range(1500): os.write(2, b'x' * 65536)\nprint('x')",
        "print('{\"a\":' * 10_000)",
    ]
    paths = [str(Script(tmp_path, f"{GREETING}\n{code}").path) for code in ("pass", *floods)]
    ran = subprocess.run([sys.executable, "-c", MEASURED, *paths], capture_output=True, text=True, check=True)
    *endings, megabytes = ran.stdout.strip().split(";")
    assert endings == ["garbled answer"] * 3
    assert int(megabytes) < 16


UNPRIVILEGED = """
import json, os, sys
from bitduel.core.match import Match
from bitduel.games.registry import make
from bitduel.players import FaultError, PlayerLimits, drive, process
from bitduel.players.bot import BotPlayer
process.USE_NAMESPACES = json.loads(sys.argv[1])
endings = []
for path in sys.argv[2:]:
    seat = BotPlayer(f"{sys.executable} {path}", PlayerLimits(60))
    match = Match(make("31"))
    endings.append(drive(match, {1: seat, 2: BotPlayer(f"{sys.executable} {sys.argv[2]}", PlayerLimits(60))}).reason)
print(json.dumps([os.getuid(), endings]))
"""


@pytest.mark.skipif(os.getuid() != 0, reason="these tests run as an unprivileged user anyway")
@pytest.mark.parametrize("apart", ["true", "false"])
def test_an_unprivileged_user_is_as_safe(apart: str) -> None:
    python = python_of_nobody()
    if not python:
        pytest.skip("nobody has no Python that can read the house")
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        place = Path(name)
        place.chmod(0o755)
        (place / "tmp").mkdir(mode=0o700)
        os.chown(place / "tmp", 65534, 65534)
        honest = 'while True: say(type="move", id=asked["id"], move=asked["legal"][0]); asked = hear()'
        attacks = [attack for name, attack in ENDING.items() if "output" not in name and "lines" not in name]
        scripts = [Script(place, f"{GREETING}\n{code}") for code in (honest, *(code for code, _ in attacks))]
        command = [python, "-c", UNPRIVILEGED, apart, *(str(script.path) for script in scripts)]
        environment = {"PYTHONPATH": SOURCE, "TMPDIR": str(place / "tmp"), "PYTHONDONTWRITEBYTECODE": "1"}
        ran = subprocess.run(command, capture_output=True, text=True, check=True, cwd="/", env=environment, **NOBODY)
        user, endings = json.loads(ran.stdout)
        assert user == 65534
        assert endings[0] == "finish"
        assert endings[1:] == [ending for _, ending in attacks]
        assert not [script.left() for script in scripts if script.left()]
        assert list((place / "tmp").iterdir()) == []
