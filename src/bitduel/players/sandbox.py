"""Starts a bot behind fences and ends it for certain, with all that it has started.

A program of its own that knows nothing else of the house, so that it is there in no time, may fork, and does its duty
also where whoever wanted the bot was killed: the end of the pipe on which nothing is ever said is the sign.
"""

import ctypes
import errno
import json
import os
import platform
import resource
import select
import signal
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from struct import Struct
from typing import NamedTuple, NoReturn

TASKS = 64
"""The most processes and threads of a bot."""
SHARED = 1000
"""What a user may have going on besides, where nobody can count it."""
FILE_BYTES = 64 << 20
FOLDER_MEGABYTES = 64
OPEN_FILES = 256
CPU_SECONDS = 3600

NEW_MOUNTS_AND_PROCESSES, NEW_USER = 0x00020000 | 0x20000000, 0x10000000
NEW_MESSAGES_AND_NETWORK = 0x08000000 | 0x40000000
DIE_WITH_PARENT, DUMPABLE, SECCOMP, DROP_FROM_BOUNDS, SECUREBITS, SUBREAPER = 1, 4, 22, 24, 28, 36
NO_NEW_PRIVILEGES, AMBIENT, CLEAR_ALL = 38, 47, 4
CAPABILITIES = 64
"""More than any kernel has; those it does not know it refuses to drop."""
ROOT_IS_NOBODY = 0xE3
"""No capability comes back with the user 0, by being kept, or by being ambient; and all of that is locked."""
PRIVATE, BARE, READ_ONLY, BIND, BELOW, DETACH = 0x44000, 0x6, 0x1, 0x5000, 0x8000, 2
HERE = -100
MOUNT_SETATTR = 442
"""The number of the call, the same on every machine."""

SHARED_FOLDERS = ("/tmp", "/var/tmp", "/run")
"""Where programs meet: by files that everybody may write, and by sockets of services."""
MEMORY = ("/dev/shm",)
"""Where programs share memory; every bot gets its own."""

LINUX = sys.platform == "linux"
LIBC = ctypes.CDLL(None, use_errno=True) if LINUX else None


class Machine(NamedTuple):
    """How a filter names what it looks at, on one kind of processor."""

    audit: int
    refused: tuple[int, ...]
    """socket, add_key, request_key, keyctl, open_by_handle_at, statmount, listmount, io_uring_setup;
    what tells or changes which pages are in memory: preadv2, fadvise64, mincore, readahead, cachestat;
    and what makes spaces anew: unshare, setns, mount, bpf, perf_event_open."""


MACHINES = {
    "x86_64": Machine(
        0xC000003E, (41, 248, 249, 250, 304, 457, 458, 425, 327, 221, 27, 187, 451, 272, 308, 165, 321, 298)
    ),
    "aarch64": Machine(
        0xC00000B7, (198, 217, 218, 219, 265, 457, 458, 425, 286, 223, 232, 213, 451, 97, 268, 40, 280, 241)
    ),
}
OTHER_ABI = 0x40000000
"""From this number on, calls of x86_64 have another form."""


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
    sealed: bool
    """Whether nothing of it may last: no network, and nothing to write but its folder."""


def main() -> None:
    """Run a bot until it ends or is to end; nothing of it is left then."""
    with os.fdopen(int(sys.argv[1]), "rb") as file:
        order = Order(*json.load(file))
    for pipe in (order.control, order.status):
        os.set_inheritable(pipe, False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.chdir("/")
    above = os.open(os.path.dirname(order.folder), os.O_RDONLY)
    order = order._replace(apart=order.apart and _set_apart(order.sealed))
    if order.apart:
        os.write(order.status, b"1" if _arrange(order) else b"0")
        first = os.fork()
        if not first:
            _control(DIE_WITH_PARENT, signal.SIGKILL)
            _run(order, TASKS)
            os._exit(0)
        _let_go_of_streams(order.control, order.status)
        os.waitpid(first, 0)
        if LIBC is not None:
            LIBC.umount2(os.fsencode(order.folder), DETACH)
        with suppress(OSError):
            # Seen from before everything was set apart, the folder is empty and can be removed.
            os.rmdir(os.path.basename(order.folder), dir_fd=above)
    else:
        os.write(order.status, b"0")
        _control(SUBREAPER, 1)
        _end_all(_run(order, TASKS + _tasks_of_this_user()))
        _remove(order.folder)


def _run(order: Order, tasks: int) -> int:
    """Start the bot and wait for its end or the order to end it; what else it has started may still be there."""
    _control(DUMPABLE, 0)
    bot = os.fork()
    if not bot:
        _become(order, tasks)
    _let_go_of_streams()
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
        _control(DUMPABLE, 1)
        _limit(order, tasks)
        with suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
        if order.apart:
            _mount_nothing(b"/proc")
        os.chdir(order.folder)  # which may be in a folder that is closed to the bot
        if LINUX:
            _step_down(order)
        _control(NO_NEW_PRIVILEGES, 1)
        if order.sealed:
            _refuse_calls()
        for number in (signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
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


def _set_apart(sealed: bool) -> bool:
    """Go into a space of processes of its own, if the system allows it: what is in one ends with its first process."""
    user, group = os.getuid(), os.getgid()
    wanted = NEW_MOUNTS_AND_PROCESSES | (NEW_MESSAGES_AND_NETWORK if sealed else 0) | (NEW_USER if user else 0)
    if LIBC is None or LIBC.unshare(wanted):
        return False
    if user:
        for name, line in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
            with suppress(OSError), open(f"/proc/self/{name}", "w") as file:
                file.write(line)
    return True


def _arrange(order: Order) -> bool:
    """Let the bot see and write no more than it should; whether all that makes it sealed could be done.

    Nothing is mounted where it would be seen outside.
    """
    assert LIBC
    if LIBC.mount(None, b"/", None, PRIVATE, None):
        return False
    owner, needed = os.getuid() or order.user, _needed(order)
    try:
        done = [_cover(folder, needed) for folder in _covers(order, needed)]
        done += [_mount_nothing(os.fsencode(folder)) for folder in order.hidden if os.path.isdir(folder)]
        done += [_make_read_only()] if order.sealed else []
        done += [_mount_room(order.folder, owner, "700")]
        done += [_mount_room(folder, owner, "1777") for folder in MEMORY if order.sealed and os.path.isdir(folder)]
    except OSError:
        return False
    return order.sealed and all(done) and platform.machine() in MACHINES


def _covers(order: Order, needed: set[str]) -> list[str]:
    """The folders of which a bot sees no more than it needs, outer ones first.

    These are folders in which programs meet, and those that are closed to the user that a bot of root becomes.
    """
    shared = {os.path.realpath(folder) for folder in SHARED_FOLDERS if order.sealed}
    above = {folder for path in needed for folder in _above(path)} if os.getuid() == 0 else set()
    return sorted(folder for folder in shared | set(filter(_is_closed, above)) if os.path.isdir(folder))


def _needed(order: Order) -> set[str]:
    """The paths that a command names, as they are written and as they are meant, and the working folder."""
    words = {word for word in (*order.command, order.folder) if word.startswith("/") and os.path.lexists(word)}
    return words | {os.path.realpath(word) for word in words}


def _above(path: str) -> Iterator[str]:
    while path != "/":
        path = os.path.dirname(path)
        yield path


def _is_closed(folder: str) -> bool:
    """Whether nobody but its owner may go through a folder."""
    return not os.stat(folder).st_mode & stat.S_IXOTH


def _cover(folder: str, needed: set[str]) -> bool:
    """Leave of a folder only what needed paths go through; whether that could be done."""
    assert LIBC
    inside = folder.rstrip("/") + "/"
    names = sorted({path[len(inside) :].split("/")[0] for path in needed if path.startswith(inside)})
    held = {name: os.open(inside + name, os.O_PATH | os.O_NOFOLLOW) for name in names if os.path.lexists(inside + name)}
    done = _mount(b"tmpfs", folder, b"tmpfs", BARE, b"size=64k,mode=755")
    for name, handle in held.items() if done else ():
        place, mode = inside + name, os.fstat(handle).st_mode
        if stat.S_ISLNK(mode):
            os.symlink(os.readlink(b"", dir_fd=handle), place)
            continue
        if stat.S_ISDIR(mode):
            os.mkdir(place)
        else:
            os.close(os.open(place, os.O_CREAT | os.O_WRONLY))
        done = _mount(f"/proc/self/fd/{handle}".encode(), place, None, BIND, None) and done
    for handle in held.values():
        os.close(handle)
    return done


def _mount(what: bytes | None, where: str | bytes, kind: bytes | None, how: int, more: bytes | None) -> bool:
    return LIBC is not None and not LIBC.mount(what, os.fsencode(where), kind, how, more)


def _mount_room(folder: str, owner: int, mode: str) -> bool:
    """A folder in memory: small, and gone with the bot."""
    how = f"size={FOLDER_MEGABYTES}m,nr_inodes=4096,mode={mode},uid={owner}"
    return _mount(b"tmpfs", folder, b"tmpfs", BARE, how.encode())


def _mount_nothing(folder: bytes) -> bool:
    """An empty folder. That /proc is one hides other programs' commands, and from where to where things are mounted."""
    return _mount(b"tmpfs", folder, b"tmpfs", BARE | READ_ONLY, b"size=4k,mode=555")


def _make_read_only() -> bool:
    """Let nothing be written to any file that there is; whether that could be done."""
    assert LIBC
    wanted = (ctypes.c_uint64 * 4)(READ_ONLY, 0, 0, 0)
    return not LIBC.syscall(MOUNT_SETATTR, HERE, b"/", BELOW, wanted, ctypes.sizeof(wanted))


def _step_down(order: Order) -> None:
    """Give up every right to more than others may, for good; root becomes a user that nobody else is."""
    assert LIBC
    for capability in range(CAPABILITIES):
        _control(DROP_FROM_BOUNDS, capability)
    _control(SECUREBITS, ROOT_IS_NOBODY)
    if os.getuid() == 0:
        os.chown(order.folder, order.user, order.user)
        os.setgroups([])
        os.setresgid(order.user, order.user, order.user)
        os.setresuid(order.user, order.user, order.user)
    _control(AMBIENT, CLEAR_ALL)
    header, none = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    left = (ctypes.c_uint32 * 6)()
    if LIBC.capset(header, none) or LIBC.capget(header, left) or any(left):
        raise OSError(errno.EPERM, "its rights could not be taken away")


def _refuse_calls() -> None:
    """Refuse what reaches past folders and spaces: sockets, keys of the kernel, files by number, lists of mounts.

    The filter is as the kernel wants it: operation, jump if so, jump if not, number. It allows by default.
    """
    assert LIBC
    machine = MACHINES.get(platform.machine())
    if machine is None:
        return
    load, equal, at_least, result = 0x20, 0x15, 0x35, 0x06
    number, audit, allow, refuse = 0, 4, 0x7FFF0000, 0x00050000 | errno.EPERM
    steps = [(load, 0, 0, audit), (equal, 1, 0, machine.audit), (result, 0, 0, refuse), (load, 0, 0, number)]
    steps += [(at_least, 0, 1, OTHER_ABI), (result, 0, 0, refuse)]
    for call in machine.refused:
        steps += [(equal, 0, 1, call), (result, 0, 0, refuse)]
    steps += [(result, 0, 0, allow)]
    program = b"".join(Struct("=HBBI").pack(*step) for step in steps)
    text = ctypes.create_string_buffer(program, len(program))
    filter_ = ctypes.create_string_buffer(Struct("@HP").pack(len(steps), ctypes.addressof(text)))
    if LIBC.prctl(ctypes.c_ulong(SECCOMP), ctypes.c_ulong(2), filter_, ctypes.c_ulong(0), ctypes.c_ulong(0)):
        raise OSError(errno.EPERM, "calls could not be refused")


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

    with suppress(RecursionError):
        shutil.rmtree(folder, ignore_errors=True)
    if os.path.exists(folder):
        subprocess.run(["chmod", "-R", "u+rwx", folder], check=False)
        subprocess.run(["rm", "-rf", folder], check=False)


if __name__ == "__main__":
    main()
