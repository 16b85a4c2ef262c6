"""`bitduel atlas GAME --over NAME=VALUES`: who wins, over one or two options."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bitduel.core.errors import BitduelError, OptionError
from bitduel.core.evaluation import UNSEEN_WORTH
from bitduel.core.picture import Chart
from bitduel.games import Kind
from bitduel.terminal.parameters import RangeType, game_argument, read_settings, set_option

if TYPE_CHECKING:
    from bitduel.solver.atlas import Entry, OptionAxis

EXAMPLES = """\b
Examples:
  bitduel atlas double --over target=2..200
  bitduel atlas 64 --over step=1..8 --over target=2..64 --svg races.svg
  bitduel atlas bits --over bits=1..6 --over first-move=turn,game,flip,empty
  bitduel atlas battle --over bits=1..5 --json
"""


@click.command("atlas", epilog=EXAMPLES)
@game_argument
@click.option(
    "--over",
    multiple=True,
    required=True,
    metavar="NAME=VALUES",
    type=RangeType(),
    help="2..200, or 1,2,5; one or two times.",
)
@set_option
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path), help="Draw the picture into this file.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for programs.")
def command(kind: Kind, over: tuple[str, ...], settings: tuple[str, ...], svg: Path | None, as_json: bool) -> None:
    """Show who wins GAME at the start, over one or two of its options."""
    from bitduel.solver import atlas

    if len(over) > 2:
        raise OptionError("--over can be given once or twice.")
    axes = [atlas.axis(kind, text) for text in over]
    if len({axis.name for axis in axes}) < len(axes):
        raise OptionError(f"--over takes two different options, not {axes[0].name} twice.")
    chosen = read_settings(settings)
    with progress_bar(prod(len(axis.values) for axis in axes)) as progress:
        entries = atlas.survey(kind, axes, chosen, progress)
    chart = atlas.chart(kind, axes, entries)
    if svg:
        write_svg(svg, chart)
    if as_json:
        print(json.dumps(as_data(kind, axes, chosen, entries)))
    elif not svg:
        from bitduel.terminal.paint_chart import show_chart

        show_chart(chart)
    else:
        print(f"The picture is in {svg}.")


def write_svg(path: Path, chart: Chart) -> None:
    """Put the picture into a file."""
    from bitduel.rendering.chart import chart_svg

    try:
        path.write_text(chart_svg(chart), encoding="utf-8")
    except OSError as error:
        raise BitduelError(f"The picture cannot be written to '{path}': {error.strerror}.") from None


def as_data(
    kind: Kind, axes: list["OptionAxis"], chosen: dict[str, object], entries: list["Entry"]
) -> dict[str, object]:
    """The survey as JSON-ready data; a choice of options that is no game has only nulls."""
    rows = [{**entry.options, **(entry.worth or UNSEEN_WORTH).as_data()} for entry in entries]
    return {"game": kind.slug, "over": [axis.name for axis in axes], "options": chosen, "cells": rows}


@contextmanager
def progress_bar(total: int) -> Iterator[Callable[[int], None]]:
    """A bar on standard error that appears only if the work takes more than a second."""
    if not sys.stderr.isatty():
        yield lambda _done: None
        return
    from time import monotonic

    from rich.console import Console
    from rich.progress import Progress

    began = monotonic()
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Solving", total=total, visible=False)
        yield lambda done: bar.update(task, completed=done, visible=monotonic() - began > 1)
