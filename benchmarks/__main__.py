"""The command `make bench`: measure the chosen areas and print each figure beside its limit."""

import json
from collections.abc import Iterator
from importlib import import_module

import click

from benchmarks.figure import Figure

AREAS = ("arena", "games", "rl", "solver", "storage", "terminal", "web", "equilibrium")
"""Modules of this package, each with a function `figures`."""

EXAMPLES = """\b
Examples:
  make bench
  make bench ARGS="solver terminal"
  make bench ARGS=--json
"""


@click.command("benchmarks", epilog=EXAMPLES)
@click.argument("areas", nargs=-1, type=click.Choice(AREAS), metavar="[AREA]...")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array for programs.")
def command(areas: tuple[str, ...], as_json: bool) -> None:
    """Measure every figure beside its near-limit in the same run, as ratios.

    Ratios can be compared between machines; rates and seconds cannot.
    """
    rows = []
    for figure in measure(areas or AREAS):
        rows.append({**figure._asdict(), "ratio": figure.ratio})
        if not as_json:
            print(line(figure), flush=True)
    if as_json:
        print(json.dumps(rows, indent=2))


def measure(areas: tuple[str, ...]) -> Iterator[Figure]:
    """Yield the figures of some areas, one after the other."""
    for area in areas:
        yield from import_module(f"benchmarks.{area}").figures()


def line(figure: Figure) -> str:
    """Return a figure in one line."""
    values = f"{amount(figure.measured, figure.unit):>12}   {figure.limit_name} {amount(figure.limit, figure.unit):>10}"
    return f"{figure.name:<44} {values}   ratio {figure.ratio:.3g}"


def amount(value: float, unit: str) -> str:
    """Return a rate in millions, or a time in milliseconds."""
    if unit != "per second":
        return f"{value * 1e3:.1f} ms"
    return f"{value / 1e6:.2f} M/s" if value > 1e5 else f"{value:.0f} /s"


if __name__ == "__main__":
    command()
