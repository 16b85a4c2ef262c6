"""Starts a bot behind fences and ends it for certain, with all that it has started.

A program of its own that knows nothing else of the house, so that it is there in no time, may fork, and does its duty
also where whoever wanted the bot was killed: the end of the pipe on which nothing is ever said is the sign.
"""

import ctypes
import json
import os
import resource
import select
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple, NoReturn

TASKS = 64
"""The most processes and threads of a bot."""
SHARED = 1000
"""What a user may have going on besides, where nobody can count it."""
FILE_BYTES = 64 << 20
FOLDER_MEGABYTES = 64
OPEN_FILES = 256
CPU_SECONDS = 3600

NEW_NAMESPACES, NEW_USER = 0x20000000 | 0x00020000, 0x10000000
DIE_WITH_PARENT, DUMPABLE, KEEP_CAPABILITIES, SUBREAPER, NO_NEW_PRIVILEGES, AMBIENT = 1, 4, 8, 36, 38, 47
MAY_READ = 2
"""The capability to read what others may not; of all that root may do, its bots keep this."""
PRIVATE, BARE, READ_ONLY, NO_PROGRAMS, DETACH = 0x44000, 0x6, 0x1, 0x8, 2

LINUX = sys.platform == "linux"
LIBC = ctypes.CDLL(None, use_errno=True) if LINUX else None


class Order(NamedTuple):
    """What is to be started, and how it is bounded."""

    command: list[str]
    environment: dict[str, str]
    folder: str
    megabytes: int
    apart: bool
    """Whether a space of processes of its own is wanted; then, whether it is to be had."""
    user: int
    """Who the bot is where root starts it: nobody there is."""
    control: int
    """Ends when the bot is to end."""
    status: int
    """Where it is said how the bot ended by itself."""
    hidden: list[str]
    """Folders that are empty to the bot, where it is set apart."""


def main() -> None:
    """Run a bot until it ends or is to end; nothing of it is left then."""
    order = Order(*json.loads(sys.argv[1]))
    for pipe in (order.control, order.status):
        os.set_inheritable(pipe, False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.chdir("/")
    order = order._replace(apart=order.apart and _set_apart())
    if order.apart:
        _mount_folder(order)
        first = os.fork()
        if not first:
            _control(DIE_WITH_PARENT, signal.SIGKILL)
            _run(order, TASKS)
            os._exit(0)
        _let_go_of_streams(order.control, order.status)
        os.waitpid(first, 0)
    else:
        _control(SUBREAPER, 1)
        _end_all(_run(order, TASKS + _tasks_of_this_user()))
    _remove(order.folder)


def _run(order: Order, tasks: int) -> int:
    """Start the bot and wait for its end or the order to end it; what else it has started may still be there."""
    bot = os.fork()
    if not bot:
        _become(order, tasks)
    _let_go_of_streams()
    _control(DUMPABLE, 0)
    _watch(bot, order)
    return bot


def _watch(bot: int, order: Order) -> None:
    """Until the bot ends or is to end; whoever has nobody else is buried on the way."""
    ear, mouth = os.pipe()
    for pipe in (ear, mouth):
        os.set_blocking(pipe, False)
    signal.set_wakeup_fd(mouth, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    poll = select.poll()
    poll.register(ear, select.POLLIN)
    poll.register(order.control, select.POLLIN)
    while True:
        ended = dict(_buried())
        if bot in ended:
            os.write(order.status, str(os.waitstatus_to_exitcode(ended[bot])).encode())
            return
        if order.control in dict(poll.poll()):
            return
        with suppress(BlockingIOError):
            os.read(ear, 4096)


def _buried() -> Iterator[tuple[int, int]]:
    """Whoever has died, and of what; raises nothing where nobody is left."""
    with suppress(ChildProcessError):
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            yield found


def _end_all(bot: int) -> None:
    """Kill whatever descends from here until nothing does; orphans come here, whatever session they are in."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(bot, signal.SIGKILL)
    while True:
        for process in _descendants():
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        select.select([], [], [], 0.005)


def _descendants() -> list[int]:
    """Every process that descends from this one; none are known where there is no /proc."""
    children: dict[int, list[int]] = {}
    for process, parent in _processes():
        children.setdefault(parent, []).append(process)
    found = [os.getpid()]
    for process in found:
        found += children.get(process, [])
    return found[1:]


def _processes() -> Iterator[tuple[int, int]]:
    """Every process and its parent."""
    with suppress(FileNotFoundError):
        for name in os.listdir("/proc"):
            if name.isdigit():
                with suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
                    yield int(name), int(file.read().rpartition(b")")[2].split()[1])


def _become(order: Order, tasks: int) -> NoReturn:
    """Turn into the bot."""
    try:
        os.setsid()
        _limit(order, tasks)
        with suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
        if order.apart:
            _hide_processes()
        if LINUX and os.getuid() == 0:
            os.chown(order.folder, order.user, order.user)
            _step_down(order.user)
        _control(NO_NEW_PRIVILEGES, 1)
        for number in (signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        os.chdir(order.folder)
        os.execve(order.command[0], order.command, order.environment)
    except OSError as error:
        os.write(2, f"it could not be started: {error.strerror}\n".encode())
    finally:
        os._exit(127)


def _limit(order: Order, tasks: int) -> None:
    wanted = {
        "RLIMIT_CORE": 0,
        "RLIMIT_CPU": CPU_SECONDS,
        "RLIMIT_FSIZE": FILE_BYTES,
        "RLIMIT_NOFILE": OPEN_FILES,
        "RLIMIT_NPROC": tasks,
        "RLIMIT_AS": order.megabytes << 20,
    }
    for name, most in wanted.items():
        with suppress(AttributeError, ValueError, OSError):
            which = getattr(resource, name)
            hard = resource.getrlimit(which)[1]
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(which, (most, most))


def _tasks_of_this_user() -> int:
    """What counts towards the limit where the bot shares it; root's bots are a user of their own."""
    if not os.getuid():
        return 0
    found = 0 if LINUX else SHARED
    for process, _ in _processes():
        with suppress(OSError):
            if os.stat(f"/proc/{process}").st_uid == os.getuid():
                found += len(os.listdir(f"/proc/{process}/task"))
    return found


def _set_apart() -> bool:
    """Go into a space of processes of its own, if the system allows it: what is in one ends with its first process."""
    user, group = os.getuid(), os.getgid()
    if LIBC is None or LIBC.unshare(NEW_NAMESPACES | (NEW_USER if user else 0)):
        return False
    if user:
        for name, line in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
            with suppress(OSError), open(f"/proc/self/{name}", "w") as file:
                file.write(line)
    return True


def _mount_folder(order: Order) -> None:
    """A folder in memory, where that is allowed: small, and gone with the bot."""
    assert LIBC
    LIBC.mount(None, b"/", None, PRIVATE, None)
    owner = os.getuid() or order.user
    for folder in order.hidden:
        _mount_nothing(os.fsencode(folder))
    how = f"size={FOLDER_MEGABYTES}m,nr_inodes=4096,mode=700,uid={owner}".encode()
    LIBC.mount(b"tmpfs", os.fsencode(order.folder), b"tmpfs", BARE, how)


def _mount_nothing(folder: bytes) -> None:
    assert LIBC
    LIBC.mount(b"tmpfs", folder, b"tmpfs", BARE | READ_ONLY, b"size=4k,mode=555")


def _hide_processes() -> None:
    """A /proc of the bot's own processes, or an empty one where that is refused: a command can have a seed in it.

    Nothing is mounted where it would be seen outside.
    """
    assert LIBC
    if LIBC.mount(None, b"/proc", None, PRIVATE, None):
        return
    if LIBC.mount(b"proc", b"/proc", b"proc", BARE | NO_PROGRAMS, None):
        _mount_nothing(b"/proc")


def _step_down(user: int) -> None:
    """From root to a user that nobody else is, who may read what root may and do nothing else of it."""
    assert LIBC
    with suppress(OSError):
        _control(KEEP_CAPABILITIES, 1)
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
        header = (ctypes.c_uint32 * 2)(0x20080522, 0)
        LIBC.capset(header, (ctypes.c_uint32 * 6)(*[1 << MAY_READ] * 3))
        _control(AMBIENT, 2, MAY_READ)


def _control(*arguments: int) -> None:
    """Ask the kernel for something about this process; what it does not know, it refuses."""
    if LIBC is not None:
        LIBC.prctl(*(ctypes.c_ulong(argument) for argument in (*arguments, 0, 0, 0)[:5]))


def _let_go_of_streams(*pipes: int) -> None:
    """The bot alone holds them, so that their end is its end."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    for pipe in pipes:
        os.close(pipe)


def _remove(folder: str) -> None:
    """Remove the working folder, whatever was done to it."""
    import shutil
    import subprocess

    if LIBC is not None:
        LIBC.umount2(os.fsencode(folder), DETACH)
    with suppress(RecursionError):
        shutil.rmtree(folder, ignore_errors=True)
    if os.path.exists(folder):
        subprocess.run(["chmod", "-R", "u+rwx", folder], check=False)
        subprocess.run(["rm", "-rf", folder], check=False)


if __name__ == "__main__":
    main()
