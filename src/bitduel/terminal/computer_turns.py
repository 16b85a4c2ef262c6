"""A run of the arena as one watches it: a bar and the standings on a terminal, a line now and then in a pipe."""

import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any

from bitduel.arena.names import called
from bitduel.terminal.text import columns, folded, padded, wide

if TYPE_CHECKING:
    from bitduel.arena.runner import RunResult
    from bitduel.arena.schedule import Schedule
    from bitduel.arena.standings import RunningScore, Standings

PARTS = 10
"""In a pipe so many lines tell how far a run is."""

SHOWN = 10
"""So many of the best stand below the bar."""

HEADS = ("player", "score", "wins", "draws", "losses")
SIZES = (6, 8, 8, 8)
"""How wide the numbers of the standings are where there is room."""

SHORTEST = 10
"""A name is not cut to less than this."""


def announced(plan: "Schedule") -> list[str]:
    """What is to be played, and what that can tell."""
    from bitduel.arena.power import CONFIDENCE, DIFFERENCES, POWER, games_to_tell

    each = plan.rounds * len(plan.games) * 2
    few, many = (f"{round(100 * d)} percentage points takes {games_to_tell(d):,} games" for d in DIFFERENCES)
    told = [
        f"{len(plan):,} games: {_number(len(plan.players), 'player')}, {_number(len(plan.games), 'game')}, "
        f"{_number(plan.rounds, 'round')}; every two players meet {each:,} times.",
        f"To tell apart two players whose scores differ by {few} between them, by {many} "
        f"({CONFIDENCE:.0%} confidence, {POWER:.0%} power).",
    ]
    return folded(told, columns()) if sys.stdout.isatty() else told


def last_lines(found: "RunResult") -> list[str]:
    """Who stands how at the end, and where the rows are."""
    old = len(found.plan) - found.played
    there = f" ({old:,} were there already)" if old else ""
    end = [
        f"{found.played:,} games played{there}; the rows are in {found.kept}.",
        f"What they tell: bitduel arena report {shlex.quote(str(found.kept))}",
    ]
    return [*lines(found.standings, columns()), *(folded(end, columns()) if sys.stdout.isatty() else end)]


def lines(table: "list[RunningScore]", width: int) -> list[str]:
    """The standings as a table; with little room as narrow as its numbers, with less a player in two lines."""
    rows = [HEADS, *map(_row, table)]
    longest = max(wide(row[0]) for row in rows)
    for sizes, spare in ((SIZES, 6), ([max(len(row[at]) for row in rows) for at in range(1, len(HEADS))], 0)):
        rest = sum(sizes) + 2 * len(sizes)
        room = min(longest, max(SHORTEST, width - rest - spare))
        if room + rest <= width:
            return [_line(row, room, sizes) for row in rows]
    return [line for row in rows[1:] for line in _below_each_other(row, width)]


def _row(standing: "RunningScore") -> tuple[str, ...]:
    counts = (f"{count:,}" for count in (standing.wins, standing.draws, standing.losses))
    return standing.player, f"{standing.score:.1%}", *counts


def _line(row: tuple[str, ...], room: int, sizes: Sequence[int]) -> str:
    numbers = (f"{cell:>{size}}" for cell, size in zip(row[1:], sizes, strict=True))
    return "  ".join((padded(called(row[0], room), room), *numbers))


def _below_each_other(row: tuple[str, ...], width: int) -> list[str]:
    name, score, wins, draws, losses = row
    return folded([called(name, width), f"  {score}: {wins} wins, {draws} draws, {losses} losses"], width)


@contextmanager
def watching(plan: "Schedule", quiet: bool) -> "Iterator[Callable[[Standings], None]]":
    """Whom to tell how a run stands."""
    if sys.stderr.isatty():
        with _bar(len(plan)) as show:
            yield show
    else:
        yield (lambda _: None) if quiet else _lines(len(plan))


def _lines(total: int) -> "Callable[[Standings], None]":
    told = [0]
    began = [0, monotonic()]

    def tell(standings: "Standings") -> None:
        part = PARTS * standings.games // total
        if not began[0]:
            began[:] = [standings.games + 1, monotonic()]
            told[0] = part
        elif part > told[0]:
            told[0] = part
            print(f"{standings.games:,} of {total:,} games{_left(standings.games, total, *began)}", flush=True)

    return tell


def _left(games: int, total: int, before: float, since: float) -> str:
    """About how long the rest takes at the pace of this time."""
    if games >= total:
        return ""
    seconds = (monotonic() - since) / max(1, games + 1 - before) * (total - games)
    return f", about {seconds:,.0f} s left" if seconds < 120 else f", about {seconds / 60:,.0f} min left"


@contextmanager
def _bar(total: int) -> "Iterator[Callable[[Standings], None]]":
    from rich.console import Console, Group
    from rich.live import Live
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
    from rich.text import Text

    bar = Progress(BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(compact=True))
    task = bar.add_task("", total=total, start=False)
    with Live(
        bar, console=Console(stderr=True), transient=True, refresh_per_second=4, vertical_overflow="crop"
    ) as live:
        seen: list[Any] = []

        def show(standings: "Standings") -> None:
            if not seen:
                bar.update(task, completed=standings.games)
                bar.start_task(task)
            bar.update(task, completed=standings.games)
            now = monotonic()
            if not seen or now - seen[-1] > 0.25:
                seen[:] = [now]
                live.update(Group(bar, Text("\n".join(lines(standings.table()[:SHOWN], columns(sys.stderr))))))

        yield show


def _number(count: int, name: str) -> str:
    return f"{count:,} {name}{'' if count == 1 else 's'}"
