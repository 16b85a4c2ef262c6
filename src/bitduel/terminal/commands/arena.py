"""`bitduel arena run`: every player against every other, with with its progress and standings while it runs."""

import json
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from bitduel.arena.schedule import MAX_PLIES, PRESETS, ArenaPreset, PresetError, short_name
from bitduel.core.errors import unknown_name
from bitduel.core.phrases import join_with_or
from bitduel.players.settings import PlayerLimits, llm_limits, llm_options
from bitduel.players.spec import Spec, parse
from bitduel.terminal.group import LazyGroup
from bitduel.terminal.parameters import PlayerType, command, examples, json_option, read_settings, set_option
from bitduel.terminal.screen import open_screen
from bitduel.terminal.text import display_width, fold_lines, line_width, pad, terminal_width

if TYPE_CHECKING:
    from bitduel.arena.runner import RunningScore, RunResult, Standings
    from bitduel.arena.schedule import Schedule

PRESET_OPTIONS = {"games": "games", "rounds": "rounds", "seed": "seed", "settings": "set", "max_plies": "max-plies"}
"""The options that a preset fixes, by parameter."""
PROGRESS_LINES = 10
"""The number of progress lines in a pipe."""
LEADERS = 10
"""The number of players in the standings below the bar."""
HEADERS = ("player", "score", "wins", "draws", "losses")
COLUMN_WIDTHS = (6, 8, 8, 8)
"""The widths of the numbers in the standings if there is room."""
MIN_NAME = 10


@click.group(
    "arena",
    cls=LazyGroup,
    available={
        "run": ("bitduel.terminal.commands.arena:run", "Play every player against every other in every game."),
        "report": (
            "bitduel.terminal.commands.arena_report:report",
            "Report the results of a run as a web page, a table, JSON or CSV.",
        ),
    },
    epilog=examples("bitduel arena run perfect random --out results", "bitduel arena report results"),
    invoke_without_command=True,
)
@click.pass_context
def arena(ctx: click.Context) -> None:
    """Play programs against each other, and compare every move with perfect play."""
    if ctx.invoked_subcommand is None:
        print(ctx.get_help())


def _preset(_context: click.Context, _parameter: click.Parameter, name: str | None) -> ArenaPreset | None:
    if name is not None and name not in PRESETS:
        raise unknown_name("preset", name, sorted(PRESETS))
    return None if name is None else PRESETS[name]


@command(
    "run",
    "bitduel arena run perfect random --out results",
    "bitduel arena run easy medium hard --games 64,bits --rounds 500 --jobs 2 --out results",
    'bitduel arena run medium "bot:python my_bot.py" --games double --seconds 2 --out results',
    "bitduel arena run perfect level:3 --games double --set target=100 --out results --json",
    'bitduel arena run "bot:python my_bot.py" --preset reference --jobs 2 --out results',
    "bitduel arena run llm:qwen3 perfect --preset gg-bench --llm-url http://localhost:11434/v1 --out results",
)
@click.argument("players", nargs=-1, metavar="PLAYER PLAYER...", type=PlayerType())
@click.option("--preset", metavar="NAME", callback=_preset, help=f"A ready-made run: {join_with_or(sorted(PRESETS))}.")
@click.option("--games", default="all", metavar="all|LIST", show_default=True, help="The games, separated by commas.")
@set_option
@click.option(
    "--rounds", default=1, metavar="N", show_default=True, help="Rounds of two games, with the seats swapped."
)
@click.option("--seed", default=0, metavar="N", show_default=True, help="The same seed gives the same games.")
@click.option("--jobs", default=1, metavar="N", show_default=True, help="Number of processes to use.")
@click.option("--dask", metavar="tcp://...", help="Use the Dask cluster at this address.")
@click.option(
    "--seconds", default=10.0, metavar="S", show_default=True, help="Time limit per move for bots, in seconds."
)
@click.option(
    "--max-plies",
    default=MAX_PLIES,
    metavar="N",
    show_default=True,
    help="Abandon a longer game as a draw.",
)
@click.option("--trust-bots", is_flag=True, help="Let bots use the network and write files. The report will say so.")
@click.option(
    "--out",
    required=True,
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the results. An interrupted run continues from here.",
)
@llm_options
@json_option
def run(
    players: tuple[Spec, ...],
    games: str,
    settings: tuple[str, ...],
    rounds: int,
    seed: int,
    jobs: int,
    dask: str | None,
    seconds: float,
    max_plies: int,
    trust_bots: bool,
    out: Path,
    llm_url: str,
    llm_set: tuple[str, ...],
    llm_log: str | None,
    preset: ArenaPreset | None,
    as_json: bool,
) -> None:
    """Play every PLAYER against every other in every game, and write one line per game to FOLDER/games.jsonl.

    Each round is two games with the same deal and the seats swapped. To continue an interrupted run, use the same
    command again.
    """
    from bitduel.arena.runner import check, play_schedule
    from bitduel.arena.schedule import make_schedule

    if preset:
        _refuse_preset_options(preset)
        preset.check_llm_settings(llm_set)
        games, rounds, seed, llm_set = preset.games, preset.rounds, preset.seed, (*llm_set, *preset.llm_settings)
        players = (*players, *(spec for spec in map(parse, preset.players) if spec not in players))
    limits = llm_limits(llm_url, llm_set, llm_log, PlayerLimits(seconds))
    schedule = make_schedule(players, games, read_settings(settings), rounds, seed, limits, max_plies, trust_bots)
    with open_screen(plain=False, asks=False).busy("Preparing the games..."):
        check(schedule, jobs)
    if not as_json:
        print("\n".join(_announcement(schedule)), flush=True)
    with _progress(len(schedule), quiet=as_json) as show_progress:
        result = play_schedule(schedule, jobs, dask, out, show_progress)
    print(json.dumps(result.as_data()) if as_json else "\n".join(_result_lines(result)))


def _refuse_preset_options(preset: ArenaPreset) -> None:
    context = click.get_current_context()
    for name, option in PRESET_OPTIONS.items():
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise PresetError(f"The preset {preset.name} already sets --{option}. Use one or the other.")


def _announcement(schedule: "Schedule") -> list[str]:
    """Return what will be played, and which differences in strength it can show."""
    from bitduel.arena.intervals import CONFIDENCE, DIFFERENCES, POWER, games_to_tell

    meetings = schedule.rounds * len(schedule.games) * 2
    few, many = ((f"{round(100 * difference)}", f"{games_to_tell(difference):,}") for difference in DIFFERENCES)
    sentences = (
        f"{len(schedule):,} games: {_count(len(schedule.players), 'player')}, {_count(len(schedule.games), 'game')}, "
        f"{_count(schedule.rounds, 'round')}; each pair of players meets {meetings:,} times.",
        f"To detect a difference of {few[0]} percentage points, two players need about {few[1]} games against each "
        f"other; for {many[0]} points, about {many[1]} ({CONFIDENCE:.0%} confidence, {POWER:.0%} power).",
    )
    return fold_lines(sentences, line_width())


def _result_lines(result: "RunResult") -> list[str]:
    earlier = len(result.schedule) - result.played
    note = f" ({earlier:,} of them earlier)" if earlier else ""
    end = (
        f"{len(result.schedule):,} games played{note}. The results are in {result.folder}.",
        f"To see the results: bitduel arena report {shlex.quote(str(result.folder))}",
    )
    return [*standings_table(result.standings, terminal_width()), *fold_lines(end, line_width())]


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def standings_table(scores: "list[RunningScore]", width: int) -> list[str]:
    """Return the standings as a table, or each player in lines of its own where that does not fit."""
    rows = [HEADERS, *map(_score_cells, scores)]
    longest = max(display_width(row[0]) for row in rows)
    narrowest = [max(map(len, column)) for column in list(zip(*rows, strict=True))[1:]]
    for sizes, spare in ((COLUMN_WIDTHS, 6), (narrowest, 0)):
        rest = sum(sizes) + 2 * len(sizes)
        name_width = min(longest, max(MIN_NAME, width - rest - spare))
        if name_width + rest <= width:
            return [_score_line(row, name_width, sizes) for row in rows]
    return [line for row in rows[1:] for line in _stacked_score(row, width)]


def _score_cells(score: "RunningScore") -> tuple[str, ...]:
    counts = (f"{count:,}" for count in (score.wins, score.draws, score.losses))
    return score.player, f"{score.score:.1%}", *counts


def _score_line(row: tuple[str, ...], name_width: int, sizes: Sequence[int]) -> str:
    numbers = (f"{cell:>{size}}" for cell, size in zip(row[1:], sizes, strict=True))
    return "  ".join((pad(short_name(row[0], name_width), name_width), *numbers))


def _stacked_score(row: tuple[str, ...], width: int) -> list[str]:
    name, score, wins, draws, losses = row
    return fold_lines([short_name(name, width), f"  {score}: {wins} wins, {draws} draws, {losses} losses"], width)


@contextmanager
def _progress(total: int, quiet: bool) -> "Iterator[Callable[[Standings], None]]":
    """Give a function that shows the progress of a run: a bar on a terminal, lines in a pipe."""
    if sys.stderr.isatty():
        with _bar(total) as show:
            yield show
    else:
        yield (lambda _: None) if quiet else _ProgressLines(total)


class _ProgressLines:
    """Lines that say how much of a run is done, and about how long the rest takes."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.part = self.games_before = 0
        self.began = monotonic()

    def __call__(self, standings: "Standings") -> None:
        games = standings.games
        part = PROGRESS_LINES * games // self.total
        if not self.games_before:
            self.part, self.games_before, self.began = part, games + 1, monotonic()
        elif part > self.part:
            self.part = part
            print(f"{games:,} of {self.total:,} games{self._time_left(games)}", flush=True)

    def _time_left(self, games: int) -> str:
        if games >= self.total:
            return ""
        pace = (monotonic() - self.began) / max(1, games + 1 - self.games_before)
        seconds = pace * (self.total - games)
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
        shown_at: list[float] = []

        def show(standings: "Standings") -> None:
            bar.update(task, completed=standings.games)
            now = monotonic()
            if not shown_at:
                bar.start_task(task)
            if not shown_at or now - shown_at[-1] > 0.25:
                shown_at[:] = [now]
                leaders = standings_table(standings.table()[:LEADERS], terminal_width(sys.stderr))
                live.update(Group(bar, Text("\n".join(leaders))))

        yield show
