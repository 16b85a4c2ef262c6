"""What a bot can learn from the list of processes: nothing, where it has a space of its own."""

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from bitduel.players.process import MARK, kill_marked
from bots import GREETING, NOBODY, SOURCE, Script, python_of_all, python_of_nobody

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Only Linux gives a bot a space of processes.")

LOOKING = f"""{GREETING}
found = []
for name in filter(str.isdigit, os.listdir("/proc")):
    with open(f"/proc/{{name}}/cmdline") as file: found += file.read().split(chr(0))
print(os.getpid(), len(found), "--seed" in found, file=sys.stderr)
"""
PLAYING = """
import json, sys
from bitduel.core.match import Match
from bitduel.games.registry import make
from bitduel.players import Listener, PlayerLimits, drive
from bitduel.players.bot import BotPlayer
class Ear(Listener):
    said = ""
    def ended(self, match, fault): self.said = fault
ear = Ear()
match = Match(make("31"))
seats = {seat: BotPlayer(sys.argv[1].removeprefix("bot:"), PlayerLimits(60)) for seat in (1, 2)}
print(json.dumps([drive(match, seats, ear).reason, ear.said]))
"""
"""A match of a bot against itself, by a command in which there is a seed."""
MASKED = 'mount -t tmpfs none /proc/fs && exec setpriv --reuid 65534 --regid 65534 --clear-groups "$@"'
"""Runs a command as nobody with parts of /proc covered, as in many containers: no other can be mounted then."""
BOTS = Path(__file__).parents[2] / "docs" / "bots"


def played(command: list[str], spec: str, place: Path, **who: object) -> tuple[str, str]:
    """How the match ended, and what was said of the bot that lost it."""
    environment = {"PYTHONPATH": SOURCE, "TMPDIR": str(place), "PYTHONDONTWRITEBYTECODE": "1", "PATH": "/usr/bin:/bin"}
    whole = [*command, "-c", PLAYING, spec, "--seed", "7"]
    ran = subprocess.run(whole, capture_output=True, text=True, check=True, cwd="/", env=environment, **who)  # type: ignore[call-overload]
    reason, said = json.loads(ran.stdout)
    return reason, said


def seen(said: str) -> tuple[int, bool]:
    """How many words a bot saw in the commands of all processes, and whether there was a seed."""
    process, words, seed = said.rpartition(":")[2].split()
    if int(process) > 10:
        pytest.skip("This system gives nobody a space of processes of one's own.")
    return int(words), seed == "True"


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that everybody may read, with one that is nobody's."""
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        Path(name).chmod(0o755)
        (Path(name) / "tmp").mkdir(mode=0o777)
        (Path(name) / "tmp").chmod(0o777)
        yield Path(name)


@pytest.fixture
def masked() -> list[str]:
    """A Python that nobody can run, where /proc is masked."""
    python, unshare = python_of_nobody(), shutil.which("unshare")
    if os.getuid() != 0 or not python or not unshare or not shutil.which("setpriv"):
        pytest.skip("nobody can be put here where parts of /proc are covered")
    command = [unshare, "--mount", "sh", "-c", MASKED, "sh", python]
    if subprocess.run([*command, "-c", ""], capture_output=True).returncode:
        pytest.skip("nothing can be mounted here")
    return command


def test_a_bot_reads_no_seed_in_the_list_of_processes(place: Path) -> None:
    script = Script(place, LOOKING)
    words, seed = seen(played([sys.executable], script.spec, place / "tmp")[1])
    assert (words, seed) == (0, False)
    assert script.left() == []
    assert Path(f"/proc/{os.getpid()}").exists()


@pytest.mark.skipif(os.getuid() != 0, reason="these tests run as an unprivileged user anyway")
def test_nor_does_one_that_an_unprivileged_user_has_started(place: Path) -> None:
    python = python_of_nobody()
    if not python:
        pytest.skip("nobody has no Python that can read the house")
    script = Script(place, LOOKING)
    spec = script.spec.replace(python_of_all(), python)
    assert not seen(played([python], spec, place / "tmp", **NOBODY)[1])[1]
    assert script.left() == []


def test_nor_where_parts_of_the_list_are_covered_already(place: Path, masked: list[str]) -> None:
    script = Script(place, LOOKING)
    assert seen(played(masked, script.spec.replace(python_of_all(), masked[-1]), place / "tmp")[1]) == (0, False)
    assert script.left() == []


@pytest.mark.parametrize("language", ["python", "shell", "c"])
def test_and_bots_play_all_the_same(language: str, place: Path, masked: list[str]) -> None:
    for path in BOTS.iterdir():
        shutil.copy(path, place)
    if language == "c":
        compiler = shutil.which("cc")
        if not compiler:
            pytest.skip("there is no C compiler here")
        subprocess.run([compiler, "-o", str(place / "bot"), str(place / "bot.c")], check=True)
    command = {"python": [masked[-1], "bot.py"], "shell": ["/bin/sh", "bot.sh"], "c": ["bot"]}[language]
    spec = shlex.join([*command[:-1], str(place / command[-1])])
    assert played(masked, spec, place / "tmp") == ("finish", "")


def test_whatever_carries_a_bots_mark_is_ended_also_if_it_ignores_every_signal_it_can() -> None:
    code = (
        "import signal, time\n"
        "for each in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}: signal.signal(each, signal.SIG_IGN)\n"
        "print('up', flush=True)\n"
        "time.sleep(600)"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], env={**os.environ, MARK: "a-mark"}, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    with process, process.stdout:
        assert process.stdout.readline() == "up\n"
        kill_marked("another-mark")
        assert process.poll() is None
        kill_marked("a-mark")
        assert process.wait(30) == -9
