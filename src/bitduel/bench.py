"""`bitduel bench`: how fast everything is, beside how fast it could be."""

import json
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules

import click

import bitduel
from bitduel.core.figures import Figure
from bitduel.games import shelf

EXAMPLES = """\b
Examples:
  bitduel bench
  bitduel bench solve terminal
  bitduel bench --json
"""

ROOMS = "rooms"


def areas_there_are() -> list[str]:
    """Every folder of the house that measures something, and the rooms of the games."""
    folders = [each.name for each in iter_modules(bitduel.__path__) if each.ispkg]
    return [folder for folder in folders if find_spec(f"bitduel.{folder}.bench")] + [ROOMS]


@click.command("bench", epilog=EXAMPLES)
@click.argument("areas", nargs=-1, type=click.Choice(areas_there_are()), metavar="[AREA]...")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array for programs.")
def command(areas: tuple[str, ...], as_json: bool) -> None:
    """Measure every figure beside its near-limit in the same run, as ratios.

    Ratios can be compared between machines; rates and seconds cannot.
    """
    rows = []
    for figure in measure(areas or tuple(areas_there_are())):
        rows.append({**figure._asdict(), "ratio": figure.ratio})
        if not as_json:
            print(line(figure), flush=True)
    if as_json:
        print(json.dumps(rows, indent=2))


def measure(areas: tuple[str, ...]) -> Iterator[Figure]:
    """The figures of some areas, one after the other."""
    for area in areas:
        for module in modules(area):
            yield from import_module(module).figures()


def modules(area: str) -> list[str]:
    """Where the figures of an area are measured."""
    if area != ROOMS:
        return [f"bitduel.{area}.bench"]
    rooms = {kind.__module__.rpartition(".")[0]: None for kind in shelf()}
    return [f"{room}.bench" for room in rooms if room and find_spec(f"{room}.bench")]


def line(figure: Figure) -> str:
    """A figure in one line."""
    values = f"{amount(figure.measured, figure.unit):>12}   {figure.limit_name} {amount(figure.limit, figure.unit):>10}"
    return f"{figure.name:<44} {values}   ratio {figure.ratio:.3g}"


def amount(value: float, unit: str) -> str:
    """A rate in millions, or a time in milliseconds."""
    if unit != "per second":
        return f"{value * 1e3:.1f} ms"
    return f"{value / 1e6:.2f} M/s" if value > 1e5 else f"{value:.0f} /s"
