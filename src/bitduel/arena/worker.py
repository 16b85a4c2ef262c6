"""Workers: games played, timed and scored, in this process, in others beside it, or on a Dask cluster."""

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
from time import monotonic, perf_counter, sleep
from typing import Any, NamedTuple

from bitduel.arena.game_record import EncodedMoves, RowPrefix, encode_row
from bitduel.arena.regret import Scorer
from bitduel.arena.schedule import RandomSource, RandomStream, Schedule, ScheduledGame
from bitduel.core.errors import BitduelError, RequiredExtra
from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.core.outcomes import ABANDONED, Outcome
from bitduel.core.view import View
from bitduel.players.driver import Listener, TimedPlayer, announce_outcome, drive
from bitduel.players.player import CachedPolicy, FunctionPlayer, HaltError, Player
from bitduel.players.spec import KINDS, Spec, build, close

SHORT = 5
"""The most moves of a match whose encoded scores are cached, as there are few such matches."""

MAX_CACHED_MATCHES = 1 << 13

CHUNK = 200
"""Quick games given to a worker at a time; slow ones go one by one, so that their rows come as they end."""

QUEUED_CHUNKS = 2
"""Chunks for each worker that are being played or waiting."""

GRACE = 5.0
"""Seconds that a dismissed worker has to close its players."""


class WorkerError(BitduelError):
    """A worker that is gone."""

    status = 1


class PlayedGames(NamedTuple):
    """Some played games: their rows, their winners, and the reason if a player stopped the run."""

    rows: list[str]
    results: list[tuple[int, int | None]]
    """The number of each game, and the seat that won it."""
    halt: str = ""


class MatchMeter(Listener):
    """A listener that records the information state of every move, the time of each seat, and a fault."""

    accepts_sampled = True

    def __init__(self) -> None:
        self.states: list[Any] = []
        self.seconds = [0.0, 0.0]
        self.fault: str | None = None
        self.since = perf_counter()

    def sampled(self, match: Match, information_state: Any, move: str) -> None:
        """Add the time since the last move to the seat that moved; seat 1 makes the first move."""
        now = perf_counter()
        states = self.states
        self.seconds[len(states) % 2] += now - self.since
        self.since = now
        states.append(information_state)

    def moved(self, match: Match, view: View, move: str) -> None:
        """Record a move that took a view."""
        self.sampled(match, view.information_state, move)

    def ended(self, match: Match, fault: str) -> None:
        """Record a last turn without a move."""
        self.seconds[len(self.states) % 2] += perf_counter() - self.since
        self.fault = fault or None


class GameWorker:
    """The worker for one game of a schedule, with its scorer and the players that can be reused."""

    def __init__(self, schedule: Schedule, game: Game[Any]) -> None:
        self.schedule = schedule
        self.game = game
        self.scorer = Scorer(game)
        self.key = schedule.seed, game.slug, tuple(game.options.items())
        self.deals = RandomSource(*self.key, "deal")
        self._deal_of_round = 0, ""
        self._encoded: dict[tuple[str, ...], EncodedMoves] = {}
        self._reused: dict[int, Player] = {}
        self._pairs: dict[tuple[int, int], tuple[RandomSource, RandomSource, RowPrefix]] = {}

    def play(self, scheduled: ScheduledGame, meter: MatchMeter | None = None) -> tuple[str, int | None]:
        """Play a game; return its row and winner, or raise HaltError if it has no result."""
        game_id, round_, (one, two) = self.schedule.game_id(scheduled), scheduled.round, scheduled.seats
        source_1, source_2, prefix = self._pairs.get((one, two)) or self._prepare_pair(one, two)
        players = {1: self._player(one, source_1, round_, game_id), 2: self._player(two, source_2, round_, game_id)}
        match = Match(self.game, 1, self._deal(round_))
        meter = meter or MatchMeter()
        try:
            outcome = drive(match, players, meter, most_plies=self.schedule.max_plies)
            if outcome is None:
                outcome = Outcome(None, ABANDONED)
                match.conclude(outcome)
                announce_outcome(match, players)
        finally:
            close(players.values())
            self._remove_empty_folder(game_id)
        encoded, luck = self._encode(match, meter.states, prefix), self.scorer.luck(match.deal)
        seats = players[1], players[2]
        row = encode_row(
            prefix, game_id, scheduled, match.deal, outcome, meter.fault, encoded, luck, seats, meter.seconds
        )
        return row, outcome.winner

    def _encode(self, match: Match, states: list[Any], prefix: RowPrefix) -> EncodedMoves:
        """Return the scored moves of a match as text, from the cache if it is short."""
        key = (match.deal, *match.moves) if len(match.moves) <= SHORT else None
        encoded = self._encoded.get(key) if key else None
        if encoded is None:
            encoded = EncodedMoves.of(match.moves, self.scorer.score(match, states), prefix.has_plain_moves)
            if key:
                if len(self._encoded) >= MAX_CACHED_MATCHES:
                    self._encoded.clear()
                self._encoded[key] = encoded
        return encoded

    def _prepare_pair(self, one: int, two: int) -> tuple[RandomSource, RandomSource, RowPrefix]:
        names = self.schedule.players[one].name, self.schedule.players[two].name
        source_1, source_2 = (RandomSource(*self.key, *names, seat) for seat in (1, 2))
        pair = self._pairs[one, two] = source_1, source_2, RowPrefix.of(self.game, *names, self.schedule.seed)
        return pair

    def _deal(self, round_: int) -> str:
        """Return the deal of a round, the same for all players."""
        if not self.game.has_chance:
            return ""
        if self._deal_of_round[0] != round_:
            self._deal_of_round = round_, self.game.deal(RandomStream(self.deals, round_))
        return self._deal_of_round[1]

    def _player(self, index: int, source: RandomSource, round_: int, game_id: str) -> Player:
        reused = self._reused.get(index)
        if reused is not None:
            reused.rng.begin(source, round_)  # type: ignore[attr-defined]
            return reused
        player = self._build(self.schedule.players[index].player, RandomStream(source, round_), game_id)
        if isinstance(player, CachedPolicy):
            self._reused[index] = player
        return player

    def _build(self, player: Any, rng: RandomStream, game_id: str) -> Player:
        limits = self.schedule.limits
        if not isinstance(player, Spec):
            return TimedPlayer(FunctionPlayer(player), limits.seconds)
        folder = limits.folder and limits.folder / game_id
        if folder is not None and not KINDS[player.kind].safe:
            folder.mkdir(parents=True, exist_ok=True)
        hidden = limits.hidden if limits.folder is None else (*limits.hidden, limits.folder)
        sealed = not self.schedule.trust_bots
        limits = limits._replace(folder=folder, hidden=hidden, sealed=sealed, reveals=False)
        built = build(player, self.game, rng, limits)
        assert built is not None, "a schedule has no humans"
        return built

    def _remove_empty_folder(self, game_id: str) -> None:
        """Remove the folder of outside players that left nothing in it."""
        folder = self.schedule.limits.folder
        if folder and not self.schedule.is_quick:
            with suppress(OSError):
                (folder / game_id).rmdir()


_local = threading.local()
"""The workers of the schedule that a thread plays; reused players keep random state, so threads share none."""


def play_chunk(schedule: Schedule, numbers: Iterable[int]) -> PlayedGames:
    """Play some games of a schedule one after the other: the work of every worker, wherever it is."""
    if getattr(_local, "schedule", None) != schedule:
        _local.schedule, _local.workers = schedule, tuple(GameWorker(schedule, game) for game in schedule.games)
    played = PlayedGames([], [])
    for number in numbers:
        scheduled = schedule.game_at(number)
        try:
            row, winner = _local.workers[scheduled.game].play(scheduled)
        except HaltError as halt:
            return played._replace(halt=str(halt))
        played.rows.append(row)
        played.results.append((number, winner))
    return played


def play_games(
    schedule: Schedule, numbers: Iterable[int], count: int, jobs: int = 1, dask: str | None = None
) -> Generator[PlayedGames]:
    """Play `count` games and yield them in chunks, as they are over."""
    size = max(1, min(CHUNK, count // (4 * jobs))) if schedule.is_quick else 1
    remaining = iter(numbers)
    chunks = iter(lambda: list(islice(remaining, size)), [])
    if dask is not None:
        with _cluster(dask) as (executor, workers):
            yield from _distribute(executor, workers, schedule, chunks)
    elif jobs == 1:
        yield from (play_chunk(schedule, chunk) for chunk in chunks)
    elif not _can_be_sent(schedule):
        with ThreadPoolExecutor(jobs) as executor:
            yield from _distribute(executor, jobs, schedule, chunks)
    else:
        with _processes(jobs) as executor:
            yield from _distribute(executor, jobs, schedule, chunks, _work)


def _distribute(
    executor: Executor,
    workers: int,
    schedule: Schedule,
    chunks: Iterator[list[int]],
    work: Callable[[Schedule, list[int]], PlayedGames] = play_chunk,
) -> Iterator[PlayedGames]:
    """Give the workers games; once one halts, start nothing new.

    Ctrl-C is let in only while waiting: elsewhere it could find a future half changed.
    """
    finished: SimpleQueue[Future[PlayedGames]] = SimpleQueue()
    pending: set[Future[PlayedGames]] = set()
    is_halted = False
    try:
        while True:
            with _interrupts_held_back():
                for chunk in islice(chunks, 0 if is_halted else QUEUED_CHUNKS * workers - len(pending)):
                    future = executor.submit(work, schedule, chunk)
                    pending.add(future)
                    future.add_done_callback(finished.put)
            if not pending:
                return
            done = finished.get()
            pending.discard(done)
            if not done.cancelled():
                played = done.result()
                is_halted = is_halted or bool(played.halt)
                yield played
            if is_halted:
                _cancel(pending)
    except BrokenProcessPool:
        raise WorkerError("A process that was playing games was killed.") from None
    finally:
        _cancel(pending)


def _cancel(futures: Iterable[Future[PlayedGames]]) -> None:
    with _interrupts_held_back():
        for each in futures:
            each.cancel()


def _can_be_sent(schedule: Schedule) -> bool:
    """Return whether a schedule can go to another process; Python functions of a script cannot."""
    try:
        pickle.dumps(schedule)
    except Exception:
        return False
    return all(getattr(each.player, "__module__", "") != "__main__" for each in schedule.players)


@contextmanager
def _processes(jobs: int) -> Iterator[Executor]:
    """Run worker processes that end with this one, however it ends."""
    context = get_context("spawn")
    theirs, ours = context.Pipe(duplex=False)
    with theirs, ours:
        executor = ProcessPoolExecutor(jobs, context, _start_process, (theirs,))
        try:
            yield executor
        finally:
            executor.shutdown(wait=False, cancel_futures=True)
            ours.close()
            executor.shutdown(wait=True)


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Delay Ctrl-C until this is done, also for a process that is started meanwhile."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _DismissedError(KeyboardInterrupt):
    """The run is over for this worker process."""


class _Process:
    """The state of a worker process."""

    is_playing = False
    is_leaving = False


def _start_process(pipe: Connection) -> None:
    """Leave Ctrl-C to the parent; the process leaves when the parent closes the pipe."""
    signal.signal(signal.SIGINT, _interrupted)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_wait_for_end, args=(pipe,), daemon=True).start()


def _wait_for_end(pipe: Connection) -> None:
    """Interrupt a game that is being played; a result that is being sent is let through, as it may be read."""
    with suppress(EOFError, OSError):
        pipe.recv()
    _Process.is_leaving = True
    if _Process.is_playing and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    start, parent = monotonic(), parent_process()
    while monotonic() - start < GRACE and (_Process.is_playing or (parent and parent.is_alive())):
        sleep(GRACE / 100)
    os._exit(0)


def _interrupted(*_: Any) -> None:
    if _Process.is_leaving and _Process.is_playing:
        raise _DismissedError


def _work(schedule: Schedule, numbers: list[int]) -> PlayedGames:
    """Play a chunk in a worker process; a dismissed one closes its players and returns nothing."""
    _Process.is_playing = True
    try:
        return PlayedGames([], []) if _Process.is_leaving else play_chunk(schedule, numbers)
    except _DismissedError:
        return PlayedGames([], [])
    finally:
        _Process.is_playing = False


@contextmanager
def _cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """Connect to a Dask cluster whose workers have this program too."""
    with RequiredExtra("dask", "Playing on a Dask cluster"):
        import distributed
    untyped: Any = distributed
    try:
        client = untyped.Client(address)
    except (OSError, ValueError) as error:
        raise WorkerError(f"Can't find a Dask cluster at '{address}': {error}.") from None
    with client:
        yield client.get_executor(), max(1, sum(client.ncores().values()))
