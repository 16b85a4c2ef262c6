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
from click.shell_completion import ShellComplete

from bitduel.cli import COMMANDS
from bitduel.core.match import Match
from bitduel.games.registry import make
from bitduel.players.spec import KINDS
from bitduel.storage import open_store
from bitduel.terminal.group import group

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
            assert select.select([self.master], [], [], 60)[0], f"{text!r} never came after {self.seen[-400:]!r}"
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


@pytest.mark.thorough
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


@pytest.mark.thorough
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


def test_match_ids_are_offered_with_what_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    db = f"sqlite:///{tmp_path}/matches.db"
    with open_store(db) as store:
        ids = [store.begin(Match(make(game)), ("human", "hard"), ("Ada", "Ben")) for game in ("64", "double")]
    monkeypatch.setenv("BITDUEL_DB", db)
    offered = completions("resume", "")
    assert sorted(offered) == sorted(ids)
    assert str(offered[ids[0]]).startswith("Binary Race to 64: Ada - Ben (hard), unfinished, Ada to move (20")
    assert list(completions("show", ids[1])) == [ids[1]]


def test_no_ids_are_offered_where_the_store_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BITDUEL_DB", "sqlite:////proc/nowhere/x.db")
    assert completions("resume", "") == {}


def test_players_are_offered_with_what_they_do() -> None:
    assert completions("play", "64", "--vs", "perf") == {"perfect": KINDS["perfect"].about}


def completions(*words: str) -> dict[str, str | None]:
    """What is offered in place of the last word, with its description."""
    *before, incomplete = words
    found = ShellComplete(group(COMMANDS), {}, "bitduel", "_BITDUEL_COMPLETE").get_completions(before, incomplete)
    return {item.value: item.help for item in found if item.type == "plain"}
