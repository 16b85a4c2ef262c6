"""What a bot of the arena can reach: attacks by real bots, started by root and by somebody who is not."""

import json
import os
import platform
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bitduel.core.match import Match
from bitduel.games.registry import make
from bitduel.players import FaultError, PlayerLimits, process
from bitduel.players.bot import BotPlayer
from bots import GREETING, NOBODY, SOURCE, Script, python_of_all, python_of_nobody

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Only Linux can seal a bot.")

SECRET = "what was dealt"
ASKING = """
import json, sys
from pathlib import Path
from bitduel.core.match import Match
from bitduel.games.registry import make
from bitduel.players import FaultError, PlayerLimits
from bitduel.players.bot import BotPlayer
spec, hidden, sealed = sys.argv[1:4]
seat = BotPlayer(spec.removeprefix("bot:"), PlayerLimits(60, hidden=(Path(hidden),), sealed=sealed == "yes"))
try:
    seat.choose(Match(make("31")).view(1))
except FaultError as fault:
    print(json.dumps([str(fault).partition(": ")[2], seat.isolated]))
"""
"""Starts a bot that says on standard error what it has found, and ends."""

HANDLE = """
class Handle(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint), ("kind", ctypes.c_int), ("bytes", ctypes.c_ubyte * 128)]
def opened(inode, generation=0):
    at = os.open("/", os.O_RDONLY)
    handle = Handle(8, 1)
    handle.bytes[:8] = list(inode.to_bytes(4, "little") + generation.to_bytes(4, "little"))
    number = LIBC.open_by_handle_at(at, ctypes.byref(handle), os.O_RDONLY)
    return number, ctypes.get_errno()
"""
TOOLS = f"import ctypes, errno, glob, socket\nLIBC = ctypes.CDLL(None, use_errno=True)\n{HANDLE}"


class Place:
    """A folder of a run with something in it that no bot may know, and who starts bots there."""

    def __init__(self, folder: Path, python: str, who: dict[str, Any]) -> None:
        self.folder, self.python, self.who = folder, python, who
        self.rows = folder / "rows"
        self.rows.mkdir()
        (self.rows / "games.jsonl").write_text(SECRET)

    def found(self, code: str, *words: str, sealed: str = "yes") -> tuple[str, bool]:
        """What a bot says that runs this code, and whether it was isolated."""
        script = Script(self.folder, f"{GREETING}{TOOLS}\n{code}")
        spec = " ".join([script.spec.replace(python_of_all(), self.python), *words])
        environment = {"PYTHONPATH": SOURCE, "TMPDIR": str(self.folder / "tmp"), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [self.python, "-c", ASKING, spec, str(self.rows), sealed, "--seed", "7777"]
        ran = subprocess.run(command, capture_output=True, text=True, check=True, cwd="/", env=environment, **self.who)
        said, isolated = json.loads(ran.stdout)
        assert list((self.folder / "tmp").iterdir()) == []
        return said, isolated


@pytest.fixture(params=["as we are", pytest.param("as nobody", marks=pytest.mark.thorough)])
def place(request: pytest.FixtureRequest) -> Iterator[Place]:
    """A folder outside those that a sealed bot sees nothing of, open to everybody."""
    who: dict[str, Any] = {} if request.param == "as we are" else NOBODY
    if who and os.getuid():
        pytest.skip("these tests run as an unprivileged user anyway")
    python = python_of_nobody() if who else sys.executable
    if not python:
        pytest.skip("nobody has no Python that can read the house")
    with tempfile.TemporaryDirectory(dir=Path(__file__).parents[2], prefix=".isolation-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "tmp").mkdir()
        (folder / "tmp").chmod(0o777)
        made = Place(folder, python, who)
        if not made.found("print('here', file=sys.stderr)")[1]:
            pytest.skip("This system cannot seal a bot.")
        yield made


@pytest.mark.parametrize("sealed", ["yes", "no"])
def test_a_bot_has_no_capability_and_can_get_none(place: Place, sealed: str) -> None:
    code = """
header, sets = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
LIBC.capget(header, sets)
bounds = [c for c in range(41) if LIBC.prctl(23, c, 0, 0, 0) == 1]
ambient = [c for c in range(41) if LIBC.prctl(47, 1, c, 0, 0) == 1]
print(json.dumps([list(sets), bounds, ambient, LIBC.prctl(39, 0, 0, 0, 0), os.getuid()]), file=sys.stderr)
"""
    sets, bounds, ambient, no_new_privileges, user = json.loads(place.found(code, sealed=sealed)[0])
    assert (sets, bounds, ambient, no_new_privileges) == ([0] * 6, [], [], 1)
    assert user != 0


def test_a_file_in_a_hidden_folder_cannot_be_opened_by_its_number(place: Place) -> None:
    inode = (place.rows / "games.jsonl").stat().st_ino
    above = place.folder.stat().st_ino
    code = f"""
tried = [opened(number, generation) for number in ({inode}, {above}, 2) for generation in range(3)]
seen = os.listdir({str(place.rows)!r})
print(json.dumps([tried, seen]), file=sys.stderr)
"""
    tried, seen = json.loads(place.found(code)[0])
    assert all(number == -1 for number, _ in tried)
    assert {why for _, why in tried} == {1}
    assert seen == []


@pytest.mark.skipif(os.getuid() != 0, reason="only root may open files by number at all")
def test_that_attack_works_for_who_may() -> None:
    """So that the test above tells something: root opens the root folder of this very disk by its number."""
    with tempfile.TemporaryDirectory(dir=Path(__file__).parents[2]) as name:
        (Path(name) / "file").write_text(SECRET)
        code = (
            "import ctypes, os, sys\nLIBC = ctypes.CDLL(None, use_errno=True)\n"
            "H = type('H', (ctypes.Structure,), {'_fields_': [('n', ctypes.c_uint), ('k', ctypes.c_int),"
            " ('b', ctypes.c_ubyte * 128)]})\n"
            "h, mount = H(128), ctypes.c_int()\n"
            "path = sys.argv[1].encode()\n"
            "if LIBC.name_to_handle_at(-100, path, ctypes.byref(h), ctypes.byref(mount), 0): sys.exit(3)\n"
            "n = LIBC.open_by_handle_at(os.open('/', os.O_RDONLY), ctypes.byref(h), os.O_RDONLY)\n"
            "print(os.read(n, 99).decode() if n >= 0 else ctypes.get_errno())"
        )
        ran = subprocess.run([sys.executable, "-c", code, f"{name}/file"], capture_output=True, text=True, check=False)
        if ran.returncode == 3 or ran.stdout.strip() in ("1", "116"):
            pytest.skip("This file system has no numbers, or this root may not use them.")
        assert ran.stdout.strip() == SECRET


@pytest.mark.parametrize("sealed", ["yes", "no"])
def test_nothing_that_a_bot_can_read_of_processes_and_mounts_names_what_is_hidden_or_the_seed(
    place: Place, sealed: str
) -> None:
    code = f"""
told = []
for top, _, names in os.walk("/proc"):
    for name in names:
        try: told.append(open(os.path.join(top, name), "rb").read(1 << 20))
        except OSError: pass
for name in ("/proc/1/cmdline", "/proc/self/mountinfo", "/proc/1/environ", "/proc/mounts", "/etc/mtab"):
    try: told.append(open(name, "rb").read())
    except OSError: pass
told += [" ".join(sys.argv[:1]).encode(), repr(dict(os.environ)).encode()]
whole = b"\\n".join(told)
print(json.dumps([{place.rows.name!r}.encode() in whole, b"7777" in whole, len(told)]), file=sys.stderr)
"""
    rows, seed, _ = json.loads(place.found(code, sealed=sealed)[0])
    assert (rows, seed) == (False, False)


NOTES = """
marks, places = [], ["/tmp", "/var/tmp", "/dev/shm", "/run", os.path.dirname(__file__), os.getcwd(), "/", "/root"]
places += [top for top, _, _ in os.walk("/var")][:2000]
kept = []
for folder in places:
    path = os.path.join(folder, "note-MARK")
    if os.path.exists(path): kept.append(path)
    try: open(path, "w").write("x")
    except OSError: continue
    marks.append(folder)
ring = [LIBC.syscall(248, b"user", b"note-MARK", b"x", 1, ctypes.c_int(-3))]
ring += [LIBC.syscall(250, 10, ctypes.c_int(-3), b"user", b"note-MARK", 0)]
memory = LIBC.shmget(0x4D41524B, 4096, 0o666)
made = LIBC.shmget(0x4D41524B, 4096, 0o1666)
print(json.dumps([kept, marks, max(ring) > 0, memory >= 0, made >= 0]), file=sys.stderr)
"""


def test_no_note_that_a_bot_leaves_is_there_in_its_next_match(place: Place) -> None:
    mark = f"note-{os.getpid()}"
    code = NOTES.replace("MARK", mark)
    for _ in range(2):
        kept, written, keys, memory, made = json.loads(place.found(code)[0])
        assert (kept, keys, memory) == ([], False, False)
        assert made, "so that what was left could have been found"
        assert all(folder == "/dev/shm" or "bitduel-bot-" in folder for folder in written), written
        assert written
    for folder in ("/tmp", "/var/tmp", "/dev/shm"):
        assert not list(Path(folder).glob(f"note-{mark}*"))


def test_no_socket_leads_out_of_a_sealed_bot(place: Place) -> None:
    server = socket.create_server(("127.0.0.1", 0))
    local = socket.socket(socket.AF_UNIX)
    path = str(place.folder / "socket")
    local.bind(path)
    Path(path).chmod(0o777)
    local.listen()
    code = f"""
def tried(family, address):
    try:
        with socket.socket(family) as each: each.settimeout(5); each.connect(address)
        return True
    except OSError: return False
tries = tried(socket.AF_INET, ("127.0.0.1", {server.getsockname()[1]})), tried(socket.AF_UNIX, {path!r})
print(json.dumps(tries), file=sys.stderr)
"""
    try:
        assert json.loads(place.found(code)[0]) == [False, False]
        assert json.loads(place.found(code, sealed="no")[0]) == [True, True], "so that the attack is known to work"
    finally:
        server.close()
        local.close()


def test_a_bot_that_makes_spaces_of_its_own_gets_no_further(place: Place) -> None:
    code = f"""
rows, folder = {str(place.rows)!r}.encode(), {str(place.folder)!r}.encode()
def attack():
    done = [LIBC.unshare(0x10000000 | 0x00020000 | 0x20000000)]
    done += [LIBC.umount2(path, 2) for path in (rows, b"/proc", b"/tmp", b"/run", os.getcwd().encode())]
    done += [LIBC.mount(None, path, None, 0x20 | 0x1000, None) for path in (b"/", folder)]
    if os.fork() == 0:
        found = []
        LIBC.mount(b"proc", os.getcwd().encode(), b"proc", 0, None)
        for name in ("mountinfo", "cmdline"):
            try: found.append(open("1/" + name).read())
            except OSError: pass
        for number in (165, 428, 429, 430, 442):
            LIBC.syscall(number, 0, 0, 0, 0, 0)
        try: seen = os.listdir(rows)
        except OSError: seen = []
        try: written = bool(open(os.path.join(folder.decode(), "tmp", "note"), "w"))
        except OSError: written = False
        print(json.dumps([seen != [], written, rows.decode() in " ".join(found)]), file=sys.stderr, flush=True)
        os._exit(0)
    os.wait()
attack()
"""
    assert json.loads(place.found(code)[0]) == [False, False, False]


def test_no_kind_of_socket_can_be_had(place: Place) -> None:
    code = """
made = []
for family in range(46):
    for kind in (1, 2, 3, 5):
        if LIBC.socket(family, kind, 0) >= 0: made.append(family)

print(json.dumps(made), file=sys.stderr)
"""
    assert json.loads(place.found(code)[0]) == []


def test_a_sealed_bot_can_neither_ask_nor_say_what_is_in_memory_nor_make_spaces(place: Place) -> None:
    code = """
def refused(act):
    try: act()
    except OSError as error: return error.errno == 1
    return False
handle = os.open(sys.executable, os.O_RDONLY)
answers = [
    refused(lambda: os.posix_fadvise(handle, 0, 4096, os.POSIX_FADV_DONTNEED)),
    refused(lambda: os.preadv(handle, [bytearray(1)], 0, os.RWF_NOWAIT)),
    LIBC.unshare(0x10000000) != 0,
    os.pread(handle, 1, 0) != b"",
]
print(json.dumps(answers), file=sys.stderr)
"""
    assert json.loads(place.found(code)[0]) == [True] * 4


CALLS = (
    *("socket", "add_key", "request_key", "keyctl", "open_by_handle_at", "statmount", "listmount", "io_uring_setup"),
    *("preadv2", "fadvise64", "mincore", "readahead", "cachestat"),
    *("unshare", "setns", "mount", "bpf", "perf_event_open"),
)
NUMBERS = {
    "x86_64": (41, 248, 249, 250, 304, 457, 458, 425, 327, 221, 27, 187, 451, 272, 308, 165, 321, 298),
    "aarch64": (198, 217, 218, 219, 265, 457, 458, 425, 286, 223, 232, 213, 451, 97, 268, 40, 280, 241),
}
"""The numbers of these calls in the tables of the kernel."""


def test_every_system_call_that_reaches_past_a_sealed_bot_is_refused_whatever_it_asks_for(place: Place) -> None:
    calls = dict(zip(CALLS, NUMBERS[platform.machine()], strict=True))
    code = f"""
answers = {{name: (LIBC.syscall(number, -1, -1, -1, -1, -1), ctypes.get_errno()) for name, number in {calls}.items()}}
print(json.dumps([name for name, answer in answers.items() if answer != (-1, errno.EPERM)]), file=sys.stderr)
"""
    assert json.loads(place.found(code)[0]) == []


def test_a_bot_whose_command_names_what_is_to_be_hidden_is_not_isolated(place: Place) -> None:
    said, isolated = place.found(
        f"print(open({str(place.rows / 'games.jsonl')!r}).read(), file=sys.stderr)", str(place.rows)
    )
    assert (said, isolated) == (SECRET, False)


def test_a_link_to_what_is_hidden_names_it_too(place: Place) -> None:
    link = place.folder / "link"
    link.symlink_to(place.rows)
    assert place.found("print('here', file=sys.stderr)", str(link)) == ("here", False)


@pytest.mark.skipif(os.getuid() != 0, reason="only who is root has files that its bots may not read")
def test_of_a_closed_folder_a_bot_of_root_sees_what_its_command_names_and_nothing_else(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    (closed / "bots").mkdir(parents=True)
    closed.chmod(0o700)
    (closed / "key").write_text(SECRET)
    (closed / "bots" / "helper.py").write_text("NAME = 'helper'")
    bot = closed / "bots" / "bot.py"
    looking = f"import helper\nprint(json.dumps([helper.NAME, os.listdir({str(closed)!r})]), file=sys.stderr)"
    bot.write_text(f"{GREETING}{looking}")
    seat = BotPlayer(f"{sys.executable} {bot}", PlayerLimits(60))
    with pytest.raises(FaultError) as fault:
        seat.choose(Match(make("31")).view(1))
    assert json.loads(str(fault.value).partition(": ")[2]) == ["helper", ["bots"]]
    assert (closed / "key").read_text() == SECRET


def test_where_the_system_has_no_means_a_bot_is_known_not_to_be_isolated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "USE_NAMESPACES", False)
    seat = BotPlayer(
        Script(tmp_path, f"{GREETING}sys.exit(1)").spec.removeprefix("bot:"), PlayerLimits(60, sealed=True)
    )
    assert seat.isolated is None
    with pytest.raises(FaultError):
        seat.choose(Match(make("31")).view(1))
    assert seat.isolated is False


USUAL = PlayerLimits(60)


@pytest.mark.parametrize(
    ("limits", "reveals"),
    [(USUAL, True), (USUAL._replace(reveals=True), True), (USUAL._replace(reveals=False), False)],
    ids=["usual", "yes", "no"],
)
def test_a_bot_is_told_what_was_dealt_unless_others_are_still_to_play_it(
    tmp_path: Path, limits: PlayerLimits, reveals: bool
) -> None:
    code = f"""{GREETING}
while asked["type"] == "move?":
    say(type="move", id=asked["id"], move=asked["legal"][0]); asked = hear()
print(json.dumps(asked), file=sys.stderr)
"""
    seat = BotPlayer(Script(tmp_path, code).spec.removeprefix("bot:"), limits._replace(folder=tmp_path))
    match = Match(make("battle"), deal="01101")
    seat.choose(match.view(1))
    match.play(match.legal[0])
    match.resign(2)
    seat.over(match.view(1))
    told = json.loads((tmp_path / "seat-1.err").read_text())
    assert (told["type"], told["winner"], told["reason"]) == ("result", 1, "resignation")
    assert ("01101" in json.dumps(told)) is reveals
    assert (told["view"]["deal"] is None) is not reveals
