"""A whole run: played, kept, gone on with, and told to whoever watches."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any, NamedTuple

from bitduel.arena.folder import Folder, opened
from bitduel.arena.game_record import GAMES
from bitduel.arena.schedule import ALL, MAX_PLIES, Entry, PlanError, Schedule, make_plan
from bitduel.arena.standings import RunningScore, Standings
from bitduel.arena.worker import Played
from bitduel.arena.workers import WorkerError, played
from bitduel.core.game import Game
from bitduel.players.limits import USUAL, PlayerLimits
from bitduel.players.llm.budget import Budget
from bitduel.players.player import HaltError
from bitduel.solver.evaluators import evaluator_for

MOST_JOBS = 256
EXCHANGES = "exchanges"
"""The folder beside the rows for what players from outside said."""

LEDGER = "tokens.txt"
"""The file beside the rows for what language models have cost."""

AGAIN = "What was played is kept; ask for the same again to go on."

Watch = Callable[[Standings], None]
"""Hears how a run stands: at its begin, and whenever games are over."""


class Memory:
    """Rows that are kept nowhere else."""

    def __init__(self, plan: Schedule) -> None:
        self.plan = plan
        self.rows: dict[int, str] = {}
        self.results: list[tuple[int, int | None]] = []

    def missing(self) -> Iterator[int]:
        """All of them."""
        return iter(range(1, len(self.plan) + 1))

    def add(self, numbers: list[int], rows: list[str]) -> None:
        """Keep rows."""
        self.rows.update(zip(numbers, rows, strict=True))

    def put_in_order(self) -> None:
        """The plan's order."""
        self.rows = dict(sorted(self.rows.items()))


class RunResult(NamedTuple):
    """What came of a run: who stands how, and its rows."""

    plan: Schedule
    standings: list[RunningScore]
    played: int
    """How many games were played this time; the others were there."""
    kept: Memory | Path

    @property
    def rows(self) -> Iterator[dict[str, Any]]:
        """A row for each game, in the plan's order."""
        if isinstance(self.kept, Memory):
            yield from map(json.loads, self.kept.rows.values())
        else:
            with (self.kept / GAMES).open(encoding="utf-8") as file:
                yield from map(json.loads, file)

    def as_data(self) -> dict[str, Any]:
        """The summary as JSON-ready data."""
        return {
            **self.plan.as_data(),
            "folder": None if isinstance(self.kept, Memory) else str(self.kept),
            "total": len(self.plan),
            "played": self.played,
            "standings": [standing.as_data() for standing in self.standings],
        }


def run(
    players: Iterable[Entry],
    games: str | Iterable[str | Game[Any]] = ALL,
    options: Mapping[str, object] | None = None,
    *,
    rounds: int = 1,
    seed: int = 0,
    jobs: int = 1,
    dask: str | None = None,
    out: Path | str | None = None,
    terms: PlayerLimits = USUAL,
    max_plies: int = MAX_PLIES,
    trust_bots: bool = False,
    watch: Watch = lambda _: None,
) -> RunResult:
    """Every player against every other in every game, so many rounds, seats swapped; rows go into the folder `out`.

    A player is a name such as "perfect", or a name and a Python function from view to move.
    """
    plan = make_plan(players, games, options, rounds, seed, terms, max_plies, trust_bots)
    return play_plan(plan, jobs, dask, out, watch)


def check(plan: Schedule, jobs: int) -> None:
    """Raise with one sentence what so many processes cannot play, or nobody can judge."""
    if type(jobs) is not int or not 1 <= jobs <= MOST_JOBS:
        raise PlanError(f"jobs must be a whole number from 1 to {MOST_JOBS}, not '{jobs}'.")
    for game in plan.games:
        evaluator_for(game)


def play_plan(
    plan: Schedule,
    jobs: int = 1,
    dask: str | None = None,
    out: Path | str | None = None,
    watch: Watch = lambda _: None,
) -> RunResult:
    """Play what a plan has and its folder has not."""
    check(plan, jobs)
    path = None if out is None else Path(out)
    if path is not None:
        plan = plan.with_terms(_kept_terms(plan.terms, path.absolute()))
    standings = Standings(plan)
    with nullcontext(Memory(plan)) if path is None else opened(path, plan) as kept:
        standings.add(kept.results)
        before = standings.games
        watch(standings)
        with closing(played(plan, kept.missing(), len(plan) - before, jobs, dask)) as chunks:
            for some in _guarded(chunks):
                kept.add([number for number, _ in some.results], some.rows)
                standings.add(some.results)
                watch(standings)
        kept.put_in_order()
    where = path if path is not None else kept
    assert not isinstance(where, Folder)
    return RunResult(plan, standings.table(), standings.games - before, where)


def _kept_terms(terms: PlayerLimits, path: Path) -> PlayerLimits:
    """The terms of a run that is kept: traces in its folder, and one account of tokens for all who play and go on."""
    budget = terms.llm.budget
    if budget is not None and budget.ledger is None:
        terms = terms._replace(llm=terms.llm._replace(budget=Budget(budget.most, path / LEDGER)))
    return terms._replace(folder=terms.folder or path / EXCHANGES, hidden=(*terms.hidden, path))


def _guarded(chunks: Iterable[Played]) -> Iterator[Played]:
    """What came, to the last; then, if somebody could not play on, what to do about it."""
    halt = ""
    try:
        for some in chunks:
            yield some
            halt = halt or some.halt
    except WorkerError as error:
        raise WorkerError(f"{error} {AGAIN}") from None
    if halt:
        raise HaltError(f"{halt} {AGAIN}")
