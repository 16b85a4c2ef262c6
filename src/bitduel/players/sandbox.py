"""The sandbox of a bot: a program that starts the bot with limits, and ends it with everything that it has started.

It imports nothing of ours, so that it starts fast and may fork. It also ends the bot when the process that wanted the
bot was killed: the end of the control pipe, on which nothing is ever written, is the signal.
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
OTHER_TASKS = 1000
"""The processes and threads that a user may have besides, if they cannot be counted."""
FILE_BYTES = 64 << 20
FOLDER_MEGABYTES = 64
OPEN_FILES = 256
CPU_SECONDS = 3600

NEW_MOUNTS_AND_PROCESSES, NEW_USER = 0x00020000 | 0x20000000, 0x10000000
NEW_MESSAGES_AND_NETWORK = 0x08000000 | 0x40000000
DIE_WITH_PARENT, DUMPABLE, SECCOMP, DROP_FROM_BOUNDS, SECUREBITS, SUBREAPER = 1, 4, 22, 24, 28, 36
NO_NEW_PRIVILEGES, AMBIENT, CLEAR_ALL = 38, 47, 4
CAPABILITIES = 64
"""More than any kernel has; it refuses to drop those that it does not know."""
LOCKED_SECUREBITS = 0xE3
"""No capability comes back with user 0, by being kept, or by being ambient; and all of that is locked."""
PRIVATE, NO_SUID_OR_DEVICES, READ_ONLY, BIND, RECURSIVE, DETACH = 0x44000, 0x6, 0x1, 0x5000, 0x8000, 2
CURRENT_FOLDER = -100
MOUNT_SETATTR = 442
"""The number of the system call, the same on every machine."""

SHARED_FOLDERS = ("/tmp", "/var/tmp", "/run")
"""Folders through which programs can communicate: files that everybody may write, and sockets of services."""
MEMORY_FOLDERS = ("/dev/shm",)
"""Folders of shared memory; every bot gets its own."""

LINUX = sys.platform == "linux"
LIBC = ctypes.CDLL(None, use_errno=True) if LINUX else None


class Architecture(NamedTuple):
    """The numbers by which a seccomp filter knows one kind of processor and its system calls."""

    audit: int
    refused: tuple[int, ...]
    """socket, add_key, request_key, keyctl, open_by_handle_at, statmount, listmount, io_uring_setup;
    calls that tell or change which pages are in memory: preadv2, fadvise64, mincore, readahead, cachestat;
    and calls that make namespaces: unshare, setns, mount, bpf, perf_event_open."""


ARCHITECTURES = {
    "x86_64": Architecture(
        0xC000003E, (41, 248, 249, 250, 304, 457, 458, 425, 327, 221, 27, 187, 451, 272, 308, 165, 321, 298)
    ),
    "aarch64": Architecture(
        0xC00000B7, (198, 217, 218, 219, 265, 457, 458, 425, 286, 223, 232, 213, 451, 97, 268, 40, 280, 241)
    ),
}
OTHER_ABI = 0x40000000
"""The first number of the calls of x86_64 that have another form."""


class Launch(NamedTuple):
    """The command of a bot, and its limits."""

    command: list[str]
    environment: dict[str, str]
    folder: str
    megabytes: int
    has_namespace: bool
    """Whether a process namespace is wanted; later, whether there is one."""
    user: int
    """The id of the bot's user where root starts it: one that no account has."""
    control: int
    """A pipe that ends when the bot is to end."""
    status: int
    """A pipe for whether the bot is sealed, and for its exit status."""
    hidden: list[str]
    """Folders that are empty to the bot, if it has a namespace."""
    sealed: bool
    """Whether nothing of it may last: no network, and nothing to write but its folder."""


def main() -> None:
    """Run a bot until it exits or is to end, and leave nothing of it."""
    with os.fdopen(int(sys.argv[1]), "rb") as file:
        launch = Launch(*json.load(file))
    for pipe in (launch.control, launch.status):
        os.set_inheritable(pipe, False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.chdir("/")
    above = os.open(os.path.dirname(launch.folder), os.O_RDONLY)
    launch = launch._replace(has_namespace=launch.has_namespace and _enter_namespaces(launch.sealed))
    if launch.has_namespace:
        os.write(launch.status, b"1" if _restrict_files(launch) else b"0")
        init = os.fork()
        if not init:
            _prctl(DIE_WITH_PARENT, signal.SIGKILL)
            _run(launch, TASKS)
            os._exit(0)
        _release_streams(launch.control, launch.status)
        os.waitpid(init, 0)
        if LIBC is not None:
            LIBC.umount2(os.fsencode(launch.folder), DETACH)
        with suppress(OSError):
            # Seen from outside the namespace, the folder is empty and can be removed.
            os.rmdir(os.path.basename(launch.folder), dir_fd=above)
    else:
        os.write(launch.status, b"0")
        _prctl(SUBREAPER, 1)
        _kill_descendants(_run(launch, TASKS + _tasks_of_this_user()))
        _remove(launch.folder)


def _run(launch: Launch, tasks: int) -> int:
    """Start the bot and wait until it exits or is to end; other processes that it has started may remain."""
    _prctl(DUMPABLE, 0)
    bot = os.fork()
    if not bot:
        _execute(launch, tasks)
    _release_streams()
    _watch(bot, launch)
    return bot


def _watch(bot: int, launch: Launch) -> None:
    """Wait until the bot exits or is to end, and reap orphans meanwhile."""
    wakeup, wakeup_writer = os.pipe()
    for pipe in (wakeup, wakeup_writer):
        os.set_blocking(pipe, False)
    signal.set_wakeup_fd(wakeup_writer, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    poll = select.poll()
    poll.register(wakeup, select.POLLIN)
    poll.register(launch.control, select.POLLIN)
    while True:
        exited = dict(_reap())
        if bot in exited:
            os.write(launch.status, str(os.waitstatus_to_exitcode(exited[bot])).encode())
            return
        if launch.control in dict(poll.poll()):
            return
        with suppress(BlockingIOError):
            os.read(wakeup, 4096)


def _reap() -> Iterator[tuple[int, int]]:
    """Return the children that have exited, each with its status."""
    with suppress(ChildProcessError):
        while (child := os.waitpid(-1, os.WNOHANG))[0]:
            yield child


def _kill_descendants(bot: int) -> None:
    """Kill all descendants until none is left; orphans become children of this process, whatever their session."""
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
    """Return every process that descends from this one; none are known if there is no /proc."""
    children: dict[int, list[int]] = {}
    for process, parent in _processes():
        children.setdefault(parent, []).append(process)
    descendants = [os.getpid()]
    for process in descendants:
        descendants += children.get(process, [])
    return descendants[1:]


def _processes() -> Iterator[tuple[int, int]]:
    """Return every process with its parent."""
    with suppress(FileNotFoundError):
        for name in os.listdir("/proc"):
            if name.isdigit():
                with suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
                    yield int(name), int(file.read().rpartition(b")")[2].split()[1])


def _execute(launch: Launch, tasks: int) -> NoReturn:
    try:
        os.setsid()
        _prctl(DUMPABLE, 1)
        _limit_resources(launch, tasks)
        with suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
        if launch.has_namespace:
            _mount_empty(b"/proc")
        os.chdir(launch.folder)  # before the user changes: it may be in a folder that is closed to the bot
        if LINUX:
            _drop_privileges(launch)
        _prctl(NO_NEW_PRIVILEGES, 1)
        if launch.sealed:
            _filter_system_calls()
        for number in (signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        os.execve(launch.command[0], launch.command, launch.environment)
    except OSError as error:
        os.write(2, f"it could not be started: {error.strerror}\n".encode())
    finally:
        os._exit(127)


def _limit_resources(launch: Launch, tasks: int) -> None:
    limits = {
        "RLIMIT_CORE": 0,
        "RLIMIT_CPU": CPU_SECONDS,
        "RLIMIT_FSIZE": FILE_BYTES,
        "RLIMIT_NOFILE": OPEN_FILES,
        "RLIMIT_NPROC": tasks,
        "RLIMIT_AS": launch.megabytes << 20,
    }
    for name, limit in limits.items():
        with suppress(AttributeError, ValueError, OSError):
            number = getattr(resource, name)
            hard = resource.getrlimit(number)[1]
            limit = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
            resource.setrlimit(number, (limit, limit))


def _tasks_of_this_user() -> int:
    """Return how many tasks count towards the limit before the bot starts; root's bots are a user of their own."""
    if not os.getuid():
        return 0
    count = 0 if LINUX else OTHER_TASKS
    for process, _ in _processes():
        with suppress(OSError):
            if os.stat(f"/proc/{process}").st_uid == os.getuid():
                count += len(os.listdir(f"/proc/{process}/task"))
    return count


def _enter_namespaces(sealed: bool) -> bool:
    """Enter a process namespace, if the system allows it: everything in one ends with its first process."""
    user, group = os.getuid(), os.getgid()
    flags = NEW_MOUNTS_AND_PROCESSES | (NEW_MESSAGES_AND_NETWORK if sealed else 0) | (NEW_USER if user else 0)
    if LIBC is None or LIBC.unshare(flags):
        return False
    if user:
        for name, line in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
            with suppress(OSError), open(f"/proc/self/{name}", "w") as file:
                file.write(line)
    return True


def _restrict_files(launch: Launch) -> bool:
    """Let the bot read and write no more than it should; return whether everything that seals it could be done.

    Nothing is mounted where it would be seen outside.
    """
    assert LIBC
    if LIBC.mount(None, b"/", None, PRIVATE, None):
        return False
    owner, needed = os.getuid() or launch.user, _needed_paths(launch)
    try:
        done = [_cover(folder, needed) for folder in _folders_to_cover(launch, needed)]
        done += [_mount_empty(os.fsencode(folder)) for folder in launch.hidden if os.path.isdir(folder)]
        done += [_make_read_only()] if launch.sealed else []
        done += [_mount_memory(launch.folder, owner, "700")]
        done += [
            _mount_memory(folder, owner, "1777") for folder in MEMORY_FOLDERS if launch.sealed and os.path.isdir(folder)
        ]
    except OSError:
        return False
    return launch.sealed and all(done) and platform.machine() in ARCHITECTURES


def _folders_to_cover(launch: Launch, needed: set[str]) -> list[str]:
    """Return the folders in which a bot may see no more than it needs, outer ones first.

    These are shared folders, and those that are closed to the user that a bot of root becomes.
    """
    shared = {os.path.realpath(folder) for folder in SHARED_FOLDERS if launch.sealed}
    above = {folder for path in needed for folder in _parents(path)} if os.getuid() == 0 else set()
    return sorted(folder for folder in shared | set(filter(_is_closed, above)) if os.path.isdir(folder))


def _needed_paths(launch: Launch) -> set[str]:
    """Return the paths that a command names, as written and resolved, and the working folder."""
    words = {word for word in (*launch.command, launch.folder) if word.startswith("/") and os.path.lexists(word)}
    return words | {os.path.realpath(word) for word in words}


def _parents(path: str) -> Iterator[str]:
    while path != "/":
        path = os.path.dirname(path)
        yield path


def _is_closed(folder: str) -> bool:
    """Return whether only the owner may go through a folder."""
    return not os.stat(folder).st_mode & stat.S_IXOTH


def _cover(folder: str, needed: set[str]) -> bool:
    """Leave in a folder only the entries that needed paths go through; return whether that could be done."""
    assert LIBC
    inside = folder.rstrip("/") + "/"
    names = sorted({path[len(inside) :].split("/")[0] for path in needed if path.startswith(inside)})
    held = {name: os.open(inside + name, os.O_PATH | os.O_NOFOLLOW) for name in names if os.path.lexists(inside + name)}
    done = _mount(b"tmpfs", folder, b"tmpfs", NO_SUID_OR_DEVICES, b"size=64k,mode=755")
    for name, handle in held.items() if done else ():
        target, mode = inside + name, os.fstat(handle).st_mode
        if stat.S_ISLNK(mode):
            os.symlink(os.readlink(b"", dir_fd=handle), target)
            continue
        if stat.S_ISDIR(mode):
            os.mkdir(target)
        else:
            os.close(os.open(target, os.O_CREAT | os.O_WRONLY))
        done = _mount(f"/proc/self/fd/{handle}".encode(), target, None, BIND, None) and done
    for handle in held.values():
        os.close(handle)
    return done


def _mount(source: bytes | None, target: str | bytes, kind: bytes | None, flags: int, data: bytes | None) -> bool:
    return LIBC is not None and not LIBC.mount(source, os.fsencode(target), kind, flags, data)


def _mount_memory(folder: str, owner: int, mode: str) -> bool:
    """Mount a small folder in memory that ends with the bot."""
    data = f"size={FOLDER_MEGABYTES}m,nr_inodes=4096,mode={mode},uid={owner}"
    return _mount(b"tmpfs", folder, b"tmpfs", NO_SUID_OR_DEVICES, data.encode())


def _mount_empty(folder: bytes) -> bool:
    """Mount an empty folder; at /proc it hides the commands of other programs, and what is mounted where."""
    return _mount(b"tmpfs", folder, b"tmpfs", NO_SUID_OR_DEVICES | READ_ONLY, b"size=4k,mode=555")


def _make_read_only() -> bool:
    """Make every mounted file system read-only; return whether that could be done."""
    assert LIBC
    attributes = (ctypes.c_uint64 * 4)(READ_ONLY, 0, 0, 0)
    return not LIBC.syscall(MOUNT_SETATTR, CURRENT_FOLDER, b"/", RECURSIVE, attributes, ctypes.sizeof(attributes))


def _drop_privileges(launch: Launch) -> None:
    """Give up every capability for good; root becomes a user that no account has."""
    assert LIBC
    for capability in range(CAPABILITIES):
        _prctl(DROP_FROM_BOUNDS, capability)
    _prctl(SECUREBITS, LOCKED_SECUREBITS)
    if os.getuid() == 0:
        os.chown(launch.folder, launch.user, launch.user)
        os.setgroups([])
        os.setresgid(launch.user, launch.user, launch.user)
        os.setresuid(launch.user, launch.user, launch.user)
    _prctl(AMBIENT, CLEAR_ALL)
    header, none = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    left = (ctypes.c_uint32 * 6)()
    if LIBC.capset(header, none) or LIBC.capget(header, left) or any(left):
        raise OSError(errno.EPERM, "can't drop its privileges")


def _filter_system_calls() -> None:
    """Refuse system calls that reach past namespaces: sockets, kernel keys, files by handle, lists of mounts.

    A step of the filter is: operation, jump if true, jump if false, number. It allows by default.
    """
    assert LIBC
    architecture = ARCHITECTURES.get(platform.machine())
    if architecture is None:
        return
    load, equal, at_least, result = 0x20, 0x15, 0x35, 0x06
    number, audit, allow, refuse = 0, 4, 0x7FFF0000, 0x00050000 | errno.EPERM
    steps = [(load, 0, 0, audit), (equal, 1, 0, architecture.audit), (result, 0, 0, refuse), (load, 0, 0, number)]
    steps += [(at_least, 0, 1, OTHER_ABI), (result, 0, 0, refuse)]
    for call in architecture.refused:
        steps += [(equal, 0, 1, call), (result, 0, 0, refuse)]
    steps += [(result, 0, 0, allow)]
    program = b"".join(Struct("=HBBI").pack(*step) for step in steps)
    text = ctypes.create_string_buffer(program, len(program))
    filter_ = ctypes.create_string_buffer(Struct("@HP").pack(len(steps), ctypes.addressof(text)))
    if LIBC.prctl(ctypes.c_ulong(SECCOMP), ctypes.c_ulong(2), filter_, ctypes.c_ulong(0), ctypes.c_ulong(0)):
        raise OSError(errno.EPERM, "can't restrict its system calls")


def _prctl(*arguments: int) -> None:
    """Set an attribute of this process; the kernel refuses those that it does not know."""
    if LIBC is not None:
        LIBC.prctl(*(ctypes.c_ulong(argument) for argument in (*arguments, 0, 0, 0)[:5]))


def _release_streams(*pipes: int) -> None:
    """Leave the standard streams to the bot alone, so that they end with it."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    for pipe in pipes:
        os.close(pipe)


def _remove(folder: str) -> None:
    """Remove the working folder, whatever the bot has done to it."""
    import shutil
    import subprocess

    with suppress(RecursionError):
        shutil.rmtree(folder, ignore_errors=True)
    if os.path.exists(folder):
        subprocess.run(["chmod", "-R", "u+rwx", folder], check=False)
        subprocess.run(["rm", "-rf", folder], check=False)


if __name__ == "__main__":
    main()
