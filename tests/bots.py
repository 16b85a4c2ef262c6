"""Bots for tests, and what shows whether anything of one is left."""

import atexit
import os
import secrets
import select
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import bitduel

TRIES = 600
GREETING = """
import json, os, signal, subprocess, sys, time
def hear(): return json.loads(sys.stdin.readline())
def say(**message): print(json.dumps(message), flush=True)
hear()
say(type="hello", protocol=1, name="Tester")
asked = hear()
"""
"""The beginning of a bot that has come to its first move."""
NOBODY: dict[str, Any] = {"user": 65534, "group": 65534, "extra_groups": []}
SOURCE = str(Path(bitduel.__file__).parents[1])


class Script:
    """A bot of a few lines in Python whose processes can be told from all others."""

    def __init__(self, folder: Path, code: str) -> None:
        self.mark = f"bot-{secrets.token_hex(8)}"
        self.path = open_to_all(folder) / f"{self.mark}.py"
        self.path.write_text(code.replace("MARK", self.mark), encoding="utf-8")

    @property
    def spec(self) -> str:
        """How it is written as a player."""
        return f"bot:{shlex.quote(python_of_all())} {shlex.quote(str(self.path))} {self.mark}"

    def left(self) -> list[str]:
        """The commands of its processes."""
        return processes(self.mark)

    def comes(self) -> None:
        """Wait until it runs."""
        wait_until(lambda: any("sandbox" not in command and "-m bitduel" not in command for command in self.left()))

    def goes(self) -> None:
        """Wait until nothing of it runs."""
        wait_until(lambda: not self.left())


def open_to_all(folder: Path) -> Path:
    """The folder, or a new one elsewhere into which a bot of root can look where it is not set apart."""
    if is_open(folder):
        return folder
    made = Path(tempfile.mkdtemp(dir="/tmp", prefix="bitduel-test-"))
    made.chmod(0o755)
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


def is_open(path: Path) -> bool:
    """Whether a bot may go where we may: everywhere, unless we are root, who is somebody else than its bots."""
    return bool(os.getuid()) or all(each.stat().st_mode & 0o001 for each in (path, *path.parents))


@cache
def python_of_all() -> str:
    """This Python, or one that everybody may run."""
    if is_open(Path(sys.executable).resolve()):
        return sys.executable
    return shutil.which("python3", path="/usr/local/bin:/usr/bin:/bin") or sys.executable


def processes(mark: str) -> list[str]:
    """The commands of all processes that have a mark in command or environment."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            command = (folder / "cmdline").read_bytes()
            if int(folder.name) != os.getpid() and mark.encode() in command + (folder / "environ").read_bytes():
                found.append(command.replace(b"\0", b" ").decode())
    return found


def wait_until(done: Callable[[], bool]) -> None:
    """Look again and again, for a minute at most."""
    for _ in range(TRIES):
        if done():
            return
        select.select([], [], [], 0.1)
    raise AssertionError("it never came")


def python_of_nobody() -> str:
    """A Python that an unprivileged user can run the house with; empty where there is none."""
    code = "import sys, bitduel.players; assert sys.version_info >= (3, 11)"
    for python in filter(None, (sys.executable, shutil.which("python3", path="/usr/local/bin:/usr/bin:/bin"))):
        try:
            subprocess.run(
                [python, "-c", code], check=True, capture_output=True, cwd="/", env={"PYTHONPATH": SOURCE}, **NOBODY
            )
        except (OSError, subprocess.CalledProcessError):
            continue
        return python
    return ""
