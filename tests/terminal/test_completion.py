"""Completion in the real shells: a word is begun, Tab is pressed, and what can follow is there."""

import os
import pty
import re
import select
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SHELLS = {
    "bash": (["bash", "--norc", "-i"], 'eval "$(_BITDUEL_COMPLETE=bash_source bitduel)"'),
    "zsh": (["zsh", "-f", "-i"], 'autoload -U compinit; compinit -u; eval "$(_BITDUEL_COMPLETE=zsh_source bitduel)"'),
}
CASES = [
    ("bitduel pl", "play"),
    ("bitduel play binary-ba", "binary-battle"),
    ("bitduel play bits --vs perf", "perfect"),
    ("bitduel play bits --set edge=str", "edge=strict"),
    ("bitduel play bits --set first-move=em", "first-move=empty"),
]
OWN = [
    ("bitduel play 64 --set ", "target=64", "edge=open"),
    ("bitduel solve 31 --set ", "finish=any", "target=64"),
    ("bitduel rules bits --set edge=strict --set ", "repetition=0", "finish=any"),
    ("bitduel atlas 31 --set finish=any --set ", "length=31", "edge=open"),
    ("bitduel atlas double --over ", "target=2..20", "edge=strict"),
    ("bitduel atlas bits --over ", "edge=strict", "target=2..64"),
]
"""What is begun, what is offered then, and what belongs to another game."""
READY = "ready-to-complete"


class Shell:
    """A shell in a pseudo-terminal."""

    def __init__(self, name: str, home: Path) -> None:
        command, setup = SHELLS[name]
        self.master, slave = pty.openpty()
        search = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        settings = {**os.environ, "PATH": search, "HOME": str(home), "TERM": "xterm", "COLUMNS": "200", "LINES": "50"}
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, env=settings, start_new_session=True
        )
        os.close(slave)
        self.seen = ""
        self.write(f"{setup}; echo ready-to'-complete'\n")
        self.until(READY)

    def write(self, text: str) -> None:
        os.write(self.master, text.encode())

    def until(self, text: str) -> None:
        """Read until a text has come."""
        self.seen = ""
        while text not in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x08", "", self.seen):
            assert select.select([self.master], [], [], 30)[0], f"{text!r} never came after {self.seen[-400:]!r}"
            self.seen += os.read(self.master, 65536).decode(errors="replace")

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.master)


@pytest.mark.parametrize("name", SHELLS)
def test_tab_completes_commands_games_players_and_settings(name: str, tmp_path: Path) -> None:
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed here")
    shell = Shell(name, tmp_path)
    try:
        for begun, whole in CASES:
            shell.write(f"{begun}\t")
            shell.until(whole[len(begun.split()[-1]) :])
            shell.write("\x15\n")
    finally:
        shell.close()


@pytest.mark.parametrize("name", SHELLS)
def test_only_the_options_of_the_game_that_was_named_are_offered(name: str, tmp_path: Path) -> None:
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed here")
    shell = Shell(name, tmp_path)
    try:
        for begun, offered, foreign in OWN:
            shell.write(f"{begun}\t\t")
            shell.until(offered)
            shell.write("\x15echo all-of'-it'\n")
            before = shell.seen
            shell.until("all-of-it")
            assert foreign not in before + shell.seen
    finally:
        shell.close()


def test_fish_offers_only_the_options_of_the_game_that_was_named(tmp_path: Path) -> None:
    for begun, offered, foreign in OWN:
        shown = fish(begun, tmp_path)
        assert offered in shown
        assert foreign not in shown


def test_fish_completes_commands_games_players_and_settings(tmp_path: Path) -> None:
    for begun, whole in CASES:
        assert whole in fish(begun, tmp_path)


def fish(begun: str, home: Path) -> list[str]:
    """What fish offers after these words."""
    if shutil.which("fish") is None:
        pytest.skip("fish is not installed here")
    search = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    script = f"_BITDUEL_COMPLETE=fish_source bitduel | source; complete -C '{begun}'"
    ran = subprocess.run(
        ["fish", "--no-config", "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PATH": search, "HOME": str(home)},
    )
    return [line.split("\t")[0] for line in ran.stdout.splitlines()]
