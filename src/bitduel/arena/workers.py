"""Who plays the games of a plan: this process, others beside it, or a Dask cluster, all by the very same function."""

import os
import pickle
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from queue import SimpleQueue
from time import monotonic, sleep
from typing import Any

from bitduel.arena.schedule import Schedule
from bitduel.arena.worker import Played, play_some
from bitduel.core.errors import BitduelError
from bitduel.core.extras import extra

GRAIN = 200
"""So many quick games are given to a worker at a time; slow ones one by one, so that their rows come as they end."""

AHEAD = 2
"""So many chunks for each worker are under way or waiting."""

GRACE = 5.0
"""Seconds that a worker has to let its players go when it is sent home."""


class WorkerError(BitduelError):
    """Somebody who was to play is gone."""

    status = 1


def played(
    plan: Schedule, numbers: Iterable[int], count: int, jobs: int = 1, dask: str | None = None
) -> Generator[Played]:
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


def _grain(plan: Schedule, count: int, jobs: int) -> int:
    quick = all(player.built_in for player in plan.players)
    return max(1, min(GRAIN, count // (4 * jobs))) if quick else 1


def _chunks(numbers: Iterable[int], grain: int) -> Iterator[list[int]]:
    rest = iter(numbers)
    while chunk := list(islice(rest, grain)):
        yield chunk


def _by(
    executor: Executor,
    workers: int,
    plan: Schedule,
    chunks: Iterator[list[int]],
    work: Callable[[Schedule, list[int]], Played] = play_some,
) -> Iterator[Played]:
    """Keep the workers busy; once one halts, nothing new is begun.

    Ctrl-C is let in only while nothing is done but waiting: elsewhere it could find a future half changed.
    """
    over: SimpleQueue[Future[Played]] = SimpleQueue()
    under_way: set[Future[Played]] = set()
    halted = False
    try:
        while True:
            with _interrupts_held_back():
                for chunk in islice(chunks, 0 if halted else AHEAD * workers - len(under_way)):
                    begun = executor.submit(work, plan, chunk)
                    under_way.add(begun)
                    begun.add_done_callback(over.put)
            if not under_way:
                return
            done = over.get()
            under_way.discard(done)
            if not done.cancelled():
                found = done.result()
                halted = halted or bool(found.halt)
                yield found
            if halted:
                _cancel(under_way)
    except BrokenProcessPool:
        raise WorkerError("A process that played games has been ended from outside.") from None
    finally:
        _cancel(under_way)


def _cancel(futures: Iterable[Future[Played]]) -> None:
    with _interrupts_held_back():
        for each in futures:
            each.cancel()


def _travels(plan: Schedule) -> bool:
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
            yield executor
        finally:
            executor.shutdown(wait=False, cancel_futures=True)
            ours.close()
            executor.shutdown(wait=True)


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Ctrl-C waits until this is done, and does not reach a process that is started now until it can hear it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _SentHomeError(KeyboardInterrupt):
    """The run is over for this worker."""


class _Worker:
    """What a worker process knows of itself."""

    playing = False
    leaving = False


def _settle_in(leash: Connection) -> None:
    """Ctrl-C is for whoever started the workers; they leave when the leash is let go."""
    signal.signal(signal.SIGINT, _interrupted)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_watch, args=(leash,), daemon=True).start()


def _watch(leash: Connection) -> None:
    """Interrupt a game that is being played; what is being sent is let through, as somebody may be reading it."""
    with suppress(EOFError, OSError):
        leash.recv()
    _Worker.leaving = True
    if _Worker.playing and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    began, parent = monotonic(), parent_process()
    while monotonic() - began < GRACE and (_Worker.playing or (parent and parent.is_alive())):
        sleep(GRACE / 100)
    os._exit(0)


def _interrupted(*_: Any) -> None:
    if _Worker.leaving and _Worker.playing:
        raise _SentHomeError


def _work(plan: Schedule, numbers: list[int]) -> Played:
    """Play; who is sent home lets its players go and has nothing to tell."""
    _Worker.playing = True
    try:
        return Played([], []) if _Worker.leaving else play_some(plan, numbers)
    except _SentHomeError:
        return Played([], [])
    finally:
        _Worker.playing = False


@contextmanager
def _cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """The workers of a Dask cluster, which must have this program too."""
    with extra("dask", "Playing on a Dask cluster"):
        import distributed
    untyped: Any = distributed
    try:
        client = untyped.Client(address)
    except (OSError, ValueError) as error:
        raise WorkerError(f"There is no Dask cluster at '{address}': {error}.") from None
    with client:
        yield client.get_executor(), max(1, sum(client.ncores().values()))
