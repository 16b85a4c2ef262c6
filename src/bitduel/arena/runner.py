"""A whole run: played, stored and resumed, with its standings reported along the way."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from bitduel.arena.game_record import GAMES
from bitduel.arena.run_storage import MemoryStorage, open_folder
from bitduel.arena.schedule import ALL, MAX_PLIES, PlayerEntry, Schedule, check_whole, make_schedule
from bitduel.arena.worker import PlayedGames, WorkerError, play_games
from bitduel.core.game import Game
from bitduel.players.player import HaltError
from bitduel.players.settings import DEFAULT_LIMITS, Budget, PlayerLimits
from bitduel.solver.evaluators import evaluator_for

MAX_JOBS = 256
EXCHANGES = "exchanges"
"""The folder beside the rows for the exchanges with players from outside."""

LEDGER = "tokens.txt"
"""The file beside the rows for what language models have cost."""

AGAIN = "The games played so far are saved. Use the same command again to continue."


class RunningScore(NamedTuple):
    """The wins, draws and losses of a player so far."""

    player: str
    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """All games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """A win counts 1, a draw a half."""
        return self.wins + self.draws / 2

    @property
    def score(self) -> float:
        """Points per game; a half before the first game."""
        return self.points / self.games if self.games else 0.5

    def as_data(self) -> dict[str, Any]:
        """Return JSON-ready data."""
        return {**self._asdict(), "games": self.games, "points": self.points, "score": self.score}


class Standings:
    """The standings of a run in progress."""

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule
        self.games = 0
        self._counts = [[0, 0, 0] for _ in schedule.players]

    def add(self, results: Iterable[tuple[int, int | None]]) -> None:
        """Count some games, by number and the seat that won."""
        for number, winner in results:
            self.games += 1
            one, two = self.schedule.game_at(number).seats
            self._counts[one][{1: 0, None: 1, 2: 2}[winner]] += 1
            self._counts[two][{2: 0, None: 1, 1: 2}[winner]] += 1

    def table(self) -> list[RunningScore]:
        """Return the score of every player, the best first."""
        players = zip(self.schedule.players, self._counts, strict=True)
        return sorted((RunningScore(each.name, *counts) for each, counts in players), key=lambda each: -each.score)


OnProgress = Callable[[Standings], None]
"""Called with the standings at the start, and whenever games are over."""


class RunResult(NamedTuple):
    """The result of a run: its standings and its rows."""

    schedule: Schedule
    standings: list[RunningScore]
    played: int
    """The games played in this run; the others were already stored."""
    folder: Path | None
    lines: list[str]
    """The rows as text, in the order of the schedule; empty if they are in the folder."""

    @property
    def rows(self) -> Iterator[dict[str, Any]]:
        """A row for each game, in the order of the schedule."""
        if self.folder is None:
            yield from map(json.loads, self.lines)
        else:
            with (self.folder / GAMES).open(encoding="utf-8") as file:
                yield from map(json.loads, file)

    def as_data(self) -> dict[str, Any]:
        """Return the summary as JSON-ready data."""
        return {
            **self.schedule.as_data(),
            "folder": None if self.folder is None else str(self.folder),
            "total": len(self.schedule),
            "played": self.played,
            "standings": [standing.as_data() for standing in self.standings],
        }


def run(
    players: Iterable[PlayerEntry],
    games: str | Iterable[str | Game[Any]] = ALL,
    options: Mapping[str, object] | None = None,
    *,
    rounds: int = 1,
    seed: int = 0,
    jobs: int = 1,
    dask: str | None = None,
    out: Path | str | None = None,
    limits: PlayerLimits = DEFAULT_LIMITS,
    max_plies: int = MAX_PLIES,
    trust_bots: bool = False,
    on_progress: OnProgress = lambda _: None,
) -> RunResult:
    """Play every player against every other in every game, seats swapped; rows go into the folder `out`.

    A player is a name such as "perfect", or a name and a Python function from view to move.
    """
    schedule = make_schedule(players, games, options, rounds, seed, limits, max_plies, trust_bots)
    return play_schedule(schedule, jobs, dask, out, on_progress)


def check(schedule: Schedule, jobs: int) -> None:
    """Raise an error with one sentence if something cannot be played by these processes, or evaluated."""
    check_whole("jobs", jobs, 1, MAX_JOBS)
    for game in schedule.games:
        evaluator_for(game)


def play_schedule(
    schedule: Schedule,
    jobs: int = 1,
    dask: str | None = None,
    out: Path | str | None = None,
    on_progress: OnProgress = lambda _: None,
) -> RunResult:
    """Play the games of a schedule that its folder does not have."""
    check(schedule, jobs)
    path = None if out is None else Path(out)
    if path is not None:
        schedule = replace(schedule, limits=_limits_in(path.absolute(), schedule.limits))
    standings, memory = Standings(schedule), MemoryStorage(schedule)
    with nullcontext(memory) if path is None else open_folder(path, schedule) as storage:
        standings.add(storage.results)
        before = standings.games
        on_progress(standings)
        with closing(play_games(schedule, storage.missing(), len(schedule) - before, jobs, dask)) as chunks:
            for played in _until_halt(chunks):
                storage.add([number for number, _ in played.results], played.rows)
                standings.add(played.results)
                on_progress(standings)
        storage.sort()
    return RunResult(schedule, standings.table(), standings.games - before, path, list(memory.rows.values()))


def _limits_in(path: Path, limits: PlayerLimits) -> PlayerLimits:
    """Return the limits of a stored run: exchanges in its folder, and one ledger of tokens, also when resumed."""
    budget = limits.llm.budget
    if budget is not None and budget.ledger is None:
        limits = limits._replace(llm=limits.llm._replace(budget=Budget(budget.most, path / LEDGER)))
    return limits._replace(folder=limits.folder or path / EXCHANGES, hidden=(*limits.hidden, path))


def _until_halt(chunks: Iterable[PlayedGames]) -> Iterator[PlayedGames]:
    """Yield all chunks; then raise HaltError if a player could not continue."""
    halt = ""
    try:
        for played in chunks:
            yield played
            halt = halt or played.halt
    except WorkerError as error:
        raise WorkerError(f"{error} {AGAIN}") from None
    if halt:
        raise HaltError(f"{halt} {AGAIN}")
