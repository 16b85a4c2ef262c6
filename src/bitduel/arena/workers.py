"""Who plays the games of a plan: this process, others beside it, or a Dask cluster, all by the very same function."""

import os
import pickle
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from time import sleep
from typing import Any

from bitduel.arena.plan import Plan
from bitduel.arena.play import Played, play_some
from bitduel.core.errors import BitduelError

GRAIN = 200
"""So many quick games are given to a worker at a time; slow ones one by one, so that their rows come as they end."""

AHEAD = 2
"""So many chunks for each worker are under way or waiting."""

GRACE = 5.0
"""Seconds that a worker has to let its players go when it is sent home."""


class WorkerError(BitduelError):
    """Somebody who was to play is gone."""

    status = 1


def played(plan: Plan, numbers: Iterable[int], count: int, jobs: int = 1, dask: str | None = None) -> Generator[Played]:
    """What comes of so many games, in chunks, as they are over."""
    chunks = _chunks(numbers, _grain(plan, count, jobs))
    if dask is not None:
        with _cluster(dask) as (executor, workers):
            yield from _by(executor, workers, plan, chunks)
    elif jobs == 1:
        yield from (play_some(plan, chunk) for chunk in chunks)
    elif not _travels(plan):
        with ThreadPoolExecutor(jobs) as executor:
            yield from _by(executor, jobs, plan, chunks)
    else:
        with _processes(jobs) as executor:
            yield from _by(executor, jobs, plan, chunks, _work)


def _grain(plan: Plan, count: int, jobs: int) -> int:
    quick = all(player.built_in for player in plan.players)
    return max(1, min(GRAIN, count // (4 * jobs))) if quick else 1


def _chunks(numbers: Iterable[int], grain: int) -> Iterator[list[int]]:
    rest = iter(numbers)
    while chunk := list(islice(rest, grain)):
        yield chunk


def _by(
    executor: Executor,
    workers: int,
    plan: Plan,
    chunks: Iterator[list[int]],
    work: Callable[[Plan, list[int]], Played] = play_some,
) -> Iterator[Played]:
    """Keep the workers busy; once one halts, nothing new is begun."""
    under_way: set[Future[Played]] = set()
    halted = False
    try:
        while True:
            room = 0 if halted else AHEAD * workers - len(under_way)
            under_way |= {executor.submit(work, plan, chunk) for chunk in islice(chunks, room)}
            if not under_way:
                return
            done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            for each in done:
                found = each.result()
                yield found
                if found.halt and not halted:
                    halted = True
                    under_way = {other for other in under_way if not other.cancel()}
    except BrokenProcessPool:
        raise WorkerError("A process that played games has been ended from outside.") from None
    finally:
        for each in under_way:
            each.cancel()


def _travels(plan: Plan) -> bool:
    """Whether a plan can be sent to another process; Python functions without a name of their own cannot."""
    try:
        pickle.dumps(plan)
    except Exception:
        return False
    return all(getattr(player.who, "__module__", "") != "__main__" for player in plan.players)


@contextmanager
def _processes(jobs: int) -> Iterator[Executor]:
    """Worker processes that end with this one, however it ends."""
    context = get_context("spawn")
    theirs, ours = context.Pipe(duplex=False)
    with theirs, ours:
        executor = ProcessPoolExecutor(jobs, context, _settle_in, (theirs,))
        try:
            with _interrupts_held_back():
                executor.submit(os.getpid)  # starts them all
            yield executor
        finally:
            ours.close()
            executor.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Ctrl-C reaches workers too, and must not find them before they can hear it; what is started now does not."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _SentHomeError(BaseException):
    """The run is over for this worker."""


_busy = False


def _settle_in(leash: Connection) -> None:
    """Ctrl-C is for whoever started the workers; they leave when the leash is let go, or by a signal."""
    signal.signal(signal.SIGINT, lambda *_: None)
    signal.signal(signal.SIGTERM, _leave)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_watch, args=(leash,), daemon=True).start()


def _watch(leash: Connection) -> None:
    with suppress(EOFError, OSError):
        leash.recv()
    if _busy and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGTERM)
        sleep(GRACE)
    os._exit(0)


def _leave(*_: Any) -> None:
    if not _busy:
        os._exit(0)
    raise _SentHomeError


def _work(plan: Plan, numbers: list[int]) -> Played:
    """Play, and leave no player behind when sent home."""
    global _busy
    try:
        _busy = True
        return play_some(plan, numbers)
    except _SentHomeError:
        os._exit(0)
    finally:
        _busy = False


@contextmanager
def _cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """The workers of a Dask cluster, which must have this program too."""
    try:
        from distributed import Client
    except ImportError:
        raise BitduelError("Playing on a Dask cluster takes the package 'distributed', which is not there.") from None
    try:
        client = Client(address)
    except (OSError, ValueError) as error:
        raise WorkerError(f"There is no Dask cluster at '{address}': {error}.") from None
    with client:
        yield client.get_executor(), max(1, sum(client.ncores().values()))
